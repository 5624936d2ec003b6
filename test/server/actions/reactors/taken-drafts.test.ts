import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/bodies.ts'
import { action, folderType, grant, outputOf, owned, perform, seen } from '../../../support/acting.ts'
import { type Caller, emitted, made } from '../../../support/service.ts'
import { twoPublishers } from '../../../support/worlds.ts'

const sample = 'local.vatom::Sample'
const bags = 'local.vatom::Bag'
const here = { 'geo.pos': { lat: 47.3769, lon: 8.5417 } }

const move = (caller: Caller, ids: readonly string[], parent_id: string) =>
  made(caller, ['PATCH', '/v1/vatoms', { ids, parent_id }])

/** A published folder that everybody sees, in which is another one, in which is a vAtom of a draft. */
async function filled(type: object = {}, ofDraft: object = {}) {
  const opened = await twoPublishers()
  const { publisher } = opened
  const kind = {
    root_type: folderType,
    visibility: { type: 'public' },
    acquirable: true,
    redeemable: true,
    commerce: {},
    transferable: true,
    ...type,
  }
  const [shop = '', bag = '', inner = ''] = await emitted(publisher, bags, 3, kind)
  for (const one of ['Drop', 'Pickup', 'Acquire', 'Dispense', 'Transfer']) await action(publisher, bags, one)
  const { ids } = await made(
    publisher,
    [
      'POST',
      '/v1/templates',
      template(
        { template: sample, unpublished: false },
        { transferable: true, redeemable: true, commerce: {}, ...ofDraft },
      ),
    ],
    ['POST', '/v1/template_variations', { template: sample, template_variation: `${sample}::V`, unpublished: true }],
    ['POST', '/v1/vatoms', { template_variation: `${sample}::V`, num: 1 }],
  )
  const draft = String(ids[0])
  await move(publisher, [draft], inner)
  await move(publisher, [inner], bag)
  return { ...opened, shop, bag, inner, draft }
}

type Filled = Awaited<ReturnType<typeof filled>>
const drop = async ({ publisher, bag }: Filled) => outputOf(await perform(publisher, 'Drop', bag, here))
const intoShop = ({ publisher, bag, shop }: Filled) => move(publisher, [bag], shop)

describe.each<[string, (world: Filled) => Promise<unknown>, (world: Filled) => string]>([
  ['Pickup', drop, ({ bag }) => bag],
  ['Acquire', async () => undefined, ({ bag }) => bag],
  ['Dispense', intoShop, ({ shop }) => shop],
])('a folder with a vAtom of a draft in it, by %s', (how, prepare, aim) => {
  test('is not taken by others, who are told what its owner can do, and not what they cannot see', async () => {
    const world = await filled()
    const { publisher, bob, bag, inner, draft } = world
    await prepare(world)
    const before = await owned(publisher)
    expect(await perform(bob, how, aim(world))).toMatchObject({
      status: 400,
      body: {
        error: 1708,
        message: refused('something', bag),
      },
    })
    expect(await owned(bob)).toEqual([])
    expect(await owned(publisher)).toEqual(before)
    expect((await seen(publisher, draft)).type).toMatchObject({ owner: publisher.id, parent_id: inner })
  })

  test.each<[string, (world: Filled) => Promise<unknown>]>([
    ['its variation is published', ({ publisher }) => publish(publisher)],
    ['its owner moved it out', ({ publisher, draft }) => move(publisher, [draft], '.')],
  ])('is taken once %s', async (_, free) => {
    const world = await filled()
    const { bob, bag, inner } = world
    await prepare(world)
    await free(world)
    outputOf(await perform(bob, how, aim(world)))
    expect(await owned(bob)).toEqual(expect.arrayContaining([bag, inner]))
  })
})

const refused = (what: string, bag: string) =>
  `${what} in ${bag} belongs to a draft: others cannot take the folder until the variation of that is published, or its owner moves it out of the folder`

test('the refusal names a vAtom of a draft that everybody sees', async () => {
  const { bob, bag, draft } = await filled({}, { visibility: { type: 'public' } })
  const { body } = await perform(bob, 'Acquire', bag)
  expect(body.message).toBe(refused(`the vAtom ${draft}`, bag))
})

test('a merchant can redeem what belongs to a draft, so that it can be tried before it is published', async () => {
  const { service, publisher, bob, draft } = await filled()
  await grant(service, bob, { is_merchant: true })
  await action(publisher, sample, 'Redeem')
  outputOf(await perform(bob, 'Redeem', draft))
  expect((await seen(bob, draft)).type).toMatchObject({ owner: bob.id, redeemable: false })
})

const publish = (caller: Caller) =>
  made(caller, ['PATCH', `/v1/template_variations/${encodeURIComponent(`${sample}::V`)}`, { unpublished: false }])

test('the owner of a folder with a vAtom of a draft picks it up again, and gives it away', async () => {
  const world = await filled()
  const { publisher, bob, bag, draft } = world
  await drop(world)
  outputOf(await perform(publisher, 'Pickup', bag))
  outputOf(await perform(publisher, 'Transfer', bag, { 'new.owner.id': bob.id }))
  expect((await seen(bob, draft)).type).toMatchObject({ owner: bob.id })
})

test('a custom property named as the mark of a draft does not prevent that a vAtom is taken', async () => {
  const { publisher, bob } = await twoPublishers()
  const type = { visibility: { type: 'public' }, acquirable: true }
  const [id = ''] = await emitted(publisher, bags, 1, type, { unpublished: true })
  await action(publisher, bags, 'Acquire')
  outputOf(await perform(bob, 'Acquire', id))
  expect(await owned(bob)).toEqual([id])
})
