import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { runQueries } from '../../../../src/server/store/action-runs.ts'
import { namerQueries } from '../../../../src/server/store/actions.ts'
import { openDatabase } from '../../../../src/server/store/database/open-database.ts'
import type { SqlValue } from '../../../../src/server/store/database/sqlite.ts'
import { eventQueries } from '../../../../src/server/store/events.ts'
import { heldQueries } from '../../../../src/server/store/held-vatoms.ts'
import { addValues } from '../../../../src/server/store/json-values.ts'
import { messageQueries } from '../../../../src/server/store/messages.ts'
import { Connection } from '../../../../src/server/store/query.ts'
import { reservedQueries } from '../../../../src/server/store/reserved-runs.ts'
import { foundQueries } from '../../../../src/server/store/search/found.ts'
import {
  boundaryQuery as lastPlace,
  type MapSearch,
  nearQuery,
  placesQuery,
} from '../../../../src/server/store/search/geo.ts'
import { inventoryQueries, inventoryWalk } from '../../../../src/server/store/search/inventory.ts'
import { addMatch } from '../../../../src/server/store/search/operators.ts'
import {
  boundaryQuery,
  candidatesQuery,
  countQuery,
  keysQuery,
  longCategory,
  type Walk,
} from '../../../../src/server/store/search/scan.ts'
import { type Search, walkOf } from '../../../../src/server/store/search/search.ts'
import { textQueries } from '../../../../src/server/store/search/texts.ts'
import { Slices } from '../../../../src/server/store/slices.ts'
import { templateLists } from '../../../../src/server/store/templates.ts'
import { publisherQueries } from '../../../../src/server/store/users.ts'
import { draftQueries, parentQueries, variationLists } from '../../../../src/server/store/variations.ts'
import { folderQueries } from '../../../../src/server/store/vatoms/vatom-folders.ts'

type Sql = { readonly sql: string; readonly parameters: readonly unknown[] }

async function planOf({ sql, parameters }: Sql) {
  const db = await openDatabase(':memory:')
  addMatch(db)
  addValues(db)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SqlValue[]))
  db.close()
  return steps.map((step) => String(Object(step).detail)).join('\n')
}

const page = { limit: 100, offset: 0 }
const part = { after: { created: 9, seq: 9 }, upTo: { created: 1, seq: 1 } }
/** Everything that is asked to answer a search: the first part of it, a later one and the last. */
const queriesOf = (walk: Walk): Sql[] => [
  boundaryQuery(walk, undefined, 500),
  boundaryQuery(walk, part.after, 500),
  keysQuery(walk, {}, page),
  keysQuery(walk, part, page),
  keysQuery(walk, { after: part.after }, page),
  countQuery(walk, part),
]

async function walkTo(search: Search): Promise<Walk> {
  const db = await openDatabase(':memory:')
  addMatch(db)
  const walk = new Slices().atOnce(walkOf(new Connection(db), search), { user: { id: '', seeded: 1 }, address: '' })
  db.close()
  return walk
}

const plansOf = async (search: Search) => await Promise.all(queriesOf(await walkTo(search)).map(planOf))

const prefix = 'vAtom::vAtomType.'
const category = [{ filter_elems: [{ field: `${prefix}category`, filter_op: 'Eq' as const, value: 'Coupons' }] }]
const searches: Record<string, Search> = {
  plain: { caller: 'me' },
  'by category': { caller: 'me', filters: category },
  "one's own": { caller: 'me', scope: { key: `${prefix}owner`, value: '$currentuser' } },
}

test.each(Object.entries(searches))('%s: reads indexes in their order and sorts nothing', async (_name, search) => {
  for (const plan of await plansOf(search)) {
    expect(plan).toMatch(/USING COVERING INDEX vatoms_by_owner/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
    expect(plan).not.toMatch(/SCAN vatoms(?! USING)/)
    expect(plan.includes('vatoms_public')).toBe(!search.scope)
  }
})

test.each(['template', 'template_variation', 'parent_id', 'publisher_fqdn', 'owner'])(
  'a scope on %s, and an equal filter, scan and sort nothing',
  async (key) => {
    const equal = { field: prefix + key, filter_op: 'Eq' as const, value: 'x' }
    for (const named of [
      { scope: { key: prefix + key, value: 'x,y' } },
      { filters: [{ filter_elems: [equal] }] },
      { scope: { key: prefix + key, value: 'x' }, filters: category },
    ])
      for (const plan of await plansOf({ caller: 'me', ...named })) {
        expect(plan).not.toMatch(/SCAN vatoms(?! USING)/)
        expect(plan).not.toMatch(/TEMP B-TREE/)
      }
  },
)

test('a scope on the root, which all users share, walks what the caller owns', async () => {
  for (const plan of await plansOf({ caller: 'me', scope: { key: `${prefix}parent_id`, value: '.' } }))
    expect(plan).toMatch(/vatoms_by_owner/)
})

const container = (page?: { limit: number; offset: number }): Search => ({
  caller: 'me',
  scope: { key: `${prefix}parent_id`, value: 'c' },
  containers: new Map([['c', { filters: category, page }]]),
})

test('a look into a discover container reads the same indexes in their order', async () => {
  for (const plan of await plansOf(container())) {
    expect(plan).toMatch(/USING COVERING INDEX vatoms_by_owner/)
    expect(plan).toMatch(/USING COVERING INDEX vatoms_public/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
  }
})

test('a look into one whose query names a template reads the vAtoms of that alone, unless something else is looked into, too', async () => {
  const ofTemplate = { scope: { key: `${prefix}template`, value: 't' }, filters: category }
  for (const page of [undefined, { limit: 10, offset: 0 }]) {
    const contained = { ...ofTemplate, page }
    const plans = await plansOf({ ...container(), containers: new Map([['c', contained]]) })
    for (const plan of plans) {
      expect(plan).toMatch(/vatoms_by_template /)
      expect(plan).not.toMatch(/vatoms_public|TEMP B-TREE/)
    }
    const both = new Map([
      ['c', contained],
      ['d', { ...ofTemplate, page }],
    ])
    const wide = await plansOf({ ...container(), scope: { key: `${prefix}parent_id`, value: 'c,d' }, containers: both })
    expect(wide.join()).toMatch(/vatoms_public/)
    const beside = await plansOf({
      ...container(),
      scope: { key: `${prefix}parent_id`, value: 'c,folder' },
      containers: new Map([['c', contained]]),
    })
    expect(beside.join()).toMatch(/vatoms_public/)
  }
})

test('a look into one that shows a page scans no table', async () => {
  for (const plan of await plansOf(container({ limit: 10, offset: 0 })))
    expect(plan).not.toMatch(/SCAN vatoms(?! USING)/)
})

const custom = (filter_op: 'Ne' | 'Eq') => ({ field: 'private.a', filter_op, value: '1' })

test('what custom properties are compared of is found in the order of indexes, and then read by number', async () => {
  const { filter, ...walk } = await walkTo({ caller: 'me', filters: [...category, { filter_elems: [custom('Eq')] }] })
  const candidates = candidatesQuery({ ...walk, filter }, part)
  expect(candidates.sql).not.toContain('json_extract')
  expect(await planOf(candidates)).not.toMatch(/TEMP B-TREE|SCAN vatoms/)
  const { count, numbers, page, values } = textQueries(filter)
  for (const query of [count, numbers, page, values([sql`json`])]) {
    const plan = await planOf({
      sql: query.sql(),
      parameters:
        query
          .sql()
          .match(/\?/g)
          ?.map(() => '[]') ?? [],
    })
    expect(plan).toContain('SEARCH vatoms USING INTEGER PRIMARY KEY (rowid=?)')
  }
})

test('a custom property is compared in one place of a statement, which else takes long to prepare', async () => {
  const { filter } = await walkTo({
    caller: 'me',
    filters: [{ filter_elems: Array.from({ length: 9 }, () => custom('Ne')) }],
  })
  const { count, numbers, page } = textQueries(filter)
  for (const query of [count, numbers, page]) expect(query.sql().match(/json_type/g)).toHaveLength(9)
})

test('whether any category is long is seen in an index that has those alone', async () => {
  const plan = await planOf({ sql: longCategory.sql(), parameters: [] })
  expect(plan).toBe('SCAN vatoms USING INDEX vatoms_long_categories')
})

/** Values that SQLite takes with one statement. */
const sqliteValues = 32_766

test('the largest search has room for its values', async () => {
  const compared = { field: `${prefix}template`, filter_op: 'Ne' as const, value: '1' }
  const filters = [{ filter_elems: Array.from({ length: limits.comparisons }, () => compared) }]
  const scope = { key: `${prefix}template`, value: 'a,b,c,d,e' }
  for (const { parameters } of queriesOf(await walkTo({ caller: 'me', scope, filters })))
    expect(parameters.length).toBeLessThan(sqliteValues)
})

const box = { west: 0, east: 1, south: 0, north: 1 }
const map: MapSearch = { caller: 'me', boxes: [box], filter: 'vatoms' }
const bothSides = { ...map, boxes: [box, box] }

test.each([
  ['one box', nearQuery(map, 10)],
  ['both sides of the antimeridian', nearQuery(bothSides, 10)],
])('the map (%s) is searched by its tree, and nothing else is scanned', async (_what, search) => {
  const plan = await planOf(search)
  // The name of a tree's index says which bounds are looked at: D is at most, B at least.
  expect(plan).toMatch(/SCAN positions VIRTUAL TABLE INDEX 2:[A-E]\d[A-E]\d[A-E]\d[A-E]\d/)
  expect(plan).not.toMatch(/SCAN (vatoms|variations)/)
})

test.each([
  ['those that the tree names', placesQuery(bothSides, sql`place.rowid IN (SELECT value FROM json_each('[1]'))`, 10)],
  ['a part of all places', placesQuery(map, sql`place.rowid < ${9} AND place.rowid >= ${1}`, 10)],
  ['the end of a part', lastPlace(9, 10)],
])('of the map (%s) only those rows are read', async (_what, search) => {
  expect(await planOf(search)).not.toMatch(/SCAN (place|positions|vatoms|variations)/)
})

test.each(['.', 'folder', undefined])('an inventory (%s) reads an index in its order', async (folder) => {
  for (const plan of await Promise.all(queriesOf(inventoryWalk('me', folder)).map(planOf))) {
    expect(plan).not.toMatch(/SCAN vatoms|TEMP B-TREE/)
    expect(plan).toMatch(folder === 'folder' ? /vatoms_by_parent/ : /vatoms_by_owner/)
  }
})

test('vAtoms of one second are not passed again for each part', async () => {
  const sameSecond = { after: { created: 9, seq: 9 }, upTo: { created: 9, seq: 1 } }
  const walk = inventoryWalk('me', undefined)
  const plan = await planOf(countQuery(walk, sameSecond))
  expect(plan).toMatch(/\(owner=\? AND created=\? AND seq>\? AND seq<\?\)/)
  expect(await planOf(boundaryQuery(walk, sameSecond.after, 500))).toMatch(/\(owner=\? AND created=\? AND seq<\?\)/)
  const next = [inventoryQueries.versions, inventoryQueries.templates]
  for (const query of [...next, folderQueries.someIn, folderQueries.contents]) {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '0') ?? [] })
    expect(plan).toMatch(/\((owner|parent_id)=\? AND created=\? AND (seq|rowid)>\?\)/)
  }
})

test('the oldest in a folder that a user sees is found without reading those that they do not see', async () => {
  const query = folderQueries.firstSeen
  const plan = await planOf({ sql: query.sql(), parameters: query.bind({ folder: 'f', user: 'me' }) })
  expect(plan).toContain('SEARCH vatoms USING COVERING INDEX vatoms_by_parent (parent_id=?)')
  expect(plan).not.toMatch(/TEMP B-TREE|MULTI-INDEX/)
})

test('how many of a variation are in a folder is counted in an index alone, which has none of those at the root', async () => {
  const query = folderQueries.countIn
  const plan = await planOf({ sql: query.sql(), parameters: query.bind({ folder: 'f', variation: 'v' }) })
  expect(plan).toBe('SEARCH vatoms USING COVERING INDEX vatoms_in_folders (parent_id=? AND template_variation=?)')
})

test('how many of each variation a user has is counted in an index alone, some at a time', async () => {
  const index = 'SEARCH vatoms USING COVERING INDEX vatoms_of_variations'
  const { nextVariation, counted } = inventoryQueries
  const next = { sql: nextVariation.sql(), parameters: nextVariation.bind({ owner: 'me', after: 'v' }) }
  expect(await planOf(next)).toBe(`${index} (owner=? AND template_variation>?)`)
  const parameters = counted.bind({ owner: 'me', variation: 'v', after: 9, limit: 9 })
  expect(await planOf({ sql: counted.sql(), parameters })).toContain(
    `${index} (owner=? AND template_variation=? AND rowid>?)`,
  )
})

test('what was found is read by number', async () => {
  for (const query of Object.values(foundQueries)) {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '[]') ?? [] })
    expect(plan).not.toMatch(/SCAN vatoms/)
  }
})

test.each(Object.entries(inventoryQueries))(
  'what is asked of an inventory (%s) scans no table',
  async (name, query) => {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '0') ?? [] })
    expect(plan).not.toMatch(/SCAN vatoms/)
    // A hundred ids at most are put in the order they were asked in.
    if (name !== 'named') expect(plan).not.toMatch(/TEMP B-TREE/)
  },
)

const indexed = {
  ...messageQueries,
  ...folderQueries,
  ...eventQueries,
  ...heldQueries,
  ...parentQueries,
  ...draftQueries,
  ...runQueries,
  ...reservedQueries,
}
test.each(Object.entries(indexed))(
  'what is asked of messages, folders, events, held vAtoms, child policies, drafts and runs (%s) scans and sorts nothing',
  async (_name, query) => {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '0') ?? [] })
    // What a recursion has found is in no table, and of the last numbers there are as many as tables.
    expect(plan.replace(/SCAN (above|CONSTANT ROW|json_each|sqlite_sequence)/g, '')).not.toMatch(/SCAN|TEMP B-TREE/)
  },
)

test.each([
  ['templates', templateLists.page],
  ['variations', variationLists.page],
])(
  'a list of %s merges what is its publisher’s and what is public, and reads no other records',
  async (table, query) => {
    const plan = await planOf({ sql: query.sql(), parameters: query.bind({ publisher: 'a', ...page }) })
    expect(plan.split('\n')).toEqual([
      'MERGE (UNION ALL)',
      'LEFT',
      `SEARCH ${table} USING COVERING INDEX ${table}_by_publisher (publisher_fqdn=?)`,
      'RIGHT',
      `SCAN ${table} USING COVERING INDEX ${table}_public`,
    ])
  },
)

test('a list of the variations of a template reads an index alone', async () => {
  const parameters = variationLists.pageOfTemplate.bind({ publisher: 'a', template: 't', ...page })
  expect(await planOf({ sql: variationLists.pageOfTemplate.sql(), parameters })).toBe(
    'SEARCH variations USING COVERING INDEX variations_by_template (template=?)',
  )
})

test.each(Object.entries(namerQueries))('the %s of actions with a reactor read an index alone', async (_, query) => {
  const parameters = query.bind({ publisher_fqdn: 'a', reactor: 'a://b', limit: 3 })
  expect(await planOf({ sql: query.sql(), parameters })).toMatch(
    /^SEARCH actions USING (COVERING )?INDEX actions_by_reactor \(<expr>=\? AND name>\? AND name<\?\)$/,
  )
})

test.each(Object.entries(publisherQueries))('%s are read from the index of those who are of one', async (_, query) => {
  const plan = await planOf({ sql: query.sql(), parameters: [] })
  expect(plan).toContain('USING COVERING INDEX users_of_publishers')
  expect(plan).not.toMatch(/SCAN users(?! USING COVERING INDEX users_of_publishers)|TEMP B-TREE/)
})

test('a count reads indexes alone', async () => {
  const plan = await planOf(countQuery(await walkTo({ caller: 'me', filters: category }), part))
  expect(plan).toMatch(/COVERING INDEX vatoms_by_owner/)
  expect(plan).toMatch(/COVERING INDEX vatoms_public/)
})

test.each([
  'SELECT * FROM users WHERE id = ?',
  'SELECT * FROM user_tokens WHERE token_type = ? AND token = ?',
  'SELECT * FROM user_tokens WHERE user_id = ?',
  'SELECT * FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.id = ?',
  'SELECT * FROM templates WHERE name = ?',
  'SELECT * FROM variations WHERE template = ?',
  'SELECT json FROM faces WHERE template = ? ORDER BY seq',
  'SELECT json FROM actions WHERE template = ? ORDER BY seq LIMIT ? OFFSET ?',
  'SELECT json, publisher_fqdn FROM actions JOIN templates ON templates.name = template WHERE actions.name = ?',
  'SELECT * FROM action_handlers WHERE publisher_fqdn = ? ORDER BY reactor',
  'SELECT * FROM assets WHERE id = ?',
  'SELECT * FROM assets WHERE publisher_fqdn = ? ORDER BY seq LIMIT ? OFFSET ?',
  'SELECT count(*) FROM vatoms WHERE template_variation = ?',
  'SELECT 1 FROM vatoms WHERE template = ? AND +owner = ? LIMIT 1',
  'SELECT json FROM vatoms WHERE id = ?',
  'SELECT id FROM vatoms WHERE parent_id = ?',
  'SELECT * FROM codes WHERE token_id = ? AND kind = ?',
  'UPDATE vatoms SET owner = ? WHERE owner = ?',
  'DELETE FROM action_runs WHERE user_id = ?',
  'DELETE FROM action_runs WHERE limited = ?',
  'DELETE FROM limited_actions WHERE action = ?',
  'DELETE FROM messages WHERE user_id = ?',
  'DELETE FROM threads WHERE user_id = ?',
  'DELETE FROM sessions WHERE user_id = ?',
  'DELETE FROM user_tokens WHERE user_id = ?',
  'DELETE FROM codes WHERE token_id = ?',
  'SELECT key FROM record_changes WHERE template = ? AND kind = ? AND changed >= ? ORDER BY changed',
])('%s uses an index', async (sql) => {
  const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => 'x') ?? [] })
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
})
