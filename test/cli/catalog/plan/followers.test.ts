import { expect, test } from 'vitest'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, red, template, variation } from '../../../fixtures/yaml.ts'

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
  const gold = '$publisher::Coupon::v1::Gold'
  desk.file('catalog/5-gold.yaml', variation(gold).replace('  private:\n    color: red\n', ''))
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  await desk.json('emit', 'local.vatom::Coupon::v1::Gold')
  const modified = async () => (await desk.json('inventory')) as { vatoms: { id: string; sync: number }[] }
  const planned = async (text: string, to: string) => {
    const before = await modified()
    desk.file('catalog/4-coupon.yaml', template().replace(text, to))
    const { results } = (await desk.json('plan', 'catalog')) as {
      results: { name: string; following_vatoms?: number }[]
    }
    const counted = results.find(({ name }) => name === coupon)?.following_vatoms ?? 0
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
