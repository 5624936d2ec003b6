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
    .filter((candidate) => Math.abs(candidate.length - word.length) <= tolerance(candidate.length))
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= tolerance(candidate.length))
    .sort((a, b) => a.distance - b.distance)[0]
  return near?.candidate
}

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
  const found = typeof word === 'string' ? suggest(word, candidates) : undefined
  return found === undefined ? undefined : `did you mean ${found}?`
}

/** Names as a hint lists them: the first twenty. */
export function nameList(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length - shown
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ')
}
