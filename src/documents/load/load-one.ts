import type * as z from 'zod/v4'
import type { Issue } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/schema/path.ts'
import { type Finding, finding, inputProblem, problemOf } from '../finding.ts'
import { type ParsedFile, parseFile, type RawDocument } from '../yaml/read-documents.ts'
import { valueIssues } from './document-issues.ts'
import { withoutOwnKeys } from './expand.ts'
import { findInputs } from './inputs.ts'
import type { Problem } from './loaded.ts'
import { type ReadOptions, readInput } from './read.ts'

interface LoadValueOptions<V> extends ReadOptions {
  readonly cwd: string
  /** What its schema has against a value. */
  readonly issues: (value: unknown) => readonly Issue[]
  /** Whether a value is of the kind that is wanted: an object, a list. */
  readonly is: (value: unknown) => value is V
  /** What such a document is called in messages: `query`. */
  readonly noun: string
  /** The specification's section. */
  readonly spec?: string
  /** Writes short forms out, before the document is checked. */
  readonly expand?: (value: unknown) => unknown
}
type Fields = Record<string, unknown>
interface LoadOneOptions extends Omit<LoadValueOptions<Fields>, 'issues' | 'is'> {
  readonly schema: z.ZodType
}
export interface LoadedValue<V> {
  /** What is sent; there only when nothing is wrong. */
  readonly value: V | undefined
  readonly problems: readonly Problem[]
  readonly sources: ReadonlyMap<string, string>
}

/** The only document of a file, or of standard input (`-`), that is no publisher's: a query, a profile. */
export const loadOne = (input: string, options: LoadOneOptions): Promise<LoadedValue<Fields>> =>
  loadValue(input, { ...options, issues: (value) => valueIssues(options.schema, value), is: isObject })

/** The only value of a file, or of standard input (`-`). */
export async function loadValue<V>(input: string, options: LoadValueOptions<V>): Promise<LoadedValue<V>> {
  const found = await findInputs([input], options.cwd)
  const [file, more] = found.files
  if (!file) return failed(found.problems)
  if (more || !file.named)
    return failed([inputProblem(input, 'input', `give one file: a ${options.noun} cannot be in several`)])
  const parsed = parseFile(file, await readInput(file, options))
  if (parsed.problems.length > 0) return failed(parsed.problems)
  const { source } = parsed
  const { value, findings } = checked(parsed, options)
  const problems = findings.map((one) => problemOf(source, one))
  return { value, problems, sources: new Map([[source.file, source.text]]) }
}

const failed = (problems: readonly Problem[]) => ({ value: undefined, problems, sources: new Map<string, string>() })

function checked<V>(file: ParsedFile, options: LoadValueOptions<V>) {
  const [document, second] = file.documents
  const extra = second ? [tooMany(second, options.noun)] : []
  if (!document) return { value: undefined, findings: file.findings }
  const value = withoutOwnKeys(document.value)
  const expanded = options.expand ? options.expand(value) : value
  const found = document.sound ? document.place(issuesOf(expanded, options)) : []
  const findings = [...file.findings, ...document.findings, ...found, ...extra].sort(byPlace)
  const wrong = findings.some(({ severity }) => severity === 'error')
  return { value: wrong || !options.is(expanded) ? undefined : expanded, findings }
}

const byPlace = (a: Finding, b: Finding) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0)

const issuesOf = <V>(value: unknown, { issues, spec }: LoadValueOptions<V>): Issue[] =>
  issues(value).map((issue) => ({ ...issue, ...(spec !== undefined && { spec }) }))

const tooMany = (second: RawDocument, noun: string): Finding =>
  finding('one-document', `a second document: the file of a ${noun} has only one`, { range: second.range([]) })
