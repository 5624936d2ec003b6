import { expect, test } from 'vitest'
import { type CatalogDesk, catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, red, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const better = template().replace('category: Coupons', 'category: Better')
const gold = '$publisher::Coupon::v1::Gold'

/** How many vAtoms follow the template by a plan, or undefined where it counts none. */
async function countedBy({ json }: Pick<CatalogDesk, 'json'>, ...args: string[]) {
  const { results } = (await json('plan', ...args)) as { results: { name: string; following_vatoms?: number }[] }
  return results.find(({ name }) => name === coupon)?.following_vatoms
}

test('each way of showing a plan says how many vAtoms follow a draft', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  desk.file('catalog/4-coupon.yaml', template().replace('category: Coupons', 'category: Better'))
  const note = '2 vAtoms follow; what actions changed in them stays, unless the file changes that very value'

  const planned = await desk.vatom('plan', 'catalog', '--out', 'the.plan')
  expect(planned.out).toContain(note)
  expect((await desk.vatom('plan', 'catalog', '--format', 'markdown')).out).toContain(note)
  expect((await desk.vatom('plan', 'show', 'the.plan')).out).toBe(planned.out)
  expect((await desk.vatom('plan', 'show', 'the.plan', '--format', 'markdown')).out).toContain(note)

  const following = expect.arrayContaining([expect.objectContaining({ name: coupon, following_vatoms: 2 })])
  expect(await desk.json('plan', 'catalog')).toMatchObject({ results: following })
  expect(await desk.json('plan', 'show', 'the.plan')).toMatchObject({ results: following })
})

test('apply of a saved plan warns that more vAtoms follow than the plan says, and of no fewer', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  desk.file('catalog/4-coupon.yaml', template().replace('category: Coupons', 'category: Better'))
  for (const file of ['the.plan', 'second.plan']) await desk.vatom('plan', 'catalog', '--out', file)
  await desk.json('emit', red)
  const { code, err } = await desk.vatom('apply', 'the.plan')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining(`warning: template ${coupon}: 3 vAtoms follow it; the plan says 2\n`),
  })
  expect((await desk.vatom('apply', 'second.plan')).err).not.toContain('follow')
})

test('apply that asks nothing says how many vAtoms follow, in a note and in its JSON', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  desk.file('catalog/4-coupon.yaml', better)
  const { code, out, err } = await desk.vatom('apply', 'catalog', '--yes', '--json')
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`template ${coupon}: 2 vAtoms follow it\n`) })
  const { results } = JSON.parse(out) as { results: { name: string; following_vatoms?: number }[] }
  const counted = results.filter(({ following_vatoms }) => following_vatoms !== undefined)
  expect(counted).toMatchObject([{ name: coupon, following_vatoms: 2 }])
})

test('one vAtom follows, in the plan and in the warning', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  desk.file('catalog/4-coupon.yaml', template().replace('category: Coupons', 'category: Better'))
  await desk.vatom('plan', 'catalog', '--out', 'the.plan')
  await desk.json('emit', red)
  expect((await desk.vatom('plan', 'catalog')).out).toContain('1 vAtom follows; what actions changed in it stays')
  expect((await desk.vatom('apply', 'the.plan')).err).toContain('1 vAtom follows it; the plan says 0\n')
})

test('the vAtoms of a variation that overwrites what changes in its template follow nothing', async () => {
  const desk = await catalogDesk()
  desk.file('catalog/5-gold.yaml', variation(gold).replace('  private:\n    color: red\n', ''))
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  await desk.json('emit', 'local.vatom::Coupon::v1::Gold')
  const modified = async () => (await desk.json('inventory')) as { vatoms: { id: string; sync: number }[] }
  const planned = async (text: string, to: string) => {
    const before = await modified()
    desk.file('catalog/4-coupon.yaml', template().replace(text, to))
    const counted = (await countedBy(desk, 'catalog')) ?? 0
    await desk.applied()
    const changed = (await modified()).vatoms.filter(
      ({ id, sync }) => before.vatoms.find((one) => one.id === id)?.sync !== sync,
    )
    return { counted, changed: changed.length }
  }
  expect(await planned('title: Coupon', 'title: Better')).toEqual({ counted: 0, changed: 0 })
  expect(await planned('color: blue', 'color: green')).toEqual({ counted: 1, changed: 1 })
  expect(await planned('color: blue', 'color: blue\n    states: []')).toEqual({ counted: 3, changed: 3 })
})

test('a plan of one file counts the vAtoms of variations that are in other files, and so does apply', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  desk.file('catalog/4-coupon.yaml', better)
  const file = 'catalog/4-coupon.yaml'
  expect((await desk.vatom('plan', file, '--out', 'the.plan')).out).toContain('      2 vAtoms follow; ')
  expect((await desk.vatom('plan', file, '--format', 'markdown')).out).toContain('    2 vAtoms follow; ')
  expect(await countedBy(desk, file)).toBe(2)
  const asked = await desk.run(['apply', file], { tty: true, columns: 200, answers: { 'Apply this plan': 'n' } })
  expect(asked.err).toContain('      2 vAtoms follow; ')
  await desk.json('emit', red)
  const { code, err } = await desk.vatom('apply', 'the.plan')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining(`warning: template ${coupon}: 3 vAtoms follow it; the plan says 2\n`),
  })
})

test('a plan counts the vAtoms of a variation that is in no file, unless it deletes them', async () => {
  const desk = await catalogDesk()
  desk.file('catalog/5-gold.yaml', variation(gold))
  await desk.applied()
  await desk.json('emit', red)
  await desk.json('emit', `${coupon}::Gold`, '--num', '4')
  desk.remove('5-gold')
  desk.file('catalog/4-coupon.yaml', better)
  expect(await countedBy(desk, 'catalog')).toBe(5)
  expect(await countedBy(desk, 'catalog', '--prune')).toBe(1)
  await desk.vatom('plan', 'catalog', '--prune', '--out', 'the.plan')
  expect((await desk.vatom('apply', 'the.plan')).err).not.toContain('follow')
})

test('variations that are in no file are counted as they overwrite the template', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await desk.json('emit', red)
  desk.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
  expect(await countedBy(desk, 'catalog/4-coupon.yaml')).toBeUndefined()
})

test('a variation that changes in the same plan counts as it overwrites the template then', async () => {
  const desk = await catalogDesk()
  desk.file('catalog/3-red.yaml', variation().replace('title: Red coupon', 'description: Red'))
  await desk.applied()
  await desk.json('emit', red)
  desk.file('catalog/4-coupon.yaml', template().replace('title: Coupon', 'title: Better'))
  expect(await countedBy(desk, 'catalog')).toBe(1)
  desk.file('catalog/3-red.yaml', variation())
  expect(await countedBy(desk, 'catalog')).toBeUndefined()
})

test('a plan of one file reads many variations of its template in pages', async () => {
  const lines: string[] = []
  const desk = await publisher({ service: { log: (line: string) => lines.push(line) } })
  desk.file('coupon.yaml', template())
  const names = Array.from({ length: 40 }, (_, index) => `$publisher::Coupon::v1::N${index}`)
  desk.file('variations.yaml', names.map((name) => variation(name)).join('---\n'))
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'variations.yaml')
  await desk.json('emit', `${coupon}::N7`, '--num', '3')
  desk.file('coupon.yaml', better)
  lines.length = 0
  expect(await countedBy(desk, 'coupon.yaml')).toBe(3)
  expect(lines.filter((line) => line.includes('variation'))).toHaveLength(2)
})
