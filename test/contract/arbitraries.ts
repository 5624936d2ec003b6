import fc from 'fast-check'
import {
  filterFields,
  filterOps,
  limits,
  platforms,
  qualities,
  rootTypes,
  scopeKeys,
  viewModes,
} from '../../src/contract/values.ts'
import { type Body, bodies } from './documents.ts'

type Json = Record<string, unknown>
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const object = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(model).map((found) => Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)))

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/\p{Cc}|\p{Cs}/u.test(text))
const recordName = name.map((tail) => `acme::${tail}`)
const count = fc.nat({ max: 2000 })

const price = object({
  currency: some(fc.constantFrom('EUR', 'USD')),
  price: some(fc.oneof(fc.integer(), fc.constantFrom(0.1, '4.50', '-1'))),
  valid_from: some(fc.constantFrom('*', '2027-01-01', '2027-01-01T00:00:00Z')),
  valid_through: some(fc.constantFrom('*', '2028-02-29')),
  vat_included: some(fc.boolean()),
})
const commerce = object({
  pricing: some(
    object({
      pricingType: some(fc.constant('Fixed')),
      value: some(
        fc.oneof(
          price,
          fc.tuple(price, price).map(([flat, value]) => ({ ...flat, value })),
        ),
      ),
    }),
  ),
})
const states = (names: readonly string[]) =>
  fc.subarray([...names]).map((found) => found.map((name) => ({ name, value: { type: 'boolean', value: 'false' } })))
const resourceValue = fc.webUrl().map((value) => ({ resourceValueType: 'ResourceValueType::URI', value }))
const resource = object({
  name,
  resourceType: fc.constantFrom('ResourceType::Image::PNG', 'ResourceTypes::Video::MP4', 'ResourceType::3D::Scene'),
  value: resourceValue,
})
const resources = fc.uniqueArray(resource, { selector: (entry) => entry.name, maxLength: 4 })
const search = {
  scope: some(object({ key: fc.constantFrom(...scopeKeys), value: fc.constantFrom('a', 'a,b,c,d,e', '$currentuser') })),
  limit: some(count),
  page: some(count),
  filters: some(
    fc.array(
      object({
        filter_elems: fc.array(
          object({
            field: fc.constantFrom(...filterFields, 'private.colour'),
            filter_op: fc.constantFrom(...filterOps),
            value: fc.string({ maxLength: 30 }),
            bool_op: some(fc.constantFrom('And', 'Or')),
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 3 },
    ),
  ),
  return: some(object({ type: some(fc.constantFrom('*', 'count')) })),
}
const builtIn = {
  transferable: some(fc.boolean()),
  acquirable: some(fc.boolean()),
  title: some(fc.string()),
  description: some(fc.string({ unit: 'grapheme' })),
  category: some(fc.constantFrom('Coupons', '')),
  visibility: some(
    object({ type: some(fc.constantFrom('owner', 'public', 'container')), value: some(fc.constant('*')) }),
  ),
  commerce: some(commerce),
}
/** Custom properties: any JSON object, as YAML or JSON may hold it. */
export const customProperties = fc
  .dictionary(fc.constantFrom('a', 'b', 'states', 'resources', 'value', 'toString'), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 4,
  })
  .map(plain)

const onChain = (network: fc.Arbitrary<string>) =>
  object({
    network,
    symbol: some(fc.string()),
    fields: fc.dictionary(
      name.filter((text) => text !== '__proto__'),
      fc.constantFrom<Json>(
        { type: 'bool', value: true },
        { type: 'uint', value: '12' },
        { type: 'string', value: '' },
      ),
      { maxKeys: 3 },
    ),
  }).map(plain)
const eth = onChain(fc.constantFrom('mainnet', 'testnet'))
const eos = onChain(fc.oneof(fc.constant('veos-test'), name))

/** A `vatom` section that a template may have. */
export const vatomSection = object({
  'vAtom::vAtomType': object({
    root_type: fc.constantFrom(...rootTypes),
    ...builtIn,
    states: some(states(['Activated'])),
    resources: some(resources),
  }),
  private: some(customProperties),
})

const faceConstraints = object({
  bluetooth_le: fc.boolean(),
  contact_list: fc.boolean(),
  gps: fc.boolean(),
  three_d: fc.boolean(),
  view_mode: fc.constantFrom(...viewModes),
  platform: fc.constantFrom(...platforms),
  quality: fc.constantFrom(...qualities),
})

const texts = fc.array(fc.constantFrom('this.id', 'this.owner', 'new.owner.id|new.owner.email', ''), { maxLength: 3 })
const behaviour = {
  wait: some(fc.boolean()),
  rollback: some(fc.boolean()),
  abort_on_pre_error: some(fc.boolean()),
  abort_on_main_error: some(fc.boolean()),
  abort_on_post_error: some(fc.boolean()),
  timeout: some(fc.integer({ min: 1, max: limits.actionTimeout })),
  guest_user: some(fc.boolean()),
  state_impact: some(texts),
  policy: some(
    object({
      pre: some(fc.array(recordName, { maxLength: 2 })),
      rule: some(fc.constantFrom('', 'all')),
      post: some(fc.array(recordName, { maxLength: 2 })),
    }),
  ),
  params: some(object({ input: some(texts), output: some(texts) })),
  config: some(customProperties),
  limit_per_user: some(count),
  action_notification: some(object({ on: some(fc.boolean()), msg: some(fc.string()), custom: some(customProperties) })),
}

/** Bodies that the service accepts, as far as the schema goes. */
export const valid: Record<Body, fc.Arbitrary<Json>> = {
  template: object({
    template: recordName,
    cloneable: some(fc.boolean()),
    unpublished: some(fc.boolean()),
    public: some(fc.boolean()),
    eth: some(eth),
    eos: some(eos),
    vatom: vatomSection,
  }),
  variation: object({
    template_variation: recordName,
    template: recordName,
    unpublished: some(fc.boolean()),
    public: some(fc.boolean()),
    auto_create_on_acquire: some(fc.boolean()),
    cloning_gain: some(fc.constantFrom(0, 0.25, 1)),
    max_clones: some(fc.integer({ min: 1, max: 1_000_000_000 })),
    eth: some(eth),
    eos: some(eos),
    vatom: some(object({ 'vAtom::vAtomType': some(object(builtIn)), private: some(customProperties) })),
  }),
  face: object({
    template: recordName,
    display_url: fc.oneof(fc.constantFrom('native://image', 'native://x'), fc.webUrl({ validSchemes: ['https'] })),
    package_url: fc.constantFrom('.', 'native://image'),
    constraints: faceConstraints,
    resources: fc.array(name, { maxLength: 3 }),
    config: some(fc.oneof(customProperties, fc.constantFrom<Json>({ image: 'A', scale: 'fit' }, { image_policy: [] }))),
  }),
  action: object({
    name: fc.constantFrom('Transfer', 'Drop', 'My Action').map((verb) => `acme::Coupon::v1::Action::${verb}`),
    reactor: fc.constantFrom('blockv://v1/Transfer', 'acme://stamp', 'local.vatom+x-1://a?b#c'),
    ...behaviour,
  }),
  discover: object({ ...search, group_by: some(fc.array(fc.string(), { maxLength: 2 })) }),
  profile: object({
    first_name: some(fc.string({ unit: 'grapheme-composite', maxLength: limits.text })).map((text) =>
      text?.slice(0, 30),
    ),
    last_name: some(fc.string({ maxLength: limits.text })),
    name_public: some(fc.boolean()),
    password: some(fc.string({ maxLength: limits.text })),
    avatar_public: some(fc.boolean()),
    birthday: some(fc.constantFrom('', '1990-12-31', '2024-02-29')),
    language: some(fc.constantFrom('', 'en', 'de')),
  }),
  emission: object({ template_variation: recordName, num: fc.integer({ min: 1, max: limits.emit }) }),
}

/** What a variation of the template of `bodies` may overwrite. */
export const overlayOfSample = object({
  'vAtom::vAtomType': some(
    object({
      ...builtIn,
      states: some(states(['Activated'])),
      resources: some(
        fc
          .subarray(['ActivatedImage', 'CardImage'])
          .chain((names) => fc.tuple(...names.map((name) => resourceValue.map((value) => ({ name, value }))))),
      ),
    }),
  ),
  private: some(
    object({ colour: some(fc.string()), size: some(object({ width: some(fc.nat()), height: some(fc.nat()) })) }),
  ),
})

const stranger = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '*',
    'x'.repeat(65),
    'x'.repeat(300),
    -1,
    0,
    1.5,
    1e300,
    true,
    [],
    {},
    [[]],
    '2023-02-29',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const strangeKey = fc.constantFrom('x', 'titel', 'cloneable', 'value', 'toString', 'kind_')

/** A body of the sort that may be spoilt: a value replaced, a field taken away, or an unknown one added, anywhere. */
export const mutated = (body: Body): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.oneof(valid[body], fc.constant(bodies[body]())),
      fc.nat(),
      fc.constantFrom('set', 'drop', 'add'),
      stranger,
      strangeKey,
    )
    .map(([document, at, how, value, key]) => spoil(document, at, how, value, key) as Json)

function spoil(document: Json, at: number, how: string, value: unknown, key: string): unknown {
  const copy = plain(document)
  const holders: [Json, string][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [step, child] of Object.entries(node)) {
      holders.push([node as Json, step])
      visit(child)
    }
  }
  visit(copy)
  const [holder, step] = holders[at % Math.max(1, holders.length)] ?? [copy, 'x']
  if (how === 'set') holder[step] = value
  else if (how === 'drop' && !Array.isArray(holder)) delete holder[step]
  else if (!Array.isArray(holder)) holder[key] = value
  return copy
}

/** As it is once it went through JSON. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
