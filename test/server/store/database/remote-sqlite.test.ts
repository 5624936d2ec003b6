import { expect, onTestFinished, test } from 'vitest'
import { RemoteSqlite } from '../../../../src/server/store/database/remote-sqlite.ts'
import { isBusy, openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { newDatabase } from '../../../support/folders.ts'

async function opened() {
  const path = newDatabase()
  const remote = await RemoteSqlite.open(path)
  if (!remote) throw new Error('no thread can load SQLite here')
  onTestFinished(() => remote.end())
  const local = await openSqlite(path)
  onTestFinished(() => local.close())
  local.exec(
    'PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; CREATE TABLE things (seq INTEGER PRIMARY KEY, name TEXT)',
  )
  return { remote, local }
}

test('a connection in another thread answers as any other', async () => {
  const { remote, local } = await opened()
  const insert = remote.prepare('INSERT INTO things (name) VALUES (?)')
  expect(insert.run('a')).toEqual({ changes: 1, lastInsertRowid: 1 })
  expect(insert.run(null)).toEqual({ changes: 1, lastInsertRowid: 2 })
  expect(remote.prepare('SELECT name FROM things WHERE seq = ?').get(1)).toEqual({ name: 'a' })
  expect(remote.prepare('SELECT name FROM things WHERE seq = ?').get(3)).toBeUndefined()
  expect(remote.prepare('SELECT * FROM things ORDER BY seq').all()).toEqual(
    local.prepare('SELECT * FROM things ORDER BY seq').all(),
  )
  expect(() => remote.prepare('SELECT none').get()).toThrow('no such column: none')
})

test('functions are called in the thread that gave them', async () => {
  const { remote } = await opened()
  remote.function('twice', { deterministic: true }, (text) => `${text}${text}`)
  expect(remote.prepare("SELECT twice('a') || twice('b') AS found").get()).toEqual({ found: 'aabb' })
})

test('another connection reads what is committed aside, and nothing before', async () => {
  const { remote, local } = await opened()
  const count = () => Object(local.prepare('SELECT count(*) AS count FROM things').get()).count
  remote.exec('BEGIN IMMEDIATE')
  remote.exec("INSERT INTO things (name) VALUES ('a')")
  expect(() => local.exec('BEGIN IMMEDIATE')).toThrow(expect.toSatisfy(isBusy))
  expect(count()).toBe(0)
  await remote.aside('COMMIT')
  expect(count()).toBe(1)
  local.exec('BEGIN IMMEDIATE')
  await expect(remote.aside('BEGIN IMMEDIATE')).rejects.toSatisfy(isBusy)
})
