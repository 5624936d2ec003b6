import { expect, test } from 'vitest'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, variation } from '../../../fixtures/yaml.ts'

const gold = `${coupon}::Gold`
const green = `${coupon}::Green`

test('plan and apply say how many vAtoms go with variations that --prune deletes', async () => {
  const desk = await catalogDesk()
  for (const name of ['Gold', 'Green']) desk.file(`catalog/${name}.yaml`, variation(`$publisher::Coupon::v1::${name}`))
  await desk.applied()
  await desk.json('emit', gold, '--num', '4')
  desk.remove('Gold', 'Green')
  const lines = [
    `  ? variation ${gold} with 4 vAtoms: --prune deletes it\n`,
    `  ? variation ${green}: --prune deletes it\n`,
  ]
  const { out } = await desk.vatom('plan', 'catalog')
  for (const line of lines) expect(out).toContain(line)
  expect((await desk.vatom('plan', 'catalog/4-coupon.yaml')).out).toContain(
    `variation ${gold} with 4 vAtoms: --prune of the whole catalog deletes it\n`,
  )
  const applied = await desk.vatom('apply', 'catalog', '--prune', '--yes')
  expect(applied).toMatchObject({
    code: 0,
    err: expect.stringContaining('deleting, which cannot be undone: 2 records with 4 vAtoms\n'),
  })
})

test('apply says nothing of vAtoms where it deletes none', async () => {
  const desk = await catalogDesk()
  desk.file('catalog/Gold.yaml', variation('$publisher::Coupon::v1::Gold'))
  await desk.applied()
  desk.remove('Gold')
  expect((await desk.vatom('apply', 'catalog', '--prune', '--yes')).err).toContain(
    'deleting, which cannot be undone: 1 record\n',
  )
})
