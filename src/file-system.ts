import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { at } from './contract/schema/path.ts'

/** The code of an error of Node: `ENOENT`; undefined for other errors. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Whether the file system refused something. */
export const isFileError = (error: unknown): boolean => /^E[A-Z]+$/.test(String(codeOf(error)))

/** Whether there is nothing at a path. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))

/** SQLite's errors where there is no room for what it writes, and for the index of its log (SQLITE_IOERR_SHMSIZE). */
const sqliteFull: readonly unknown[] = [13, 4874]

/** Whether something failed because a disk is full, in the file system or in a database. */
export const isDiskFull = (error: unknown): boolean =>
  codeOf(error) === 'ENOSPC' || sqliteFull.includes(at(error, 'errcode'))

/** Whether the system denies access. */
export const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(String(codeOf(error)))

/** The last byte of SQLite's errors for a database that cannot be written. */
const sqliteReadOnly = 8

const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === 'EROFS' || Number(at(error, 'errcode')) % 256 === sqliteReadOnly

/** What to do where a file cannot be written; undefined if the system does not say why. */
export function writeRemedy(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'make room on its disk'
  return isDenied(error) || isReadOnly(error) ? 'let this user write to it and to its folder' : undefined
}

/** Whether an absolute path is that of a folder, or of something below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

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

/** The nearest of an absolute folder and those above it in which a name exists; undefined if it exists in none. */
export function nearestWith(name: string, folder: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : nearestWith(name, above)
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
