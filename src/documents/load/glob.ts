/** A pattern of paths in its parts: wildcards, and single characters. */
type Parts = readonly string[]

/**
 * Whether a path, or a folder that it is in, fits a pattern as in `.gitignore`: `*` and `?` stand for characters of one
 * name, `**` for any, `**` with a slash for any folders or none. A pattern without a slash fits names in every folder, and
 * accents fit in whichever form of Unicode they are written: archives of macOS have another than keyboards. In time that
 * grows with both lengths, however many stars there are.
 */
export function globOf(pattern: string): (path: string) => boolean {
  const name = pattern.normalize('NFC').replace(/\/$/, '')
  const whole = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`
  const parts = whole.match(/\*\*\/|\*\*|[\s\S]/g) ?? []
  return (path) => fits(parts, path.normalize('NFC'), { part: 0, at: 0 }, new Set())
}

/** Where a pattern and a path are looked at. */
interface Place {
  readonly part: number
  readonly at: number
}

/** `failed` has the places from which they do not fit. */
function fits(parts: Parts, path: string, { part, at }: Place, failed: Set<number>): boolean {
  if (part === parts.length) return at === path.length || path[at] === '/'
  const key = part * (path.length + 1) + at
  if (failed.has(key)) return false
  const isFound = nextPlaces(parts[part] ?? '', path, { part, at }).some((next) => fits(parts, path, next, failed))
  if (!isFound) failed.add(key)
  return isFound
}

/** Where the rest may go on behind a part, or behind one character more of a run. */
function nextPlaces(kind: string, path: string, { part, at }: Place): readonly Place[] {
  const here = path[at]
  const behind = { part: part + 1, at }
  if (kind === '**/') {
    const slash = path.indexOf('/', at)
    return slash < 0 ? [behind] : [behind, { part, at: slash + 1 }]
  }
  const isIn = here !== undefined && (kind === '**' || here !== '/')
  if (kind === '**' || kind === '*') return isIn ? [behind, { part, at: at + 1 }] : [behind]
  return (kind === '?' ? isIn : here === kind) ? [{ part: part + 1, at: at + 1 }] : []
}
