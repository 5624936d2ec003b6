import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { regularBytes, regularStart, regularText } from '../src/regular-file.ts'
import { newFolder } from './support/folders.ts'

test('a regular file is read whole, also behind a link', () => {
  const folder = newFolder()
  const file = join(folder, 'file')
  writeFileSync(file, 'text')
  symlinkSync('file', join(folder, 'link'))
  expect(regularText(join(folder, 'link'))).toBe('text')
  expect(regularText(file, 4)).toBe('text')
  expect(regularStart(file, 2)?.toString()).toBe('te')
  expect(regularBytes(file, 3)).toBeUndefined()
  expect(() => regularBytes(join(folder, 'none'))).toThrow('ENOENT')
})

test('a folder, a pipe that nobody writes to, and a device are not read', () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'folder'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const path of [join(folder, 'folder'), join(folder, 'pipe'), '/dev/zero'])
    expect([path, regularBytes(path), regularStart(path, 1)]).toEqual([path, undefined, undefined])
})

test.runIf(process.platform === 'linux')('a file that has more than it says is not read', () => {
  expect(regularBytes('/proc/self/pagemap')).toBeUndefined()
  expect(regularText('/proc/self/status')).toBeUndefined()
})
