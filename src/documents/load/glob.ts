/** What stands for wildcards among the codes of characters: for one of a name, any of a name, any, and folders or none. */
const [one, name, any, folders] = [-1, -2, -3, -4]
const wildcards: Readonly<Record<string, number>> = { '?': one, '*': name, '**': any, '**/': folders }
const slash = '/'.charCodeAt(0)

/**
 * Whether a path, or a folder that it is in, fits a pattern as in `.gitignore`: `*` and `?` stand for characters of one
 * name, `**` for any, `**` with a slash for any folders or none. A pattern without a slash fits names in every folder, and
 * accents fit in whichever form of Unicode they are written: archives of macOS have another than keyboards. In time that
 * grows with the product of both lengths, and in memory for the pattern alone, however many stars there are.
 */
export function globOf(pattern: string): (path: string) => boolean {
  const written = pattern.normalize('NFC').replace(/\/$/, '')
  const whole = written.includes('/') ? written.replace(/^\//, '') : `**/${written}`
  const found = whole.match(/\*\*\/|\*\*|[\s\S]/g) ?? []
  const parts = Int32Array.from(found, (part) => wildcards[part] ?? part.charCodeAt(0))
  return (path) => fits(parts, path.normalize('NFC'))
}

/** Follows all ways at once in which a path can fit: of each, only which part is next. */
function fits(parts: Int32Array, path: string): boolean {
  let next = new Places(parts)
  let behind = new Places(parts)
  next.reach(0)
  for (let at = 0; at < path.length; at++) {
    const here = path.charCodeAt(at)
    if (here === slash && next.last === parts.length) return true
    behind.follow(next, here)
    ;[next, behind] = [behind, next]
  }
  return next.last === parts.length
}

/** The parts of a pattern that may be next, in their order. */
class Places {
  readonly #parts: Int32Array
  readonly #places: Uint16Array
  #count = 0
  last = -1

  constructor(parts: Int32Array) {
    this.#parts = parts
    this.#places = new Uint16Array(parts.length + 1)
  }

  /** Becomes what may be next behind a character. */
  follow(before: Places, here: number): void {
    this.#count = 0
    this.last = -1
    for (let index = 0; index < before.#count; index++) this.#step(before.#places[index] ?? 0, here)
  }

  /** Adds a part, and those behind it that may be next as it can stand for nothing; if it is there, so are they. */
  reach(part: number): void {
    let at = part
    while (at > this.last) {
      this.#add(at)
      if (Number(this.#parts[at]) < one) at++
    }
  }

  #step(part: number, here: number): void {
    const kind = this.#parts[part]
    const isOfName = here !== slash
    if (kind === here || (kind === one && isOfName)) this.reach(part + 1)
    else if (kind === any || (kind === name && isOfName)) this.reach(part)
    else if (kind === folders) {
      this.#add(part)
      if (!isOfName) this.reach(part + 1)
    }
  }

  #add(part: number): void {
    if (part <= this.last) return
    this.#places[this.#count++] = part
    this.last = part
  }
}
