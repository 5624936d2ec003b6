import { expect, onTestFinished, test } from 'vitest'
import { actionRuns, limitedActions } from '../../../src/server/store/action-runs.ts'
import { actionHandlers, actions } from '../../../src/server/store/actions.ts'
import { assets } from '../../../src/server/store/assets.ts'
import { catalogLabels } from '../../../src/server/store/catalog-labels.ts'
import { ledger } from '../../../src/server/store/chain-writes.ts'
import { codes, codeTries, outbox } from '../../../src/server/store/codes.ts'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import { events } from '../../../src/server/store/events.ts'
import { faces } from '../../../src/server/store/faces.ts'
import { heirs, heldVatoms } from '../../../src/server/store/held-vatoms.ts'
import { loginFailures } from '../../../src/server/store/login-failures.ts'
import { messages, threads } from '../../../src/server/store/messages.ts'
import { Connection } from '../../../src/server/store/query.ts'
import { reservedRuns } from '../../../src/server/store/reserved-runs.ts'
import { sessions } from '../../../src/server/store/sessions.ts'
import { settings } from '../../../src/server/store/settings.ts'
import { fixed, integer, nullable, table, text } from '../../../src/server/store/table.ts'
import { recordChanges } from '../../../src/server/store/template-records.ts'
import { templates } from '../../../src/server/store/templates.ts'
import { users, userTokens } from '../../../src/server/store/users.ts'
import { variationChildren, variations } from '../../../src/server/store/variations.ts'
import { vatoms } from '../../../src/server/store/vatoms/vatoms.ts'

async function opened() {
  const db = await openDatabase(':memory:')
  onTestFinished(() => db.close())
  return db
}

const declared = [
  actionHandlers,
  actionRuns,
  catalogLabels,
  actions,
  assets,
  codes,
  codeTries,
  events,
  faces,
  heirs,
  heldVatoms,
  ledger,
  limitedActions,
  loginFailures,
  messages,
  outbox,
  recordChanges,
  reservedRuns,
  sessions,
  settings,
  templates,
  threads,
  userTokens,
  users,
  variationChildren,
  variations,
  vatoms,
]

test.each(declared.map((one) => [one.name, one] as const))(
  'the columns of %s are those of the migrated schema',
  async (name, { columns }) => {
    const found = (await opened()).prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`).all()
    const schema = found.map(Object).map(({ name, type, notnull, pk }) => [name, { type, isNullable: !notnull && !pk }])
    const ours = Object.entries(columns).map(([name, { type, isNullable }]) => [name, { type, isNullable }])
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(schema))
  },
)

test('every table of the schema is declared, but for the tree of positions', async () => {
  const sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
  const names = (await opened())
    .prepare(sql)
    .all()
    .map((row) => String(Object(row).name))
  expect(names.sort()).toEqual(declared.map(({ name }) => name).sort())
})

const notes = table('notes', {
  key: ['id'],
  columns: { seq: integer, id: text, owner: fixed(text), order: nullable(integer), json: text },
})

async function withNotes() {
  const db = await opened()
  db.exec(
    'CREATE TABLE notes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, "order" INTEGER, json TEXT NOT NULL) STRICT',
  )
  return new Connection(db)
}
const note = (id: string, owner = 'me', order: number | null = null) => ({ id, owner, order, json: `{"${id}":1}` })

test('a row is read as it was inserted, with its number', async () => {
  const db = await withNotes()
  expect(db.append(notes.insert, note('a'))).toBe(1)
  expect(db.run(notes.insert, note('b', 'you', 7))).toBe(1)
  expect(db.first(notes.find, { id: 'b' })).toEqual({ seq: 2, ...note('b', 'you', 7) })
  expect(db.first(notes.find, { id: 'c' })).toBeUndefined()
})

test('update writes all columns but the key and the fixed ones, set writes those it names', async () => {
  const db = await withNotes()
  db.run(notes.insert, note('a'))
  db.run(notes.insert, note('b'))
  expect(db.run(notes.update, { seq: 9, id: 'a', owner: 'you', order: 3, json: '{}' })).toBe(1)
  expect(db.first(notes.find, { id: 'a' })).toEqual({ seq: 1, id: 'a', owner: 'me', order: 3, json: '{}' })
  db.run(notes.set('owner'), { id: 'a', owner: 'you' })
  expect(db.first(notes.find, { id: 'a' })).toMatchObject({ owner: 'you', order: 3 })
  expect(db.first(notes.find, { id: 'b' })).toMatchObject(note('b'))
})

test('rows are selected by their values, in an order, page by page, and counted', async () => {
  const db = await withNotes()
  for (const [id, owner] of [
    ['a', 'me'],
    ['b', 'you'],
    ['c', 'me'],
    ['d', 'me'],
  ] as const)
    db.run(notes.insert, note(id, owner))
  const mine = { read: ['id'], where: ['owner'], order: ['seq DESC'] } as const
  expect(db.rows(notes.select(mine), { owner: 'me' })).toEqual([{ id: 'd' }, { id: 'c' }, { id: 'a' }])
  expect(db.rows(notes.page(mine), { owner: 'me', limit: 1, offset: 1 })).toEqual([{ id: 'c' }])
  expect(db.rows(notes.select({ order: ['seq'] }), {})).toHaveLength(4)
  expect(db.first(notes.count('owner'), { owner: 'me' })).toEqual({ count: 3 })
})

test('a row replaces the one with its key, and is removed by it', async () => {
  const db = await withNotes()
  db.run(notes.insert, note('a'))
  db.run(notes.replace, note('a', 'you'))
  expect(db.rows(notes.select({}), {})).toMatchObject([note('a', 'you')])
  expect(db.run(notes.remove, { id: 'a' })).toBe(1)
  expect(db.run(notes.remove, { id: 'a' })).toBe(0)
})
