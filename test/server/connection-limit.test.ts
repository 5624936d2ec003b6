import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mostConnections, mostFiles } from '../../src/server/connection-limit.ts'
import { newFolder, writeFiles } from '../support/folders.ts'

const memory = 256 * 2 ** 20

test('a limit of open files bounds the connections, and leaves some for other files', () => {
  expect([1_000_000, 1024, 100, 1].map((files) => mostConnections(memory, files))).toEqual([2048, 448, 18, 1])
})

test.each([
  ['cannot be read, as where there is no /proc', undefined],
  ['says that there is none', 'Limit  Soft Limit  Hard Limit  Units\nMax open files  unlimited  unlimited  files\n'],
])('memory alone bounds them where the limit of open files %s', (_, text) => {
  const folder = newFolder()
  writeFiles(folder, { ...(text !== undefined && { limits: text }) })
  const files = mostFiles(join(folder, 'limits'))
  expect(files).toBeUndefined()
  expect([memory, 1].map((bytes) => mostConnections(bytes, files))).toEqual([2048, 1])
})

test('the limit of this process is a number where the system tells it', () => {
  const files = mostFiles()
  if (process.platform === 'linux') expect(files).toBeGreaterThan(0)
  else expect(files).toBeUndefined()
})
