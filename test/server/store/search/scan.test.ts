import * as fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { Connection } from '../../../../src/server/store/query.ts'
import { longMatches } from '../../../../src/server/store/search/operators.ts'
import { boundaryQuery, Pace } from '../../../../src/server/store/search/scan.ts'
import { type Search, walkOf } from '../../../../src/server/store/search/search.ts'
import type { Steps } from '../../../../src/server/store/slices.ts'
import { openStore, type Store } from '../../../../src/server/store/store.ts'
import { newDatabase } from '../../../support/folders.ts'

const count = 3000
const owners = ['ann', 'bob', 'cat']
const templates = ['t0', 't1', 't2', 't3']
const categories = ['Coupons', 'Tickets']

interface Made {
  readonly id: string
  readonly owner: string
  readonly template: string
  readonly category: string
  readonly public: boolean
  readonly created: number
  readonly parent_id: string
  readonly size: number
}

/** Hundreds in one second, and seconds with none. */
const vatoms: readonly Made[] = Array.from({ length: count }, (_, n) => ({
  id: `v${n}`,
  owner: owners[(n * 7) % 3] ?? '',
  template: templates[(n * 13) % 4] ?? '',
  category: categories[n % 2] ?? '',
  public: (n * 11) % 5 < 2,
  created: Math.floor(n / 300) * 2,
  parent_id: n % 50 === 0 ? 'folder' : '.',
  size: n % 17,
}))
const newestFirst = [...vatoms].reverse()

const fill = (store: Store, made: readonly Made[]) =>
  store.write(() => {
    for (const { id, size, ...vatom } of made)
      store.vatoms.insert({
        ...vatom,
        ids: [id],
        author: 'author',
        publisher_fqdn: 'local.vatom',
        template_variation: `${vatom.template}::${id}`,
        visibility_type: 'owner',
        acquirable: 0,
        json: JSON.stringify({ private: { size } }).slice(1),
      })
  })

let store: Store
beforeAll(async () => {
  store = await openStore(':memory:')
  await fill(store, vatoms)
  return () => store.close()
})

const prefix = 'vAtom::vAtomType.'
const element = (field: string, filter_op: 'Eq' | 'Ne' | 'Match' | 'Ge', value: string) => ({ field, filter_op, value })

/** The value of steps, however long they take. */
function resultOf<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A condition as a search has it, and as a plain function. */
const conditions = [
  [element(`${prefix}category`, 'Eq', 'Coupons'), ({ category }: Made) => category === 'Coupons'],
  [element(`${prefix}template`, 'Eq', 't1'), ({ template }: Made) => template === 't1'],
  [element(`${prefix}template`, 'Ne', 't1'), ({ template }: Made) => template !== 't1'],
  [element(`${prefix}owner`, 'Eq', 'bob'), ({ owner }: Made) => owner === 'bob'],
  [element(`${prefix}parent_id`, 'Eq', 'folder'), ({ parent_id }: Made) => parent_id === 'folder'],
  [element(`${prefix}parent_id`, 'Eq', '.'), ({ parent_id }: Made) => parent_id === '.'],
  [element(`${prefix}category`, 'Match', 'i*k*s'), ({ category }: Made) => category === 'Tickets'],
  [element(`${prefix}category`, 'Match', '*Tick*ets*'), ({ category }: Made) => category === 'Tickets'],
  [element(`${prefix}category`, 'Match', 'x'.repeat(40)), () => false],
  [element('private.size', 'Ge', '9'), ({ size }: Made) => size >= 9],
  [element('private.size', 'Match', '1'), ({ size }: Made) => String(size).includes('1')],
] as const
const scopes = [
  [undefined, () => true],
  [{ key: `${prefix}owner`, value: 'ann' }, ({ owner }: Made) => owner === 'ann'],
  [{ key: `${prefix}owner`, value: 'bob,ann,bob' }, ({ owner }: Made) => owner !== 'cat'],
  [{ key: `${prefix}template`, value: 't1,t2' }, ({ template }: Made) => template === 't1' || template === 't2'],
  [{ key: `${prefix}parent_id`, value: 'folder,.' }, () => true],
  [{ key: 'private.size', value: '3,16' }, ({ size }: Made) => size === 3 || size === 16],
] as const

const subset = fc.subarray([...conditions], { maxLength: 3 })

test('a search in parts finds what a plain look at every vAtom finds, in the same order', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...owners),
      fc.constantFrom(...scopes),
      subset,
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 0, max: 2000 }),
      (caller, [scope, inScope], wanted, limit, offset) => {
        const filters = wanted.map(([element]) => ({ filter_elems: [element] }))
        const search: Search = { caller, scope, filters }
        const expected = newestFirst.filter(
          (one) => (one.public || one.owner === caller) && inScope(one) && wanted.every(([, holds]) => holds(one)),
        )
        const { search: searches, idsOf } = store
        expect(resultOf(searches.count(search))).toBe(expected.length)
        const found = idsOf(resultOf(searches.page(search, { limit, offset })))
        expect(found).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id))
      },
    ),
    { numRuns: 30 },
  )
})

test.each([
  ['folder', ({ parent_id }: Made) => parent_id === 'folder'],
  ['.', ({ parent_id }: Made) => parent_id === '.'],
  [undefined, () => true],
] as const)('an inventory (%s) has its pages in that order, too', (folder, isIn) => {
  const expected = newestFirst.filter((one) => one.owner === 'bob' && isIn(one)).map(({ id }) => id)
  const pages = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((page) =>
    store.idsOf(resultOf(store.inventory.page('bob', folder, { limit: 100, offset: page * 100 }))),
  )
  expect(pages).toEqual(expected)
})

test('a search that compares much is in many steps, of few vAtoms each', () => {
  const steps = (search: Search) => [...store.search.count(search)].length
  const many = Array.from({ length: 64 }, () => element('private.none', 'Ne', 'x'))
  expect(steps({ caller: 'ann' })).toBeGreaterThanOrEqual(2)
  expect(steps({ caller: 'ann', filters: [{ filter_elems: many }] })).toBeGreaterThan(20)
  const scope = { key: `${prefix}category`, value: 'none' }
  expect(steps({ caller: 'ann', scope, filters: [{ filter_elems: many }] })).toBeGreaterThanOrEqual(2)
})

test('a page that is found soon looks at no more than a part', () => {
  expect([...store.search.page({ caller: 'ann' }, { limit: 10, offset: 0 })]).toHaveLength(1)
})

test('a box of the map that just misses many is looked at in parts', async () => {
  const file = newDatabase()
  const [store, plain] = [await openStore(file), await openSqlite(file)]
  onTestFinished(() => store.close())
  await fill(store, vatoms)
  plain.exec('INSERT INTO positions SELECT seq, 6.1432, 6.1432, 46.2044, 46.2044, 6.1432, 46.2044 FROM vatoms')
  plain.close()
  const around = (lon: number, lat: number, size: number) => {
    const box = { west: lon - size, east: lon + size, south: lat - size, north: lat + size }
    return store.map.vatoms({ caller: 'ann', boxes: [box], filter: 'all' }, 10)
  }
  const beside = () => around(6.1432 + 2e-8, 46.2044 + 2e-8, 1e-8)
  expect(resultOf(beside())).toEqual([])
  expect([...beside()].length).toBeGreaterThan(1)
  expect([...around(6.2, 46.2, 0.01)]).toEqual([])
})

/** A search, and its results as SQL. */
const paged: readonly (readonly [Search, string])[] = [
  [{ caller: 'ann' }, "(owner = 'ann' OR public = 1)"],
  [
    { caller: 'ann', filters: [{ filter_elems: [element(`${prefix}category`, 'Eq', 'Coupons')] }] },
    "(owner = 'ann' OR public = 1) AND category = 'Coupons'",
  ],
  [
    { caller: 'bob', filters: [{ filter_elems: [element('private.size', 'Ge', '9')] }] },
    "(owner = 'bob' OR public = 1) AND json ->> '$.private.size' >= 9",
  ],
]

const pages = fc.record({ page: fc.nat(40), limit: fc.constantFrom(20, 50), which: fc.nat(paged.length - 1) })
const changes = fc.record({ change: fc.constantFrom('insert', 'remove', 'move'), by: fc.nat(1), at: fc.nat(count - 1) })

test('a step of a search reads as many entries of the indexes as it is to, also where all that is public is one’s own', async () => {
  const file = newDatabase()
  const own = await openStore(file)
  onTestFinished(() => own.close())
  await fill(
    own,
    vatoms.map((vatom) => ({ ...vatom, owner: 'ann', public: true })),
  )
  const plain = await openSqlite(file)
  onTestFinished(() => plain.close())
  const db = new Connection(plain)
  const walk = resultOf(walkOf(db, { caller: 'ann' }))
  const [last] = db.rowsOf(boundaryQuery(walk, undefined, 100))
  const since = '(created, seq) >= (?, ?)'
  const count = plain.prepare(
    `SELECT (SELECT count(*) FROM vatoms WHERE owner = 'ann' AND ${since}) AS owned,
      (SELECT count(*) FROM vatoms WHERE public = 1 AND ${since}) AS public`,
  )
  const key = [last?.created ?? 0, last?.seq ?? 0]
  expect(count.all(...key, ...key)).toEqual([{ owned: 50, public: 50 }])
  expect(resultOf(own.search.count({ caller: 'ann' }))).toBe(vatoms.length)
})

test('the pages of searches are what an offset gives, whatever was read and changed before', async () => {
  const file = newDatabase()
  const stores = [await openStore(file), await openStore(file)] as const
  const [first] = stores
  await fill(first, vatoms)
  const plain = await openSqlite(file)
  let made = 0
  const apply = async ({ change, by, at }: { change: string; by: number; at: number }) => {
    const store = stores[by] ?? first
    const vatom = vatoms[at]
    if (!vatom) return
    if (change === 'insert') await fill(store, [{ ...vatom, id: `new${made++}` }])
    else if (change === 'remove') await store.write(() => store.vatoms.removeOf(`${vatom.template}::${vatom.id}`))
    else {
      const { id, category } = vatom
      const values = { id, category: category === 'Coupons' ? 'Tickets' : 'Coupons', json: '{"private":{"size":3}}' }
      await store.write(() => store.vatoms.change({ ...values, visibility_type: 'owner', acquirable: 0 }))
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 4, arbitrary: pages }, changes), { maxLength: 30 }), async (steps) => {
      for (const step of steps) {
        if ('change' in step) {
          await apply(step)
          continue
        }
        const [search, where] = paged[step.which] ?? paged[0] ?? [{ caller: '' }, '']
        const { limit } = step
        const offset = limit * step.page
        const sql = `SELECT seq FROM vatoms WHERE ${where} ORDER BY created DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`
        const expected = plain.prepare(sql).all()
        const found = resultOf(first.search.page(search, { limit, offset }))
        expect(found).toEqual(expected.map((row) => Object(row).seq))
      }
    }),
    { numRuns: 12 },
  )
  plain.close()
  for (const one of stores) await one.close()
})

test('a later page begins where an earlier one ended: it looks at no more than a part', () => {
  const steps = (offset: number) => [...store.search.page({ caller: 'cat' }, { limit: 10, offset })].length
  expect(steps(1500)).toBeGreaterThan(1)
  expect([steps(1500), steps(1510), steps(1520)]).toEqual([1, 1, 1])
})

test('a sample says how many groups it remembers', () => {
  const sampled = (field: string) => store.search.count({ caller: 'cat', sample: { count: 1, by: [field] } })
  const most = (field: string) => Math.max(...[...sampled(field)].map((remembered) => remembered ?? 0))
  expect(most('private.size')).toBe(17)
  expect(most('id')).toBeGreaterThan(1000)
})

test('a search for values that take long to look for begins with few vAtoms', () => {
  const effort = longMatches(['*a*', 'x'.repeat(33), 'short'].map((value) => ({ filter_op: 'Match' as const, value })))
  expect([effort, new Pace().rows, new Pace(1 + effort).rows]).toEqual([2, 500, 167])
})
