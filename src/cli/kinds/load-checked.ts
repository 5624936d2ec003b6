import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type * as z from 'zod/v4'
import type { Kind } from '../../contract/kinds/kind.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Format, KindName } from '../../contract/values.ts'
import type { LoadedValue } from '../../documents/load/load-one.ts'
import type { Loaded, LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import { isError } from '../../documents/load/problems.ts'
import type { RunPlace } from '../../documents/load/project.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { failureJson, shownFailure } from '../failure/report.ts'
import { flagOf } from '../io/option-values.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import { localPorts } from '../service/local-ports.ts'
import { knownPublisher, publisherHint } from '../service/publisher.ts'
import type { Flags } from './flags.ts'
import { formatOf, printReport, problemLines } from './problems.ts'
import { fileOf, type Row, resultsJson } from './results.ts'

/** Files to read, or one document that flags describe, or the fields that flags replace in a record. */
export type Inputs = readonly string[] | Flags

/** What the help of a command says about the files of documents. */
export const documentFiles = 'YAML or JSON files, folders, globs, or - for standard input'

export interface CheckOptions {
  readonly kind: Kind
  readonly inputs: Inputs
  /** The verb that does the same with documents of another kind. */
  readonly verbOf: (kind: Kind) => string
  readonly format: Format
  readonly publisher: string | undefined
  readonly maxWarnings?: number | undefined
}

/** The documents of a kind, if all are valid; otherwise reports their problems and throws Reported. */
export async function loadChecked(options: CheckOptions, context: Context): Promise<Loaded> {
  const { inputs, kind, verbOf, publisher } = options
  const ports = await localPorts(context)
  const loaded =
    'flags' in inputs || 'fields' in inputs
      ? (await import('./flags.ts')).loadFlags(kind.name, inputs, { publisher, localPorts: ports })
      : await (await import('../../documents/load/load.ts')).loadDocuments(inputs, {
          ...sourceOf(context),
          noun: kind.name,
          verbOf,
          publisher,
          localPorts: ports,
        })
  const { maxWarnings } = options
  const failure = await invalidFailure(loaded, { consequence: '; nothing was sent', maxWarnings, context })
  if (failure === undefined) return loaded
  return refuseInvalid(
    resultsJson(rowsOf(loaded, kind.name), context.output),
    { ...options, loaded, failure },
    context.output,
  )
}

/** Prints the warnings of valid documents, and how many documents of other kinds are ignored. */
export async function warnOfLoaded(loaded: Loaded, kind: Kind, output: Output): Promise<void> {
  noteOthers(loaded.others, kind, output)
  await noteForeign(loaded, output)
  output.complain(await problemLines(loaded, output))
}

/** Where a command reads documents from. */
export const sourceOf = (context: Context) => ({ ...placeOf(context), readStdin: context.stdin })

/** Where a run looks for files. */
export const placeOf = ({ host, git }: Pick<Context, 'host' | 'git'>): RunPlace => ({
  cwd: host.cwd,
  signal: host.signal,
  git,
})

/** How documents are refused. */
interface Refusal {
  /** What the command does not do then, as a continuation of the message. */
  readonly consequence?: string
  readonly maxWarnings?: number | undefined
  /** Where the publisher is from that names are compared with. */
  readonly context?: Context
  /** What to do if another one is meant, where it is not from there. */
  readonly otherPublisher?: string | undefined
}

/**
 * The failure for documents with errors, or with more warnings than they may have; undefined for others.
 */
export async function invalidFailure(
  { problems }: Pick<Loaded, 'problems'>,
  { consequence = '', maxWarnings, context, otherPublisher }: Refusal = {},
): Promise<Failure | undefined> {
  const errors = problems.filter(isError)
  if (errors.length === 0) return warningsFailure(problems, consequence, maxWarnings)
  if (errors.every(isInput)) return inputFailure(errors, consequence)
  const { summary } = await import('../../documents/report/render.ts')
  return new Failure('invalid_documents', exit.invalid, summary(problems) + consequence, {
    issues: errors,
    listed: [],
    hint:
      context && errors.some(({ rule }) => rule === 'publisher-name')
        ? (otherPublisher ?? (await publisherHint(context)))
        : undefined,
  })
}

function warningsFailure(issues: readonly Problem[], consequence: string, most = Number.POSITIVE_INFINITY) {
  if (issues.length <= most) return undefined
  const message = `${plural(issues.length, 'warning')}, more than --max-warnings ${most}${consequence}`
  const rules = [...new Set(issues.map(({ rule }) => rule))].sort()
  const hint = `the warnings are ${rules.join(', ')}; to correct one, or switch its rule off: vatom help rules`
  return new Failure('too_many_warnings', exit.invalid, message, { issues, listed: [], hint })
}

/** Whether a problem is that a file or folder cannot be read. */
const isInput = ({ rule, line }: Problem) => rule === 'input' && line === undefined

/** The failure where nothing could be read, which says itself what and why. */
function inputFailure(issues: readonly Problem[], consequence: string): Failure {
  const [only, ...others] = issues
  const failure = (message: string, options: Partial<Failure>) =>
    new Failure('invalid_documents', exit.invalid, message + consequence, { issues, ...options })
  if (only && others.length === 0) return failure(inWords(only), { listed: [], hint: only.hint })
  const listed = issues.map((one) => ({ path: '', message: [inWords(one), one.hint].filter(Boolean).join('; ') }))
  return failure(`${issues.length} inputs cannot be read`, { listed })
}

const inWords = ({ file, message }: Problem) => (file === '' ? message : `${file}: ${message}`)

/** A row for each document, and one for each file with problems outside its documents. */
export function rowsOf({ documents, problems }: Loaded, noun: KindName): Row[] {
  const ofDocuments = new Set(documents.flatMap((document) => document.problems))
  const rest = problems.filter((problem) => !ofDocuments.has(problem))
  return [
    ...documents.map(documentRow),
    ...[...new Set(rest.map(({ file }) => file))].map((file) => fileRow(file, rest, noun)),
  ]
}

const fileRow = (file: string, problems: readonly Problem[], kind: KindName): Row => ({
  file,
  kind,
  name: '',
  status: 'invalid',
  message: 'invalid',
  problems: problems.filter((problem) => problem.file === file),
})

const documentRow = ({ file, kind, name, valid, problems }: LoadedDocument): Row => ({
  file: fileOf(file),
  kind,
  name,
  ...(valid ? { status: 'not_sent', message: 'valid, not sent' } : { status: 'invalid', message: 'invalid' }),
  problems,
})

interface Invalid {
  readonly loaded: Pick<Loaded, 'problems' | 'sources'>
  readonly format: Format
  readonly failure: Failure
}

/** Prints problems as text on stderr, and in another wanted format on stdout; throws Reported. */
export async function refuseInvalid(
  results: object,
  { loaded, format, failure }: Invalid,
  output: Output,
): Promise<never> {
  const wanted = formatOf(format, output)
  const saysAll = loaded.problems.filter(isError).every(isInput)
  const problems = saysAll ? loaded.problems.filter((one) => !isError(one)) : loaded.problems
  output.complain(await problemLines({ ...loaded, problems }, output))
  if (wanted === 'json') output.document({ ...results, error: failureJson(failure, output) })
  if (wanted === 'markdown') output.result(null, () => [`**${failure.message}**`, ''])
  if (wanted !== 'json' && wanted !== 'text')
    await printReport({ ...loaded, exitCode: failure.exitCode, failure }, wanted, output)
  throw shownFailure(failure, output)
}

/** Says which files were ignored, and why: usually because they hold no document of a publisher. */
export async function noteForeign(
  { foreign }: Pick<Loaded, 'foreign'>,
  output: Output,
  why = 'without documents of a publisher',
): Promise<void> {
  if (foreign.length === 0) return
  const { nameList } = await import('../../contract/schema/suggest.ts')
  output.note(styled`ignored ${plural(foreign.length, 'file')} ${why}: ${nameList(foreign)}`)
}

export function noteOthers(others: number, { name }: Kind, output: Output): void {
  if (others > 0) output.note(styled`ignored ${plural(others, 'document')} of other kinds: this command takes ${name}s`)
}

/** Checks the value that flags describe with its schema; each problem names its flag, as in `flags` or after its field. */
export async function checkValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
  flags: Readonly<Record<string, string>> = {},
): Promise<z.output<S>> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { schemaIssues } = await import('../../contract/schema/issues.ts')
  const issues = schemaIssues(schema, value, result.error).map(({ path, message, hint }) => ({
    path: flags[String(path[0])] ?? flagOf(String(path[0] ?? '')),
    message: hint ? `${message}; ${hint}` : message,
  }))
  throw new Failure('usage', exit.usage, 'The options are not valid', { issues })
}

/** All documents of files, if none has an error; otherwise reports the errors and throws Reported. */
export async function loadAll(
  inputs: readonly string[],
  context: Context,
  publisher = knownPublisher(context),
): Promise<Loaded> {
  const { loadDocuments } = await import('../../documents/load/load.ts')
  return withoutErrors(await loadDocuments(inputs, { ...sourceOf(context), publisher: await publisher }), context)
}

/**
 * Documents, if none has an error, without their warnings; otherwise reports the errors and throws Reported.
 * `otherPublisher` says what to do if their publisher, which is not from the context, is not the one that is meant.
 */
export async function withoutErrors(found: Loaded, context: Context, otherPublisher?: string): Promise<Loaded> {
  const loaded = { ...found, problems: found.problems.filter(isError) }
  const failure = await invalidFailure(loaded, { context, otherPublisher })
  if (failure === undefined) return loaded
  return refuseInvalid({}, { loaded, format: 'text', failure }, context.output)
}

/** The value of a file that has one document; otherwise reports its problems and throws Reported. */
export async function soleValue<V>({ value, problems, sources }: LoadedValue<V>, { output }: Context): Promise<V> {
  if (value !== undefined) return value
  const failure = (await invalidFailure({ problems })) ?? new Failure('invalid_documents', exit.invalid, 'It is empty')
  return refuseInvalid({}, { loaded: { problems, sources }, format: 'text', failure }, output)
}

/** Whether arguments are files; if not, they are names of records on the service. A mixture is a usage error. */
export function areFiles(given: readonly string[], { host }: Context): boolean {
  const files = given.filter((one) => isFile(one, host.cwd))
  if (files.length === 0 || files.length === given.length) return files.length > 0
  const names = given.filter((one) => !files.includes(one))
  throw usage(`${files[0]} is a file, and ${names[0]} is the name of a record`, 'name files or records, not both')
}

const isFile = (given: string, cwd: string) =>
  given === '-' ||
  /\.(ya?ml|json)$/i.test(given) ||
  existsSync(resolve(cwd, given)) ||
  (/[*?[{/]/.test(given) && !given.includes('::'))
