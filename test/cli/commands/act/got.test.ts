import { expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { action, coupon, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

/** A desk with a bag that holds so many coupons, and the actions of bags and coupons. */
async function withBag(rootType: string, held: number) {
  const desk = await publisher()
  desk.file('bag.yaml', template('$publisher::Bag::v1').replace(/root_type: .*/, `$&::${rootType}`))
  desk.file('coupon.yaml', `${template()}---\n${variation()}`)
  desk.file('set.yaml', variation('$publisher::Bag::v1::Set', '$publisher::Bag::v1'))
  for (const name of ['Combine', 'Dispense', 'Open'])
    desk.file(`${name}.yaml`, action(name, 'wait: true\n').replace('Coupon', 'Bag'))
  for (const name of ['Drop', 'Pickup']) desk.file(`${name}.yaml`, action(name, 'wait: true\n'))
  await desk.json('apply', '.', '--yes')
  const idOf = async (name: string) => String(at(await desk.json('emit', name), 'ids', 0))
  const bag = await idOf('local.vatom::Bag::v1::Set')
  const coupons: string[] = []
  for (let n = 0; n < held; n++) coupons.push(await idOf(`${coupon}::Red`))
  if (held > 0) await desk.json('act', 'Combine', bag, '-d', `vatom.ids=${JSON.stringify(coupons)}`)
  return { ...desk, bag, coupons, idOf }
}

test('Dispense says by its title and id what the caller got', async () => {
  const { run, bag, coupons } = await withBag('FolderContainerType', 1)
  const { code, out, err } = await run(['act', 'Dispense', bag], { columns: 300 })
  expect({ code, out }).toEqual({ code: 0, out: `${JSON.stringify({ ids: coupons })}\n` })
  expect(err).toContain(`Dispense was performed on ${bag} on local; you got Red coupon ${coupons[0]}\n`)
})

test('Open names the first three of what came out, and counts the rest', async () => {
  const { run, bag } = await withBag('PackageContainerType', 5)
  const { err, out } = await run(['act', 'Open', bag, '--yes'], { columns: 400 })
  const [first, second, third] = JSON.parse(out).ids
  expect(err).toContain(
    `; it is no longer in your inventory; you got Red coupon ${first}, Red coupon ${second}, Red coupon ${third} and 2 more\n`,
  )
})

test('Pickup says what is in the inventory then, and --json and --quiet say nothing of it', async () => {
  const { run, idOf } = await withBag('FolderContainerType', 0)
  const id = await idOf(`${coupon}::Red`)
  for (const [flags, told] of [
    [[], '; it is in your inventory: Red coupon, activated'],
    [['--json'], undefined],
    [['--quiet'], undefined],
  ] as const) {
    await run(['act', 'Drop', id, '-d', 'geo.pos={"lat": 1, "lon": 2}'])
    const { code, err } = await run(['act', 'Pickup', id, ...flags], { columns: 300 })
    expect(code).toBe(0)
    if (told === undefined) expect(err).not.toContain('Red coupon')
    else expect(err).toContain(told)
  }
})
