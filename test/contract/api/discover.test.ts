import { describe, expect, test } from 'vitest'
import { DiscoverPage } from '../../../src/contract/api/discover.ts'
import { limits } from '../../../src/contract/limits.ts'
import { boolOps, filterFields, filterOps, scopeKeys } from '../../../src/contract/values.ts'
import { bodies } from '../../fixtures/samples.ts'
import { type Case, cases, put } from '../../support/issues.ts'

const element = 'filters.0.filter_elems.0'
const accepted = (place: string, values: readonly unknown[]) => values.map((value): Case => [place, value, 'ok'])

describe('search', () => {
  cases('4.4', 'discover', [
    ...['scope', 'limit', 'page', 'filters', 'return'].map((field): Case => [field, undefined, 'ok']),
    ...accepted('limit', [0, 1, 100, 1000, 5000]),
    ['limit', -1, 'range', /at least 0/],
    ['limit', '10', 'type', /not the string "10"/],
    ['limit', 1.5, 'type', /a whole number, not 1.5/],
    ...accepted('page', [0, 1, 2]),
    ['page', -1, 'range'],
    ['filter', [], 'unknown-field', /did you mean filters/],
    ['[filter]', [], 'unknown-field', /did you mean filters/],
    ['filters', {}, 'type'],
    ['filters', [], 'ok'],
    ['filters', null, 'ok'],
    ['filters', [{ filter_elems: [] }], 'ok'],
    ['filters', [{}], 'required @ filters.0.filter_elems'],
    ['filters', Array.from({ length: 21 }, () => ({ filter_elems: [] })), 'length', /at most 20 entries/],
    ['return', '*', 'type'],
    ...accepted('return', [{}, { type: '*' }, { type: 'count' }, { type: 'PAYLOAD' }, { type: '*', fields: [] }]),
    ['return.typ', '*', 'unknown-field', /did you mean type/],
  ])
  cases('4.4 scope', 'discover', [
    ...accepted('scope.key', scopeKeys),
    ...accepted('scope.key', ['private.colour', 'vAtom::vAtomType.publisher_fqdn']),
    ['scope.key', 'owner', 'search-field', /did you mean vAtom::vAtomType.owner/],
    ['scope.key', 'vAtom::vAtomType.title', 'search-field'],
    ['scope.key', 'private.', 'search-field'],
    ['scope.key', undefined, 'required'],
    ['scope.value', undefined, 'required'],
    ['scope.value', 1, 'type'],
    ['scope.value', '$currentuser', 'ok'],
    ['scope.field', 'x', 'unknown-field'],
  ])
  cases('8 scope', 'discover', [
    ['scope.value', 'a', 'ok'],
    ['scope.value', 'a,b,c,d,e', 'ok'],
    ['scope.value', 'a,b,c,d,e,f', 'length', /at most 5 comma-separated values/],
    ['scope.value', ',,,,', 'ok'],
    ['scope.value', ',,,,,', 'length'],
  ])
  cases('4.4 filter', 'discover', [
    ...accepted(`${element}.field`, filterFields),
    [`${element}.field`, 'vAtom::vAtomType.categry', 'search-field', /did you mean vAtom::vAtomType.category/],
    [`${element}.field`, 'category', 'search-field', /did you mean vAtom::vAtomType.category/],
    [`${element}.field`, 'nonsense entirely', 'search-field', /one of: vAtom::vAtomType.publisher_fqdn/],
    [`${element}.field`, undefined, 'required'],
    ...accepted(`${element}.filter_op`, filterOps),
    [`${element}.filter_op`, 'eq', 'value', /did you mean Eq/],
    [`${element}.filter_op`, '=', 'value', /must be one of Eq, Ge, Gt, Le, Lt, Ne, Match/],
    [`${element}.filter_op`, undefined, 'required'],
    ...accepted(`${element}.value`, ['', '*', '*pon*', '$currentuser']),
    [`${element}.value`, true, 'type', /must be a string, not true/],
    [`${element}.value`, undefined, 'required'],
    [`${element}.value`, '😀'.repeat(1024), 'ok'],
    [`${element}.value`, 'x'.repeat(1025), 'length'],
    ...accepted(`${element}.bool_op`, boolOps),
    [`${element}.bool_op`, undefined, 'ok'],
    [`${element}.bool_op`, 'AND', 'value', /did you mean And/],
    [`${element}.bool_op`, 'Xor', 'value'],
    [`${element}.operator`, 'Eq', 'unknown-field'],
  ])

  test('§4.4 the values are those of the tables', () => {
    expect([scopeKeys.length, filterFields.length]).toEqual([5, 9])
    expect(filterOps).toEqual(['Eq', 'Ge', 'Gt', 'Le', 'Lt', 'Ne', 'Match'])
    expect(boolOps).toEqual(['And', 'Or'])
  })
  test('§8 a page has 100 records where none are asked for, and tokens live 5 minutes', () =>
    expect(limits).toMatchObject({ page: 100, scopeValues: 5, text: 64, accessTokenSeconds: 300 }))
  test('§4.4 an answer has lists and a count', () => {
    const page = { results: [], faces: [], actions: [], count: 0 }
    expect(DiscoverPage().safeParse(page).success).toBe(true)
    for (const field of Object.keys(page))
      expect(DiscoverPage().safeParse(put(page, field, undefined)).success).toBe(false)
    expect(DiscoverPage().safeParse({ ...page, results: [put(bodies.face(), 'x', 1)] }).success).toBe(true)
  })
})
