import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { face, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

/** A catalog that was applied, with a variation in a folder of it. */
async function applied(ignore = '[]') {
  const desk = await publisher()
  desk.file('c/vatom.yaml', `catalog: c\nignore: ${ignore}\n`)
  desk.file('c/coupon.yaml', template())
  desk.file('c/face.yaml', face())
  desk.file('c/sub/red.yaml', variation())
  await desk.json('apply', 'c', '--yes')
  return { ...desk, files: () => readdirSync(join(desk.home, 'c'), { recursive: true }).map(String).sort() }
}

const needs = 'error: pull writes what is in no file, so it needs the whole catalog, and'

describe('pull into a part of a catalog', () => {
  test.each([
    ['with documents', '.', 'c/sub', 'this folder is a part of the one in ..', 'vatom pull ..', '../vatom.yaml'],
    ['that is empty', 'c/empty', '.', 'c/empty is a part of the one in c', 'vatom pull c', 'c/vatom.yaml'],
    ['that is not there', 'new/one', 'c', 'new/one is a part of the one in .', 'vatom pull .', 'vatom.yaml'],
  ])('is refused with the command for the whole, for a folder %s', async (_which, dir, cwd, is, whole, project) => {
    const { run, vatom, home, files } = await applied()
    mkdirSync(join(home, 'c/empty'))
    const before = files()
    for (const options of [['--yes'], ['--diff'], ['--template', 'Coupon', '--force']]) {
      const named = options.includes('--template') ? ' --template Coupon' : ''
      expect(await run(['pull', dir, ...options], { cwd })).toEqual({
        code: 2,
        out: '',
        err: expect.stringContaining(
          `${needs} ${is}\nhint: ${whole}${named}; for a catalog of its own, list the folder under ignore in ${project}\n`,
        ),
      })
    }
    expect(files()).toEqual(before)
    expect(await run(whole.split(' ').slice(1), { cwd })).toMatchObject({
      code: 0,
      err: expect.stringContaining('3 documents: 3 unchanged'),
    })
    expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  })

  test.each(['c/drafts', 'c/drafts/new', 'c/.kept', 'other'])(
    'is done where the catalog does not read it: %s',
    async (dir) => {
      const { vatom, home } = await applied('[drafts/]')
      expect(await vatom('pull', dir, '--all-catalogs')).toMatchObject({
        code: 0,
        err: expect.stringContaining('3 new'),
      })
      expect(existsSync(join(home, dir, 'vatom.yaml'))).toBe(true)
      expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
    },
  )

  test('is refused where the catalog ignores files in the folder, until that is a catalog of its own', async () => {
    const { vatom, file, files } = await applied('[drafts/]')
    file('c/drafts/more/mine.yaml', template())
    const before = files()
    expect(await vatom('pull', 'c/drafts', '--all-catalogs')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(
        'error: pull writes what is in no file, and does not see the files in c/drafts, which c/vatom.yaml ignores\nhint: make it a catalog of its own first: write a line into c/drafts/vatom.yaml, catalog: NAME\n',
      ),
    })
    expect(files()).toEqual(before)
    file('c/drafts/vatom.yaml', 'catalog: drafts\n')
    const { code, err } = await vatom('pull', 'c/drafts', '--all-catalogs')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('3 documents: 2 new, 1 unchanged') })
    expect(await vatom('validate', 'c/drafts')).toMatchObject({ code: 0 })
  })

  test('is done where the folder is a catalog of its own', async () => {
    const { vatom, file, home } = await applied()
    file('c/own/vatom.yaml', 'catalog: own\n')
    file('c/own/tea.yaml', template('$publisher::Tea::v1'))
    await vatom('apply', 'c/own', '--yes')
    rmSync(join(home, 'c/own/tea.yaml'))
    expect(await vatom('pull', 'c/own')).toMatchObject({ code: 0, err: expect.stringContaining('1 new') })
    expect(readdirSync(join(home, 'c/own'))).toContain('tea.yaml')
  })

  test.each(['c/own', 'c/own/inner'])('leaves out of %s, which is one in it, what its files describe', async (own) => {
    const { vatom, file, home } = await applied()
    for (const [dir, name] of [
      ['c/own', 'own'],
      ['c/own/inner', 'inner'],
    ])
      file(`${dir}/vatom.yaml`, `catalog: ${name}\n`)
    file('made/tea.yaml', template('$publisher::Tea::v1'))
    file('made/cake.yaml', template('$publisher::Cake::v1'))
    await vatom('template', 'create', 'made/tea.yaml', 'made/cake.yaml')
    file('c/more/tea.yaml', template('$publisher::Tea::v1'))
    const { code, err } = await vatom('pull', own, '--yes')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('1 document: 1 new') })
    expect(err).toContain(
      '4 documents of other catalogs were left out (4 of c): files around this folder describe them, and written here too, the catalog there would be invalid\n',
    )
    expect(err).not.toContain('to write them too')
    expect(err).not.toContain('Tea')
    expect(readdirSync(join(home, own))).toContain('cake.yaml')
    expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  })

  test('names no option for all where only a part of what was left out can be written', async () => {
    const { vatom, file } = await applied()
    file('c/own/vatom.yaml', 'catalog: own\n')
    file('c/own/tea.yaml', template('$publisher::Tea::v1'))
    file('other/vatom.yaml', 'catalog: other\n')
    file('other/cake.yaml', template('$publisher::Cake::v1'))
    await vatom('apply', 'other', '--yes')
    const { err } = await vatom('pull', 'c/own', '--yes')
    expect(err).toContain(
      '3 documents of other catalogs were left out (3 of c): files around this folder describe them',
    )
    expect(err).toContain(
      '1 document of other catalogs was left out (1 of other); to write them too: vatom pull c/own --template NAME\n',
    )
    expect(err).not.toContain('--all-catalogs')
  })

  test('writes what the files around describe where their catalog does not read the folder', async () => {
    const { vatom, file, home } = await applied('[own/]')
    file('c/own/vatom.yaml', 'catalog: own\n')
    file('c/tea.yaml', template('$publisher::Tea::v1'))
    await vatom('template', 'create', 'c/tea.yaml')
    expect(await vatom('pull', 'c/own', '--yes')).toMatchObject({ code: 0 })
    expect(readdirSync(join(home, 'c/own'))).toContain('tea.yaml')
    expect(await vatom('validate', 'c')).toMatchObject({ code: 0 })
  })
})
