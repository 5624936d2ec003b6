import { Buffer } from 'node:buffer'
import { resolve } from 'node:path'
import { groupBy } from '../../contract/schema/group-by.ts'
import { isWithin, pointsOutside } from '../../file-system.ts'
import { type Validation, validateFiles } from '../cache/cached-validation.ts'
import type { ValidateOptions } from '../cache/incremental.ts'
import type { Problem } from '../load/loaded.ts'
import { isValid } from '../load/problems.ts'
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

/** Corrects all problems whose correction is certain, and validates the files again. Throws RewriteError. */
export async function fixFiles(inputs: readonly string[], options: ValidateOptions): Promise<FixedRun> {
  let stdin = inputs.includes('-') ? await options.readStdin() : undefined
  const fixed: Fixed[] = []
  for (let round = 1; ; round++) {
    const given = stdin
    const readStdin = async () => given ?? new Uint8Array()
    const validation = await validateFiles(inputs, { ...options, readStdin })
    const files = round > maxRounds ? [] : correctionsOf(validation)
    if (files.length === 0) return { fixed, stdin: stdin && textOf(stdin, validation), validation }
    for (const { file } of files) refuseOutside(file, inputs, options.cwd)
    rewriteAll(
      files.filter(({ file }) => file !== stdinName).map((one) => ({ ...one, path: resolve(options.cwd, one.file) })),
    )
    const piped = files.find(({ file }) => file === stdinName)
    if (piped) stdin = Buffer.from(piped.after)
    fixed.push(...files.flatMap((one) => one.fixed))
  }
}

/** The first corrections of `fixFiles`, and the validation without the corrected problems; no file is changed. */
export async function dryRunFixes(inputs: readonly string[], options: ValidateOptions): Promise<FixedRun> {
  const validation = await validateFiles(inputs, options)
  const files = correctionsOf(validation)
  const isLeft = ({ edit }: Problem) => edit === undefined
  const rows = validation.rows.map((row) => {
    const problems = row.problems.filter(isLeft)
    return { ...row, problems, valid: row.valid || isValid(problems) }
  })
  return {
    fixed: files.flatMap((file) => file.fixed),
    stdin: files.find(({ file }) => file === stdinName)?.after,
    validation: { ...validation, rows, problems: validation.problems.filter(isLeft) },
  }
}

/** Throws RewriteError where a file that was found in a folder is outside of it because of a link. */
function refuseOutside(file: string, inputs: readonly string[], cwd: string): void {
  const path = resolve(cwd, file)
  const given = inputs.map((input) => resolve(cwd, input))
  const folder = given.includes(path) ? undefined : given.find((one) => isWithin(one, path))
  if (folder !== undefined && pointsOutside(path, folder))
    throw new RewriteError(`${file} is not corrected: a link points outside the folder; to correct it, name the file`)
}

const textOf = (bytes: Uint8Array, { sources }: Validation) =>
  sources.get(stdinName) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

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
