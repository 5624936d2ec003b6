import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/server/store/database/open-database.ts'
import type { SqlValue } from '../../../../src/server/store/database/sqlite.ts'
import { eventQueries } from '../../../../src/server/store/events.ts'
import { messageQueries } from '../../../../src/server/store/messages.ts'
import { type MapSearch, mapQuery, positionsQuery } from '../../../../src/server/store/search/geo.ts'
import { inventoryQueries } from '../../../../src/server/store/search/inventory.ts'
import { addMatch } from '../../../../src/server/store/search/operators.ts'
import { countQuery, pageQuery, type Search } from '../../../../src/server/store/search/search.ts'
import { folderQueries } from '../../../../src/server/store/vatoms/vatom-folders.ts'

async function planOf({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) {
  const db = await openDatabase(':memory:')
  addMatch(db)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SqlValue[]))
  db.close()
  return steps.map((step) => String(Object(step).detail)).join('\n')
}

const prefix = 'vAtom::vAtomType.'
const category = [{ filter_elems: [{ field: `${prefix}category`, filter_op: 'Eq' as const, value: 'Coupons' }] }]
const searches: Record<string, Search> = {
  plain: { caller: 'me' },
  'by category': { caller: 'me', filters: category },
  "one's own": { caller: 'me', scope: { key: `${prefix}owner`, value: '$currentuser' } },
}

test.each(Object.entries(searches))(
  'a page (%s) reads indexes in their order and sorts nothing',
  async (_name, search) => {
    const plan = await planOf(pageQuery(search, 100, 0))
    expect(plan).toMatch(/USING COVERING INDEX vatoms_by_owner/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
    expect(plan).not.toMatch(/SCAN vatoms(?! USING)/)
    expect(plan.includes('vatoms_public')).toBe(!search.scope)
  },
)

test.each(['template', 'template_variation', 'parent_id', 'publisher_fqdn'])(
  'a scope on %s scans no table',
  async (key) => {
    const scope = { key: prefix + key, value: 'x' }
    expect(await planOf(pageQuery({ caller: 'me', scope }, 100, 0))).not.toMatch(/SCAN vatoms(?! USING)/)
  },
)

const container = (page?: { limit: number; offset: number }): Search => ({
  caller: 'me',
  scope: { key: `${prefix}parent_id`, value: 'c' },
  containers: new Map([['c', { filters: category, page }]]),
})

test('a look into a discover container reads the same indexes in their order', async () => {
  const plan = await planOf(pageQuery(container(), 100, 0))
  expect(plan).toMatch(/USING COVERING INDEX vatoms_by_owner/)
  expect(plan).toMatch(/USING COVERING INDEX vatoms_public/)
  expect(plan).not.toMatch(/TEMP B-TREE/)
})

test('a look into one that shows a page finds that by the same indexes, and reads those rows alone', async () => {
  const plan = await planOf(pageQuery(container({ limit: 10, offset: 0 }), 100, 0))
  expect(plan).toMatch(/USING COVERING INDEX vatoms_by_owner/)
  expect(plan).toMatch(/USING INTEGER PRIMARY KEY/)
  expect(plan).not.toMatch(/SCAN vatoms(?! USING)/)
})

const map: MapSearch = { caller: 'me', boxes: [{ west: 0, east: 1, south: 0, north: 1 }], filter: 'vatoms' }

test.each([
  ['vAtoms', mapQuery(map, 100)],
  ['positions', positionsQuery(map)],
  ['both sides of the antimeridian', mapQuery({ ...map, boxes: [...map.boxes, ...map.boxes] }, 100)],
])('the map (%s) is searched by its tree, and nothing else is scanned', async (_what, search) => {
  const plan = await planOf(search)
  // The name of a tree's index says which bounds are looked at: D is at most, B at least.
  expect(plan).toMatch(/SCAN positions VIRTUAL TABLE INDEX 2:[A-E]\d[A-E]\d[A-E]\d[A-E]\d/)
  expect(plan).not.toMatch(/SCAN (vatoms|variations)/)
})

test.each(Object.entries(inventoryQueries))(
  'what is asked of an inventory (%s) scans no table',
  async (name, query) => {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '0') ?? [] })
    expect(plan).not.toMatch(/SCAN vatoms/)
    // A hundred ids at most are put in the order they were asked in.
    // Counts are grouped by variation.
    if (name !== 'named' && name !== 'ofVariations') expect(plan).not.toMatch(/TEMP B-TREE/)
    if (name === 'inside') expect(plan).toMatch(/vatoms_by_parent/)
    if (name === 'atRoot') expect(plan).toMatch(/vatoms_by_owner/)
  },
)

test.each(Object.entries({ ...messageQueries, ...folderQueries, ...eventQueries }))(
  'what is asked of messages, folders and events (%s) scans and sorts nothing',
  async (_name, query) => {
    const sql = query.sql()
    const plan = await planOf({ sql, parameters: sql.match(/\?/g)?.map(() => '0') ?? [] })
    // What a recursion has found is in no table.
    expect(plan.replace(/SCAN (inside|above|CONSTANT ROW)/g, '')).not.toMatch(/SCAN|TEMP B-TREE/)
  },
)

test('a count reads indexes alone', async () => {
  const plan = await planOf(countQuery({ caller: 'me', filters: category }))
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
  'SELECT count FROM action_runs WHERE action = ? AND user_id = ?',
  'SELECT * FROM codes WHERE token_id = ? AND kind = ?',
  'UPDATE vatoms SET owner = ? WHERE owner = ?',
  'DELETE FROM action_runs WHERE user_id = ?',
  'DELETE FROM action_runs WHERE action = ?',
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
