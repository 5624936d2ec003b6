import { mkdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rewriteAll } from '../../../src/documents/edit/rewrite.ts'
import { folderWith } from '../../support/folders.ts'

test('for a file behind a link that leads outside its folder, nothing is written there', () => {
  const home = realpathSync(folderWith({ 'catalog/vatom.yaml': '', 'out/tea.yaml': 'before' }))
  const [within, out] = [join(home, 'catalog'), join(home, 'out')]
  symlinkSync(out, join(within, 'link'))
  const found = statSync(out).mtimeMs
  const path = join(within, 'link/tea.yaml')
  const rewrite = { file: 'catalog/link/tea.yaml', path, before: 'before', after: 'after', within }
  expect(() => rewriteAll([rewrite])).toThrow('a link points outside the folder')
  expect([statSync(out).mtimeMs, readFileSync(path, 'utf8')]).toEqual([found, 'before'])
})

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
