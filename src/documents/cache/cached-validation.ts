import type { KindName } from '../../contract/values.ts'
import { findDocuments, type Inputs, ifWhole } from '../load/inputs.ts'
import type { CheckedDocument, Problem } from '../load/loaded.ts'
import { withMissingFiles } from '../load/missing-files.ts'
import { isMisnamed, misnamedProblems, noneProblems } from '../load/ours.ts'
import { allProblems, type FileProblems, isValid, sourcesOf } from '../load/problems.ts'
import { checkIncrementally, type RunFile, type ValidateOptions } from './incremental.ts'
import { filesConcerned, findWithin } from './within.ts'

/** One document; the problems of a whole file or input are a row without a name, of the wanted kind if there is one. */
export type ValidatedRow = CheckedDocument
export interface Validation {
  readonly rows: readonly ValidatedRow[]
  readonly problems: readonly Problem[]
  /** Number of documents of other kinds, which were not checked. */
  readonly others: number
  /** Files that were ignored: they hold no document of a publisher, or the catalog that they are checked within ignores them. */
  readonly foreign: readonly string[]
  /** Text of each file that has a problem. */
  readonly sources: ReadonlyMap<string, string>
}

export interface WithinOption {
  /** A folder that the inputs are checked within; of its other files only those are reported that the inputs break. */
  readonly within?: string | undefined
}

/**
 * The same problems as `loadDocuments` finds, with a row for each document. With a cache folder, files that an earlier run
 * checked are not parsed again, as long as they and the files with the same templates have not changed.
 */
export async function validateFiles(
  inputs: readonly string[],
  { within, ...options }: ValidateOptions & WithinOption,
): Promise<Validation> {
  if (within !== undefined) return validateWithin(inputs, within, options)
  const found = await findDocuments(inputs, options)
  const { files, foreign, stray, plans } = await checkIncrementally(found.files, ifWhole(options, found))
  const { problems, sources } = found
  const unread = [
    ...problems,
    ...misnamedProblems(foreign),
    ...stray,
    ...noneProblems({ foreign, plans }, files.length),
  ]
  return validationOf({ files, unread, sources, foreign: files.length > 0 ? foreign : [] }, options)
}

/** The same for inputs as parts of a catalog, which may ignore all of them. */
async function validateWithin(
  inputs: readonly string[],
  within: string,
  options: ValidateOptions,
): Promise<Validation> {
  const found = await findWithin(inputs, within, options)
  const run = await checkIncrementally(found.files, ifWhole(options, found))
  const foreign = found.files.filter(({ path, file }) => found.own.has(path) && run.foreign.includes(file))
  return validationOf(
    {
      files: filesConcerned(run.files, found.own),
      unread: [...found.problems, ...misnamedProblems(run.foreign), ...run.stray],
      sources: found.sources,
      foreign: [...foreign.map(({ file }) => file), ...found.ignored],
    },
    options,
  )
}

interface Checked {
  readonly files: readonly RunFile[]
  /** Problems of inputs that could not be read. */
  readonly unread: readonly Problem[]
  /** Texts of those that could be. */
  readonly sources: Inputs['sources']
  readonly foreign: readonly string[]
}

function validationOf({ files, unread, sources, foreign }: Checked, options: ValidateOptions): Validation {
  const found = files.map((file) => withMissingFiles(file.found, options.cwd))
  const problems = allProblems(unread, found)
  return {
    rows: [
      ...unread.map((problem) => problemRow(options.noun, problem.file, [problem])),
      ...found.flatMap((file) => rowsOf(file, options.noun)),
    ],
    problems,
    others: files.reduce((sum, { facts }) => sum + facts.others, 0),
    foreign: foreign.filter((one) => !isMisnamed(one)),
    sources: new Map([...sources, ...sourcesOf(found, problems)]),
  }
}

function rowsOf(found: FileProblems, noun: KindName | undefined): ValidatedRow[] {
  const rows = found.documents.map(({ file, kind, name, valid, problems }) => ({ file, kind, name, valid, problems }))
  return found.problems.length ? [...rows, problemRow(noun, found.file, found.problems)] : rows
}

const problemRow = (noun: KindName | undefined, file: string, problems: readonly Problem[]): ValidatedRow => ({
  file,
  kind: noun ?? 'template',
  name: '',
  valid: isValid(problems),
  problems,
})
