import fs, { existsSync, renameSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { isWithin } from '../../src/file-system.ts'

type Call =
  | 'fsyncSync'
  | 'openSync'
  | 'readFileSync'
  | 'readlinkSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'writeFileSync'

/**
 * Has a function of Node's file system replaced by one that is made of it, until the test ends or the function that this
 * returns is called.
 */
export function replaceCall<Name extends Call>(
  name: Name,
  by: (original: (typeof fs)[Name]) => (typeof fs)[Name],
): () => void {
  const original = fs[name]
  const put = (one: (typeof fs)[Name]) => {
    Object.assign(fs, { [name]: one })
    syncBuiltinESMExports()
  }
  put(by(original))
  const restore = () => put(original)
  onTestFinished(restore)
  return restore
}

/** Has something happen once, as the next content is flushed to the disk. */
export function onNextFlush(happen: () => void): void {
  const restore = replaceCall('fsyncSync', (flush) => (file) => {
    restore()
    happen()
    flush(file)
  })
}

/** Has a folder replaced by a link to another one as the next new file is made in it, or in one around it. */
export function swapOnNextFile(around: string, folder: string, target: string): void {
  const restore = replaceCall('openSync', (open) => (path, flags, ...how) => {
    if (flags === 'wx' && String(path).startsWith(around)) {
      restore()
      renameSync(folder, `${folder}.moved`)
      symlinkSync(target, folder)
    }
    return open(path, flags, ...how)
  })
}

/** Has a file of a path be one that this user may not open, until the test ends. */
export const denyOpening = (file: string): (() => void) =>
  replaceCall('openSync', (open) => (path, ...how) => {
    if (path === file) throw Object.assign(new Error(`EACCES: permission denied, open '${file}'`), { code: 'EACCES' })
    return open(path, ...how)
  })

/** Has one file be read in the place of another, until the test ends. */
export const readInstead = (file: string, by: string): (() => void) =>
  replaceCall('readFileSync', (read) => {
    const apply = (target: typeof read, self: unknown, [path, ...how]: unknown[]) =>
      Reflect.apply(target, self, [path === file ? by : path, ...how])
    return new Proxy(read, { apply })
  })

/** Has the removal of what is at some paths fail, as on a damaged disk. */
export const failRemoval = (isMeant: (path: string) => boolean): (() => void) =>
  replaceCall('rmSync', (remove) => (path, options) => {
    if (existsSync(path) && isMeant(String(path)))
      throw Object.assign(new Error(`EIO: i/o error, rm '${path}'`), { code: 'EIO' })
    remove(path, options)
  })

/** Has a file be one that nothing can be put in the place of, once that was done so many times, until the test ends. */
export function failReplacing(file: string, code: string, times = 0): void {
  let left = times
  replaceCall('renameSync', (rename) => (from, to) => {
    if (to === file && left-- <= 0)
      throw Object.assign(new Error(`${code}: rename '${from}' -> '${file}'`), { code, syscall: 'rename' })
    rename(from, to)
  })
}

/** Has the system call a folder, and what is in it, by another path, as it does on a drive that stands for a folder. */
export function callOtherwise(folder: string, name: string): void {
  const { native } = fs.realpathSync
  const put = (one: typeof native) => void Object.assign(fs.realpathSync, { native: one })
  const called = (path: string) => (isWithin(folder, path) ? join(name, relative(folder, path)) : path)
  put(((path: string) => called(native(path))) as typeof native)
  onTestFinished(() => put(native))
}
