import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDocuments } from '../../../src/documents/load/inputs.ts'
import { template, variation } from '../../fixtures/yaml.ts'
import { folderWith } from '../../support/folders.ts'
import { gitIndex, modes } from '../../support/git-index.ts'
import { publisher } from '../../support/vatom.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A catalog that was applied, and of which a file was removed since. */
async function changed() {
  const desk = await publisher()
  desk.file('c/vatom.yaml', 'catalog: c\n')
  desk.file('c/coupon.yaml', template())
  desk.file('c/green.yaml', variation())
  expect(await desk.vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
  desk.file('c/green.yaml', '# removed\n')
  return desk
}

/** The repository of a catalog with submodules that all have the index of one. */
const repositoryWith = (submodules: readonly string[], index: Uint8Array) => ({
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/index': gitIndex(2, submodules, modes.submodule),
  '.git/large/HEAD': 'ref: refs/heads/main\n',
  '.git/large/index': index,
  ...Object.fromEntries(submodules.map((name) => [`${name}/.git`, 'gitdir: ../../.git/large\n'])),
})

test('the index that very many submodules have is read once', async () => {
  const { vatom, file } = await changed()
  const names = numbers(300).map((index) => `s/${index}`)
  const large = gitIndex(
    2,
    numbers(60_000).map((index) => `a${index}`),
  )
  for (const [name, content] of Object.entries(repositoryWith(names, large))) file(`c/${name}`, content)
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
})

test('--prune is refused where a submodule has more than a run reads', async () => {
  const { vatom, file, home } = await changed()
  for (const [name, content] of Object.entries(repositoryWith(['s/1', 's/2'], gitIndex(2, ['a']))))
    file(`c/${name}`, content)
  truncateSync(join(home, 'c/.git/large/index'), 2 ** 29)
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  expect(await vatom('plan', 'c', '--prune')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/c\/(s\/\d\/)?\.git does not tell what else is in the repository/),
  })
})

test('a folder that a .gitmodules names very often is looked at once', async () => {
  const { vatom, file } = await changed()
  for (const index of numbers(5000)) file(`c/assets/${index}.png`, '')
  file('c/.gitmodules', '\tpath = assets\n'.repeat(20_000))
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  expect((await vatom('plan', 'c', '--prune')).out).toContain('1 to delete')
})

test('--prune is refused where a .gitmodules names more than is looked at', async () => {
  const { vatom, file, home } = await changed()
  file('c/.gitmodules', '\tpath = assets\n')
  truncateSync(join(home, 'c/.gitmodules'), 2 ** 29)
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  expect(await vatom('plan', 'c', '--prune')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'c/.gitmodules names more submodules than are looked at, so it does not tell what else is in the repository: --prune may delete what it describes\nhint: remove from it what is no submodule of the repository\n',
    ),
  })
})

test('--prune is refused where a .gitmodules cannot be read', async () => {
  const { vatom, file } = await changed()
  file('c/.gitmodules/folder', '')
  expect(await vatom('plan', 'c', '--prune')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'c/.gitmodules cannot be read, so it does not tell what else is in the repository: --prune may delete what it describes\nhint: let this user read it\n',
    ),
  })
})

test.each([
  ['submodules', repositoryWith(['s/1'], gitIndex(2, [])), '.git/index'],
  ['lines of .gitmodules', {}, '.gitmodules'],
])('an interruption is heard while many %s are looked at', async (_what, files, list) => {
  const folder = folderWith({ 'coupon.yaml': template(), ...files })
  const names = numbers(60).map((index) => `s/${index}`)
  writeFileSync(
    join(folder, list),
    list === '.gitmodules' ? names.map((name) => `\tpath = ${name}\n`).join('') : gitIndex(2, names, modes.submodule),
  )
  const found = findDocuments(['.'], { cwd: folder, signal: AbortSignal.abort(new Error('interrupted')) })
  await expect(found).rejects.toThrow('interrupted')
})
