import { resolve } from 'node:path'
import { identityOf } from '../../contract/kinds/face.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { limits } from '../../contract/limits.ts'
import { isObject } from '../../contract/schema/path.ts'
import type { Loaded } from '../../documents/load/loaded.ts'
import type { Candidate, ReadFile } from '../../documents/load/read-file.ts'
import { ifOfOthers, strayRule } from '../../documents/load/remains.ts'
import { folderFrom, isGone } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'
import { usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'
import type { PruneOptions } from './options.ts'
import { documentsKey, type Owners } from './owners.ts'

/** Whether a file may describe what nobody can tell: none of its documents could be read. */
const isUnread = ({ candidates, problems }: Pick<ReadFile, 'candidates' | 'problems'>): boolean =>
  candidates.length === 0 && problems.length > 0

/** Whether a document of a file could not be read to its end, as where a conflict of git was left in it. */
const isDamaged = ({ candidates }: Pick<ReadFile, 'candidates'>): boolean => candidates.some(({ raw }) => !raw.sound)

/** Whether a file, or the rest of one, may describe what nobody can tell. */
export const isUnclear = (file: Pick<ReadFile, 'candidates' | 'problems'>): boolean => isUnread(file) || isDamaged(file)

/** The same of a file of another catalog, where one document that names no record may have come in the place of others. */
export const isUnclearThere = (file: Pick<ReadFile, 'candidates' | 'problems'>): boolean =>
  isUnclear(file) || file.candidates.some(isNameless)

/** Whether nobody can tell which record a document describes. */
const isNameless = ({ kind, value }: Candidate): boolean =>
  !isObject(value) ||
  (kindOf(kind).key === 'name'
    ? !kindOf(kind).nameOf(value)
    : [value.template, ...identityOf(value).slice(0, 2)].some((one) => typeof one !== 'string'))

/**
 * Throws a usage error for a run that deletes where a file of the catalog holds no document, and may have come in the place
 * of some, or held some that were applied; and where a folder has the place of a file that did.
 */
export function checkEmptied(
  { problems, foreign, namedAsFiles }: Pick<Loaded, 'problems' | 'foreign' | 'namedAsFiles'>,
  owners: Owners,
  options: PruneOptions,
  cwd: string,
): void {
  const stray = problems.find(({ rule }) => rule === strayRule)
  if (stray) refuseUnread(stray.file, ` ${stray.message}`, stray.hint ?? ifOfOthers, options)
  const isEmptied = (path: string) => owners[documentsKey(path)] !== undefined && saysSomething(path)
  const emptied = foreign.find((file) => isEmptied(resolve(cwd, file)))
  if (emptied) refuseUnread(emptied, ' held documents that were applied, and holds none any more', getAnew, options)
  const folder = namedAsFiles.find((path) => owners[documentsKey(path)] !== undefined)
  if (folder)
    refuseUnread(
      folderFrom(cwd, folder),
      ' is a folder in the place of a file that held documents',
      replaceFolder,
      options,
    )
}

/**
 * Whether a file is there, and has more than comments: with these alone, its documents were left out on purpose. What is too
 * large to be read, or no file, says something.
 */
export function saysSomething(path: string): boolean {
  try {
    const text = regularText(path, limits.file)
    return text === undefined || text.split('\n').some((line) => !/^\s*(?:#|---|$)/.test(line))
  } catch (error) {
    return !isGone(error)
  }
}

const getAnew = `restore the file, or remove it; ${ifOfOthers}`

const replaceFolder = 'put the file in its place, or give the folder another name'

/** Throws a usage error for a run that deletes, because it may delete what is described where it cannot read. */
export function refuseUnread(what: string, is: string, remedy: string, options: PruneOptions): void {
  if (options.prune || options.pruneUnowned)
    throw usage(`${what}${is}: ${flagOf(options)} may delete what it describes`, remedy)
}

/** What to do about a file that cannot be read. */
export const correctFile = (file: string): string =>
  `correct the file, or remove it; what is wrong with it: vatom validate ${shellWord(file)}`

/** The flag by which a run deletes. */
export const flagOf = ({ prune }: PruneOptions): string => (prune ? '--prune' : '--prune-unowned')
