import { Buffer } from 'node:buffer'
import { resolve } from 'node:path'
import { groupBy } from '../../contract/schema/group-by.ts'
import { type Validation, validateFiles } from '../cache/cached-validation.ts'
import type { ValidateOptions } from '../cache/incremental.ts'
import type { Problem } from '../load/loaded.ts'
import { isValid } from '../load/problems.ts'
import { applyEdits, type Edit } from './edit.ts'
import { rewriteAll } from './rewrite.ts'

/** One thing that was put right. */
export interface Fixed {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly before: string
  readonly after: string
}
/** What was put right, and what the files come to now. */
export interface FixedRun {
  readonly fixed: readonly Fixed[]
  /** Standard input, put right; there only where it was an input. */
  readonly stdin: string | undefined
  readonly validation: Validation
}

const stdinName = '<stdin>'
/** What is put right may show more that can be; beyond this something is amiss. */
const maxRounds = 8

/** Puts right in files what can be without asking, until nothing is left, and checks them. Throws RewriteError. */
export async function fixFiles(inputs: readonly string[], options: ValidateOptions): Promise<FixedRun> {
  let stdin = inputs.includes('-') ? await options.readStdin() : undefined
  const fixed: Fixed[] = []
  for (let round = 1; ; round++) {
    const given = stdin
    const readStdin = async () => given ?? new Uint8Array()
    const validation = await validateFiles(inputs, { ...options, readStdin })
    const files = round > maxRounds ? [] : mendable(validation)
    if (files.length === 0) return { fixed, stdin: stdin && textOf(stdin, validation), validation }
    rewriteAll(
      files.filter(({ file }) => file !== stdinName).map((one) => ({ ...one, path: resolve(options.cwd, one.file) })),
    )
    const piped = files.find(({ file }) => file === stdinName)
    if (piped) stdin = Buffer.from(piped.after)
    fixed.push(...files.flatMap((one) => one.fixed))
  }
}

/** What `fixFiles` would put right at first, and what the files come to but for that; they are left as they are. */
export async function dryRunFixes(inputs: readonly string[], options: ValidateOptions): Promise<FixedRun> {
  const validation = await validateFiles(inputs, options)
  const files = mendable(validation)
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

const textOf = (bytes: Uint8Array, { sources }: Validation) =>
  sources.get(stdinName) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

interface Mended {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly fixed: readonly Fixed[]
}

/** The files that something can be put right in. */
function mendable({ problems, sources }: Validation): Mended[] {
  return [...groupBy(problems, ({ file }) => file)].flatMap(([file, found]) =>
    mended(file, found, sources.get(file) ?? ''),
  )
}

function mended(file: string, problems: readonly Problem[], before: string): Mended[] {
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
