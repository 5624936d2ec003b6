import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'

/** A store with deleted faces of one template, by the milliseconds at which each was deleted. */
async function deletedAt(times: readonly number[]) {
  const path = newDatabase()
  const store = await openStore(path)
  onTestFinished(() => store.close())
  const db = await openSqlite(path)
  db.exec('PRAGMA foreign_keys = OFF')
  const add = db.prepare(`INSERT INTO record_changes VALUES ('face', ?, 't', 0, ?, '{}')`)
  db.exec('BEGIN')
  for (const [index, at] of times.entries()) add.run(`f${index}`, at)
  db.exec('COMMIT')
  db.close()
  return store
}

test.each([
  ['many of one millisecond at the end of a part', [...Array(990).keys(), ...Array(1500).fill(995), 1000, 1001]],
  ['more of one millisecond than a part has', [...Array(2500).fill(5), 6]],
  ['as many as a part has', [...Array(1000).keys()]],
  ['none', []],
])('changes that are read some at a time are all there, once each: %s', async (_, times) => {
  const store = await deletedAt(times)
  expect([...store.faces.changesSince('t', 0)]).toHaveLength(times.length)
  expect([...store.faces.changesSince('t', 6)]).toHaveLength(times.filter((at) => at >= 6).length)
})
