import type { Issue } from '../../contract/schema/issues.ts'
import { type Finding, finding, inputProblem, problemOf } from '../finding.ts'
import { type ParsedFile, parseFile, type RawDocument } from '../yaml/read-documents.ts'
import { withoutOwnKeys } from './expand.ts'
import { findInputs } from './inputs.ts'
import { outside } from './linked-folders.ts'
import type { Problem } from './loaded.ts'
import { isValid } from './problems.ts'
import { type ReadOptions, readInput } from './read.ts'

interface LoadValueOptions<V> extends ReadOptions {
  readonly cwd: string
  /** The issues that its schema finds in a value. */
  readonly issues: (value: unknown) => readonly Issue[]
  /** Whether a value has the wanted type: an object, a list. */
  readonly is: (value: unknown) => value is V
  /** The name of such a document in messages: `query`. */
  readonly noun: string
  /** The specification's section. */
  readonly spec?: string
  /** Expands short forms before the document is checked. */
  readonly expand?: (value: unknown) => unknown
}
export interface LoadedValue<V> {
  /** The value to send; undefined where there is an error. */
  readonly value: V | undefined
  readonly problems: readonly Problem[]
  readonly sources: ReadonlyMap<string, string>
}

/** The only value of a file, or of standard input (`-`). */
export async function loadValue<V>(input: string, options: LoadValueOptions<V>): Promise<LoadedValue<V>> {
  const found = await findInputs([input], options)
  const [file, more] = found.files
  if (!file) return failed(found.problems)
  if (more || !file.named)
    return failed([inputProblem(input, 'input', `give one file: a ${options.noun} cannot be in several`)])
  const parsed = parseFile(file, await readInput(file, options))
  const { source } = parsed
  const sources = new Map([[source.file, source.text]])
  const { value, findings } = checked(parsed, options)
  if (file.isOutside && !isValid([...parsed.problems, ...findings]))
    return failed([inputProblem(input, 'input', outside)])
  if (parsed.problems.length > 0) return { value: undefined, problems: parsed.problems, sources }
  const problems = findings.map((one) => problemOf(source, one))
  return { value, problems, sources }
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
  return { value: isValid(findings) && options.is(expanded) ? expanded : undefined, findings }
}

const byPlace = (a: Finding, b: Finding) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0)

const issuesOf = <V>(value: unknown, { issues, spec }: LoadValueOptions<V>): Issue[] =>
  issues(value).map((issue) => ({ ...issue, ...(spec !== undefined && { spec }) }))

const tooMany = (second: RawDocument, noun: string): Finding =>
  finding('one-document', `a second document: a ${noun} has only one`, { range: second.range([]) })
