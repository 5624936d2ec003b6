import type { KindName } from '../../contract/values.ts'
import { findInputs } from '../load/inputs.ts'
import type { LoadOptions } from '../load/load.ts'
import type { Problem } from '../load/loaded.ts'
import { allProblems, sourcesOf } from '../load/results.ts'
import { checkIncrementally, type RunFile } from './incremental.ts'
import type { ValidatedOptions } from './validation-cache.ts'

export type ValidateOptions = LoadOptions & ValidatedOptions

/** One document; a file or an input that holds none but has problems is a row without a name. */
export interface ValidatedRow {
  readonly file: string
  readonly kind: KindName
  readonly name: string
  readonly valid: boolean
  readonly problems: readonly Problem[]
}
export interface Validation {
  readonly rows: readonly ValidatedRow[]
  readonly problems: readonly Problem[]
  /** Documents of other nouns that were left alone. */
  readonly others: number
  /** Text of each file that has a problem. */
  readonly sources: ReadonlyMap<string, string>
}

/**
 * The same findings as `loadDocuments`, one row a document. With a cache folder, files that were found to be without any
 * problem before are not parsed again, as long as the templates that their documents are made for have not changed.
 */
export async function validateFiles(inputs: readonly string[], options: ValidateOptions): Promise<Validation> {
  const found = await findInputs(inputs, options.cwd)
  const files = await checkIncrementally(found.files, options)
  const checked = files.flatMap((file) => file.checked ?? [])
  const problems = allProblems(found.problems, checked)
  return {
    rows: [
      ...found.problems.map((problem) => problemRow(options.noun, problem.file, [problem])),
      ...files.flatMap((file) => rowsOf(file, options.noun)),
    ],
    problems,
    others: files.reduce((sum, { facts }) => sum + facts.others, 0),
    sources: sourcesOf(checked, problems),
  }
}

function rowsOf({ input, facts, checked }: RunFile, noun: KindName): ValidatedRow[] {
  if (!checked) return facts.names.map((name) => ({ file: input.file, kind: noun, name, valid: true, problems: [] }))
  const rows = checked.documents.map(({ file, kind, name, valid, problems }) => ({ file, kind, name, valid, problems }))
  return checked.problems.length ? [...rows, problemRow(noun, checked.file, checked.problems)] : rows
}

const problemRow = (kind: KindName, file: string, problems: readonly Problem[]): ValidatedRow => ({
  file,
  kind,
  name: '',
  valid: problems.every(({ severity }) => severity !== 'error'),
  problems,
})
