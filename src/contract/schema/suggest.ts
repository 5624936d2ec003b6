import leven from 'leven'
import { synonymsOf } from './synonyms.ts'

/** Longest word that is compared; longer ones are no misspelling, and mean nothing else. */
export const longest = 64
/** Candidates that are looked at, and compared letter by letter, at most. */
const seen = 1000
const compared = 200
/** Pairs of letters that are compared for one word at most, some nanoseconds each. */
const comparedPairs = 40_000
const shown = 20

/** What to answer a misspelling with: the nearest candidate, if one is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const ending = `.${word}`
  const suffix = candidates.slice(0, seen).find((candidate) => candidate.endsWith(ending))
  if (suffix !== undefined) return suffix
  if (areCodes(candidates)) return respelt(word, candidates) ?? respelt(word.replace(/[-_].*/, ''), candidates)
  return nearestOf(word, candidates.slice(0, compared))
}

/** Two texts that are compared, and which of the candidates the second one is. */
interface Compared {
  readonly index: number
  readonly one: string
  readonly other: string
  /** Pairs of letters between what both begin with and what both end with. */
  readonly pairs: number
}

/** The candidate with the fewest mistakes, if they are few; those that differ in one short place are compared first. */
function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  let left = comparedPairs
  let near = { far: Number.POSITIVE_INFINITY, index: candidates.length }
  for (const { index, one, other, pairs } of inPairs(word, candidates)) {
    left -= pairs
    if (left < 0) break
    const far = mistakesIn(one, other)
    const isNearer = far < near.far || (far === near.far && index < near.index)
    if (far <= tolerance(other.length) && isNearer) near = { far, index }
  }
  return candidates[near.index]
}

/** What can be compared of a word and its candidates: the least first. */
const inPairs = (word: string, candidates: readonly string[]): Compared[] =>
  candidates
    .flatMap((candidate, index) => {
      const [one, other] = differing(word, candidate)
      if (Math.abs(one.length - other.length) > tolerance(other.length)) return []
      const shared = sharedEnds(plain(one), plain(other))
      return [{ index, one, other, pairs: (one.length - shared) * (other.length - shared) }]
    })
    .sort((a, b) => a.pairs - b.pairs)

/** How many letters two texts begin and end with. */
function sharedEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && fromEnd(one, end) === fromEnd(other, end)) end++
  return start + end
}

/** What two names have behind the whole parts that both begin with, and before those that both end with. */
function differing(word: string, candidate: string): readonly [string, string] {
  if (candidate.startsWith(word)) return [word, candidate]
  const start = sharedParts(word, candidate)
  const one = word.slice(start)
  const other = candidate.slice(start)
  const end = sharedParts(one, other, fromEnd)
  return [one.slice(0, one.length - end), other.slice(0, other.length - end)]
}

const fromStart = (text: string, at: number) => text[at]
const fromEnd = (text: string, at: number) => text[text.length - 1 - at]

/** Length of the parts that two names begin with, or end with; between parts is a dot, a colon or a slash. */
function sharedParts(one: string, other: string, letter = fromStart): number {
  let end = 0
  for (let at = 0; at < one.length && letter(one, at) === letter(other, at); at += 1)
    if (isBetweenParts(letter(one, at))) end = at + 1
  return end
}

const isBetweenParts = (letter: string | undefined) => letter === '.' || letter === ':' || letter === '/'

/**
 * The only candidate that a word certainly means: one that differs in case, hyphens and underscores alone, else a long
 * one that differs in one or two letters, where no other is close. A short word or a code with another letter may be
 * another word.
 */
export function certainMeaning(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const same = respelt(word, candidates)
  if (same !== undefined || areCodes(candidates)) return same
  const [first, second] = candidates
    .slice(0, compared)
    .filter((candidate) => Math.abs(candidate.length - word.length) <= mostMistakes + 1)
    .map((candidate) => ({ candidate, far: mistakesIn(word, candidate) }))
    .sort((a, b) => a.far - b.far)
  if (!first || numbered(word) === numbered(first.candidate)) return undefined
  const isClear = second === undefined || second.far > first.far + 1
  return isClear && first.far <= certainMistakes(word, first.candidate) ? first.candidate : undefined
}

const manyCodes = 50
/** More than a list of currencies or countries has: other short names, which all to compare takes time. */
const mostCodes = 400
/** Whether words are codes of two or three letters: there are so many that most mistakes in one make another. */
function areCodes(words: readonly string[]): boolean {
  const length = words[0]?.length ?? 0
  return (
    words.length > manyCodes &&
    words.length <= mostCodes &&
    length <= 3 &&
    words.every((code) => code.length === length)
  )
}

/** The only candidate that is spelt as a word, but for case, hyphens and underscores. */
function respelt(word: string, candidates: readonly string[]): string | undefined {
  const meant = letters(word)
  const found = candidates.filter((candidate) => letters(candidate) === meant)
  return found.length === 1 ? found[0] : undefined
}
const letters = (word: string) => word.toLowerCase().replaceAll(/[-_]/g, '')

const mostMistakes = 2
/** Typing mistakes in the part that differs which leave no doubt. */
function certainMistakes(word: string, candidate: string): number {
  const { length } = differing(word, candidate)[1]
  if (length < 4 || (length === 4 && !isSwapped(word, candidate))) return 0
  return length < 8 ? 1 : mostMistakes
}

const mistakesIn = (word: string, candidate: string) => (isSwapped(word, candidate) ? 1 : distance(word, candidate))

/** Whether two words differ in the order of two letters that follow each other. */
function isSwapped(word: string, other: string): boolean {
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  return at < word.length && word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other
}

/** A name with `0` for each number in it. */
export const numbered = (name: string) => name.replace(/\d+/g, '0')

const distance = (word: string, candidate: string) => leven(plain(word), plain(candidate))
const plain = (word: string) => word.toLowerCase().replaceAll('-', '_')

/** Typing mistakes that still mean a word of this length. */
function tolerance(length: number): number {
  if (length <= 2) return 0
  if (length <= 4) return 1
  return length <= 7 ? 2 : Math.floor(length / 3)
}

/** The candidate that is near to a word, or else those that people mean by it. */
export function meantBy(word: string, candidates: readonly string[]): readonly string[] {
  if (word.length > longest) return []
  const near = suggest(word, candidates)
  return near === undefined ? synonymsOf(word, candidates) : [near]
}

/** `did you mean X?`, where a candidate is near, or is what people mean by a word. */
export function didYouMean(word: unknown, candidates: readonly string[]): string | undefined {
  const found = typeof word === 'string' ? meantBy(word, candidates) : []
  return found.length === 0 ? undefined : `did you mean ${found.join(' or ')}?`
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
