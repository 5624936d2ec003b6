import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { inManyTurns, type Writing } from '../../../../src/server/store/database/transactions.ts'

test.each<[string, (writing: Writing, fail: () => never) => Promise<unknown>]>([
  ['in a write', (writing, fail) => writing.write(fail)],
  ['between two', async (_, fail) => fail()],
])('what failed %s is said, also where SQLite has rolled back itself, as on a full disk', async (_, work) => {
  const db = await openSqlite(':memory:')
  onTestFinished(() => db.close())
  const fail = () => {
    db.exec('ROLLBACK')
    throw new Error('the disk is full')
  }
  await expect(inManyTurns(db, 'ROLLBACK', (writing) => work(writing, fail))).rejects.toThrow('the disk is full')
  expect(await inManyTurns(db, 'COMMIT', async () => 'next')).toBe('next')
})
