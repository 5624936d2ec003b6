import { printable } from '../../contract/printable.ts'
import type { Problem, Span } from '../load/loaded.ts'
import { isError } from '../load/problems.ts'
import { type Checkout, fromRoot, isNoFile } from './from-root.ts'
import { problemHead, problemText } from './problem-text.ts'

export interface JUnitOptions extends Checkout {
  /** Name of the suite: the command that was run. */
  readonly name: string
  /** Duration of the run. */
  readonly seconds: number
  /** Warnings of the run that no document has. */
  readonly warnings?: readonly Problem[] | undefined
}

/** The result of a command for one document. */
export interface Outcome {
  readonly file: string | null
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly message: string
  readonly problems: readonly Problem[]
  /** What changes in it, a line each. */
  readonly details?: readonly string[]
  /** The status that it would have without --dry-run. */
  readonly would?: string
  /** What was done with it before it failed. */
  readonly written?: string
  /** The reason of a failure. */
  readonly failure?: { readonly message: string; readonly hint?: string | undefined }
  /** Place of its name in the file. */
  readonly place?: Span | undefined
}

const failing: readonly string[] = ['invalid', 'refused', 'failed']

/**
 * The results of a command as JUnit XML, for programs that show tests: one test case per document, with its kind as class.
 * Documents that were not sent are skipped tests. So are warnings of the run: they fail nothing, and GitLab shows no text of
 * a test that passed. Characters that XML does not allow are written as `\u001b`.
 */
export function junitOf(rows: readonly Outcome[], { name, seconds, warnings = [], ...checkout }: JUnitOptions): string {
  const totals = {
    tests: rows.length + warnings.length,
    failures: rows.filter(({ status }) => failing.includes(status)).length,
    errors: 0,
    skipped: rows.filter(({ status }) => status === 'not_sent').length + warnings.length,
    time: seconds.toFixed(3),
  }
  const cases = [...rows.map((row) => caseOf(row, checkout)), ...warnings.map((one) => warningCase(one, checkout))]
  const suites = element('testsuites', { name: 'vatom', ...totals }, [element('testsuite', { name, ...totals }, cases)])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites.join('\n')}\n`
}

/** The lines of an element. */
type Element = readonly string[]

function caseOf(row: Outcome, checkout: Checkout): Element {
  const { kind, status, message, problems } = row
  const file = row.file === null ? undefined : fromRoot(checkout, row.file)
  const line = (row.place ?? errorsOf(row)[0])?.line
  const warnings = problems.filter(({ severity }) => severity === 'warning').map(problemText)
  const said = saidOf(row)
  const attributes = { classname: kind, name: row.name || (file ?? kind), file, line }
  return element('testcase', attributes, [
    element('properties', {}, [statusProperty(row.would ?? status)]),
    ...(failing.includes(status)
      ? [withText('failure', { message: reasonOf(row), type: status }, failureText(row))]
      : []),
    ...(status === 'not_sent' ? [element('skipped', { message }, [])] : []),
    ...([...said, ...warnings].length > 0 ? [withText('system-out', {}, [...said, ...warnings].join('\n'))] : []),
  ])
}

/** What the output of a test says was done, or is to be. That of a skipped one is its message. */
function saidOf({ status, message, written, details = [] }: Outcome): readonly string[] {
  if (status === 'not_sent') return []
  if (failing.includes(status)) return written === undefined ? [] : [message]
  return [message, ...details]
}

function warningCase(problem: Problem, checkout: Checkout): Element {
  const file = isNoFile(problem.file) ? undefined : fromRoot(checkout, problem.file)
  const attributes = { classname: 'vatom', name: problemHead(problem), file, line: problem.line }
  return element('testcase', attributes, [
    element('properties', {}, [statusProperty(problem.severity)]),
    withText('skipped', { message: problem.message }, problemText(problem)),
  ])
}

/** Why a document failed, in one line: its first error, else the message of the service. */
function reasonOf(row: Outcome): string {
  const [first, ...others] = errorsOf(row)
  if (first === undefined) return row.failure?.message ?? row.message
  return others.length === 0 ? first.message : `${first.message} (and ${others.length} more)`
}

const errorsOf = ({ problems }: Outcome) => problems.filter(isError)

function failureText(row: Outcome): string {
  const { failure, message } = row
  const errors = errorsOf(row).map(problemText)
  const messages = errors.length > 0 ? errors : [failure?.message ?? message]
  return [...messages, ...(failure?.hint ? [`hint: ${failure.hint}`] : [])].join('\n')
}

const statusProperty = (value: string): Element => element('property', { name: 'status', value }, [])

type Attributes = Readonly<Record<string, string | number | undefined>>

const element = (name: string, attributes: Attributes, content: readonly Element[]): Element =>
  content.length === 0
    ? [`<${name}${written(attributes)}/>`]
    : [`<${name}${written(attributes)}>`, ...content.flat().map((line) => `  ${line}`), `</${name}>`]

/** An element with text, which must not be indented. */
const withText = (name: string, attributes: Attributes, text: string): Element => [
  `<${name}${written(attributes)}>${escaped(text)}</${name}>`,
]

const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${attribute(String(value))}"`]))
    .join('')

const attribute = (text: string) => escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

const escaped = (text: string) =>
  printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
