import { Buffer } from 'node:buffer'
import { basename, resolve } from 'node:path'
import { groupBy } from '../../contract/schema/group-by.ts'
import { projectFileName } from '../../contract/values.ts'
import { isWithin, realPath, realPathOf } from '../../file-system.ts'
import { type Validation, validateFiles } from '../cache/cached-validation.ts'
import type { ValidateOptions } from '../cache/incremental.ts'
import type { Problem } from '../load/loaded.ts'
import { isValid } from '../load/problems.ts'
import type { ReadOptions } from '../load/read.ts'
import { applyEdits, type Change, type Edit } from './edit.ts'
import { type Rewrite, RewriteError, rewriteAll } from './rewrite.ts'

/** One correction of a problem. */
export interface Fixed extends Change {
  readonly rule: string
}
/** The corrections of a run, and the validation of the corrected files. */
export interface FixedRun {
  readonly fixed: readonly Fixed[]
  /** The corrected standard input, where that was an input. */
  readonly stdin: string | undefined
  readonly validation: Validation
}

const stdinName = '<stdin>'
/** A correction may reveal problems that can be corrected, too; more rounds than these mean a defect. */
const maxRounds = 8

/**
 * Corrects all problems whose correction is certain, and validates the files again. Throws RewriteError. A dry run changes
 * no file, and validates the corrected texts.
 */
export async function fixFiles(
  inputs: readonly string[],
  { dryRun = false, ...options }: ValidateOptions & { readonly dryRun?: boolean },
): Promise<FixedRun> {
  const texts = new Map<string, string>()
  const folders = foldersOf(inputs, options.cwd)
  const isWritten = ({ file }: Correction) => !dryRun && file !== stdinName
  const fixed: Fixed[] = []
  for (let round = 1; ; round++) {
    const validation = withoutCorrected(await validateFiles(inputs, { ...options, texts }), texts)
    const files = round > maxRounds ? [] : correctionsOf(validation)
    if (files.length === 0)
      return { fixed, stdin: await stdinText(inputs, validation, { ...options, texts }), validation }
    const placed = files.map((one) => ({ ...one, ...placeOf(one.file, folders, options.cwd) }))
    rewriteAll(placed.filter(isWritten))
    for (const one of files) if (!isWritten(one)) texts.set(one.file, one.after)
    fixed.push(...files.flatMap((one) => one.fixed))
  }
}

/** Without what is corrected in project files that were not written: those are read from the disk in every round. */
function withoutCorrected(validation: Validation, texts: ReadonlyMap<string, string>): Validation {
  const isLeft = ({ file, edit }: Problem) => !(edit && texts.has(file) && basename(file) === projectFileName)
  const rows = validation.rows.flatMap((row) => {
    const problems = row.problems.filter(isLeft)
    if (problems.length === row.problems.length) return [row]
    return problems.length === 0 ? [] : [{ ...row, problems, valid: isValid(problems) }]
  })
  return { ...validation, rows, problems: validation.problems.filter(isLeft) }
}

/** The real paths of what is named, and of this folder, in which patterns find files: before any file is read. */
const foldersOf = (inputs: readonly string[], cwd: string): ReadonlyMap<string, string> =>
  new Map([...inputs, '.'].map((input) => resolve(cwd, input)).map((path) => [path, realPath(path)]))

/**
 * Where a file is, and the folder in which it was found, which it is not written outside of; a file that is named may be
 * anywhere. Throws RewriteError where it is outside because of a link.
 */
function placeOf(file: string, folders: ReadonlyMap<string, string>, cwd: string): Pick<Rewrite, 'path' | 'within'> {
  const path = resolve(cwd, file)
  const [, within] = [...folders].find(([folder]) => isWithin(folder, path)) ?? []
  if (within === undefined || folders.has(path)) return { path }
  if (!isWithin(within, realPathOf(path)))
    throw new RewriteError(`${file} is not corrected: a link points outside the folder; to correct it, name the file`)
  return { path, within }
}

/** The text of standard input, corrected where something was; undefined where it is no input. */
async function stdinText(
  inputs: readonly string[],
  { sources }: Validation,
  { texts, readStdin }: ReadOptions,
): Promise<string | undefined> {
  if (!inputs.includes('-')) return undefined
  return texts?.get(stdinName) ?? sources.get(stdinName) ?? Buffer.from(await readStdin()).toString('utf8')
}

interface Correction extends Omit<Rewrite, 'path'> {
  readonly fixed: readonly Fixed[]
}

/** The corrected texts of files. */
function correctionsOf({ problems, sources }: Validation): Correction[] {
  return [...groupBy(problems, ({ file }) => file)].flatMap(([file, found]) =>
    corrected(file, found, sources.get(file) ?? ''),
  )
}

function corrected(file: string, problems: readonly Problem[], before: string): Correction[] {
  const edited = problems.flatMap((problem) => (problem.edit ? [{ problem, edit: problem.edit }] : []))
  if (edited.length === 0) return []
  const after = applyEdits(
    before,
    edited.map(({ edit }) => edit),
  )
  return [{ file, before, after, fixed: edited.map(({ problem, edit }) => fixedOf(problem, edit, before)) }]
}

const fixedOf = ({ file, line = 1, column = 1, rule }: Problem, { range, text }: Edit, before: string): Fixed => ({
  file,
  line,
  column,
  rule,
  before: before.slice(...range),
  after: text,
})
