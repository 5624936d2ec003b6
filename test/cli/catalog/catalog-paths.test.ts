import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const commands = [['validate'], ['template', 'validate'], ['plan'], ['apply', '--yes']]

test.each(commands)('%s %s works on the catalog in this folder if no path is given', async (...words) => {
  const { file, vatom, json } = await publisher()
  file('coupon.yaml', template())
  const { code, out } = await vatom(...words)
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('local.vatom::Coupon::v1') })
  expect(await json('template', 'list')).toHaveLength(words[0] === 'apply' ? 1 : 0)
})

test('template bump renames in the catalog in this folder if no path is given', async () => {
  const { file, home, vatom } = await publisher()
  const refused = await vatom('template', 'bump', 'Coupon')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('vatom template bump Coupon PATH; ') })
  file('coupon.yaml', template())
  expect(await vatom('template', 'bump', 'Coupon')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 'coupon.yaml'), 'utf8')).toContain('::Coupon::v2')
})

test('a folder that init wrote to is a catalog, whatever its files hold', async () => {
  const { vatom } = await publisher()
  expect(await vatom('init', '.', '--name', 'Tea')).toMatchObject({ code: 0 })
  expect(await vatom('plan')).toMatchObject({ code: 0, out: expect.stringContaining('::Tea::v1') })
})

test('so is one with a project file, whose documents may stand in folders below it', async () => {
  const { file, vatom } = await publisher()
  file('vatom.yaml', 'ignore: []\n')
  file('shop/coupon.yaml', template())
  expect(await vatom('plan')).toMatchObject({ code: 0, out: expect.stringContaining('::Coupon::v1') })
})

test('above catalogs, the commands for them are named', async () => {
  const { file, vatom } = await publisher()
  file('shop/vatom.yaml', 'catalog: shop\n')
  file('old shop/vatom.yaml', 'catalog: old\n')
  const { code, err } = await vatom('plan')
  expect({ code, err }).toEqual({
    code: 2,
    err: `error: No catalog given, and this folder is not a catalog\nhint: for a catalog in it: vatom plan 'old shop', or vatom plan shop; for a file or another folder: vatom plan PATH; for this folder and all in it: vatom plan .\n`,
  })
})

test('in a folder of a catalog, the command for that is named', async () => {
  const { file, run } = await publisher()
  file('my shop/vatom.yaml', 'catalog: shop\n')
  file('my shop/images/icon.txt', 'icon')
  expect(await run(['plan'], { cwd: 'my shop/images' })).toMatchObject({
    code: 2,
    err: 'error: No catalog given, and this folder is not a catalog\nhint: for the catalog that it is in: vatom plan ..; for a file or another folder: vatom plan PATH; for this folder and all in it: vatom plan .\n',
  })
})

test('above more than three catalogs, the others are named, too', async () => {
  const { file, vatom } = await publisher()
  for (const name of ['cafe', 'museum', 'pack', 'seefest', 'sticker']) file(`${name}/vatom.yaml`, `catalog: ${name}\n`)
  expect((await vatom('apply')).err).toContain(
    'vatom apply cafe, or vatom apply museum, or vatom apply pack; likewise seefest, sticker; for a file or another folder: vatom apply PATH; ',
  )
})

test.each(commands)('%s %s in any other folder exits 2 and reads nothing below it', async (...words) => {
  const { home, file, vatom, json } = await publisher()
  mkdirSync(join(home, 'shop'))
  file('shop/coupon.yaml', template())
  file('compose.yaml', 'services: {web: {image: nginx}}\n')
  file('deployment.yaml', 'kind: Deployment\nspec:\n  template:\n    spec: {}\n')
  const { code, out, err } = await vatom(...words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  const line = `vatom ${words.filter((word) => word !== '--yes').join(' ')}`
  expect(err).toBe(
    `error: No catalog given, and this folder is not a catalog\nhint: for a file or another folder: ${line} PATH; for this folder and all in it: ${line} .\n`,
  )
  expect(await json('template', 'list')).toEqual([])
})
