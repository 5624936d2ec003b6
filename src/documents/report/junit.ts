import type { Problem, Span } from '../load/loaded.ts'
import { printable } from './printable.ts'

export interface JUnitOptions {
  /** Of the suite: the command that was run. */
  readonly name: string
  /** How long it took. */
  readonly seconds: number
}

/** What became of one document. */
export interface Outcome {
  readonly file: string | null
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly message: string
  readonly problems: readonly Problem[]
  /** What it would come to but for --dry-run. */
  readonly would?: string
  /** Why, where it failed. */
  readonly failure?: { readonly message: string; readonly hint?: string | undefined }
  /** Where its name stands. */
  readonly place?: Span | undefined
}

const failing: readonly string[] = ['invalid', 'refused', 'failed']

/**
 * What became of documents as JUnit XML, for programs that show tests: a case each, whose class is its kind. One that was
 * not sent is skipped. Well-formed whatever the texts hold: what XML cannot hold is written as `\u001b`.
 */
export function junitOf(rows: readonly Outcome[], { name, seconds }: JUnitOptions): string {
  const totals = {
    tests: rows.length,
    failures: rows.filter(({ status }) => failing.includes(status)).length,
    errors: 0,
    skipped: rows.filter(({ status }) => status === 'not_sent').length,
    time: seconds.toFixed(3),
  }
  const cases = rows.map(caseOf)
  const suites = element('testsuites', { name: 'vatom', ...totals }, [element('testsuite', { name, ...totals }, cases)])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites.join('\n')}\n`
}

/** An element in lines. */
type Element = readonly string[]

function caseOf(row: Outcome): Element {
  const { file, kind, status, message, problems } = row
  const line = (row.place ?? errorsOf(row)[0])?.line
  const warnings = problems.filter(({ severity }) => severity === 'warning').map(problemText)
  const passed = status === 'not_sent' || failing.includes(status) ? [] : [message]
  const attributes = { classname: kind, name: row.name || (file ?? kind), file: file ?? undefined, line }
  return element('testcase', attributes, [
    element('properties', {}, [element('property', { name: 'status', value: row.would ?? status }, [])]),
    ...(failing.includes(status)
      ? [withText('failure', { message: reasonOf(row), type: status }, failureText(row))]
      : []),
    ...(status === 'not_sent' ? [element('skipped', { message }, [])] : []),
    ...([...passed, ...warnings].length > 0 ? [withText('system-out', {}, [...passed, ...warnings].join('\n'))] : []),
  ])
}

/** In one line why a document failed: its first error, else why the service refused it. */
function reasonOf(row: Outcome): string {
  const [first, ...others] = errorsOf(row)
  if (first === undefined) return row.failure?.message ?? row.message
  return others.length === 0 ? first.message : `${first.message} (and ${others.length} more)`
}

const errorsOf = ({ problems }: Outcome) => problems.filter(({ severity }) => severity === 'error')

function failureText(row: Outcome): string {
  const { failure, message } = row
  const errors = errorsOf(row).map(problemText)
  const messages = errors.length > 0 ? errors : [failure?.message ?? message]
  return [...messages, ...(failure?.hint ? [`hint: ${failure.hint}`] : [])].join('\n')
}

function problemText({ file, line, column, rule, severity, message, hint }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return `${place}: ${severity}[${rule}]: ${message}${hint === undefined ? '' : `\n  hint: ${hint}`}`
}

type Attributes = Readonly<Record<string, string | number | undefined>>

const element = (name: string, attributes: Attributes, content: readonly Element[]): Element =>
  content.length === 0
    ? [`<${name}${written(attributes)}/>`]
    : [`<${name}${written(attributes)}>`, ...content.flat().map((line) => `  ${line}`), `</${name}>`]

/** An element with text, whose lines must not be indented. */
const withText = (name: string, attributes: Attributes, text: string): Element => [
  `<${name}${written(attributes)}>${escaped(text)}</${name}>`,
]

const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${attribute(String(value))}"`]))
    .join('')

const attribute = (text: string) => escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

const escaped = (text: string) =>
  printable(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
