import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../../src/server/store/database/open-database.ts'
import type { Sqlite } from '../../../../src/server/store/database/sqlite.ts'
import { Writes } from '../../../../src/server/store/database/writes.ts'
import { processorTime } from '../../../../src/server/store/slices.ts'

async function world() {
  const db = await openDatabase(':memory:')
  db.exec('CREATE TABLE notes (text TEXT)')
  const commits: string[] = []
  const watched: Sqlite = {
    exec: (sql) => {
      commits.push(sql)
      db.exec(sql)
    },
    prepare: (sql) => db.prepare(sql),
    close: () => db.close(),
    function: (...rest) => db.function(...rest),
  }
  const note = (text: string) => db.prepare('INSERT INTO notes VALUES (?)').run(text)
  const notes = () =>
    db
      .prepare('SELECT text FROM notes')
      .all()
      .map((row) => Object(row).text)
  const rollBack = () => db.exec('ROLLBACK')
  return {
    rollBack,
    writes: new Writes(watched),
    note,
    notes,
    commits: () => commits.filter((sql) => sql === 'COMMIT').length,
  }
}

test('writes that wait together share commits', async () => {
  const { writes, note, notes, commits } = await world()
  const texts = Array.from({ length: 60 }, (_, index) => `note ${index}`)
  await Promise.all(texts.map((text) => writes.run(() => note(text))))
  expect(notes()).toEqual(texts)
  expect(commits()).toBeLessThan(20)
})

test('one that fails takes no other with it', async () => {
  const { writes, note, notes } = await world()
  const failing = writes.run(() => {
    note('half')
    throw new Error('refused')
  })
  const [a, b, c] = await Promise.allSettled([writes.run(() => note('a')), failing, writes.run(() => note('c'))])
  expect([a.status, b.status, c.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(notes()).toEqual(['a', 'c'])
})

test('a write answers with its value', async () => {
  const { writes } = await world()
  expect(await writes.run(() => 42)).toBe(42)
})

test('a write begins in a later turn of the event loop than it is asked for in', async () => {
  const { writes, note, notes } = await world()
  const written = writes.run(() => note('a'))
  const inTheSame = await new Promise<unknown[]>((resolve) => setImmediate(() => resolve(notes())))
  expect(inTheSame).toEqual([])
  await written
  expect(notes()).toEqual(['a'])
})

test('nothing is answered before it is committed', async () => {
  const { writes, note, commits } = await world()
  await writes.run(() => note('a'))
  expect(commits()).toBe(1)
})

test('a commit that fails fails every write of it', async () => {
  const { writes, note, notes } = await world()
  const closing = writes.run(() => {
    note('a')
    throw Object.assign(new Error('disk full'), { errcode: 13 })
  })
  await expect(closing).rejects.toThrow('disk full')
  expect(notes()).toEqual([])
})

test('one that ends the whole transaction is the reason for all of it, and what comes after it is written', async () => {
  const { writes, note, notes, rollBack } = await world()
  // However busy the machine is, the three share a transaction.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  const full = Object.assign(new Error('disk full'), { errcode: 13 })
  const before = writes.run(() => note('a'))
  const ending = writes.run(() => {
    rollBack()
    throw full
  })
  const after = writes.run(() => note('c'))
  const outcomes = await Promise.allSettled([before, ending, after])
  expect(outcomes).toMatchObject([{ reason: full }, { reason: full }, { status: 'fulfilled' }])
  expect(notes()).toEqual(['c'])
})

test('what waits is done before the queue is idle', async () => {
  const { writes, note, notes } = await world()
  void writes.run(() => note('a'))
  void writes.run(() => note('b')).then(() => writes.run(() => note('c')))
  await writes.drained()
  expect(notes().slice(0, 2)).toEqual(['a', 'b'])
  await expect(writes.drained()).resolves.toBeUndefined()
})

test('writes that take long are committed one by one, in their order, and others are answered between', async () => {
  const { writes, note, notes, commits } = await world()
  const long = (text: string) => {
    note(text)
    for (const end = processorTime() + 6; processorTime() < end; );
    return commits()
  }
  const before = await Promise.all(['a', 'b', 'c', 'd'].map((text) => writes.run(() => long(text))))
  expect(notes()).toEqual(['a', 'b', 'c', 'd'])
  expect(before).toEqual([0, 1, 2, 3])
})

test('lines share the time: whoever has much to write keeps nobody else waiting for it', async () => {
  const { writes, note, notes } = await world()
  const eve = Array.from({ length: 50 }, () => writes.run(() => note('eve'), { line: ['there', 'eve'] }))
  const ann = writes.run(() => note('ann'), { line: ['here', 'ann'] })
  await Promise.all([...eve, ann])
  expect(notes()).toHaveLength(51)
  expect(notes().indexOf('ann')).toBeLessThan(5)
})

test('writes that wait long for the disk, and take no processor time, are committed one by one', async () => {
  const { writes, note, notes, commits } = await world()
  const sleeping = new Int32Array(new SharedArrayBuffer(4))
  const slow = (text: string) => {
    note(text)
    Atomics.wait(sleeping, 0, 0, 40)
    return commits()
  }
  expect(await Promise.all(['a', 'b', 'c'].map((text) => writes.run(() => slow(text))))).toEqual([0, 1, 2])
  expect(notes()).toEqual(['a', 'b', 'c'])
})
