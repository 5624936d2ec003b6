import { mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rewriteAll } from '../../../src/documents/edit/rewrite.ts'
import { folderWith } from '../../support/folders.ts'

test('for a new file behind a link that leads outside its folder, no folder is made there', () => {
  const home = realpathSync(folderWith({ 'catalog/vatom.yaml': '' }))
  const [within, out] = [join(home, 'catalog'), join(home, 'out')]
  mkdirSync(out)
  symlinkSync(out, join(within, 'link'))
  const before = statSync(out).mtimeMs
  const path = join(within, 'link/more/tea.yaml')
  const rewrite = { file: 'catalog/link/more/tea.yaml', path, before: undefined, after: '', within }
  expect(() => rewriteAll([rewrite])).toThrow('a link points outside the folder')
  expect(statSync(out).mtimeMs).toBe(before)
})
