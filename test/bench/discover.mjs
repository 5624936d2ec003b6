import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import { loadSource } from './load-source.mjs'
import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { scratchFolder } from './vatom.mjs'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const owners = 1000
const categories = ['Coupons', 'Tickets', 'Collectibles', 'Folders', 'Games']
const caller = 'user-7'
const category = categories[2]
const limit = 100
const note =
  'the API pages by number: a page begins at the last place that an earlier page of the same search found, as long as nothing has changed since; else 100,000 index entries are stepped over (0.1 µs each).'

/** Fills a store through its own insert: one second, one owner and one category a batch, six in ten public. */
async function fill(store, count, size) {
  const json = JSON.stringify({ 'vAtom::vAtomType': { title: 'x'.repeat(800) } }).slice(1)
  for (let made = 0, batch = 0; made < count; made += size, batch++)
    await store.write(() =>
      store.vatoms.insert({
        ids: Array.from({ length: size }, () => randomUUID()),
        owner: `user-${(batch * 7919) % owners}`,
        author: 'author',
        publisher_fqdn: 'local.vatom',
        template: `local.vatom::T${batch % 50}::v1`,
        template_variation: `local.vatom::T${batch % 50}::v1::Plain`,
        parent_id: '.',
        category: categories[batch % categories.length],
        visibility_type: batch % 10 < 6 ? 'public' : 'owner',
        acquirable: false,
        public: batch % 10 < 6,
        created: 1_700_000_000 + batch,
        json,
      }),
    )
}

const filter = { field: 'vAtom::vAtomType.category', filter_op: 'Eq', value: category }
const search = { caller, filters: [{ filter_elems: [filter] }] }

/** Milliseconds one run takes, the mean of some. */
async function timed(run, times) {
  const start = performance.now()
  for (let time = 0; time < times; time++) await run()
  return (performance.now() - start) / times
}

async function filled(openStore, count) {
  const file = path.join(scratchFolder(), 'vatoms.db')
  const store = await openStore(file)
  await fill(store, count, 50)
  const page = async (number) => {
    const found = await store.slices.run(store.search.page(search, { limit, offset: limit * (number - 1) }))
    return [...store.found(found, caller)].flat()
  }
  return { file, store, page }
}

/** The same question as one reads it out of the table, without an index. */
function naiveScan(file) {
  const db = new DatabaseSync(file, { readOnly: true })
  const sql = `SELECT json FROM vatoms NOT INDEXED WHERE (owner = ? OR public = 1) AND category = ?
    ORDER BY created DESC, seq DESC LIMIT ${limit}`
  return () => db.prepare(sql).all(caller, category)
}

/** Bars 10 and 11: the service's search among a million vAtoms, "mine or public, of a category, newest first, 100". */
export async function measure() {
  const { openStore } = await loadSource('src/server/store/store.ts')
  const large = await filled(openStore, 1_000_000)
  const small = await filled(openStore, 10_000)
  const scan = naiveScan(large.file)
  if (scan().length !== limit || (await large.page(1)).length !== limit) throw new Error('the page is not full')
  const sides = {
    scan: () => timed(scan, 1),
    first: () => timed(() => large.page(1), 50),
    deep: () => timed(() => large.page(11), 20),
    deepest: () => timed(() => large.page(1001), 5),
    changed: async () => {
      await large.store.write(() => undefined)
      return timed(() => large.page(1001), 1)
    },
    small: () => timed(() => small.page(1), 50),
  }
  const medians = await alternate(sides, { rounds: 15 })
  const rowOf = (bar, what, ours, reference, limit) =>
    row({ bar, what: `search of 1,000,000 vAtoms, ${what}`, ours, reference, limit, digits: 3, note })
  const { scan: whole, first, deep, deepest, changed, small: few } = medians
  return [
    rowOf(10, 'first page, over a scan', first, whole, 1 / 500),
    rowOf(10, 'the page after 1,000 vAtoms, over the first', deep, first, 10),
    rowOf(10, 'the page after 1,000 pages that were read, over the first', deepest, first, 10),
    rowOf(10, 'the same page after a change, over the first', changed, first, 250),
    rowOf(11, 'over one of 10,000', first, few, 1.6),
  ]
}
