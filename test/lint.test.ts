import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from './support/folders.ts'

const root = join(import.meta.dirname, '..')
const own = (name: string) => readFileSync(join(root, name), 'utf8')

test('what a publisher writes in a clone is not linted, the sources are', () => {
  const clone = (sources: Record<string, string>) =>
    folderWith({
      '.biome.json': own('.biome.json'),
      '.gitignore': own('.gitignore'),
      'package.json': own('package.json'),
      'tea.plan': '{"version":1}',
      'shop/.vatom/face.schema.json': '{"a":   1}',
      'shop.json': '{"a":   1}',
      ...sources,
    })
  const lint = (folder: string) => {
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', '.'], { cwd: folder })
    return { status, said: `${stdout}${stderr}` }
  }
  expect(lint(clone({ 'src/a.ts': 'export const a = 1\n' }))).toMatchObject({ status: 0 })
  const { status, said } = lint(clone({ 'src/a.ts': 'export const a = 1;' }))
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('src/a.ts') })
  expect(said).not.toContain('shop')
})
