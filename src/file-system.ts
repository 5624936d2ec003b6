import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { constants } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { at } from './contract/schema/path.ts'
import { messageOf } from './contract/unknown-values.ts'

/** The code of an error of Node: `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return isOverQuota(error) ? overQuota : error.code
}

const overQuota = 'EDQUOT'

/** Whether a user has no more room on a disk: Node has no name for that. */
const isOverQuota = (error: Error & { code: unknown }): boolean =>
  /^unknown/i.test(String(error.code)) && at(error, 'errno') === -constants.errno.EDQUOT

/** Why the file system refused something. */
export const fileMessage = (error: unknown): string =>
  codeOf(error) === overQuota ? `${overQuota}: the quota of this user is used up` : messageOf(error)

/** Whether the file system refused something. */
export const isFileError = (error: unknown): boolean => /^E[A-Z]+$/.test(String(codeOf(error)))

/** Whether there is nothing at a path. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))

/** SQLite's errors where there is no room for what it writes, and for the index of its log (SQLITE_IOERR_SHMSIZE). */
const sqliteFull: readonly unknown[] = [13, 4874]

/** Whether something failed because a disk is full, or a quota on it, in the file system or in a database. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', overQuota].includes(String(codeOf(error))) || sqliteFull.includes(at(error, 'errcode'))

/** SQLite's errors where a write failed, and it does not say why (SQLITE_IOERR_WRITE, _FSYNC, _DIR_FSYNC, _TRUNCATE). */
const sqliteUnwritten: readonly unknown[] = [778, 1034, 1290, 1546]

/**
 * What to do about a full disk, a quota that is used up, a file that may not be as large, or a link that cannot be followed;
 * undefined for another reason.
 */
export function roomRemedy(error: unknown): string | undefined {
  if (codeOf(error) === 'EFBIG') return 'let this user write larger files (ulimit -f)'
  if (codeOf(error) === 'ELOOP') return 'remove the link'
  if (sqliteUnwritten.includes(at(error, 'errcode')))
    return 'see whether its disk is full or damaged, a quota is used up, or larger files are not allowed (ulimit -f)'
  return isDiskFull(error) ? 'make room on its disk' : undefined
}

/** What to do where too many files are open; undefined for another reason. */
export const openFilesRemedy = (error: unknown): string | undefined => openFiles[String(codeOf(error))]

const openFiles: Readonly<Record<string, string>> = {
  EMFILE: 'let this process have more files open: ulimit -n 4096; in a container: --ulimit nofile=4096',
  ENFILE: 'all programs of this machine have too many files open: end some, or allow more (fs.file-max)',
}

/** Whether the system denies access. */
export const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(String(codeOf(error)))

/** The last byte of SQLite's errors for a database that cannot be written. */
const sqliteReadOnly = 8

const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === 'EROFS' || Number(at(error, 'errcode')) % 256 === sqliteReadOnly

/** What to do where a file cannot be written; undefined if the system does not say why. */
export function writeRemedy(error: unknown): string | undefined {
  const isRefused = isDenied(error) || isReadOnly(error)
  return isRefused ? 'let this user write to it and to its folder' : roomRemedy(error)
}

/** Whether an absolute path is that of a folder, or of something below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether a path is, or is within, one of some folders; both are absolute. It takes time by the depth of the path alone. */
export const isWithinOne = (folders: ReadonlySet<string>, path: string): boolean =>
  folders.has(path) || (dirname(path) !== path && isWithinOne(folders, dirname(path)))

/** Where a path leads; the path itself where it leads to nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** An absolute folder as a command in another one names it: `.` for that one itself. */
export const folderFrom = (cwd: string, folder: string): string => relative(cwd, folder) || '.'

/** The names in a folder; none where it cannot be read, or is gone. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The first name in a folder that is wanted, and no further one is read; undefined where there is none, or the folder cannot be read, or is gone. */
export function nameIn(folder: string, isWanted = (_name: string) => true): string | undefined {
  try {
    const opened = opendirSync(folder)
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync())
        if (isWanted(entry.name)) return entry.name
    } finally {
      opened.closeSync()
    }
  } catch {
    // As if nothing were in it.
  }
  return undefined
}

/** The nearest of an absolute folder and those above it in which a name exists; undefined if it exists in none. */
export const nearestWith = (name: string, folder: string): string | undefined =>
  nearest(folder, (one) => existsSync(join(one, name)))

/** The nearest of an absolute folder and those above it that is as wanted; undefined if none is. */
export function nearest(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  if (isWanted(folder)) return folder
  const above = dirname(folder)
  return above === folder ? undefined : nearest(above, isWanted)
}

/**
 * Makes a folder and all missing folders above it. Throws as mkdir does. Node's own recursive mkdir never ends in a
 * folder such as /proc, where the system lets nobody make one.
 */
export function makeFolder(path: string, mode = 0o777): void {
  for (const folder of missingFolders(path)) makeOne(folder, mode)
}

/** The folders that do not exist of a folder and those around it, the outermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  return missing
}

/** A path as far as it exists. */
export function existingPart(path: string): string {
  const [outermost] = missingFolders(path)
  return outermost === undefined ? path : dirname(outermost)
}

/** The path without any link that one which need not exist leads to. */
export function realPathOf(path: string): string {
  const existing = existingPart(path)
  return join(realPath(existing), relative(existing, path))
}

/** The path without any link, also where it is a link to nothing. */
export function leadsTo(path: string): string {
  return realPathOf(isLink(path) ? resolve(realPath(dirname(path)), readlinkSync(path)) : path)
}

/** Whether a path is a link; not where there is nothing, as in a file that stands in the place of a folder. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** Removes folders that are empty, the last first; others stay. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // It has something in it, or was never made.
    }
  }
}

/**
 * Removes a file, or a folder of this user with all that is in it. Throws for the folder of another user: names in it could
 * lead elsewhere by the time they are removed.
 */
export function removeOwn(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() && process.getuid !== undefined && found.uid !== process.getuid())
    throw new Error('it is the folder of another user')
  rmSync(path, { recursive: found?.isDirectory() === true, force: true })
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Whether a path, as far as it exists, is outside a folder because of a link. */
export function pointsOutside(path: string, folder: string): boolean {
  if (!existsSync(folder)) return false
  return !isWithin(realpathSync(folder), realpathSync(existingPart(path)))
}

/** Makes what is in a file survive a power cut. */
export function sync(path: string, flags = 'r'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes new names in a folder survive a power cut; Windows does so by itself and has no such call. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') sync(path)
}
