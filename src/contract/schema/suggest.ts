import leven from 'leven'

/** Longest word that is compared; longer ones are no misspelling. */
const longest = 64
/** Candidates that are compared at most. */
const compared = 200
const shown = 20

/** What to answer a misspelling with: the nearest candidate, if one is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const suffix = candidates.find((candidate) => candidate.endsWith(`.${word}`))
  if (suffix !== undefined) return suffix
  const near = candidates
    .slice(0, compared)
    .flatMap((candidate) => {
      const [one, other] = differing(word, candidate)
      const most = tolerance(other.length)
      const far = Math.abs(one.length - other.length) > most ? Number.POSITIVE_INFINITY : distance(one, other)
      return far > most ? [] : [{ candidate, far }]
    })
    .sort((a, b) => a.far - b.far)[0]
  return near?.candidate
}

/** What two names have behind the whole parts that both begin with, and before those that both end with. */
function differing(word: string, candidate: string): readonly [string, string] {
  if (candidate.startsWith(word)) return [word, candidate]
  const start = sharedParts(word, candidate)
  const one = word.slice(start)
  const other = candidate.slice(start)
  const end = sharedParts(reversed(one), reversed(other))
  return [one.slice(0, one.length - end), other.slice(0, other.length - end)]
}

/** Length of the parts that two names begin with; a part ends with a dot, a colon or a slash. */
function sharedParts(one: string, other: string): number {
  let end = 0
  for (let at = 0; at < one.length && one[at] === other[at]; at += 1) if (/[.:/]/.test(one[at] ?? '')) end = at + 1
  return end
}

const reversed = (text: string) => [...text].reverse().join('')

/** The only candidate that a misspelling can mean, at most two typing mistakes away; undefined where several can. */
export function soleSuggestion(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const near = candidates
    .slice(0, compared)
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 2)
    .filter((candidate) => distance(word, candidate) <= Math.min(2, tolerance(candidate.length)))
  return near.length === 1 ? near[0] : undefined
}

const numbered = (name: string) => name.replace(/\d+/g, '0')

/**
 * The name that another misspells: one that differs in at most two letters of one part between `::`, or has a publisher
 * or a version besides. Names that differ in numbers alone are names of different things.
 */
export function typo(name: string, names: Iterable<string>): string | undefined {
  for (const known of names)
    if (known !== name && Math.abs(known.length - name.length) <= longest && isTypo(name, known)) return known
  return undefined
}

function isTypo(name: string, known: string): boolean {
  if ([known, known.replace(/::v\d+$/, '')].some((one) => one.endsWith(`::${name}`))) return true
  if (known.startsWith(`${name}::`) && /^::v\d+$/.test(known.slice(name.length))) return true
  if (numbered(name) === numbered(known)) return false
  const parts = name.split('::')
  const others = known.split('::')
  if (parts.length !== others.length) return false
  const differing = parts.flatMap((part, index) =>
    part === others[index] ? [] : [[part, others[index] ?? ''] as const],
  )
  const [[one, other] = ['', '']] = differing
  return (
    differing.length === 1 && Math.abs(one.length - other.length) <= 2 && leven(one, other) <= mistakes(other.length)
  )
}

/** Typing mistakes in a name of this length. */
const mistakes = (length: number) => (length < 4 ? 0 : length < 6 ? 1 : 2)

const distance = (word: string, candidate: string) => leven(plain(word), plain(candidate))
const plain = (word: string) => word.toLowerCase().replaceAll('-', '_')

/** Typing mistakes that still mean a word of this length. */
function tolerance(length: number): number {
  if (length <= 2) return 0
  if (length <= 4) return 1
  return length <= 7 ? 2 : Math.floor(length / 3)
}

/** `did you mean X?`, where a candidate is near. */
export function didYouMean(word: unknown, candidates: readonly string[]): string | undefined {
  const found = typeof word === 'string' ? (suggest(word, candidates) ?? synonymOf(word, candidates)) : undefined
  return found === undefined ? undefined : `did you mean ${found}?`
}

/** Words of other programs for values of ours. */
const synonyms: Readonly<Record<string, string>> = {
  detail: 'engaged',
  details: 'engaged',
  inventory: 'icon',
  thumbnail: 'icon',
  cover: 'fill',
  contain: 'fit',
}

function synonymOf(word: string, candidates: readonly string[]): string | undefined {
  const ours = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined
  return candidates.find((candidate) => candidate === ours)
}

/** Names as a hint lists them: the first twenty, or so many as given. */
export function nameList(names: readonly string[], most = shown): string {
  if (names.length === 0) return 'none'
  const rest = names.length - most
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ')
}

const tail = (address: string) => address.slice(address.lastIndexOf('/') + 1)

/** The address whose last part is nearest, if one is near: what comes before is alike in each. */
export function nearestAddress(address: string, known: readonly string[]): string | undefined {
  const near = suggest(tail(address), known.map(tail))
  return known.find((one) => tail(one) === near)
}

/** A hint at the nearest address, else at all of them. */
export function addressHint(address: string, known: readonly string[]): string {
  const found = nearestAddress(address, known)
  return found === undefined ? `known ones: ${known.join(', ')}` : `did you mean ${found}?`
}
