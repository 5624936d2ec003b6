import { realpathSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { plural } from '../../contract/schema/wording.ts'
import { existingPart, folderFrom, isWithin } from '../../file-system.ts'
import { inputProblem } from '../finding.ts'
import type { LeftOut } from './git-index.ts'
import type { GitReading } from './git-reading.ts'
import { isDocumentName, isIgnored, isType } from './inputs.ts'
import type { Problem } from './loaded.ts'
import { isLeftOut, type ProjectOf, type RunPlace } from './project.ts'
import { ifNeverOwned } from './remains.ts'

const updating =
  'git submodule update --init --recursive; in a pipeline: submodules: recursive (GitHub), GIT_SUBMODULE_STRATEGY: recursive (GitLab)'

/** What is said of a file or folder that git has left out, and what puts it there. */
export const leftOutTexts: Readonly<Record<LeftOut['reason'], { readonly is: string; readonly remedy: string }>> = {
  submodule: {
    is: 'is a submodule of git that is not checked out',
    remedy: `check it out: ${updating}`,
  },
  commit: {
    is: 'is a submodule that is not at the commit in the index of git',
    remedy: `in the repository around it, check that commit out: ${updating}; or stage the one that is there: git add`,
  },
  sparse: {
    is: 'is not in this checkout, which is a sparse one',
    remedy: 'check out the whole catalog: git sparse-checkout disable',
  },
  link: {
    is: 'is a link to a folder, which git has written as a text (core.symlinks)',
    remedy: 'put the folder itself in its place',
  },
}

/** Finds what git has left out of a folder, by its real path, that may hold documents and that no project ignores. */
export const missingFinder =
  (projectOf: ProjectOf, git: GitReading) =>
  async (folder: string): Promise<LeftOut[]> => {
    const { leftOutAround } = await import('./git-index.ts')
    const missing: LeftOut[] = []
    for (const one of (await leftOutAround(folder, git)).filter((found) => mayHoldDocuments(found, folder)))
      if (!(await isLeftOut(one.path, folder, projectOf))) missing.push(one)
    return missing
  }

function mayHoldDocuments({ path, reason, target }: LeftOut, folder: string): boolean {
  // What is read anyway is no loss.
  if (target !== undefined && (isWithin(folder, target) || isWithin(target, path))) return false
  if (!isWithin(folder, path) || relative(folder, path).split(sep).some(isIgnored)) return false
  return reason !== 'sparse' || path.endsWith(sep) || isDocumentName(basename(path))
}

/** Warns of what git has left out of folders among inputs. Many files of a sparse checkout are one problem. */
export async function missingProblems(
  inputs: readonly string[],
  { cwd, git }: RunPlace,
  projectOf: ProjectOf,
): Promise<Problem[]> {
  const missingIn = missingFinder(projectOf, git)
  const found = new Map<string, Problem>()
  for (const input of inputs) {
    const path = resolve(cwd, input)
    if (input === '-' || !isType(path, 'isDirectory')) continue
    const folder = realpathSync(path)
    const missing = await missingIn(folder)
    const add = (one: LeftOut, others = 0) =>
      found.set(one.path, notRead(one, join(input, relative(folder, one.path)), others))
    for (const one of missing) if (one.reason !== 'sparse') add(one)
    const [first, ...others] = missing.filter(({ reason }) => reason === 'sparse')
    if (first) add(first, others.length)
  }
  return [...found.values()]
}

function notRead({ reason }: LeftOut, file: string, others: number): Problem {
  const { is, remedy } = leftOutTexts[reason]
  const too = others === 0 ? '' : `, like ${plural(others, 'other')}`
  // What is there of a submodule at another commit is read.
  const what = reason === 'commit' ? is : `is not read${too}: it ${is}`
  const hint = `${remedy}; ${ifNeverOwned}`
  return { ...inputProblem(file, 'checkout', what, hint), severity: 'warning' }
}

/** What to do about a file or folder that is not there because git has left it out, or what it is in; undefined for others. */
export async function absentHint(path: string, { cwd, git }: RunPlace): Promise<string | undefined> {
  const { leftOutAround } = await import('./git-index.ts')
  const there = existingPart(path)
  const real = join(realpathSync(there), relative(there, path))
  const missing = (await leftOutAround(real, git)).find(
    (one) => absences.has(one.reason) && (isWithin(one.path, real) || isWithin(real, one.path)),
  )
  return missing && leftOutHint(folderFrom(cwd, missing.path), missing)
}

/** Why something is not there at all. */
const absences: ReadonlySet<LeftOut['reason']> = new Set(['submodule', 'sparse'])

/** What to do about a folder without documents of which git has left out a part; undefined for others. */
export async function checkoutHint(
  input: string,
  { cwd, git }: RunPlace,
  projectOf: ProjectOf,
): Promise<string | undefined> {
  const folder = realpathSync(resolve(cwd, input))
  const [missing] = await missingFinder(projectOf, git)(folder)
  return missing && leftOutHint(join(input, relative(folder, missing.path)), missing)
}

function leftOutHint(file: string, { reason }: LeftOut): string {
  const { is, remedy } = leftOutTexts[reason]
  return `${file} ${is}; ${remedy}`
}
