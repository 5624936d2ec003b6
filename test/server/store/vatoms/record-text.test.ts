import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberOf, withoutSameEnd } from '../../../../src/server/store/vatoms/record-text.ts'

const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
/** A JSON text of a record, as others may write it, too. */
const written = fc.tuple(record, fc.constantFrom(undefined, ' ', '\t'))

test('a member of a record is what parsing the whole gives', () => {
  fc.assert(
    fc.property(written, ([value, space]) => {
      const json = JSON.stringify(value, null, space)
      const parsed: object = JSON.parse(json)
      for (const [key, member] of Object.entries(parsed)) expect(memberOf(json, key)).toEqual(member)
      expect(memberOf(json, 'none of these')).toBeUndefined()
    }),
  )
})

test('two records without what ends both differ in nothing else', () => {
  fc.assert(
    fc.property(record, record, record, (one, other, end) => {
      const was = JSON.stringify({ ...one, ...end })
      const is = JSON.stringify({ ...other, ...end })
      const [before, after] = withoutSameEnd(was, is)
      const [whole, changed] = [JSON.parse(was), JSON.parse(is)]
      for (const key of Object.keys({ ...whole, ...changed })) {
        if (Object.hasOwn(before, key)) expect(before[key]).toEqual(whole[key])
        if (Object.hasOwn(after, key)) expect(after[key]).toEqual(changed[key])
        if (!Object.hasOwn(before, key) && !Object.hasOwn(after, key)) expect(changed[key]).toEqual(whole[key])
        else expect([key in before, key in after]).toEqual([key in whole, key in changed])
      }
    }),
  )
})

test('a record is parsed only as far as it differs', () => {
  const end = '"private":{"a":1},"eth":{}}'
  expect(withoutSameEnd(`{"id":"a","sync":1,${end}`, `{"id":"a","sync":2,${end}`)).toEqual([
    { id: 'a', sync: 1 },
    { id: 'a', sync: 2 },
  ])
})

test('the search for a member of what is no record ends', () => {
  for (const text of ['', '{', '{}', '[]', '"a","b"', '{"a"', '{"a":"b']) expect(memberOf(text, 'c')).toBeUndefined()
})
