import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definedFolder, discoverContainer } from '../../../src/contract/values.ts'
import { childPolicyFaults, childPolicyIdle, childRule } from '../../../src/contract/vatom/child-policy.ts'
import { bodies } from '../../fixtures/samples.ts'
import { cases, put, warningsOf } from '../../support/issues.ts'

const folder = put(bodies.template(), '~.root_type', definedFolder)
const entry = (creation_policy: object = {}, count?: number) => [
  { template_variation: 'acme::Coin::V', ...(count !== undefined && { count }), creation_policy },
]
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ template_variation: `acme::Coin::V${index}` }))
const at = '~.child_policy.0'
const inPolicy = (field: string) => `${at}.creation_policy.${field}`

describe('what is taken', () => {
  cases(
    '2.4',
    'template',
    [
      ['~.child_policy', entry({ auto_create: 'create_new', weighted_choices: null }), 'ok'],
      [
        '~.child_policy',
        entry({ auto_create: 'choose' }),
        `value @ ${inPolicy('auto_create')}`,
        /the only supported way/,
      ],
      [
        '~.child_policy',
        entry({ weighted_choices: [] }),
        `type @ ${inPolicy('weighted_choices')}`,
        /must be null, not a list/,
      ],
      ['~.child_policy', entry({ auto_create_count: -1 }), `range @ ${inPolicy('auto_create_count')}`, /at least 0/],
      ['~.child_policy', entry({ colour: 1 }), `unknown-field @ ${inPolicy('colour')}`],
      ['~.child_policy', many(100), 'ok'],
      ['~.child_policy', many(101), 'length @ ~.child_policy', /at most 100 entries/],
    ],
    folder,
  )
})

describe('counts that cannot all be true', () => {
  const refused = (policy: object, field: string, words: RegExp, count?: number) =>
    ['~.child_policy', entry(policy, count), `child-policy @ ${field}`, words] as const
  cases(
    '2.4',
    'template',
    [
      ['~.child_policy', entry({ auto_create_count: 2 }, 2), 'ok'],
      ['~.child_policy', entry({ auto_create_count: 2 }), 'ok'],
      refused({ auto_create_count: 2 }, `${at}.count`, /they mean the same/, 3),
      ['~.child_policy', entry({ policy_count_min: 2, policy_count_max: 2 }), 'ok'],
      refused({ policy_count_min: 3, policy_count_max: 2 }, inPolicy('policy_count_min'), /more than policy_count_max/),
      ['~.child_policy', entry({ policy_count_min: 2, auto_create_count_random: true }, 2), 'ok'],
      refused(
        { policy_count_min: 3, auto_create_count_random: true },
        inPolicy('policy_count_min'),
        /more than the 2 that are created/,
        2,
      ),
      ['~.child_policy', entry({ policy_count_min: 2, enforce_policy_count_min: true }, 2), 'ok'],
      refused(
        { policy_count_min: 2, enforce_policy_count_min: true },
        inPolicy('policy_count_min'),
        /2 is more than the 1 that are created/,
      ),
      ['~.child_policy', entry({ policy_count_max: 2, enforce_policy_count_max: true }, 2), 'ok'],
      refused(
        { policy_count_max: 2, enforce_policy_count_max: true },
        inPolicy('policy_count_max'),
        /less than the 3 that are created/,
        3,
      ),
      refused({ enforce_policy_count_min: true }, inPolicy('enforce_policy_count_min'), /needs policy_count_min/),
      refused({ enforce_policy_count_max: true }, inPolicy('enforce_policy_count_max'), /needs policy_count_max/),
      ['~.child_policy', entry({ enforce_policy_count_min: false, enforce_policy_count_max: false }), 'ok'],
      [
        '~.child_policy',
        [...entry(), ...entry()],
        'child-policy @ ~.child_policy.1.template_variation',
        /acme::Coin::V has an entry already/,
      ],
    ],
    folder,
  )
})

test('§2.4 a bound that nothing enforces is warned about', () => {
  const warned = (policy: object) =>
    warningsOf('template', put(folder, '~.child_policy', entry(policy, 5))).map((text) => text.replace(/^.*\./, ''))
  expect(warned({ policy_count_min: 1, policy_count_max: 9 })).toEqual([
    'policy_count_min child-policy-enforced',
    'policy_count_max child-policy-enforced',
  ])
  expect(warned({ policy_count_min: 1, auto_create_count_random: true })).toEqual([])
  expect(
    warned({
      policy_count_min: 1,
      enforce_policy_count_min: true,
      policy_count_max: 9,
      enforce_policy_count_max: true,
    }),
  ).toEqual([])
})

test('§2.4 an entry says how many children are created, and how many there may be', () => {
  const any = { least: 0, most: Number.POSITIVE_INFINITY }
  const rule = (policy: object, count?: number) => childRule(entry(policy, count)[0])
  expect(rule({})).toEqual({ variation: 'acme::Coin::V', created: { least: 1, most: 1 }, kept: any })
  expect(rule({}, 0).created).toEqual({ least: 0, most: 0 })
  expect(rule({ auto_create_count: 4 }).created).toEqual({ least: 4, most: 4 })
  expect(rule({ auto_create_count: 4, auto_create_count_random: true }).created).toEqual({ least: 0, most: 4 })
  expect(rule({ policy_count_min: 2, policy_count_max: 5 }, 3).kept).toEqual(any)
  const enforced = { enforce_policy_count_min: true, enforce_policy_count_max: true }
  expect(rule({ policy_count_min: 2, policy_count_max: 5, ...enforced }, 3).kept).toEqual({ least: 2, most: 5 })
})

test('whatever a child_policy holds, telling what is wrong throws nothing', () =>
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constant([{ template_variation: { toString: 1 } }])), (policy) => {
      const document = put(folder, '~.child_policy', policy)
      childPolicyFaults(document)
      childPolicyIdle(document)
    }),
  ))

describe('the query of a discover container', () => {
  cases(
    '2.4',
    'template',
    [
      ['~.query', { limit: 0, page: 0, filters: null, return: { type: '', fields: null } }, 'ok'],
      ['~.query', { return: { type: '*', fields: [] } }, 'ok'],
      ['~.query.return', null, 'ok'],
      ['~.query.return.type', 'count', 'value', /a container shows whole vAtoms/],
      ['~.query.return.fields', ['id'], 'length', /must be empty/],
      ['~.query.sample', 1, 'unknown-field'],
    ],
    put(bodies.template(), '~.root_type', discoverContainer),
  )
})
