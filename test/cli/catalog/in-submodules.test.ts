import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { face, red, template, variation } from '../../fixtures/yaml.ts'
import { registerAnyway } from '../../support/desks.ts'
import { gitIn } from '../../support/git.ts'
import { publisher } from '../../support/vatom.ts'

const job = { env: { CI: 'true', VATOM_CONTEXT: 'local' } }

const ofSubmodule = (folder: string) =>
  `of the catalog lib in the submodule ${folder}, whose repository may have it in a newer commit`
const stays = (folder: string) =>
  `? variation ${red}: ${ofSubmodule(folder)}, so it stays; to delete it, apply that catalog with --prune in a checkout of that repository\n`

/** A catalog with another one in it at its first commit, whose newer one was applied: it has a variation, with a vAtom, and a face more. */
async function pinned(how: 'submodule' | 'folder' = 'submodule', first = template()) {
  const desk = await publisher()
  const { file, json, home } = desk
  const [lib, shop] = [gitIn(desk, 'lib'), gitIn(desk, 'shop')]
  file('lib/vatom.yaml', 'catalog: lib\n')
  file('lib/coupon.yaml', first)
  file('shop/vatom.yaml', 'catalog: shop\n')
  file('shop/tea.yaml', template('$publisher::Tea::v1'))
  file('shop/mint.yaml', variation('$publisher::Tea::v1::Mint', '$publisher::Tea::v1'))
  shop('init')
  if (how === 'submodule') {
    lib('init')
    lib('add', '.')
    lib('commit', '-m', 'first')
    shop('submodule', 'add', join(home, 'lib'), 'lib')
  } else cpSync(join(home, 'lib'), join(home, 'shop/lib'), { recursive: true })
  shop('add', '.')
  shop('commit', '-m', 'begin')
  await json('apply', 'shop', '--yes')
  file('lib/red.yaml', variation())
  file('lib/card.yaml', face(undefined, 'card'))
  await json('apply', 'lib', '--yes')
  await json('emit', red)
  return { ...desk, shop, vatoms: async () => at(await json('inventory'), 'vatoms') }
}

describe('What a catalog in a submodule owns', () => {
  test('is not deleted by --prune of the catalog around it, which says why', async () => {
    const { run, vatom, vatoms, home, shop } = await pinned()
    rmSync(join(home, 'shop/mint.yaml'))
    shop('commit', '-a', '-m', 'less')
    const planned = await run(['plan', 'shop', '--prune', '--out', 'shop.plan'], job)
    expect(planned.out).toContain(stays('shop/lib'))
    expect(planned.out).toContain('  - variation local.vatom::Tea::v1::Mint')
    expect((await vatom('plan', 'show', 'shop.plan')).out).toContain(stays('shop/lib'))
    expect(JSON.parse((await run(['plan', 'shop', '--prune', '--json'], job)).out)).toMatchObject({
      unlisted: [
        { kind: 'face', catalog: 'lib', submodule: 'shop/lib' },
        { kind: 'variation', name: red, catalog: 'lib', submodule: 'shop/lib' },
      ],
      summary: { delete: 1 },
    })
    const applied = await run(['apply', 'shop', '--prune', '--prune-unowned', '--yes'], job)
    expect(applied).toMatchObject({ code: 0, err: expect.stringContaining(stays('shop/lib')) })
    expect(applied.out).toContain('Deleted variation local.vatom::Tea::v1::Mint')
    expect(await vatoms()).toHaveLength(1)
  })

  test('is listed without a command that deletes it where it is a template', async () => {
    const { run, json, file, vatoms } = await pinned()
    file('lib/cake.yaml', template('$publisher::Cake::v1'))
    await json('apply', 'lib', '--yes')
    const { out } = await run(['plan', 'shop', '--prune'], job)
    expect(out).toContain(`? template local.vatom::Cake::v1: ${ofSubmodule('shop/lib')}\n`)
    expect(await run(['apply', 'shop', '--prune', '--yes'], job)).toMatchObject({ code: 0 })
    expect(await vatoms()).toHaveLength(1)
  })

  test.each([
    ['both were exported without git', {}],
    [
      'both were exported without git, and the inner one has a submodule, too',
      { 'shop/lib/.gitmodules': '\tpath = more\n', 'shop/lib/more/note.txt': 'read me' },
    ],
  ])('is not deleted where %s', async (_what, more) => {
    const { run, file, vatoms, home } = await pinned()
    for (const name of ['.git', 'lib/.git']) rmSync(join(home, 'shop', name), { recursive: true })
    for (const [path, text] of Object.entries(more)) file(path, text)
    expect(await run(['apply', 'shop', '--prune', '--yes'], job)).toMatchObject({
      code: 0,
      err: expect.stringContaining(stays('shop/lib')),
    })
    expect(await vatoms()).toHaveLength(1)
  })

  test('is not said to be deleted by --prune where it duplicates a face of the pinned commit', async () => {
    const desk = await pinned('submodule', [template(), face()].join('---\n'))
    await registerAnyway(desk, face().replace('gps: false', 'gps: true'))
    const { run } = desk
    const { err } = await run(['plan', 'shop', '--prune'], job)
    expect(err).toMatch(
      /has 1 duplicate for the same viewers on the service, (\S+) .*; vatom face delete \1 deletes it\n/,
    )
  })

  test('is deleted where the submodule itself is named', async () => {
    const { run, vatoms } = await pinned()
    expect((await run(['plan', 'shop/lib', '--prune'], job)).out).toContain(`  - variation ${red} with 1 vAtom`)
    expect((await run(['plan', 'shop', 'shop/lib', '--prune'], job)).out).toContain(`  - variation ${red} with 1 vAtom`)
    expect(await run(['apply', 'shop/lib', '--prune', '--yes'], job)).toMatchObject({ code: 0 })
    expect(await vatoms()).toEqual([])
  })
})

describe('What a catalog in a folder that is no submodule owns is deleted by --prune of the one around it', () => {
  test('where that is of the same repository', async () => {
    const { run, vatoms } = await pinned('folder')
    expect(await run(['apply', 'shop', '--prune', '--yes'], job)).toMatchObject({ code: 0 })
    expect(await vatoms()).toEqual([])
  })

  test('where that is a repository of its own beside others', async () => {
    const desk = await pinned('folder')
    for (const folder of ['lib', 'shop/.git']) rmSync(join(desk.home, folder), { recursive: true })
    gitIn(desk, 'shop/lib')('init')
    gitIn(desk, 'shop/lib')('add', '.')
    expect(await desk.run(['apply', 'shop', '--prune', '--yes'], job)).toMatchObject({ code: 0 })
    expect(await desk.vatoms()).toEqual([])
  })
})
