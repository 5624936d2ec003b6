import { existsSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  codeOf,
  fileMessage,
  isDiskFull,
  isFileError,
  isWithin,
  makeFolder,
  nearestWith,
  writeRemedy,
} from '../src/file-system.ts'
import { folderWith, newFolder } from './support/folders.ts'

test('makes what is missing, for its owner alone where that is asked, and leaves what is there', () => {
  const folder = join(newFolder(), 'a/b/c')
  makeFolder(folder, 0o700)
  makeFolder(folder, 0o700)
  expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700)
})

test('fails where a file is in the way', () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/)
})

test.runIf(existsSync('/proc/self'))('fails where the system lets no folder be made, and ends', () =>
  expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT|EACCES/),
)

test.each([
  ['/a/b', true],
  ['/a/b/c', true],
  ['/a/b/..c', true],
  ['/a', false],
  ['/a/bc', false],
])('%s is within /a/b: %s', (path, within) => expect(isWithin('/a/b', path)).toBe(within))

test('the nearest folder in which a name exists is the folder itself, or one above it', () => {
  const folder = folderWith({ 'mark.txt': '', 'a/b/other.txt': '', 'c/mark.txt': '' })
  expect(nearestWith('mark.txt', join(folder, 'c'))).toBe(join(folder, 'c'))
  expect(nearestWith('mark.txt', join(folder, 'a/b'))).toBe(folder)
  expect(nearestWith('no-such-mark.txt', folder)).toBeUndefined()
})

test.each(['UNKNOWN', 'Unknown system error -122'])(
  'a quota that is used up, which Node calls %s, is as a full disk',
  (code) => {
    const error = Object.assign(new Error(`${code}: unknown error, write`), { code, errno: -constants.errno.EDQUOT })
    expect(codeOf(error)).toBe('EDQUOT')
    expect([isFileError(error), isDiskFull(error)]).toEqual([true, true])
    expect(fileMessage(error)).toBe('EDQUOT: the quota of this user is used up')
    expect(writeRemedy(error)).toBe('make room on its disk')
  },
)
