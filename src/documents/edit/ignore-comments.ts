import { Lexer } from 'yaml'
import type { Range } from '../finding.ts'
import type { Problem } from '../load/loaded.ts'
import { isJson, lineStart, type Source } from '../yaml/source.ts'

/** A rule that a comment switches off. */
export interface Ignored {
  readonly rule: string
  /** Place of its name in the comment. */
  readonly range: Range
}
/** A comment that switches rules off: at a line, or in the whole file. */
export interface IgnoreComment {
  readonly range: Range
  readonly rules: readonly Ignored[]
  /** The line that it applies to; undefined for the whole file. */
  readonly line: number | undefined
  /** Whether it has no effect at its place. */
  readonly misplaced: boolean
}

/** A rule and the line at which it is switched off; without a line, in the whole file. */
export const switchOf = (rule: string, line: number | undefined): string => `${line ?? ''} ${rule}`

/** Everything that comments switch off. */
export const switchesOf = (comments: readonly IgnoreComment[]): ReadonlySet<string> =>
  new Set(
    comments
      .filter(({ misplaced }) => !misplaced)
      .flatMap(({ line, rules }) => rules.map(({ rule }) => switchOf(rule, line))),
  )

/** Those of them that switch off a problem. */
export const switchesFor = ({ rule, line }: Pick<Problem, 'rule' | 'line'>, switches: ReadonlySet<string>): string[] =>
  [switchOf(rule, line), switchOf(rule, undefined)].filter((one) => switches.has(one))

const word = 'vatom-ignore'
const scalarMark = '\u001f'
const marks = ['\u0002', '\u0018', scalarMark]

/** The comments of a YAML text that switch rules off; JSON has no comments. */
export function ignoreComments(source: Source): IgnoreComment[] {
  if (!source.text.includes(word) || isJson(source.file)) return []
  const comments = commentsIn(source.text)
  const lines = new Set(comments.filter((one) => one.alone).map(({ range }) => lineOf(source, range[0])))
  const next = nextLines(source.text, lines)
  return comments.flatMap((comment) => ignoreComment(comment, source, next))
}

interface Comment {
  readonly text: string
  readonly range: Range
  /** Whether it is the first text of its line. */
  readonly alone: boolean
  /** Whether the file has only comments before it. */
  readonly first: boolean
}

function commentsIn(text: string): Comment[] {
  const comments: Comment[] = []
  let offset = 0
  let first = true
  let scalar = false
  for (const lexeme of new Lexer().lex(text)) {
    if (marks.includes(lexeme)) {
      scalar = lexeme === scalarMark
      continue
    }
    if (lexeme.startsWith('#') && !scalar) {
      const before = text.slice(lineStart(text, offset), offset)
      comments.push({
        text: lexeme,
        range: [offset, offset + lexeme.length],
        alone: before.trim() === '',
        first,
      })
    } else if (lexeme.trim() !== '' && !/^(%|---)/.test(lexeme)) first = false
    scalar = false
    offset += lexeme.length
  }
  return comments
}

function ignoreComment({ text, range, alone, first }: Comment, source: Source, next: readonly number[]) {
  const [, start = '', file, names = ''] =
    /^(#[ \t]*vatom-ignore(-file)?(?![\w-])[ \t]*)([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)?/.exec(text) ?? []
  if (start === '') return []
  const from = range[0] + start.length
  const rules = [...names.matchAll(/[\w-]+/g)].map(({ 0: rule, index }) => ({
    rule,
    range: [from + index, from + index + rule.length] as const,
  }))
  const own = lineOf(source, range[0])
  // It applies to its own line, or to the next one with more than a comment.
  const line = file ? undefined : alone ? next[own] : own
  return [{ range, rules, line, misplaced: file !== undefined && !first }]
}

/** For each line, counted from 1, the next one with more than a comment, or the one after the last. */
function nextLines(text: string, comments: ReadonlySet<number>): number[] {
  const lines = text.split('\n')
  const next: number[] = []
  for (let line = lines.length; line >= 1; line--) {
    const below = line + 1
    const isPassed = below <= lines.length && (comments.has(below) || ['', '---'].includes((lines[line] ?? '').trim()))
    next[line] = isPassed ? (next[below] ?? below) : below
  }
  return next
}

const lineOf = (source: Source, offset: number) => source.span(offset, offset).line
