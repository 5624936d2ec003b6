import { expect, test } from 'vitest'
import { template, variation } from '../../fixtures/documents.ts'
import { transports } from '../../support/desks.ts'
import { type DeskOptions, publisher } from '../../support/vatom.ts'

/** Five red coupons and two blue ones. */
async function stocked(transport: DeskOptions['transport']) {
  const desk = await publisher({ transport })
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  desk.file('blue.yaml', variation('$publisher::Coupon::v1::Blue').replace('color: red', 'color: blue'))
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml', 'blue.yaml')
  await desk.json('emit', '$publisher::Coupon::v1::Red', '--num', '5')
  await desk.json('emit', '$publisher::Coupon::v1::Blue', '--num', '2')
  return desk
}
const query = `filters:
  - filter_elems:
      - { field: category, filter_op: Eq, value: Coupons, bool_op: And }
      - { field: private.color, filter_op: Eq, value: red, bool_op: Or }
      - { field: private.color, filter_op: Match, value: blue }
  - filter_elems:
      - { field: category, filter_op: Ne, value: Gifts }
`

test.each(transports)('%s: discover --explain shows the expression and the number of all', async (transport) => {
  const { json, file, run } = await stocked(transport)
  file('query.yaml', query)
  const hits = (count: number) => (transport === 'local' ? count : null)
  const category = 'vAtom::vAtomType.category'
  expect(await json('discover', '-f', 'query.yaml', '--mine', '--explain')).toMatchObject({
    expression:
      `(vAtom::vAtomType.owner is one of $currentuser) And ((${category} = "Coupons" And private.color = "red") ` +
      `Or private.color ~ "blue") And (${category} != "Gifts")`,
    elements: [
      { element: 'vAtom::vAtomType.owner is one of $currentuser', hits: hits(7) },
      { element: `${category} = "Coupons"`, hits: hits(7) },
      { element: 'private.color = "red"', hits: hits(5) },
      { element: 'private.color ~ "blue"', hits: hits(2) },
      { element: `${category} != "Gifts"`, hits: hits(7) },
    ],
    count: 7,
  })
  const { out, err } = await run(['discover', '--filter', 'private.color = red', '--explain', '--no-color'], {
    tty: true,
  })
  const count = transport === 'local' ? '5   ' : '    '
  expect(out).toBe(`private.color = "red"\nHITS  ELEMENT\n${count}  private.color = "red"\n5     all together\n`)
  expect(err.includes('on the local context only')).toBe(transport === 'network')
})

test('discover --explain of no query says so, and goes with no paging', async () => {
  const { vatom } = await publisher()
  expect((await vatom('discover', '--explain')).out).toBe('everything that you can see\n0\tall together\n')
  for (const flag of ['--all', '--count', '--page=2'])
    expect(await vatom('discover', '--explain', flag)).toMatchObject({ code: 2, out: '' })
})
