import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { regular } from '../../../src/documents/load/git-repository.ts'
import { newFolder } from '../../support/folders.ts'

test('a file of a repository is read, unless it is larger than any that git writes', () => {
  const index = join(newFolder(), 'index')
  writeFileSync(index, 'DIRC')
  expect(String(regular(index))).toBe('DIRC')
  truncateSync(index, 2 ** 30)
  expect(regular(index)).toBeUndefined()
})
