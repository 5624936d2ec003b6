import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOf } from '../../../src/contract/kinds/kinds.ts'
import { textOf } from '../../../src/contract/kinds/minimal.ts'
import type { Catalog, Member } from '../../../src/contract/rules/catalog.ts'
import {
  catalogIssues,
  catalogRules,
  relatedNotes,
  withoutReplaced,
} from '../../../src/contract/rules/catalog-rules.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { type KindName, kinds } from '../../../src/contract/values.ts'
import { mutated } from '../../fixtures/arbitraries.ts'
import { bodies } from '../../fixtures/samples.ts'

type Json = Record<string, unknown>
type Given = readonly [kind: KindName, value: unknown]

/** Documents as a catalog of which every template is sound. */
function catalogOf(given: readonly Given[]): { members: Member[]; catalog: Catalog } {
  const members = given.map(([kind, value], index): Member => {
    const name = textOf(at(value, kindOf(kind).nameKey))
    return { kind, name, template: kindOf(kind).templateOf(value), value, place: () => `${kind}${index}.yaml:1:1` }
  })
  const byFamily = new Map<string, Member[]>()
  const of = (template: string | undefined, kind: KindName) => {
    const key = `${kind} ${template}`
    const found = byFamily.get(key) ?? members.filter((one) => one.kind === kind && one.template === template)
    byFamily.set(key, found)
    return found
  }
  const names = (kind: KindName) => new Set(members.filter((one) => one.kind === kind).map(({ name }) => name))
  const template = (name: unknown) => members.find((one) => one.kind === 'template' && one.name === name)
  const faultyTemplate = (name: unknown) => {
    const member = template(name)
    return member && { member, errors: [] }
  }
  return { members, catalog: { template, faultyTemplate, of, names, ifWhole: [], isDescribed: false } }
}

/** `index rule path` of everything found in documents, with the message when asked for. */
function found(given: readonly Given[], ifWhole: readonly string[] = []): string[] {
  const { members, catalog } = catalogOf(given)
  return members.flatMap((member, index) =>
    catalogIssues(member, { ...catalog, ifWhole }).map(({ rule, path }) => `${index} ${rule} ${path.join('.')}`),
  )
}
const told = (given: readonly Given[]) => {
  const { members, catalog } = catalogOf(given)
  return members
    .flatMap((member) => catalogIssues(member, catalog))
    .map(({ message, hint }) => `${message}${hint ? `; ${hint}` : ''}`)
}

const texts = { title: 'C', description: 'C', category: 'C' }
const template = (builtIn: Json = {}, name = 'acme::Coupon::v1'): Given => {
  const body = bodies.template() as { vatom: { 'vAtom::vAtomType': Json } }
  const type = { ...body.vatom['vAtom::vAtomType'], ...texts, ...builtIn }
  return ['template', { ...body, template: name, vatom: { ...body.vatom, 'vAtom::vAtomType': type } }]
}
const variation = (builtIn: Json = {}, name = 'acme::Coupon::v1'): Given => [
  'variation',
  { template_variation: `${name}::Red`, template: name, vatom: { 'vAtom::vAtomType': builtIn } },
]
const face = (constraints: Json = {}, more: Json = {}): Given => {
  const body = bodies.face() as { constraints: Json }
  return ['face', { ...body, ...more, constraints: { ...body.constraints, ...constraints } }]
}
const action = (name = 'acme::Coupon::v1::Action::Transfer'): Given => [
  'action',
  { name, reactor: 'blockv://v1/Transfer' },
]

describe('policy-guards', () => {
  const drop = 'acme::Coupon::v1::Action::Drop'
  const named = (name: string, fields: Json): Given => ['action', { name, reactor: 'blockv://v1/Drop', ...fields }]
  const findings = (fields: Json, guard: Json, others: readonly Given[] = []) => {
    const transfer = named('acme::Coupon::v1::Action::Transfer', fields)
    return told([template(), face(), transfer, named(drop, guard), ...others])
  }
  const activated = { config: { activated_users_only: true } }
  const check = named('acme::Coupon::v1::Action::Check', {})

  test.each<[fields: Json, guard: Json, lost: string]>([
    [{ policy: { pre: ['Drop'] } }, { limit_per_user: 1 }, 'limit_per_user'],
    [{ policy: { pre: ['Drop'] }, limit_per_user: 3 }, { limit_per_user: 1 }, 'limit_per_user'],
    [{ policy: { post: [drop] } }, activated, 'config.activated_users_only'],
    [
      { policy: { pre: ['Drop'] } },
      { ...activated, limit_per_user: 2, policy: { pre: ['Check'] } },
      'policy, limit_per_user, config.activated_users_only',
    ],
    [{ policy: { pre: ['Drop', 'Check'] } }, { policy: { pre: ['Check'] } }, 'policy'],
    [{ policy: { pre: ['Check', 'Drop'] } }, { policy: { post: ['Check'] } }, 'policy'],
    [{ policy: { pre: ['Drop'] } }, { policy: { pre: ['Transfer'] } }, 'policy'],
    [{ ...activated, policy: { pre: ['Drop'] } }, { ...activated, limit_per_user: 1 }, 'limit_per_user'],
  ])('what %j runs is not guarded as %j says', (fields, guard, lost) =>
    expect(findings(fields, guard, [check])).toContain(
      `Transfer runs Drop without its ${lost}: of an action that a policy names, only the reactor runs; write into Transfer, too, what is to hold when it runs Drop`,
    ),
  )

  test.each<[fields: Json, guard: Json]>([
    [{ policy: { pre: ['Drop'] } }, {}],
    [{ policy: { pre: ['Drop'] } }, { limit_per_user: 0, config: { activated_users_only: false }, policy: {} }],
    [{ policy: { pre: ['Drop'], post: [] }, limit_per_user: 1 }, { limit_per_user: 3 }],
    [{ policy: { post: ['Drop'] }, ...activated }, activated],
    [{ policy: { pre: ['Check', 'Drop'] } }, { policy: { pre: ['Check'] } }],
    [{ policy: { pre: ['Drop'] } }, { policy: { post: ['Transfer'], rule: 'x' } }],
    [{ policy: { pre: ['Pickup'] } }, { limit_per_user: 1 }],
    [{ limit_per_user: 1, policy: { pre: ['Transfer'] } }, {}],
  ])('nothing is lost of what guards it where %j runs %j', (fields, guard) =>
    expect(findings(fields, guard, [check]).join('\n')).not.toContain('without its'),
  )

  test('actions of other templates guard nothing', () => {
    const other = named('acme::Ticket::v1::Action::Drop', { limit_per_user: 1 })
    expect(findings({ policy: { pre: ['Drop'] } }, {}, [other]).join('\n')).not.toContain('without its')
  })
})

test('every rule has a name of its own, a section and a summary', () => {
  const notes = [...catalogRules, ...relatedNotes]
  expect(new Set(notes.map(({ name }) => name)).size).toBe(notes.length)
  for (const { spec, summary } of notes) {
    expect(spec).toMatch(/^\d(\.\d)?$/)
    expect(summary).toMatch(/^[a-z]/)
    expect(summary).not.toMatch(/\ba [AEIOaeio]/)
  }
})

test('a whole catalog is without findings', () =>
  expect(found([template(), variation(), face(), face({ view_mode: 'card' }), action()])).toEqual([]))

test.each(kinds)('a %s alone is without findings', (kind) => {
  const alone = { template: template(), variation: variation(), face: face(), action: action() }
  expect(found([alone[kind]])).toEqual([])
})

describe('template-name', () => {
  const at = (name: string) => [template({}, name), variation(), face(), action()]
  test.each(['acme::Coupons::v1', 'acme::Cuopon::v1', 'acme::coupon::v1', 'acme::Couponx::v1'])(
    '%s is meant',
    (name) => {
      expect(found(at(name))).toEqual(['1 template-name template', '2 template-name template', '3 template-name name'])
      expect(told(at(name))[0]).toBe(`no template in the catalog is named acme::Coupon::v1; did you mean ${name}?`)
    },
  )
  test.each(['acme::Coupon', 'Coupon::v1', 'Coupon'])('%s lacks a publisher or a version', (name) => {
    expect(told([template(), variation({}, name)])).toEqual([
      `no template in the catalog is named ${name}; did you mean acme::Coupon::v1?`,
    ])
  })
  test.each(['acme::Coupon::v2', 'acme::Ticket::v1', 'rival::Coupon::v1::x', 'acme::Voucher::v1'])(
    '%s is another',
    (name) => expect(found(at(name)).filter((one) => one.includes('template-name'))).toEqual([]),
  )
  test('names that differ in numbers alone are other names', () =>
    expect(found([template({}, 'acme::Coupon1::v1'), variation({}, 'acme::Coupon2::v1')])).toEqual([]))
  test('nothing is said where the template is there too', () =>
    expect(found([template({}, 'acme::Coupons::v1'), template(), variation(), face(), action()])).not.toContain(
      '2 template-name template',
    ))
})

test('template-missing: a variation that is named after another version of its template', () => {
  const [kind, winter] = variation({}, 'acme::Coupon::v2')
  const { members, catalog } = catalogOf([
    template(),
    [kind, { ...(winter as Json), template_variation: 'acme::Coupon::v1::Winter' }],
  ])
  const issues = members.flatMap((one) => catalogIssues(one, { ...catalog, ifWhole: ['template-missing'] }))
  expect(issues).toMatchObject([
    {
      rule: 'template-missing',
      path: ['template'],
      hint: 'write acme::Coupon::v1, with which the name of the variation begins; or else, if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template acme::Coupon::v2',
    },
  ])
  const own = [{ rule: 'variation-name', severity: 'warning', path: ['template_variation'], message: '' } as const]
  expect(withoutReplaced(own, issues)).toEqual([])
})

test('child-name: a child that is nearly a variation of the catalog', () => {
  const folder = (child: string) =>
    template(
      { root_type: 'vAtom::vAtomType::DefinedFolderContainerType', child_policy: [{ template_variation: child }] },
      'acme::F::v1',
    )
  const others = [template(), variation()]
  const place = '0 child-name vatom.vAtom::vAtomType.child_policy.0.template_variation'
  expect(found([folder('acme::Copon::v1::Red'), ...others])).toEqual([place])
  expect(found([folder('acme::Coupon::v1::Red'), ...others])).toEqual([])
  expect(found([folder('acme::Other::v1::Thing'), ...others])).toEqual([])
})

test('icon-face: a template with faces and no icon', () => {
  const card = face({ view_mode: 'card' })
  expect(found([template(), card])).toEqual(['0 icon-face template'])
  expect(told([template(), card])[0]).toContain('face1.yaml:1:1')
  expect(found([template(), card, face()])).toEqual([])
  expect(found([template({}, 'acme::Other::v1'), card])).toEqual([])
})

test('face-twice: the same view mode, platform and quality', () => {
  expect(found([face(), face({}, { display_url: 'https://acme.example' })])).toEqual(['1 face-twice constraints'])
  expect(told([face(), face()])[0]).toMatch(/icon, generic, high; the first is at face0.yaml:1:1/)
  for (const other of [{ view_mode: 'card' }, { platform: 'ios' }]) expect(found([face(), face(other)])).toEqual([])
  expect(found([face(), face({}, { template: 'acme::Other::v1' })])).toEqual([])
})

describe('face-shadowed', () => {
  const own = ['web', 'ios', 'android'].map((platform) => face({ platform }))
  test('a generic face beside one for each platform', () => {
    expect(found([face(), ...own])).toEqual(['0 face-shadowed constraints'])
    expect(told([face(), ...own])[0]).toContain('face1.yaml:1:1, face2.yaml:1:1, face3.yaml:1:1')
    expect(found([face(), ...own.slice(1)])).toEqual([])
  })
  test('another quality, after one that all can show', () => {
    expect(found([face(), face({ quality: 'low' })])).toEqual(['1 face-shadowed constraints'])
    expect(told([face(), face({ quality: 'low' })])[0]).toContain('ignore quality')
  })
  test('a face that some viewers cannot show leaves room for another', () => {
    const model = { display_url: 'native://generic-3d' }
    expect(found([face({}, model), face({ quality: 'low' })])).toEqual([])
    const web = { display_url: 'https://acme.example' }
    expect(found([face({}, web), face({ platform: 'ios', quality: 'low' })])).toEqual([])
    expect(found([face({ platform: 'ios' }), face({ platform: 'ios', quality: 'low' }, web)])).toEqual([
      '1 face-shadowed constraints',
    ])
  })
})

describe('face-platforms', () => {
  const place = (index: number) => `${index} face-platforms constraints.platform`
  const card = (platform: string) => face({ view_mode: 'card', platform })
  test('a view mode that only some platforms have', () => {
    expect(found([template(), face(), card('ios'), card('web')])).toEqual([place(2)])
    expect(told([template(), face(), card('ios'), card('web')])[0]).toContain('blank on android')
    expect(found([template(), face(), card('ios'), card('generic')])).toEqual([])
    expect(found([template(), face(), card('ios'), card('web'), card('android')])).toEqual([])
  })
  test('engaged falls back to icon', () => {
    const engaged = face({ view_mode: 'engaged', platform: 'ios' })
    expect(found([template(), face(), engaged])).toEqual([])
    expect(found([template(), face({ platform: 'ios' }), engaged])).toEqual([place(1), place(2)])
  })
  test('not without the template', () => expect(found([card('ios')])).toEqual([]))
})

describe('discover-query', () => {
  const shelf = (more: Json = {}) => template({ root_type: 'vAtom::vAtomType::DiscoverContainerType', ...more })
  test('a container without one', () => {
    expect(found([shelf()])).toEqual(['0 discover-query vatom.vAtom::vAtomType.root_type'])
    expect(found([shelf({ query: {} }), variation()])).toEqual([])
    expect(found([template()])).toEqual([])
  })
  test('its variations may have it, all of them', () => {
    expect(found([shelf(), variation({ query: {} })])).toEqual([])
    expect(found([shelf(), variation({ query: {} }), variation()])).toEqual(['2 discover-query template_variation'])
    expect(found([shelf(), variation()])).toEqual(['0 discover-query vatom.vAtom::vAtomType.root_type'])
  })
})

const priced = (value: Json) => ({ commerce: { pricing: { value } } })
const whole = { currency: 'EUR', price: 1, valid_from: '2027-05-01', valid_through: '*', vat_included: true }

test('validity-resolved: an end before the beginning that the template has', () => {
  const base = template(priced(whole))
  expect(found([base, variation(priced({ valid_through: '2027-04-30' }))])).toEqual([
    '1 validity-resolved vatom.vAtom::vAtomType.commerce',
  ])
  expect(found([base, variation(priced({ valid_through: '2027-05-01' }))])).toEqual([])
  expect(found([base, variation(priced({ value: { valid_through: '2027-04-30' } }))])).toHaveLength(1)
  const alone = priced({ valid_from: '2027-05-01', valid_through: '2027-04-30' })
  expect(found([base, variation(alone)])).toEqual([])
})

describe('ios-drops', () => {
  test.each(['title', 'description', 'category'])('a vAtom without %s', (field) => {
    const base = template({ [field]: undefined })
    expect(found([base, variation()])).toEqual(['1 ios-drops template_variation'])
    expect(told([base, variation()])[0]).toMatch(new RegExp(`has no ${field}; add it here`))
    expect(found([base, variation({ [field]: 'x' })])).toEqual([])
    expect(found([base])).toEqual([])
  })
  test.each(Object.keys(whole))('a price without %s', (field) => {
    const base = template(priced({ ...whole, [field]: undefined }))
    expect(found([base, variation()])).toEqual(['1 ios-drops template_variation'])
    expect(found([template(priced(whole)), variation()])).toEqual([])
    expect(found([template({ commerce: {} }), variation()])).toEqual([])
  })
})

test('what a template shows of its own says where that is', () => {
  expect(told([template(), face({}, { resources: ['Nope'] })])[0]).toContain('the template is at template0.yaml:1:1')
  expect(found([template(), face({}, { resources: ['Nope'] })])).toEqual(['1 face-resource resources.0'])
})

const given = fc
  .constantFrom(...kinds)
  .chain((kind) => fc.oneof(mutated(kind), fc.jsonValue()).map((value): Given => [kind, value]))
test('no rule throws, and each is in the table, whatever it is given', () =>
  fc.assert(
    fc.property(fc.array(given, { maxLength: 5 }), (documents) => {
      const { members, catalog } = catalogOf(documents)
      const names = [...catalogRules, ...relatedNotes].map(({ name }) => name)
      const others = ['redeemable-commerce', 'query-container', 'child-policy-container', 'too-many']
      for (const member of members)
        for (const { rule } of catalogIssues(member, catalog)) expect([...names, ...others]).toContain(rule)
    }),
  ))

test('thousands of faces take time in proportion', () => {
  const { members, catalog } = catalogOf(Array.from({ length: 5000 }, () => face()))
  expect(members.flatMap((member) => catalogIssues(member, catalog))).toHaveLength(4999)
})

test.each<[rule: string, reactor: string, forbidding: Json, permitting: Json]>([
  ['transfer-action', 'blockv://v1/Transfer', { transferable: false }, { transferable: true }],
  ['acquire-action', 'blockv://v1/AcquireWithCoins', {}, { acquirable: true }],
])('%s: an action that a property of its template forbids on all vAtoms', (rule, reactor, forbidding, permitting) => {
  const action: Given = ['action', { name: 'acme::Coupon::v1::Action::A', reactor }]
  const rules = (...given: Given[]) => found(given).filter((one) => one.includes(rule))
  expect(rules(template(forbidding), action)).toEqual([`1 ${rule} reactor`])
  expect(rules(template(permitting), action)).toEqual([])
  expect(rules(template(forbidding), action, variation(permitting))).toEqual([])
})
test('acquirepubvariation-action: an action that no variation of its template is open for', () => {
  const acquire: Given = [
    'action',
    { name: 'acme::Coupon::v1::Action::A', reactor: 'blockv://v1/AcquirePubVariationWithCoins' },
  ]
  const rule = 'acquirepubvariation-action'
  const foundIn = (given: Given[], ifWhole: readonly string[]) =>
    found(given, ifWhole).filter((one) => one.includes(rule))
  const told = (...given: Given[]) => foundIn(given, [rule])
  const [, fixed] = variation()
  const open = (fields: Json): Given => ['variation', { ...Object(fixed), ...fields }]
  const closed = [{ public: true }, { auto_create_on_acquire: true }, { public: false, auto_create_on_acquire: true }]
  for (const fields of closed)
    expect(told(template(), acquire, open(fields))).toEqual(['1 acquirepubvariation-action reactor'])
  expect(told(template(), acquire, open({}), open({ public: true, auto_create_on_acquire: true }))).toEqual([])
  expect(told(template(), acquire)).toEqual([])
  expect(foundIn([template(), acquire, open({})], [])).toEqual([])
})
test('acquire-action: an action of the publisher may make vAtoms acquirable', () => {
  const acquire: Given = ['action', { name: 'acme::Coupon::v1::Action::A', reactor: 'blockv://v1/AcquireWithCoins' }]
  const own: Given = ['action', { name: 'acme::Coupon::v1::Action::B', reactor: 'acme://offer' }]
  expect(found([template(), acquire, own]).filter((one) => one.includes('acquire-action'))).toEqual([])
})
test('clone-action: a Clone action of a template that is not cloneable', () => {
  const clone: Given = ['action', { name: 'acme::Coupon::v1::Action::Clone', reactor: 'blockv://v1/Clone' }]
  const [, fixed] = template()
  const rules = (cloneable: unknown) => told([['template', { ...Object(fixed), cloneable }], clone])
  const finding = (permitting: string) =>
    `nobody can perform this action: no vAtom of the template at template0.yaml:1:1 is cloneable; there, ${permitting}, or delete the action`
  expect(rules(undefined)).toContain(finding('write cloneable: true beside template'))
  expect(rules(false)).toContain(finding('change cloneable to true'))
  expect(rules(true).join()).not.toContain('nobody can perform')
})

test.each([
  ['Combine', 'FolderContainerType', 'folders'],
  ['Split', 'PackageContainerType', 'folders'],
  ['Uncombine', 'DefinedFolderContainerType', 'folders'],
  ['Dispense', 'FolderContainerType', 'folders'],
  ['Open', 'PackageContainerType', 'packages'],
  ['Discover', 'DiscoverContainerType', 'discover containers'],
])('container-action: %s of a template that makes no %s', (name, type, what) => {
  const action: Given = ['action', { name: 'acme::Coupon::v1::Action::A', reactor: `blockv://v1/${name}` }]
  const rules = (...given: Given[]) => found(given).filter((one) => one.includes('container-action'))
  const root_type = `vAtom::vAtomType::${type}`
  expect(told([template(), action]).join()).toContain(
    `this action is for ${what}: no vAtom of the template at template0.yaml:1:1 is one; there, write root_type: `,
  )
  expect(rules(template(), action)).toEqual(['1 container-action reactor'])
  expect(rules(template({ root_type }), action)).toEqual([])
  expect(rules(template(), action, variation({ root_type }))).toEqual([])
  expect(rules(action)).toEqual([])
})

test('redeem-action: a Redeem action of a template of which no vAtom is redeemable', () => {
  const redeem: Given = ['action', { name: 'acme::Coupon::v1::Action::Redeem', reactor: 'blockv://v1/Redeem' }]
  const transfer: Given = ['action', { name: 'acme::Coupon::v1::Action::Transfer', reactor: 'blockv://v1/Transfer' }]
  const rules = (...given: Given[]) => found(given).filter((one) => one.includes('redeem-action'))
  expect(rules(template(), redeem, transfer)).toEqual(['1 redeem-action reactor'])
  expect(rules(redeem)).toEqual([])
  expect(rules(template({ redeemable: true, commerce: {} }), redeem)).toEqual([])
  expect(rules(template(), redeem, variation({ redeemable: true, commerce: {} }))).toEqual([])
})
