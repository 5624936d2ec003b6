import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/contract/api/errors.ts'
import { nativeConstraints, resource } from '../fixtures/bodies.ts'
import { emittedVatom } from '../fixtures/records.ts'
import { type Answer, doors, type Sent, testService } from '../support/service.ts'

/** How the official command line of old works: what it may send, in its own words. */
interface Variant {
  /** Whether it creates drafts and publishes them at the end, or creates what is published. */
  readonly draft: boolean
  /** A version that sends `acquirable`, and a variation that is public and made on acquiring. */
  readonly newer: boolean
  /** Whether the publisher filled in sections for chains; they are left out when empty. */
  readonly chains: boolean
}
const variants: readonly Variant[] = [
  { draft: true, newer: false, chains: true },
  { draft: true, newer: true, chains: false },
  { draft: false, newer: true, chains: true },
  { draft: false, newer: false, chains: false },
]

const template = 'local.vatom::TestTemplate-1'
const variation = `${template}::Single`
const action = (name: string) => `${template}::Action::${name}`

const image = resource('ActivatedImage', 'https://cdn.example/picture.png')
const priv = { colour: 'red', points: '12' }
const fields = { k: { type: 'string', value: 'v' } }

const templateBody = ({ draft, newer, chains }: Variant) => ({
  template,
  public: true,
  cloneable: false,
  unpublished: draft,
  vatom: {
    'vAtom::vAtomType': {
      root_type: 'vAtom::vAtomType',
      description: 'A test.',
      title: 'Test',
      redeemable: false,
      ...(newer && { acquirable: true }),
      states: [],
      resources: [image],
    },
    private: priv,
  },
  ...(chains && { eth: { network: 'mainnet', fields }, eos: { network: 'veos-test', fields } }),
})
const variationBody = ({ draft, newer }: Variant) => ({
  template,
  template_variation: variation,
  unpublished: draft,
  vatom: {},
  ...(newer && { public: true, auto_create_on_acquire: true }),
})
const waited = { timeout: 10000, wait: true }
const actionBodies = [
  {
    name: action('Transfer'),
    reactor: 'blockv://v1/Transfer',
    ...waited,
    config: {
      auto_create_landing_page: 'https://vatom.com/#',
      auto_create_mode: 'claim',
      auto_create_non_existing_recipient: true,
    },
    action_notification: { on: true, msg: 'You received a vAtom', custom: {} },
  },
  { name: action('Drop'), reactor: 'blockv://v1/Drop', ...waited },
  { name: action('Pickup'), reactor: 'blockv://v1/Pickup', ...waited },
  { name: action('Update'), reactor: 'blockv://custom/privateproperties', ...waited },
  {
    name: action('AcquirePubVariation'),
    reactor: 'blockv://v1/AcquirePubVariationWithCoins',
    ...waited,
    guest_user: true,
  },
]
const faceBody = {
  template,
  display_url: 'native://image',
  package_url: '.',
  resources: [],
  constraints: nativeConstraints,
}
const emission = { template_variation: variation, num: 1 }
const published = { unpublished: false }

/** A call that the client makes; where it is made again, as after an answer that was lost, what comes of that. */
interface Step {
  readonly does: string
  readonly call: readonly [method: string, path: string, body?: object]
  /** Refused, with nothing changed: the error and its place. Else it is done once more, as `done`. */
  readonly again: { readonly refused: keyof typeof errorCatalogue; readonly at: string } | 'done'
}

const taken = (at: string) => ({ refused: 'nameTaken', at }) as const
const final = { refused: 'published', at: '' } as const

const creating = (variant: Variant): readonly Step[] => [
  {
    does: 'create the template',
    call: ['POST', '/v1/templates', templateBody(variant)],
    again: taken('template'),
  },
  {
    does: 'create the variation',
    call: ['POST', '/v1/template_variations', variationBody(variant)],
    again: taken('template_variation'),
  },
  ...actionBodies.map(
    (body): Step => ({
      does: `register ${body.name}`,
      call: ['POST', '/v1/publisher/action', body],
      again: taken('name'),
    }),
  ),
  { does: 'register a face', call: ['POST', '/v1/publisher/face', faceBody], again: 'done' },
  { does: 'emit a vAtom', call: ['POST', '/v1/vatoms', emission], again: 'done' },
]
const publishing: readonly Step[] = [
  { does: 'publish the template', call: ['PATCH', `/v1/templates/${template}`, published], again: final },
  { does: 'publish the variation', call: ['PATCH', `/v1/template_variations/${variation}`, published], again: final },
]

/** A client that signs in as the old one does, and sends what it sends. */
async function oldClient(door: (typeof doors)[number]) {
  const { send } = await testService({}, door)
  const json = { 'content-type': 'application/json' }
  const login = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'vatom-local' } }
  const session = await send('POST', '/v1/user/login', { headers: json, body: login })
  const refresh = { authorization: `Bearer ${session.payload.refresh_token.token}` }
  const renewed = await send('POST', '/v1/access_token', { headers: refresh })
  const bearer = { authorization: `Bearer ${renewed.payload.access_token.token}` }
  return (method: string, path: string, body?: object): Promise<Answer> => {
    const sent: Sent = body === undefined ? { headers: bearer } : { headers: { ...bearer, ...json }, body }
    return send(method, path, sent)
  }
}
type Client = Awaited<ReturnType<typeof oldClient>>

const ofTemplate = `?template=${encodeURIComponent(template)}`

/** Everything the flow leaves on the service. */
async function left(client: Client) {
  const list = async (path: string) => (await client('GET', path)).payload ?? []
  const found = await client('POST', '/v1/vatom/discover', {
    scope: { key: 'vAtom::vAtomType.template', value: template },
  })
  return {
    templates: await list('/v1/templates?fields=name,public,meta,properties'),
    variations: await list('/v1/template_variations?fields=name,public,meta,properties'),
    actions: await list(`/v1/publisher/action${ofTemplate}`),
    faces: await list(`/v1/publisher/face${ofTemplate}`),
    vatoms: found.payload.results,
  }
}

async function succeed(client: Client, { does, call }: Step) {
  const answer = await client(...call)
  expect([does, answer.status, answer.text]).toEqual([does, 200, expect.any(String)])
  expect(Object.keys(answer.body).sort()).toEqual(['payload', 'request_id'])
}

/** The call is made again: refused as it should be and nothing is changed, or done again. */
async function repeat(client: Client, step: Step) {
  if (step.again === 'done') return await succeed(client, step)
  const before = await left(client)
  const { status, body, headers } = await client(...step.call)
  const { refused, at } = step.again
  expect([step.does, status]).toEqual([step.does, 400])
  expect(body).toEqual({
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    error: errorCatalogue[refused].code,
    message: expect.any(String),
    issues: [{ path: at, message: expect.any(String) }],
  })
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(await left(client)).toEqual(before)
}

/** The emitted vAtom with every key that clients read. */
const vatom = ({ draft, newer, chains }: Variant, user: string) =>
  emittedVatom(
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      unpublished: draft,
      sync: expect.any(Number),
      private: priv,
      ...(chains && {
        eth: { network: 'mainnet', symbol: 'local.vatom', fields },
        eos: { network: 'veos-test', fields },
      }),
    },
    {
      owner: user,
      author: user,
      template,
      template_variation: variation,
      title: 'Test',
      description: 'A test.',
      acquirable: newer,
      resources: [image],
    },
  )

/** One template, one variation, five actions, two faces and two vAtoms: what is done again is there twice. */
async function expectLeft(client: Client, variant: Variant, user: string) {
  const { templates, variations, actions, faces, vatoms } = await left(client)
  const { draft, newer, chains } = variant
  expect(templates).toMatchObject([
    {
      name: template,
      public: true,
      properties: { publisher_fqdn: 'local.vatom', unpublished: draft, cloneable: false },
    },
  ])
  expect([templates[0].properties.eth, templates[0].properties.eos]).toEqual(
    chains
      ? [
          { network: 'mainnet', symbol: 'local.vatom', fields },
          { network: 'veos-test', fields },
        ]
      : [undefined, undefined],
  )
  expect(variations).toMatchObject([
    {
      name: variation,
      public: newer,
      properties: {
        template,
        unpublished: draft,
        auto_create_on_acquire: newer,
        template_variation: { 'vAtom::vAtomType': { title: 'Test', resources: [image] }, private: priv },
      },
    },
  ])
  expect(actions).toMatchObject(
    actionBodies.map(({ name, ...properties }) => ({
      name,
      meta: { data_type: 'v1::ActionType' },
      properties: { name, ...properties },
    })),
  )
  const { template: _, ...properties } = faceBody
  expect(faces).toMatchObject(Array(2).fill({ template, meta: { data_type: 'v1::FaceType' }, properties }))
  expect(new Set(faces.map(({ id }: { id: string }) => id)).size).toBe(2)
  expect(vatoms).toEqual(Array(2).fill(vatom(variant, user)))
}

describe.each(doors)('the official command line of old, %s', (door) => {
  test.each(variants)('works with %j, each call made twice', async (variant) => {
    const client = await oldClient(door)
    const { payload: user } = await client('GET', '/v1/user')
    expect(user.system_properties.pub_fqdn).toBe('local.vatom')
    for (const step of creating(variant)) {
      await succeed(client, step)
      await repeat(client, step)
    }
    await expectLeft(client, variant, user.id)

    const unpublished = async () => {
      const drafts = [`/v1/template_variations/${variation}`, `/v1/templates/${template}`]
      const read = await Promise.all(drafts.map((path) => client('GET', path)))
      expect(read[0]?.payload.properties.template_variation['vAtom::vAtomType'].title).toBe('Test')
      return read.map(({ payload }) => payload.properties.unpublished)
    }
    expect(await unpublished()).toEqual([variant.draft, variant.draft])
    if (variant.draft) {
      await repeat(client, {
        does: 'publish the variation before its template',
        call: ['PATCH', `/v1/template_variations/${variation}`, published],
        again: { refused: 'templateDraft', at: 'unpublished' },
      })
      for (const step of publishing) await succeed(client, step)
    }
    for (const step of publishing) await repeat(client, step)
    expect(await unpublished()).toEqual([false, false])
    await expectLeft(client, { ...variant, draft: false }, user.id)
  })

  test.each(variants)('gives away what it emitted, as its publishing flow ends, with %j', async (variant) => {
    const client = await oldClient(door)
    for (const step of creating(variant)) await succeed(client, step)
    const [{ id }] = (await left(client)).vatoms
    const transfer = { 'this.id': id, 'new.owner.email': 'ann@example.com' }
    const answer = await client('POST', '/v1/user/vatom/action/Transfer', transfer)
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const { payload } = await client('POST', '/v1/user/vatom/inventory', {})
    expect(payload.vatoms).toEqual([])
  })
})
