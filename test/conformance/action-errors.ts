import type { ErrorName } from '../../src/contract/api/errors.ts'
import { template, templateName, variationName } from '../fixtures/bodies.ts'
import { action, folderType, outputOf, perform } from '../support/acting.ts'
import { answering, handlerOf } from '../support/action-handler.ts'
import { type Answer, type Caller, emitted, made } from '../support/service.ts'

interface World {
  readonly publisher: Caller
  readonly bob: () => Promise<Caller>
}
type Refusal = (world: World) => Promise<Answer>

/** A vAtom with built-in properties of its own that has an action, and the call of that by its owner. */
async function ready({ publisher }: World, name: string, type: object = {}, fields: object = {}) {
  const [id = ''] = await emitted(publisher, templateName, 1, type, { stamps: 0 })
  await action(publisher, templateName, name, fields)
  return { id, call: (input: object = {}, caller = publisher) => perform(caller, name, id, input) }
}
const refused =
  (name: string, type: object = {}, input: object = {}): Refusal =>
  async (world) =>
    (await ready(world, name, type)).call(input)

/** A cloneable vAtom, of which there can be one clone. */
async function cloneable({ publisher }: World, draft = false) {
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ cloneable: true, unpublished: false })],
    [
      'POST',
      '/v1/template_variations',
      {
        template: templateName,
        template_variation: variationName,
        unpublished: draft,
        ...(!draft && { max_clones: 1 }),
      },
    ],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: draft ? 10 : 1 }],
  )
  await action(publisher, templateName, 'Clone')
  return (to: string) => perform(publisher, 'Clone', ids[0], { 'new.owner.id': to })
}

const reactor = 'local.vatom://stamp'
async function handledBy(world: World, url: string, fields: object = {}) {
  await made(world.publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  return ready(world, 'Stamp', {}, { reactor, ...fields })
}

const geo = { 'geo.pos': { lat: 1, lon: 2 } }
const transferable = { transferable: true }
const redeemable = { redeemable: true, commerce: {} }
const shown = { visibility: { type: 'public' } }
const over = { pricing: { pricingType: 'Fixed', value: { currency: 'EUR', price: '1', valid_through: '2000-01-01' } } }

/** What Perform Action refuses because of an action, and how it comes to that. */
export const actionRefusals = {
  notActivated: async (world) => {
    const { call } = await ready(world, 'Acquire', shown, { config: { activated_users_only: true } })
    return await call({}, await world.bob())
  },
  actionLimit: async (world) => {
    const { call } = await ready(world, 'Update', {}, { limit_per_user: 1 })
    outputOf(await call({ 'private.stamps': 1 }))
    return await call({ 'private.stamps': 2 })
  },
  vatomUnavailable: refused('Transfer', { transferable: false }, { 'new.owner.email': 'bob@example.com' }),
  alreadyOwned: refused('Acquire'),
  unknownRecipient: refused('Transfer', transferable, { 'new.owner.email': 'bob@example.com' }),
  invalidEmail: refused('Transfer', transferable, { 'new.owner.email': 'bob' }),
  invalidPhone: refused('Transfer', transferable, { 'new.owner.phone_number': '1' }),
  draftLimit: async (world) => (await cloneable(world, true))((await world.bob()).id),
  cloneLimit: async (world) => {
    const [clone, { id }] = [await cloneable(world), await world.bob()]
    outputOf(await clone(id))
    return await clone(id)
  },
  cloneToOneself: async (world) => (await cloneable(world))(world.publisher.id),
  notRedeemable: refused('Redeem'),
  notMerchant: async (world) => {
    const { call } = await ready(world, 'Redeem', redeemable)
    return await call({ 'new.owner.id': (await world.bob()).id })
  },
  redeemPeriod: refused('Redeem', { redeemable: true, commerce: over }),
  alreadyDropped: async (world) => {
    const { call } = await ready(world, 'Drop')
    outputOf(await call(geo))
    return await call(geo)
  },
  notDropped: refused('Pickup'),
  folderEmpty: refused('Dispense', { root_type: folderType }),
  handlerRefused: async (world) =>
    (await handledBy(world, (await answering({ error: { Code: 1, Msg: 'Not today' } })).url)).call(),
  handlerFailed: async (world) => (await handledBy(world, (await answering({}, 500)).url)).call(),
  reactorTimeout: async (world) =>
    (await handledBy(world, (await handlerOf(() => undefined)).url, { timeout: 20 })).call(),
  vatomChanged: async (world) => {
    const { publisher } = world
    const handler = await handlerOf(async (response, { body }) => {
      await made(publisher, ['POST', '/v1/user/vatom/action/Update', { 'this.id': body.vatom.id, 'private.stamps': 5 }])
      response.end(JSON.stringify({ private: { stamps: 1 } }))
    })
    const { call } = await handledBy(world, handler.url)
    await action(publisher, templateName, 'Update')
    return await call()
  },
} satisfies Partial<Record<ErrorName, Refusal>>
