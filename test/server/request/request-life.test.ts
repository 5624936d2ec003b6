import { describe, expect, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { template } from '../../fixtures/bodies.ts'
import { action, grant, outputOf, owned, perform, seen } from '../../support/acting.ts'
import { handlerOf, slowHandler } from '../../support/action-handler.ts'
import { type Caller, emitted, made } from '../../support/service.ts'
import { storedWorld } from '../../support/worlds.ts'

const coin = 'local.vatom::Coin'
const shown = 'local.vatom::Shown'
const lying = 'local.vatom::Lying'
const here = { 'geo.pos': { lat: 1, lon: 2 } }
const stamp = 'local.vatom://stamp'

const handledBy = (publisher: Caller, url: string) =>
  made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: stamp, url }])

/** An administrator of a publisher with a vAtom; one that anybody may have, and one on the map, of another's. */
async function world() {
  const opened = await storedWorld()
  const { service, publisher, bob, register } = opened
  // What deletes users is loaded with the first of them, which others would overtake.
  await (await register('eve@example.com')).call('DELETE', '/v1/user')
  await grant(service, bob, { is_admin: true, pub_fqdn: 'local.vatom' })
  const [own = ''] = await emitted(publisher, coin, 1, { transferable: true }, { n: 1 })
  for (const one of ['Transfer', 'Update']) await action(publisher, coin, one)
  outputOf(await perform(publisher, 'Transfer', own, { 'new.owner.id': bob.id }))
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: shown, unpublished: false }, { visibility: { type: 'public' } })],
    [
      'POST',
      '/v1/template_variations',
      {
        template: shown,
        template_variation: `${shown}::V`,
        public: true,
        auto_create_on_acquire: true,
        unpublished: false,
      },
    ],
    ['POST', '/v1/vatoms', { template_variation: `${shown}::V`, num: 1 }],
  )
  await action(publisher, shown, 'AcquirePubVariation', { limit_per_user: 1 })
  const [dropped = ''] = await emitted(publisher, lying, 1)
  for (const one of ['Drop', 'Pickup']) await action(publisher, lying, one)
  outputOf(await perform(publisher, 'Drop', dropped, here))
  return { ...opened, own, others: String(ids[0]), dropped }
}

type World = Awaited<ReturnType<typeof world>>

const asked: Record<string, (world: World) => Promise<{ readonly status: number; readonly body: { error?: number } }>> =
  {
    'Send Message': ({ bob, publisher }) =>
      bob.call('POST', '/v1/user/message', { body: { id: publisher.id, message: 'Hi' } }),
    Emit: ({ bob }) => bob.call('POST', '/v1/vatoms', { body: { template_variation: `${coin}::V`, num: 2 } }),
    'Create Template': ({ bob }) =>
      bob.call('POST', '/v1/templates', { body: template({ template: 'local.vatom::Late' }) }),
    'Delete Action Handler': ({ bob }) => bob.call('DELETE', '/v1/publisher/action_handler/x'),
    'Update vAtoms': ({ bob, own }) => bob.call('PATCH', '/v1/vatoms', { body: { ids: [own], parent_id: '.' } }),
    'Trash vAtom': ({ bob, own }) => bob.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': own } }),
    Update: ({ bob, own }) => perform(bob, 'Update', own, { 'private.n': 2 }),
    AcquirePubVariation: ({ bob, others }) => perform(bob, 'AcquirePubVariation', others),
    Pickup: ({ bob, dropped }) => perform(bob, 'Pickup', dropped),
  }

test.each(Object.entries(asked))('of a user who is deleted meanwhile, %s does nothing', async (_name, ask) => {
  const there = await world()
  const { publisher, bob, dropped, others, told } = there
  const before = told().length
  const [deleted, answer] = await Promise.all([bob.call('DELETE', '/v1/user'), ask(there)])
  expect(deleted).toMatchObject({ status: 200 })
  expect(answer).toMatchObject({ status: 403, body: { error: 401 } })
  const { payload } = await publisher.call('POST', '/v1/vatom/discover', { body: {} })
  expect(payload.results.map(({ id }: { id: string }) => id).sort()).toEqual([others, dropped].sort())
  expect(told()).toHaveLength(before)
})

test.each([
  ['Emit', 0, 'local.vatom'],
  ['Emit', 1, 'other.example'],
  ['Create Template', 0, 'local.vatom'],
  ['Create Template', 1, 'other.example'],
  ['Delete Action Handler', 0, 'local.vatom'],
] as const)(
  'of one who ceases to be an administrator of the publisher meanwhile, %s does nothing: %s %s',
  async (name, is_admin, pub_fqdn) => {
    const there = await world()
    const { bob, store } = there
    const rights = { id: bob.id, is_merchant: 0, activated: 1, when_modified: '' } as const
    const lost = store.write(() => store.users.updateRights({ ...rights, is_admin, pub_fqdn }))
    const answer = asked[name]?.(there)
    await lost
    expect(await answer).toMatchObject({ status: 403, body: { error: 9001 } })
  },
)

describe('while a handler is at work before an action', () => {
  test('a user who is deleted picks nothing up, even where it goes on without the handler', async () => {
    const { publisher, bob, dropped } = await world()
    const { url, atWork, go } = await slowHandler()
    await handledBy(publisher, url)
    await action(publisher, lying, 'Stamp', { reactor: stamp })
    const settings = { policy: { pre: ['Stamp'] }, abort_on_pre_error: false, abort_on_main_error: false }
    await made(publisher, ['PATCH', `/v1/publisher/action/${lying}::Action::Pickup`, settings])
    const waiting = perform(bob, 'Pickup', dropped)
    await atWork
    expect(await bob.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
    go()
    expect(await waiting).toMatchObject({ status: 403, body: { error: 401 } })
    expect((await seen(publisher, dropped)).type).toMatchObject({ owner: publisher.id, dropped: true })
  })

  /** A merchant's Redeem of another's vAtom, with a handler before it. */
  async function redeeming(settings: object = {}) {
    const opened = await storedWorld()
    const { service, publisher, other: merchant, bob } = opened
    const [id = ''] = await emitted(publisher, coin, 1, { transferable: true, redeemable: true, commerce: {} })
    const handler = await slowHandler()
    await handledBy(publisher, handler.url)
    await action(publisher, coin, 'Stamp', { reactor: stamp })
    await action(publisher, coin, 'Transfer')
    await action(publisher, coin, 'Redeem', { policy: { pre: ['Stamp'] }, ...settings })
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    await grant(service, merchant, { is_merchant: true })
    return { ...opened, ...handler, merchant, id }
  }

  test('a merchant redeems what they do not see', async () => {
    const { merchant, id, asked, go } = await redeeming()
    go()
    expect(await perform(merchant, 'Redeem', id)).toMatchObject({ status: 200 })
    expect(await owned(merchant)).toEqual([id])
    expect(asked.map(({ body }) => [body.stage, body.vatom.id])).toEqual([['pre', id]])
  })

  test('who ceases to be a merchant redeems nothing', async () => {
    const { service, bob, merchant, id, atWork, go } = await redeeming()
    const waiting = perform(merchant, 'Redeem', id)
    await atWork
    await grant(service, merchant, { is_merchant: false })
    go()
    expect(await waiting).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(await owned(bob)).toEqual([id])
  })

  test('who ceases to be activated does not run what is for activated users', async () => {
    const { service, bob, id, atWork, go } = await redeeming({ config: { activated_users_only: true } })
    await grant(service, bob, { activated: true })
    const waiting = perform(bob, 'Redeem', id)
    await atWork
    await grant(service, bob, { activated: false })
    go()
    expect(await waiting).toMatchObject({ status: 403, body: { error: 1015 } })
    expect(await owned(bob)).toEqual([id])
  })
})

test('an action that runs later is not run for a deleted user', async () => {
  const { publisher, bob, others, lines } = await world()
  const { url, asked, go } = await slowHandler()
  await handledBy(publisher, url)
  await action(publisher, shown, 'Stamp', { reactor: stamp, wait: false })
  const places = limits.laterAtOnceOfUser
  for (let sent = 0; sent < places + 1; sent++) outputOf(await perform(bob, 'Stamp', others))
  await vi.waitFor(() => expect(asked).toHaveLength(places))
  expect(await bob.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
  go()
  await vi.waitFor(() => expect(lines.filter((line) => /Stamp, not waited for: /.test(line))).toHaveLength(places + 1))
  expect(asked).toHaveLength(places)
})

describe('with a handler before it', () => {
  /** A vAtom whose Pickup, Update and Transfer call a handler first. */
  async function stamped() {
    const opened = await storedWorld()
    const { publisher } = opened
    const handler = await handlerOf((response) => response.end('{"private": {"n": 9}}'))
    await handledBy(publisher, handler.url)
    const [id = ''] = await emitted(publisher, coin, 1, { transferable: true }, { n: 1 })
    await action(publisher, coin, 'Stamp', { reactor: stamp })
    for (const one of ['Pickup', 'Update', 'Open']) await action(publisher, coin, one, { policy: { pre: ['Stamp'] } })
    for (const one of ['Drop', 'Transfer']) await action(publisher, coin, one)
    return { ...opened, ...handler, id }
  }

  test('an administrator of its publisher changes what they cannot see', async () => {
    const { publisher, bob, id, asked } = await stamped()
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    expect(await perform(publisher, 'Update', id, { 'private.n': 3 })).toMatchObject({ status: 200 })
    expect((await seen(bob, id)).private).toEqual({ n: 3 })
    expect(asked).toHaveLength(1)
  })

  test('the second user who picks a vAtom up gets an error, and the handler receives nothing that they may not see', async () => {
    const { publisher, bob, other, id, asked } = await stamped()
    outputOf(await perform(publisher, 'Drop', id, here))
    outputOf(await perform(bob, 'Pickup', id))
    expect(await perform(other, 'Pickup', id)).toMatchObject({ status: 400, body: { error: 1645 } })
    expect(asked).toHaveLength(1)
  })

  test('nobody else has it act on what they cannot see', async () => {
    const { publisher, bob, id, asked } = await stamped()
    for (const one of ['Update', 'Open'])
      expect(await perform(bob, one, id, { 'private.n': 3 })).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(asked).toEqual([])
    expect((await seen(publisher, id)).private).toEqual({ n: 1 })
  })
})
