import { expect, test } from 'vitest'
import { type CatalogDesk, catalogDesk, published } from '../../../fixtures/catalog.ts'
import { coupon, face, red, template, variation } from '../../../fixtures/yaml.ts'

const other = `${coupon}::Other`
const eth = (...fields: string[]) =>
  `eth:\n  network: testnet\n  fields:\n${fields.map((name) => `    ${name}: { type: uint, value: 1 }\n`).join('')}`

type Change = (desk: CatalogDesk) => Promise<unknown>

test.each<[string, Change, Change]>([
  ['more vAtoms follow', async () => {}, ({ json }) => json('emit', red)],
  [
    'the face of a template that it publishes was deleted',
    async ({ json, file }) => {
      file('face.yaml', face())
      await json('face', 'create', 'face.yaml')
      file('catalog/4-coupon.yaml', published(template()))
    },
    async ({ json }) => {
      const [{ id }] = Object(await json('face', 'list', coupon))
      await json('face', 'delete', id, '--yes')
    },
  ],
  [
    'another variation follows to a chain',
    async (desk) => {
      desk.file('catalog/4-coupon.yaml', template(undefined, eth('a')))
      await desk.applied()
      desk.file('catalog/4-coupon.yaml', template(undefined, eth('a', 'b')))
    },
    async ({ json, file }) => {
      file('other.yaml', variation(other, coupon, eth('a')))
      await json('variation', 'create', 'other.yaml')
    },
  ],
])('a saved plan is carried out where %s meanwhile', async (_, before, meanwhile) => {
  const desk = await catalogDesk()
  desk.remove('1-face')
  await desk.applied()
  await desk.json('emit', red)
  desk.file('catalog/4-coupon.yaml', template().replace('title: Coupon', 'title: Better'))
  await before(desk)
  expect(await desk.vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({ code: 0 })
  await meanwhile(desk)
  const { code, err } = await desk.vatom('apply', 'the.plan')
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('error') })
  expect(await desk.json('plan', 'catalog')).toMatchObject({ summary: { update: 0, publish: 0 } })
})
