import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import type { NewEvent } from '../../../src/server/store/events.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'

const noon = Date.parse('2027-03-01T12:00:00Z')

async function events() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const event = { msg_type: 'my_events', user_id: 'u', lat: null, lon: null, payload: '{}' } satisfies Partial<NewEvent>
  return {
    ...store.events,
    add: (count: number, created: number) =>
      store.write(() => {
        for (let index = 0; index < count; index++) store.events.append({ ...event, created })
      }),
    fail: (count: number, created: number) =>
      store
        .write(() => {
          for (let index = 0; index < count; index++) store.events.append({ ...event, created })
          throw new Error('undone')
        })
        .catch(() => undefined),
    all: () => store.events.after(0, 2 * limits.events),
  }
}

test('the newest events are kept, as many as the limit says, and a few more', async () => {
  const { add, all, last } = await events()
  await add(limits.events, noon)
  await add(500, noon)
  expect(all().length).toBeGreaterThanOrEqual(limits.events)
  expect(all().length).toBeLessThan(limits.events + 64)
  expect(all().at(-1)?.seq).toBe(last())
})

test('what one write adds is kept until the next, however much it is, and then removed some at a time', async () => {
  const { add, all } = await events()
  const { events: most } = limits
  await add(most + 200, noon)
  expect(all()).toHaveLength(most + 200)
  await add(most + 2000, noon)
  expect(all()).toHaveLength(most + 2000)
  expect(all()[0]?.seq).toBe(most + 201)
  await add(64, noon)
  expect(all()).toHaveLength(most + 2064 - 512)
  for (let times = 0; times < 5; times++) await add(64, noon)
  expect(all().length).toBeLessThan(most + 64)
})

test('what a write that failed had added is not taken for settled', async () => {
  const { add, all, fail } = await events()
  await fail(limits.events + 2000, noon)
  await add(limits.events + 2000, noon)
  expect(all()).toHaveLength(limits.events + 2000)
})

test('events are kept for ten minutes, and forgotten as others come', async () => {
  const { add, all } = await events()
  await add(100, noon)
  await add(100, noon + 600_000)
  expect(all()).toHaveLength(200)
  await add(100, noon + 600_001)
  expect(all()).toHaveLength(200)
})

test('numbers are never used again', async () => {
  const { add, all, last } = await events()
  await add(64, noon)
  await add(64, noon + 600_001)
  expect(all().map(({ seq }) => seq)).toEqual(Array.from({ length: 64 }, (_, index) => index + 65))
  expect(last()).toBe(128)
})

test('the number of the last one is known where events were removed, as from a copy', async () => {
  const db = newDatabase()
  const store = await openStore(db)
  const event = { msg_type: 'my_events', user_id: 'u', lat: null, lon: null, payload: '{}', created: noon }
  await store.write(() => store.events.append(event))
  await store.close()
  const file = await openDatabase(db)
  file.exec('DELETE FROM events')
  file.close()
  const again = await openStore(db)
  onTestFinished(() => again.close())
  expect(again.events.last()).toBe(1)
})
