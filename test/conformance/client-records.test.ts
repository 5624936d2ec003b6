import { describe, expect, test } from 'vitest'
import * as z from 'zod/v4'
import { rootTypes } from '../../src/contract/values.ts'
import { face, template, templateName, variation, variationName } from '../fixtures/bodies.ts'
import { action, outputOf, owned, perform, seen } from '../support/acting.ts'
import { type Caller, doors, made } from '../support/service.ts'
import { storedWorld } from '../support/worlds.ts'

/** The one pattern of dates that mobile clients read. */
const date = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const { string, boolean, number } = { string: z.string(), boolean: z.boolean(), number: z.number() }

/** What mobile clients need of a vAtom: the one drops it without any of this, the other loses the whole list. */
const Vatom = z.object({
  id: string,
  version: z.literal('v1::vAtomType'),
  unpublished: boolean,
  sync: z.int().min(1),
  when_created: date,
  when_modified: date,
  when_added: date,
  private: z.record(string, z.unknown()),
  'vAtom::vAtomType': z.object({
    parent_id: string,
    publisher_fqdn: string,
    root_type: string,
    owner: string,
    author: string,
    template: string,
    template_variation: string,
    title: string,
    description: string,
    category: string,
    notify_msg: string,
    tags: z.array(string),
    disabled: boolean,
    transferable: boolean,
    acquirable: boolean,
    tradeable: boolean,
    redeemable: boolean,
    transferred_by: string,
    cloned_from: string,
    cloning_score: number,
    num_direct_clones: z.int(),
    in_contract: boolean,
    in_contract_with: string,
    commerce: z.object({
      pricing: z.object({
        pricingType: string,
        value: z.object({
          currency: string,
          price: string,
          valid_from: string,
          valid_through: string,
          vat_included: boolean,
        }),
      }),
    }),
    states: z.array(z.object({ name: string, value: z.object({ type: string, value: string }) })).min(1),
    child_policy: z
      .array(
        z.object({
          template_variation: string,
          count: z.int(),
          creation_policy: z.object({
            auto_create: string,
            auto_create_count: z.int(),
            auto_create_count_random: boolean,
            policy_count_min: z.int(),
            policy_count_max: z.int(),
            enforce_policy_count_min: boolean,
            enforce_policy_count_max: boolean,
          }),
        }),
      )
      .optional(),
    resources: z.array(
      z.object({
        name: string,
        resourceType: string,
        value: z.object({ resourceValueType: string, value: z.url() }),
      }),
    ),
    visibility: z.object({ type: string, value: string }),
    geo_pos: z.object({ type: z.literal('Point'), coordinates: z.tuple([number, number]) }),
    dropped: boolean,
  }),
})
const meta = (data_type: string) =>
  z.object({
    created_by: string,
    when_created: date,
    modified_by: string,
    when_modified: date,
    data_type: z.literal(data_type),
  })
const Face = z.object({
  id: string,
  template: string,
  meta: meta('v1::FaceType'),
  properties: z.object({
    display_url: string,
    package_url: string,
    constraints: z.object({ view_mode: string, platform: string, quality: string }),
    resources: z.array(string),
  }),
})
const Action = z.object({
  name: string,
  meta: meta('v1::ActionType'),
  properties: z.object({ name: string, reactor: string }),
})

const Designs = { faces: z.array(Face).min(1), actions: z.array(Action).min(1) }
const Vatoms = z.object({ vatoms: z.array(Vatom).min(1), ...Designs })
const feed = (noun: string, record: z.ZodType) =>
  z.object({
    [`${noun}s_changes`]: z.record(
      string,
      z.array(z.object({ operation: z.enum(['create', 'update', 'delete']), [noun]: record })).min(1),
    ),
  })

/** Every operation that answers records of vAtoms, faces or actions, and how it is called for a vAtom. */
const answers: Readonly<Record<string, readonly [z.ZodType, (caller: Caller, id: string) => Promise<unknown>]>> = {
  getVatom: [Vatom, async ({ call }, id) => (await call('GET', `/v1/vatoms/${id}`)).payload],
  getVatoms: [Vatoms, (caller, id) => posted(caller, '/v1/user/vatom/get', { ids: [id] })],
  getInventory: [
    Vatoms,
    (caller) => posted(caller, '/v1/user/vatom/inventory', { parent_id: '*', limit: 100, page: 1 }),
  ],
  discover: [
    z.object({ results: z.array(Vatom).min(1), count: z.int(), ...Designs }),
    (caller) => posted(caller, '/v1/vatom/discover', { return: { type: '*', fields: [] }, limit: 0, page: 0 }),
  ],
  geoDiscover: [Vatoms, (caller) => posted(caller, '/v1/vatom/geodiscover', { ...everywhere, filter: 'all' })],
  listFaceChanges: [
    feed('face', Face),
    (caller) => posted(caller, '/v1/vatom/faces/changes', { templates: [templateName], since: 0 }),
  ],
  listActionChanges: [
    feed('action', Action),
    (caller) => posted(caller, '/v1/vatom/actions/changes', { templates: [templateName], since: 0 }),
  ],
}
const everywhere = { bottom_left: { lon: -180, lat: -90 }, top_right: { lon: 180, lat: 90 } }
const posted = async ({ call }: Caller, path: string, body: object) => (await call('POST', path, { body })).payload

/** Emits a vAtom of a template that says no more than it must, with a face and an action. */
async function emitOne(caller: Caller, root_type: string): Promise<string> {
  const { ids } = await made(
    caller,
    ['POST', '/v1/templates', template({ unpublished: false }, { root_type })],
    ['POST', '/v1/template_variations', variation({ unpublished: false })],
    ['POST', '/v1/publisher/face', face()],
    ['POST', '/v1/publisher/action', { name: `${templateName}::Action::Drop`, reactor: 'blockv://v1/Drop' }],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
  )
  return ids[0]
}

describe.each(doors)('%s', (door) => {
  test.each(Object.keys(answers))(
    '%s answers every key that clients need, of every kind of vAtom',
    async (operation) => {
      const [schema, ask] = answers[operation] ?? []
      for (const rootType of rootTypes) {
        const { publisher, drop } = await storedWorld({}, door)
        const id = await emitOne(publisher, rootType)
        await drop(id, 8.5, 47.5)
        const found = await ask?.(publisher, id)
        expect([rootType, schema?.safeParse(found).error?.issues]).toEqual([rootType, undefined])
      }
    },
  )
})

test('a vAtom that was given, dropped, picked up and moved has every key still', async () => {
  const { publisher, act } = await storedWorld()
  const id = await emitOne(publisher, 'vAtom::vAtomType')
  const before = (await publisher.call('GET', `/v1/vatoms/${id}`)).payload
  await act(function* (vatoms, now) {
    yield* vatoms.give(id, publisher.id, now, { transferred_by: publisher.id })
    yield* vatoms.place(id, { lon: 1, lat: 2 }, now)
    yield* vatoms.place(id, undefined, now)
  })
  const { payload } = await publisher.call('GET', `/v1/vatoms/${id}`)
  expect(Vatom.safeParse(payload).error).toBeUndefined()
  expect(Object.keys(payload)).toEqual(Object.keys(before))
  expect(Object.keys(payload['vAtom::vAtomType'])).toEqual(Object.keys(before['vAtom::vAtomType']))
})

/** A published template that says no more than it must, and one vAtom of it that everybody may see. */
async function oneCloneable(publisher: Caller) {
  const { ids } = await made(
    publisher,
    [
      'POST',
      '/v1/templates',
      template({ unpublished: false, cloneable: true }, { visibility: { type: 'public' } }, { colour: 'red' }),
    ],
    ['POST', '/v1/template_variations', variation({ unpublished: false, public: true, auto_create_on_acquire: true })],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
  )
  return String(ids[0])
}

test.each([
  ['cloned', 'Clone', 'publisher'],
  ['acquired by variation', 'AcquirePubVariation', 'bob'],
] as const)('a vAtom that was %s has every key, as it has that was emitted', async (_how, name, by) => {
  const world = await storedWorld()
  const { publisher, bob } = world
  const id = await oneCloneable(publisher)
  await action(publisher, templateName, name)
  const [made] = outputOf(await perform(world[by], name, id, { 'new.owner.id': bob.id })).ids
  const { type, ...vatom } = await seen(bob, made)
  expect(Vatom.safeParse(vatom).error).toBeUndefined()
  expect(type.owner).toBe(bob.id)
  const from = await seen(publisher, id)
  expect([Object.keys(vatom).sort(), Object.keys(type).sort()]).toEqual([
    Object.keys(from)
      .filter((key) => key !== 'type')
      .sort(),
    Object.keys(from.type).sort(),
  ])
})

test('a vAtom of a draft has every key still when the draft changes and is published', async () => {
  const { publisher } = await storedWorld()
  await made(
    publisher,
    ['POST', '/v1/templates', template({}, { commerce: {} })],
    ['POST', '/v1/template_variations', variation()],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
  )
  const [id = ''] = await owned(publisher)
  const { vatom } = template({}, { title: 'Changed' })
  for (const [path, body] of [
    [`/v1/templates/${templateName}`, { vatom }],
    [`/v1/templates/${templateName}`, { unpublished: false }],
    [`/v1/template_variations/${variationName}`, { vatom: { 'vAtom::vAtomType': { description: 'Changed' } } }],
    [`/v1/template_variations/${variationName}`, { unpublished: false }],
  ] as const) {
    await made(publisher, ['PATCH', path, body])
    const { payload } = await publisher.call('GET', `/v1/vatoms/${id}`)
    expect([path, Vatom.safeParse(payload).error?.issues]).toEqual([path, undefined])
  }
  expect((await seen(publisher, id)).type).toMatchObject({ title: 'Changed', description: 'Changed' })
})

test('lists that have nothing to show are lists', async () => {
  const { bob } = await storedWorld()
  const none = { faces: [], actions: [] }
  expect(await posted(bob, '/v1/user/vatom/inventory', {})).toEqual({ vatoms: [], ...none })
  expect(await posted(bob, '/v1/vatom/geodiscover', everywhere)).toEqual({ vatoms: [], ...none })
  for (const type of ['*', 'count'])
    expect(await posted(bob, '/v1/vatom/discover', { return: { type } })).toEqual({ results: [], count: 0, ...none })
})
