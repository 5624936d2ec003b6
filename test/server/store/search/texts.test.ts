import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Search } from '../../../../src/server/store/search/search.ts'
import { processorTime, type Steps } from '../../../../src/server/store/slices.ts'
import { openStore, type Store } from '../../../../src/server/store/store.ts'

const operators = ['Eq', 'Ne', 'Ge', 'Gt', 'Le', 'Lt', 'Match'] as const
type Op = (typeof operators)[number]

const oddOrEven = (index: number): string => (index % 2 ? 'odd' : 'even')

/** A store with the vAtoms of one owner that have these custom properties, the first the newest. */
async function storeWith(all: readonly object[], categoryOf = oddOrEven): Promise<Store> {
  const store = await openStore(':memory:')
  await store.write(() => {
    for (const [index, properties] of all.entries())
      store.vatoms.insert({
        ids: [`v${index}`],
        owner: 'ann',
        author: 'author',
        publisher_fqdn: 'local.vatom',
        template: 't',
        template_variation: 't::v',
        parent_id: '.',
        category: categoryOf(index),
        visibility_type: 'owner',
        acquirable: 0,
        public: false,
        created: all.length - index,
        json: JSON.stringify({ category: categoryOf(index), private: properties }).slice(1),
      })
  })
  return store
}

/** The value of steps, and how many they were. */
function carriedOut<T>(steps: Steps<T>): { value: T; count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next()
    if (done) return { value, count }
  }
}

describe('comparisons', () => {
  const values = ['', '1', '10', '9', 'true', 'null', '{}', 'ä', 'z', 0, 1, 9, 10, -2.5, true, false, null, undefined]
  const properties = [...values, {}, { b: 1 }, [], [1], ['1']].flatMap((a) => [{ a }, { a, n: { a } }, { n: { a } }])
  const type = 'vAtom::vAtomType.'
  const fields = ['private.a', 'private.n.a', 'private.n', 'private.none', `${type}category`]

  const valueOfField = (index: number, field: string): unknown => {
    const { a, n }: { a?: unknown; n?: { a?: unknown } } = properties[index] ?? {}
    const all = { 'private.a': a, 'private.n.a': n?.a, 'private.n': n, [`${type}category`]: oddOrEven(index) }
    return Reflect.get(all, field)
  }
  const order: Readonly<Record<Exclude<Op, 'Ne' | 'Match'>, (sign: number) => boolean>> = {
    Eq: (sign) => sign === 0,
    Ge: (sign) => sign >= 0,
    Gt: (sign) => sign > 0,
    Le: (sign) => sign <= 0,
    Lt: (sign) => sign < 0,
  }
  /** What a comparison says, without a database. */
  function holds(found: unknown, op: Op, value: string): boolean {
    if (op === 'Ne') return !holds(found, 'Eq', value)
    if (typeof found === 'string')
      return op === 'Match' ? found.includes(value) : order[op](Buffer.compare(Buffer.from(found), Buffer.from(value)))
    if (op === 'Match') return typeof found === 'number' && String(found).includes(value)
    if (typeof found === 'number' && /^-?\d/.test(value)) return order[op](Math.sign(found - Number(value)))
    const isTruth = value === 'true' || value === 'false'
    return typeof found === 'boolean' && isTruth && order[op](Number(found) - Number(value === 'true'))
  }

  const element = fc.record({
    field: fc.constantFrom(...fields),
    filter_op: fc.constantFrom(...operators),
    value: fc.constantFrom('', '1', '10', '9', '-2.5', '5', 'true', 'false', 'null', '{}', 'even', 'ä', 'no'),
    bool_op: fc.constantFrom('And' as const, 'Or' as const),
  })
  const group = fc.array(element, { minLength: 1, maxLength: 50 })
  type Group = readonly { field: string; filter_op: Op; value: string; bool_op: 'And' | 'Or' }[]
  const inGroup = (index: number, elements: Group): boolean => {
    let all: boolean | undefined
    let operator = 'And'
    for (const { field, filter_op, value, bool_op } of elements) {
      const one = holds(valueOfField(index, field), filter_op, value)
      if (all === undefined) all = one
      else all = operator === 'And' ? all && one : all || one
      operator = bool_op
    }
    return all ?? true
  }

  let store: Store
  beforeAll(async () => {
    store = await storeWith(properties)
  })
  afterAll(() => store.close())

  test('of values of every type, in groups of any length, say what they say of each', () => {
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), fc.nat(20), fc.nat(20), (groups, limit, offset) => {
        const search: Search = { caller: 'ann', filters: groups.map((filter_elems) => ({ filter_elems })) }
        const expected = [...properties.keys()].filter((index) => groups.every((one) => inGroup(index, one)))
        expect(carriedOut(store.search.count(search)).value).toBe(expected.length)
        const { value } = carriedOut(store.search.page(search, { limit, offset }))
        expect(store.idsOf(value)).toEqual(expected.slice(offset, offset + limit).map((index) => `v${index}`))
      }),
      { numRuns: 100 },
    )
  })

  test('a sample finds the newest of those with the same values, of which some are compared', () => {
    fc.assert(
      fc.property(fc.subarray(fields, { minLength: 1 }), fc.array(group, { maxLength: 1 }), (by, groups) => {
        const filters = groups.map((filter_elems) => ({ filter_elems }))
        const seen = new Set<string>()
        const expected = [...properties.keys()].filter((index) => {
          if (!groups.every((one) => inGroup(index, one))) return false
          // SQLite has 1 and 0 for what is true and false.
          const values = by.map((field) => valueOfField(index, field) ?? null)
          const key = JSON.stringify(values.map((value) => (typeof value === 'boolean' ? Number(value) : value)))
          return !seen.has(key) && seen.add(key)
        })
        const search: Search = { caller: 'ann', filters, sample: { count: 1, by } }
        const { value } = carriedOut(store.search.page(search, { limit: 1000, offset: 0 }))
        expect(store.idsOf(value)).toEqual(expected.map((index) => `v${index}`))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a long value of Match', () => {
  const search = (...values: string[]): Search => ({
    caller: 'ann',
    filters: [
      {
        filter_elems: values.map((value) => ({ field: 'private.a', filter_op: 'Match', value, bool_op: 'Or' })),
      },
    ],
  })

  test('is found wherever it occurs, also where its beginning occurs just before, and nowhere else', async () => {
    const run = fc.tuple(fc.constantFrom('a', 'ab', 'aab', 'ä'), fc.integer({ min: 1, max: 300 }))
    const text = fc.array(run, { minLength: 3, maxLength: 8 }).map((runs) => runs.map(([a, n]) => a.repeat(n)).join(''))
    const cut = fc.record({ from: fc.nat(200), length: fc.integer({ min: 251, max: 400 }), changed: fc.nat(900) })
    await fc.assert(
      fc.asyncProperty(text, fc.array(cut, { minLength: 1, maxLength: 10 }), async (a, cuts) => {
        const store = await storeWith([{ a }])
        for (const { from, length, changed } of cuts) {
          const part = a.slice(from, from + length)
          const value = changed < part.length ? `${part.slice(0, changed)}b${part.slice(changed + 1)}` : part
          expect(carriedOut(store.search.count(search(value))).value).toBe(Number(a.includes(value)))
          const isTwice = a.includes(value, a.indexOf(value) + value.length)
          const twice = carriedOut(store.search.count(search(`${value}*${value}`))).value
          expect(twice).toBe(Number(a.includes(value) && isTwice))
        }
        await store.close()
      }),
      { numRuns: 15 },
    )
  })

  test.each([
    ['near its beginning', (at: number) => at + 1],
    ['in its middle', (at: number) => 512 + at],
  ])('that is never in a text of 60 KB is soon compared with it: it differs %s', async (_, place) => {
    const store = await storeWith([{ a: 'a'.repeat(60_000) }])
    const values = Array.from({ length: 10 }, (_, at) => `${'a'.repeat(place(at))}b`.padEnd(1024, 'a'))
    const took = [1, 2].map(() => {
      const began = processorTime()
      expect(carriedOut(store.search.count(search(...values))).value).toBe(0)
      return processorTime() - began
    })
    expect(Math.min(...took)).toBeLessThan(40)
    await store.close()
  })
})

describe('a step', () => {
  const long = { a: 'x'.repeat(60_000), n: Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`k${at}`, at])) }
  const element = { field: 'private.a', filter_op: 'Ge' as const, value: '1' }
  const groups = (count: number, size: number) =>
    Array.from({ length: count }, () => ({ filter_elems: Array.from({ length: size }, () => element) }))
  const steps = (store: Store, search: Omit<Search, 'caller'>) =>
    carriedOut(store.search.count({ caller: 'ann', ...search })).count

  test('looks at a long text with few comparisons, also behind many short ones', async () => {
    const short = Array.from({ length: 500 }, () => ({ a: 'x' }))
    const store = await storeWith([...short, ...Array.from({ length: 20 }, () => long)])
    expect(steps(store, { filters: groups(1, 1) })).toBeLessThan(15)
    expect(steps(store, { filters: groups(1, 20) })).toBeGreaterThan(20)
    expect(steps(store, { filters: groups(5, 40) })).toBeGreaterThan(5 * 20)
    await store.close()
  })

  test('compares no more than some values of a sample that are long', async () => {
    const store = await storeWith(Array.from({ length: 10 }, () => long))
    for (const name of ['private.a', 'private.n']) {
      const by = Array.from({ length: 10 }, () => name)
      expect(steps(store, { sample: { count: 1, by } })).toBeGreaterThan(10 * 10)
    }
    await store.close()
  })
})

describe('categories that are long, as an earlier version let them be', () => {
  const field = 'vAtom::vAtomType.category'
  const long = `${'a'.repeat(60_000)}z`
  const among = (length: number, longs: number) =>
    storeWith(
      Array.from({ length }, () => ({})),
      (index) => (index >= length - longs ? long : oddOrEven(index)),
    )
  const elements = (count: number, filter_op: Op, value: string) =>
    Array.from({ length: count }, () => ({ field, filter_op, value, bool_op: 'Or' as const }))

  test.each<[Omit<Search, 'caller'>, number]>([
    [{ filters: [{ filter_elems: elements(1, 'Match', 'az') }] }, 2],
    [{ filters: [{ filter_elems: elements(1, 'Match', 'ev') }] }, 3],
    [{ filters: [{ filter_elems: elements(1, 'Eq', long) }] }, 2],
    [{ filters: [{ filter_elems: elements(1, 'Ne', 'odd') }] }, 5],
    [{ filters: [{ filter_elems: elements(1, 'Lt', 'aaab') }] }, 2],
    [{ scope: { key: field, value: `${long},odd` } }, 4],
    [{ sample: { count: 1, by: [field] } }, 3],
  ])('are found as others are (%#)', async (search, found) => {
    const store = await among(7, 2)
    const { value } = carriedOut(store.search.page({ caller: 'ann', ...search }, { limit: 100, offset: 0 }))
    expect(value).toHaveLength(found)
    await store.close()
  })

  test.each<[string, number, Omit<Search, 'caller'>]>([
    ['compared', 30, { filters: [{ filter_elems: elements(40, 'Match', 'xyz') }] }],
    [
      'of a scope',
      60,
      { scope: { key: field, value: 'a,b,c,d,e' }, filters: [{ filter_elems: elements(40, 'Ge', 'b') }] },
    ],
    ['of a sample', 330, { sample: { count: 1, by: Array.from({ length: 10 }, () => field) } }],
  ])('are looked at in many steps where they are %s, others in few', async (_, least, search) => {
    const stepsOf = async (longs: number) => {
      const store = await among(500, longs)
      const { count } = carriedOut(store.search.count({ caller: 'ann', ...search }))
      await store.close()
      return count
    }
    expect(await stepsOf(0)).toBeLessThan(10)
    expect(await stepsOf(30)).toBeGreaterThan(least)
  })
})
