import { type ParsedNode, visit } from 'yaml'
import { limits } from '../../contract/limits.ts'
import { type Finding, finding, type Range } from '../finding.ts'

/** Characters that look like a space or like nothing, and are no space for YAML. */
const strange = '[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]'
const one = new RegExp(strange)
const some = new RegExp(strange, 'g')

/** Where such a space takes the place of one: in the indentation, behind a dash, behind the colon of a key, and at the end. */
const run = `(?<spaces>${strange}(?:${strange}|[ \\t])*)`
const indentation = `(?:${strange}|[ \\t])*`
const key = `[^\\s:#'"]{1,200}(?:::[^\\s:#'"]{1,200})*:`
const places = [
  `^(?<before>[ \\t]*)${run}`,
  `^(?<before>${indentation}-)${run}`,
  `^(?<before>${indentation}(?:- +)*${key})${run}`,
  `^(?<before>.*[^\\s])${run}(?=\\r?$)`,
].map((place) => new RegExp(place, 'gm'))
const beginsLikeField = new RegExp(`^${key}${strange}`)

/** Whether a text of one line would, without quotes, be taken for one that has such a space by mistake. */
export const hasStrangeEnd = (text: string): boolean =>
  !text.includes('\n') && (one.test(text.charAt(0)) || one.test(text.at(-1) ?? '') || beginsLikeField.test(text))

/**
 * The spaces that are none for YAML, of a document that cannot be read, or in which a key begins with one or a field became a
 * text by one. In the texts of other documents they are what their author wrote.
 */
export function strangeSpaces(
  text: string,
  contents: ParsedNode | null,
  [from, to]: Range,
  isBroken: boolean,
): Finding[] {
  const document = text.slice(from, to)
  if (!one.test(document)) return []
  if (!isBroken && !isMistaken(contents, text)) return []
  const found = places.flatMap((place) => [...document.matchAll(place)])
  return found
    .map((match): Range => {
      const { before = '', spaces = '' } = match.groups ?? {}
      const start = from + match.index + before.length
      return [start, start + spaces.length]
    })
    .sort(([a], [b]) => a - b)
    .slice(0, limits.problems)
    .map((range) => findingAt(text, range))
}

/** Whether such a space made of a document something else than its author sees. */
function isMistaken(contents: ParsedNode | null, text: string): boolean {
  let found = false
  visit(contents, {
    Scalar: (role, { source = '', type, range }) => {
      if (type !== 'PLAIN' || !range) return undefined
      const isWrong =
        role === 'key'
          ? one.test(source.charAt(0))
          : one.test(source.at(-1) ?? '') || (beginsLikeField.test(source) && isFirstOfLine(text, range[0]))
      if (!isWrong) return undefined
      found = true
      return visit.BREAK
    },
  })
  return found
}

/** Whether nothing but blanks is before an offset in its line. It does not look for where that begins: a line may be long. */
function isFirstOfLine(text: string, offset: number): boolean {
  let before = offset - 1
  while (blank.test(text.charAt(before))) before--
  return before < 0 || text.charAt(before) === '\n'
}

const blank = /[^\S\n]/

function findingAt(text: string, range: Range): Finding {
  const written = text.slice(...range)
  const [first = ''] = written.match(one) ?? []
  const code = `U+${first.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`
  const what = first === '\u00a0' ? `a no-break space (${code})` : `a space of another kind (${code})`
  return finding('yaml-space', `${what} looks like a space, and is none for YAML`, {
    range,
    hint: 'write a space in its place',
    edit: { range, text: written.replace(some, ' ') },
  })
}
