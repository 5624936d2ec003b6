import { expect, test } from 'vitest'
import { coupon, red, template, variation } from '../../fixtures/yaml.ts'
import { draftedTemplate } from '../../support/desks.ts'

const note = (count: string) =>
  `      ${count}; what actions changed in them stays, unless the file changes that very value\n`

/** A draft of which two variations have vAtoms: three of Red, which has a title of its own, and two of Plain, which has none. */
async function withVatoms(more = '') {
  const desk = await draftedTemplate('local', more)
  desk.file('red.yaml', variation())
  desk.file('plain.yaml', variation('$publisher::Coupon::v1::Plain').replace('title: Red coupon', 'description: Plain'))
  await desk.json('variation', 'create', 'red.yaml', 'plain.yaml')
  await desk.json('emit', red, '--num', '3')
  await desk.json('emit', `${coupon}::Plain`, '--num', '2')
  return desk
}

test('a dry run of an update says how many vAtoms follow the draft', async () => {
  const desk = await withVatoms()
  const dryRun = async (kind: string, file: string) => {
    const { out } = await desk.vatom(kind, 'update', file, '--dry-run')
    const { results } = Object(await desk.json(kind, 'update', file, '--dry-run'))
    return { out, counted: results[0].following_vatoms }
  }
  desk.file('coupon.yaml', template().replace('category: Coupons', 'category: Better'))
  expect(await dryRun('template', 'coupon.yaml')).toEqual({
    out: expect.stringContaining(`-> "Better"\n${note('5 vAtoms follow')}`),
    counted: 5,
  })
  desk.file('coupon.yaml', template().replace('title: Coupon', 'title: Better'))
  expect(await dryRun('template', 'coupon.yaml')).toEqual({
    out: expect.stringContaining(note('2 vAtoms follow')),
    counted: 2,
  })
  desk.file('coupon.yaml', `cloneable: true\n${template()}`)
  expect(await dryRun('template', 'coupon.yaml')).toEqual({
    out: expect.not.stringContaining('follow'),
    counted: undefined,
  })
  desk.file('red.yaml', variation().replace('color: red', 'color: pink'))
  expect(await dryRun('variation', 'red.yaml')).toEqual({
    out: expect.stringContaining(note('3 vAtoms follow')),
    counted: 3,
  })
})

test('the question of an update about charges comes after how many vAtoms follow the draft', async () => {
  const eth = (value: number) => `eth:\n  network: mainnet\n  fields:\n    serial: { type: uint, value: ${value} }\n`
  const desk = await withVatoms(eth(1))
  desk.file('coupon.yaml', template(undefined, eth(2)))
  const update = ['template', 'update', 'coupon.yaml']
  const asked = await desk.run(update, { tty: true, columns: 200, answers: { 'Accept the charges?': 'n' } })
  expect(asked.err).toMatch(
    new RegExp(`template ${coupon}: 5 vAtoms follow it\\n[^]*will be charged[^]*Accept the charges\\?`),
  )
  const accepted = await desk.vatom(...update, '--accept-charges')
  expect(accepted).toMatchObject({ code: 0, err: expect.not.stringContaining('follow') })
})
