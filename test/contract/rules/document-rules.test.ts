import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { ruleIssues } from '../../../src/contract/rules/document-rules.ts'
import { filterFields, type KindName, scopeKeys } from '../../../src/contract/values.ts'
import { bodies } from '../../fixtures/samples.ts'

type Json = Record<string, unknown>
const warnings = (kind: KindName, document: unknown) =>
  ruleIssues(kind, document, { publisher: 'acme' }).map(({ rule, path }) => `${rule} ${path.join('.')}`)
const template = (builtIn: Json) => ({ ...bodies.template(), vatom: { 'vAtom::vAtomType': builtIn } })

const resource = (value: string, resourceValueType = 'ResourceValueType::URI') =>
  template({
    resources: [{ name: 'A', resourceType: 'ResourceType::Image::PNG', value: { resourceValueType, value } }],
  })

test.each(['https://acme.example/a.png', 'https://x.example/y%20z?q=1#f', 'data:image/png;base64,AA==', 'ipfs://bafy'])(
  'resource-url: %s is one',
  (url) => expect(warnings('template', resource(url))).toEqual([]),
)
test.each([
  '',
  '//acme.example/a',
  'https://acme.example/a b.png',
  'https://acme.example/ä.png',
  'https://',
  'https://a.example/%zz',
  'https://a.example/<x>',
])('resource-url: "%s" is none', (url) => {
  expect(warnings('template', resource(url))).toEqual(['resource-url vatom.vAtom::vAtomType.resources.0.value.value'])
  expect(warnings('template', resource(url, 'ResourceValueType::Text'))).toEqual([])
})

const priced = (value: Json) => template({ commerce: { pricing: { value } } })
const place = 'validity vatom.vAtom::vAtomType.commerce.pricing.value'
test.each<[unknown, unknown]>([
  ['2027-01-02', '2027-01-01'],
  ['2027-01-02T00:00:00Z', '2027-01-01'],
  ['2027-01-01T12:00:00+02:00', '2027-01-01T09:59:59Z'],
])('validity: from %s through %s is never', (valid_from, valid_through) => {
  expect(warnings('template', priced({ valid_from, valid_through }))).toEqual([`${place}.valid_through`])
  expect(warnings('template', priced({ value: { valid_from, valid_through } }))).toEqual([
    `${place}.value.valid_through`,
  ])
})
test.each<[unknown, unknown]>([
  ['2027-01-01', '2027-01-01'],
  ['2027-01-01T23:00:00Z', '2027-01-01'],
  ['*', '2027-01-01'],
  ['2027-01-01', '*'],
  ['2027-01-01', undefined],
  [undefined, undefined],
])('validity: from %s through %s is some day', (valid_from, valid_through) =>
  expect(warnings('template', priced({ valid_from, valid_through }))).toEqual([]),
)

test('native-package: the same address, or a dot', () => {
  const face = (display_url: string, package_url: string) => ({ ...bodies.face(), display_url, package_url })
  expect(warnings('face', face('native://image', 'native://image'))).toEqual([])
  expect(warnings('face', face('native://image', '.'))).toEqual([])
  expect(warnings('face', face('https://acme.example', 'https://acme.example/a.zip'))).toEqual([])
  expect(warnings('face', face('native://image', 'https://acme.example/a.zip'))).toEqual(['native-package package_url'])
  const unknown = ruleIssues('face', face('native://picture', 'native://image'), {})
  expect(unknown.filter(({ rule }) => rule === 'native-package')).toEqual([
    expect.objectContaining({ hint: 'write native://image in both, or native://picture if apps register it' }),
  ])
  expect(unknown.filter(({ fix }) => fix)).toEqual([])
})

test('web-package: an address that a viewer can load, or a dot', () => {
  const web = (package_url: string) =>
    warnings('face', { ...bodies.face(), display_url: 'https://acme.example', package_url })
  for (const fine of ['https://acme.example', 'https://acme.example/a.zip', '.']) expect(web(fine)).toEqual([])
  for (const other of ['not a url', 'acme.example/a.zip', 'https://', 'file:///a.zip', 'native://image', 'https://a b'])
    expect([other, web(other)]).toEqual([other, ['web-package package_url']])
})

test('publisher-text: $publisher where it is not replaced', () => {
  const text = (value: unknown) =>
    [
      ...warnings('template', template({ description: value })),
      ...warnings('template', { ...bodies.template(), vatom: { private: { deep: [{ next: value }] } } }),
      ...warnings('face', { ...bodies.face(), config: { at: value } }),
    ].filter((one) => one.startsWith('publisher-text'))
  const places = ['vatom.vAtom::vAtomType.description', 'vatom.private.deep.0.next', 'config.at']
  for (const value of ['A voucher of $publisher::Espresso::v1.', '$publisher::Tea::v1', '$publisher'])
    expect(text(value)).toEqual(places.map((place) => `publisher-text ${place}`))
  for (const fine of ['$publishers', '$100', 'acme::Tea::v1']) expect(text(fine)).toEqual([])
  const named = template({
    child_policy: [{ template_variation: '$publisher::A::v1::B' }],
    query: { scope: { key: 'template', value: '$publisher::A::v1' } },
  })
  expect(warnings('template', { ...named, template: '$publisher::A::v1' }).join()).not.toMatch(/publisher-text/)
  expect(warnings('action', { ...bodies.action(), policy: { pre: ['$publisher::A::v1::Action::B'] } })).not.toContain(
    'publisher-text policy.pre.0',
  )
})

const settings = (fields: Json) => warnings('action', { ...bodies.action(), ...fields })
test('action-ignored: what has no effect is told, and nothing where it is as it would be unsaid', () => {
  expect(settings({ rollback: true, policy: { rule: 'all' }, action_notification: { custom: { a: 1 } } })).toEqual([
    'action-ignored rollback',
    'action-ignored policy.rule',
    'action-ignored action_notification.custom',
  ])
  expect(settings({ rollback: false, policy: { rule: '', pre: ['A'] }, action_notification: { custom: {} } })).toEqual(
    [],
  )
})

test.each<[Json, string[]]>([
  [{ auto_create_non_existing_recipient: true, auto_create_mode: 'claim', auto_create_landing_page: 'x' }, []],
  [{ activated_users_only: false, of_my_own: 1, colour: 'red' }, []],
  [{ auto_create_non_existing_recipients: true }, ['auto_create_non_existing_recipients']],
  [{ activated_user_only: true, auto_create_mod: 'claim' }, ['activated_user_only', 'auto_create_mod']],
  [
    { activated_users_only: 'true', auto_create_non_existing_recipient: 1 },
    ['activated_users_only', 'auto_create_non_existing_recipient'],
  ],
])('action-config: %j', (config, keys) => {
  expect(settings({ reactor: 'blockv://v1/Transfer', config })).toEqual(
    keys.map((key) => `action-config config.${key}`),
  )
})

test('action-config: of many settings that are not known none counts as misspelt', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`auto_create_mode${index}`, 1]))
  expect(settings({ config: many(100) })).toHaveLength(100)
  expect(settings({ config: many(101) })).toEqual([])
})

test('action-config: a string is named as one, with the boolean to write', () => {
  const config = { activated_users_only: 'true' }
  const found = ruleIssues(
    'action',
    { ...bodies.action(), reactor: 'blockv://v1/Transfer', config },
    { publisher: 'acme' },
  )
  expect(found).toMatchObject([
    {
      message: 'activated_users_only has no effect: it must be true or false, not the string "true"',
      hint: 'write true',
      fix: { value: true },
    },
  ])
})
test('action-timeout: what was meant as seconds', () => {
  for (const timeout of [undefined, 0, 1.5, '5', 100, 10_000]) expect(settings({ timeout })).toEqual([])
  expect(ruleIssues('action', { ...bodies.action(), timeout: 5 }, { publisher: 'acme' })).toMatchObject([
    {
      rule: 'action-timeout',
      severity: 'warning',
      message: 'timeout is in milliseconds: most actions take longer than 5',
      hint: 'for 5 seconds write 5000',
    },
  ])
})
test('standard-action: the name of one standard action, and the reactor of another', () => {
  const found = (name: string, reactor: string) =>
    ruleIssues('action', { name: `acme::Coupon::v1::Action::${name}`, reactor }, {})
  expect(found('Drop', 'blockv://v1/Pickup')).toMatchObject([
    {
      rule: 'standard-action',
      severity: 'warning',
      path: ['name'],
      message: 'this action has the name of the standard action Drop, and its reactor carries out Pickup',
      hint: 'name it Pickup, or write reactor: blockv://v1/Drop',
    },
  ])
  for (const [name, reactor] of [
    ['Drop', 'acme://drop'],
    ['Give', 'blockv://v1/Transfer'],
    ['Acquire', 'blockv://v1/AcquireWithCoins'],
  ] as const)
    expect(found(name, reactor)).toEqual([])
})
test('action-config: a handler of the publisher’s own may read anything, but who may run an action is no matter of its own', () => {
  const config = { auto_create_mod: 'claim', auto_create_non_existing_recipient: 'yes', activated_user_only: true }
  expect(settings({ reactor: 'acme://stamp', config })).toEqual(['action-config config.activated_user_only'])
})

test('action-config: the one setting that is meant is told, and takes its place unless it is there', () => {
  const found = (config: Json) =>
    ruleIssues('action', { ...bodies.action(), reactor: 'blockv://v1/Transfer', config }, { publisher: 'acme' })
  expect(found({ activated_user_only: true })).toMatchObject([
    { hint: 'did you mean activated_users_only?', fix: { key: 'activated_users_only' }, severity: 'warning' },
  ])
  const both = found({ activated_user_only: true, activated_users_only: true })
  expect(both).toMatchObject([{ hint: 'did you mean activated_users_only?' }])
  expect(both[0]).not.toHaveProperty('fix')
})

const key = (name: string) => `vAtom::vAtomType.${name}`
const container = (query: Json) => template({ root_type: 'vAtom::vAtomType::DiscoverContainerType', query })
const compared = (field: string) => ({ filter_elems: [{ field, filter_op: 'Eq', value: 'x' }] })
test.each(['id', 'private.colour', key('category'), key('publisher_fqdn'), key('visibility.type')])(
  'query-fields: %s is no scope key that the specification lists',
  (name) =>
    expect(warnings('template', container({ scope: { key: name, value: 'x' } }))).toEqual([
      'query-fields vatom.vAtom::vAtomType.query.scope.key',
    ]),
)
test.each(['id', 'private.colour', key('acquirable'), key('acquireable'), key('visibility.type')])(
  'query-fields: %s is no filter field that the specification lists',
  (name) =>
    expect(warnings('variation', container({ filters: [{ filter_elems: [] }, compared(name)] }))).toEqual([
      'query-fields vatom.vAtom::vAtomType.query.filters.1.filter_elems.0.field',
    ]),
)
test('query-cost: a query has what a search may have, and no more', () => {
  const groups = (count: number) => [{ filter_elems: Array(count).fill(compared(key('category')).filter_elems[0]) }]
  expect(warnings('template', container({ filters: groups(limits.comparisons) }))).toEqual([])
  for (const kind of ['template', 'variation'] as const)
    expect(warnings(kind, container({ filters: groups(limits.comparisons + 1) }))).toEqual([
      'query-cost vatom.vAtom::vAtomType.query',
    ])
})
test('query-fields: what the specification lists, and what no service knows, gives no warning', () => {
  for (const name of scopeKeys)
    expect(warnings('template', container({ scope: { key: name, value: 'x' } }))).toEqual([])
  for (const name of [...filterFields, 'colour'])
    expect(warnings('template', container({ filters: [compared(name)] }))).toEqual([])
  expect(warnings('template', container({ filters: null }))).toEqual([])
})

test.each([
  ['Blau', 'acme::Coupon::v1', 'write $publisher::Coupon::v1::Blau in a file: it stands for acme::Coupon::v1::Blau'],
  ['Blau', 'other::Coupon::v1', 'write $publisher::Blau in a file: it stands for acme::Blau'],
  [
    'Coupon::v1::Blau',
    'acme::Coupon::v1',
    'write $publisher::Coupon::v1::Blau in a file: it stands for acme::Coupon::v1::Blau',
  ],
  ['Coupon::Blau', 'acme::Coupon::v1', 'write $publisher::Coupon::v1::Blau in a file'],
  ['Coupon::v2::Blau', 'acme::Coupon::v1', 'write $publisher::Coupon::v2::Blau in a file'],
  ['other::Blau', 'acme::Coupon::v1', 'write $publisher::Blau in a file'],
  ['Coupon::Blau', 'Coupon', 'write $publisher::Coupon::Blau in a file: it stands for acme::Coupon::Blau'],
  ['Coupon::Blau', '$publisher::Coupon', 'write $publisher::Coupon::Blau in a file'],
  ['Coupon::Blau', 'acme::Coupon', 'write $publisher::Coupon::Blau in a file'],
  ['other::Blau', 'other::Coupon', 'write $publisher::Blau in a file'],
  ['::Blau', '$publisher::', 'write $publisher::Blau in a file'],
  ['$publisher:Action:Drop', 'acme::Coupon::v1', 'write $publisher::Action::Drop in a file'],
  ['acme:Action:Drop', 'acme::Coupon::v1', 'write $publisher::Action::Drop in a file'],
])('publisher-name: the variation %s of %s is to be written as it is meant', (name, template, hint) => {
  const document = { ...bodies.variation(), template, template_variation: name }
  const found = ruleIssues('variation', document, { publisher: 'acme' }).find(({ rule }) => rule === 'publisher-name')
  expect(found?.hint).toContain(hint)
})

test.each<[KindName, Json, string]>([
  ['template', { template: '$publisher:Beer:v1' }, 'publisher-name template write $publisher::Beer::v1'],
  ['template', { template: 'acme:Beer:v1' }, 'publisher-name template write $publisher::Beer::v1'],
  ['template', { template: 'acme::$publisher:Beer:v1' }, 'publisher-name template write $publisher::Beer::v1'],
  ['template', { template: 'acme::$publisher::Beer::v1' }, 'publisher-name template write $publisher::Beer::v1'],
  ['template', { template: 'acme::Beer:v2' }, 'name-version template write acme::Beer::v2'],
  ['template', { template: 'acme::Beer::V2' }, 'name-version template write acme::Beer::v2'],
  [
    'variation',
    { template: 'acme::A::v1', template_variation: '$publisher:A:v1:B' },
    'publisher-name template_variation write $publisher::A::v1::B',
  ],
  ['face', { template: '$publisher:A:v1' }, 'publisher-placeholder template write $publisher::A::v1'],
  ['face', { template: 'acme::$publisher:A:v1' }, 'publisher-placeholder template write $publisher::A::v1'],
  ['action', { name: 'Coupon::Action::Drop' }, 'publisher-name name write $publisher::Coupon::Action::Drop'],
  ['action', { name: 'acme.com::Action::Drop' }, 'publisher-name name write $publisher::Action::Drop'],
  ['action', { name: '$publisher:A:v1::Action::Drop' }, 'publisher-name name write $publisher::A::v1::Action::Drop'],
])(
  'the name of a %s with one colon or a placeholder inside is to be written as it is meant: %o',
  (kind, fields, finding) => {
    const found = ruleIssues(kind, { ...bodies[kind](), ...fields }, { publisher: 'acme' })
    expect(found.map(({ rule, path, hint }) => `${rule} ${path.join('.')} ${hint}`).join('\n')).toContain(finding)
  },
)

test.each<[KindName, Json, string]>([
  ['template', { template: '“$publisher::Smart::v1”' }, 'publisher-name template write $publisher::Smart::v1'],
  ['template', { template: '‘acme::Smart::v1’' }, 'publisher-name template write acme::Smart::v1'],
  ['template', { template: '$publisher::Smart::v1”' }, 'name-quotes template write $publisher::Smart::v1'],
  ['template', { template: 'acme::“Smart”::v1' }, 'name-quotes template write acme::Smart::v1'],
  ['template', { template: 'acme::Rock’n’Roll::v1' }, 'name-quotes template write acme::RocknRoll::v1'],
  [
    'variation',
    { template: 'acme::A::v1', template_variation: '“acme::A::v1::B”' },
    'publisher-name template_variation write acme::A::v1::B',
  ],
  [
    'variation',
    { template: '“$publisher::A::v1”', template_variation: '$publisher::A::v1::B' },
    'publisher-placeholder template write $publisher::A::v1',
  ],
  ['face', { template: '“acme::A::v1”' }, 'publisher-placeholder template write acme::A::v1'],
  ['action', { name: 'acme::A::v1::Action::Drop”' }, 'name-quotes name write acme::A::v1::Action::Drop'],
])(
  'the name of a %s with typographic quotes is told as that alone, and they are left out: %o',
  (kind, fields, finding) => {
    const found = ruleIssues(kind, { ...bodies[kind](), ...fields }, { publisher: 'acme' })
    expect(found.map(({ rule, path, hint }) => `${rule} ${path.join('.')} ${hint}`)).toEqual([
      `${finding}, in straight quotes or none`,
    ])
  },
)
test.each<[KindName, Json, string]>([
  ['template', { template: '$publisher.A.v1' }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: '$publisher/A/v1' }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: '$publisherA::v1' }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: `$${'{publisher}'}.A.v1` }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['face', { template: '$publisher.A.v1' }, 'publisher-placeholder template write $publisher::A::v1:'],
  ['template', { template: '$publisher::$publisher.A.v1' }, 'publisher-name template write $publisher::A::v1'],
  ['template', { template: '$publishers::A::v1' }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: '$publishers.A.v1' }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: `$${'{publisher}'}s::A::v1` }, 'publisher-name template write $publisher::A::v1 in a file'],
  ['template', { template: '$publisherÄ::v1' }, 'publisher-name template write $publisher::Ä::v1 in a file'],
  [
    'template',
    { template: '$publisher' },
    'publisher-name template write $publisher:: and the name behind it in a file',
  ],
  [
    'template',
    { template: '$publisher.' },
    'publisher-name template write $publisher:: and the name behind it in a file',
  ],
  ['template', { template: '$publisher.A.' }, 'publisher-name template write $publisher::A in a file'],
  [
    'action',
    { name: '$publisherA::v1::Action::Drop' },
    'publisher-name name write $publisher::A::v1::Action::Drop in a file',
  ],
  [
    'variation',
    { template: '$publishers::A::v1', template_variation: '$publisher::A::v1::B' },
    'publisher-placeholder template write $publisher::A::v1:',
  ],
  ['face', { template: '$publishers::A::v1' }, 'publisher-placeholder template write $publisher::A::v1:'],
  ['face', { template: '$publisher.' }, 'publisher-placeholder template write $publisher:: and the name behind it:'],
  ['face', { template: 'acme::$publisher.' }, 'publisher-placeholder template leave it out there'],
  ['template', { template: 'acme::A::$publisher' }, 'publisher-name template leave it out there'],
  ['face', { template: 'acme::$publisher.A.v1' }, 'publisher-placeholder template write $publisher::A::v1'],
])(
  'the placeholder in the name of a %s that is not replaced is an error, and what is meant has one: %o',
  (kind, fields, finding) => {
    const found = ruleIssues(kind, { ...bodies[kind](), ...fields }, { publisher: 'acme' })
    const [error] = found.filter(({ severity }) => severity === 'error')
    expect(`${error?.rule} ${error?.path.join('.')} ${error?.hint}`).toContain(finding)
    expect(error?.hint?.match(/\$publisher::/g)?.length ?? 0).toBeLessThanOrEqual(2)
    expect(error?.hint).not.toMatch(/::\$publisher|:::/)
  },
)

test.each([
  ['acme::A::1', 'acme::A::v1'],
  ['acme::A:2', 'acme::A::v2'],
  ['acme::A::1.0', 'acme::A::v1'],
  ['acme::A::v1.2', 'acme::A::v1'],
  ['acme::2024', 'acme::2024::v1'],
  ['acme::A::v', 'acme::A::v::v1'],
  ['acme::A ', 'acme::A::v1'],
])('name-version: %s is to be written %s', (name, meant) => {
  const document = { ...bodies.template(), template: name }
  const found = ruleIssues('template', document, { publisher: 'acme' }).filter(({ rule }) => rule === 'name-version')
  expect(found.map(({ hint }) => hint?.split(': a ')[0])).toEqual([`write ${meant}`])
})

test.each<[KindName, Json, string]>([
  ['template', { template: 'acme::A::v1 ' }, 'template write acme::A::v1;'],
  ['template', { template: 'acme:: A::v1' }, 'template write acme::A::v1;'],
  ['template', { template: 'acme::A\u00a0::v1' }, 'template write acme::A::v1;'],
  ['template', { template: 'acme::A::::v1' }, 'template write acme::A::v1, or what is missing between ::;'],
  ['template', { template: 'acme::::v1' }, 'template write acme::v1, or what is missing between ::;'],
  ['template', { template: 'acme::A::v1::' }, 'template write acme::A::v1, or what is missing between ::;'],
  ['face', { template: 'acme::A::v1 ' }, 'template write acme::A::v1;'],
  ['action', { name: 'acme::A::v1::Action::Drop ' }, 'name write acme::A::v1::Action::Drop;'],
])('the blanks in the name of a %s, which look like none, are a warning alone: %o', (kind, fields, finding) => {
  const found = ruleIssues(kind, { ...bodies[kind](), ...fields }, { publisher: 'acme' })
  expect(found.map(({ rule, severity, path, hint }) => `${rule} ${severity} ${path.join('.')} ${hint}`)).toEqual([
    `name-blanks warning ${finding} a record that was applied by this name keeps it, and is another one then`,
  ])
})

test.each(['acme::Free Tea::v1', 'acme::A::v12', '$publisher::A::v1'])('name-blanks: %s has none', (name) => {
  const document = { ...bodies.template(), template: name }
  expect(ruleIssues('template', document, { publisher: 'acme' }).map(({ rule }) => rule)).toEqual([])
})

test('name-version: what is to be written has no typographic quotes', () => {
  const found = ruleIssues('template', { ...bodies.template(), template: 'acme::Smart”' }, { publisher: 'acme' })
  expect(found.map(({ hint }) => hint?.split(/[,:] /)[0])).toEqual(['write acme::Smart', 'write acme::Smart::v1'])
})
test.each([
  ['https://acme.example/a b.png', 'https://acme.example/a%20b.png'],
  ['https://acme.example/絵.png', 'https://acme.example/%E7%B5%B5.png'],
  ['https://bücher.example/é?q=ü#ö', 'https://xn--bcher-kva.example/%C3%A9?q=%C3%BC#%C3%B6'],
])('resource-url: %s is to be written %s', (url, meant) => {
  const [found] = ruleIssues('template', resource(url), { publisher: 'acme' })
  expect(found).toMatchObject({ hint: `write ${meant}`, fix: { value: meant } })
  expect(warnings('template', resource(meant))).toEqual([])
})
test('resource-url: what is meant is told however often it is asked', () => {
  const found = Array.from({ length: 6_000 }, () => ruleIssues('template', resource('https://bücher.example/a'), {}))
  expect(new Set(found.map(([issue]) => issue?.hint))).toEqual(new Set(['write https://xn--bcher-kva.example/a']))
})
test('resource-url: a host that is too long to be one is none, in whatever script', () => {
  const letters = Array.from({ length: 18_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  const long = Array.from({ length: 20 }, () =>
    ['https://', 'https:\n//', 'https:/\t/', '\u0001https://', 'h\nttps://'].map((start) =>
      resource(`${start}${letters}.de/`),
    ),
  ).flat()
  expect(new Set(long.flatMap((document) => warnings('template', document)))).toEqual(
    new Set(['resource-url vatom.vAtom::vAtomType.resources.0.value.value']),
  )
})
test.each([
  '//acme.example/a',
  'https://',
  'https://a.example/é-{id}',
  'https://a.example/ é<x>',
  'https://a.example/%zz',
  'file:///tmp/ä.png',
])('resource-url: what %s is meant to be is not guessed', (url) => {
  const [found] = ruleIssues('template', resource(url), { publisher: 'acme' })
  expect(found?.hint).toBe('write https://…')
  expect(found).not.toHaveProperty('fix')
})

const apart = (name: string) => name.normalize('NFD')
test.each<[KindName, Json, string, string]>([
  ['template', { template: apart('acme::Día::v1') }, 'template', 'acme::Día::v1'],
  ['variation', { template: apart('acme::Día::v1') }, 'template', 'acme::Día::v1'],
  ['variation', { template_variation: apart('acme::Tea::v1::Ñ') }, 'template_variation', 'acme::Tea::v1::Ñ'],
  ['face', { template: apart('acme::한::v1') }, 'template', 'acme::한::v1'],
  ['action', { name: apart('acme::A::v1::Action::Größer') }, 'name', 'acme::A::v1::Action::Größer'],
])('name-form: the name of a %s whose accents are characters of their own', (kind, fields, path, meant) => {
  const found = ruleIssues(kind, { ...bodies[kind](), ...fields }, { publisher: 'acme' })
  expect(found.filter(({ rule }) => rule === 'name-form')).toMatchObject([{ path: [path], fix: { value: meant } }])
  const mended = ruleIssues(kind, { ...bodies[kind](), [path]: meant }, { publisher: 'acme' })
  expect(mended.filter(({ rule }) => rule === 'name-form')).toEqual([])
})
test('name-form: the name of a child is one, a title is none', () => {
  const folder = template({
    title: apart('Día'),
    child_policy: [{ template_variation: apart('acme::Tea::v1::Ñ'), count: 1 }],
  })
  const found = ruleIssues('template', folder, { publisher: 'acme' }).filter(({ rule }) => rule === 'name-form')
  expect(found).toMatchObject([
    {
      path: ['vatom', 'vAtom::vAtomType', 'child_policy', 0, 'template_variation'],
      fix: { value: 'acme::Tea::v1::Ñ' },
    },
  ])
})

test('resource-url: typographic quotes around a URL are told as that', () => {
  const [found] = ruleIssues('template', resource('“https://acme.example/x.png”'), { publisher: 'acme' })
  expect(found).toMatchObject({
    rule: 'resource-url',
    message: expect.stringContaining('has typographic quotes'),
    hint: 'write https://acme.example/x.png, in straight quotes or none',
  })
})

test.each([
  ['rival.example::Fest::v1', 'acme', ['template-publisher']],
  ['acme::Fest::v1', 'acme', []],
  ['$publisher::Fest::v1', 'acme', []],
  ['rival.example::Fest::v1', undefined, []],
])('template-publisher: a face of %s, for the publisher %s', (name, publisher, expected) => {
  const found = ruleIssues('face', { template: name }, { ...(publisher && { publisher }) })
  expect(found.filter(({ rule }) => rule === 'template-publisher').map(({ rule }) => rule)).toEqual(expected)
})

test.each<[document: Json, publisher: string | undefined, found: readonly string[]]>([
  [{ template: 'acme.example::Box::v1' }, undefined, ['rival.example::A::v1::X']],
  [{ template: 'acme.example::Box::v1' }, 'acme.example', ['rival.example::A::v1::X']],
  [{ template: '$publisher::Box::v1' }, 'acme.example', ['rival.example::A::v1::X']],
  [{ template_variation: 'acme.example::Box::v1::Set' }, 'acme.example', ['rival.example::A::v1::X']],
  [{ template: 'rival.example::Box::v1' }, 'acme.example', ['acme.example::A::v1::X']],
  [{ template: '$publisher::Box::v1' }, undefined, []],
  [{}, undefined, []],
])('child-publisher: of %j for the publisher %s', (head, publisher, expected) => {
  const names = ['rival.example::A::v1::X', 'acme.example::A::v1::X', '$publisher::A::v1::X', 'A::v1::X']
  const child_policy = names.map((name) => ({ template_variation: name, count: 1 }))
  const document = { ...head, vatom: { 'vAtom::vAtomType': { child_policy } } }
  for (const kind of ['template', 'variation'] as const) {
    const found = ruleIssues(kind, document, { ...(publisher && { publisher }) })
    const foreign = found.filter(({ rule }) => rule === 'child-publisher')
    expect(foreign.map(({ path }) => names[Number(path.at(-2))])).toEqual(expected)
    expect(foreign.every(({ severity, spec }) => severity === 'warning' && spec === '2.4')).toBe(true)
  }
})
