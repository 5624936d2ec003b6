import type { KindName } from '../../contract/values.ts'
import { findInputs } from '../load/inputs.ts'
import type { Problem } from '../load/loaded.ts'
import { noneProblems } from '../load/ours.ts'
import { allProblems, isValid, sourcesOf } from '../load/problems.ts'
import { checkIncrementally, type RunFile, type ValidateOptions } from './incremental.ts'
import { filesConcerned } from './within.ts'

/** One document; the problems of a whole file or input are a row without a name, of the wanted kind if there is one. */
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
  /** Number of documents of other kinds, which were not checked. */
  readonly others: number
  /** Files of folders that hold no document of a publisher, and were ignored. */
  readonly foreign: readonly string[]
  /** Text of each file that has a problem. */
  readonly sources: ReadonlyMap<string, string>
}

export interface WithinOption {
  /** A folder that the inputs are checked within; of its other files only those are reported that the inputs break. */
  readonly within?: string | undefined
}

/**
 * The same problems as `loadDocuments` finds, with a row for each document. With a cache folder, files in which an earlier
 * run found no problem are not parsed again, as long as the files with the same templates have not changed.
 */
export async function validateFiles(
  inputs: readonly string[],
  { within, ...options }: ValidateOptions & WithinOption,
): Promise<Validation> {
  const found = await findInputs(within === undefined ? inputs : [...inputs, within], options.cwd)
  const { files: all, foreign } = await checkIncrementally(found.files, options)
  const files = within === undefined ? all : filesConcerned(all, await pathsOf(inputs, options))
  const checked = files.flatMap((file) => file.checked ?? [])
  const unread = [...found.problems, ...noneProblems(foreign, files.length)]
  const problems = allProblems(unread, checked)
  return {
    rows: [
      ...unread.map((problem) => problemRow(options.noun, problem.file, [problem])),
      ...files.flatMap((file) => rowsOf(file, options.noun)),
    ],
    problems,
    others: files.reduce((sum, { facts }) => sum + facts.others, 0),
    foreign: files.length > 0 ? foreign : [],
    sources: sourcesOf(checked, problems),
  }
}

const pathsOf = async (inputs: readonly string[], { cwd }: ValidateOptions) =>
  new Set((await findInputs(inputs, cwd)).files.map(({ path }) => path))

function rowsOf({ input, facts, checked }: RunFile, noun: KindName | undefined): ValidatedRow[] {
  if (!checked) return facts.documents.map((one) => ({ file: input.file, ...one, valid: true, problems: [] }))
  const rows = checked.documents.map(({ file, kind, name, valid, problems }) => ({ file, kind, name, valid, problems }))
  return checked.problems.length ? [...rows, problemRow(noun, checked.file, checked.problems)] : rows
}

const problemRow = (noun: KindName | undefined, file: string, problems: readonly Problem[]): ValidatedRow => ({
  file,
  kind: noun ?? 'template',
  name: '',
  valid: isValid(problems),
  problems,
})
