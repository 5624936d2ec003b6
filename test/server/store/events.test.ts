import { expect, onTestFinished, test } from 'vitest'
import type { NewEvent } from '../../../src/server/store/events.ts'
import { openStore } from '../../../src/server/store/store.ts'

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
    all: () => store.events.after(0, 100_000),
  }
}

test('the newest ten thousand events are kept, and a few more', async () => {
  const { add, all, last } = await events()
  await add(10_000, noon)
  await add(500, noon)
  expect(all().length).toBeGreaterThanOrEqual(10_000)
  expect(all().length).toBeLessThan(10_064)
  expect(all().at(-1)?.seq).toBe(last())
})

test('what one write adds is kept until the next, however much it is, and then removed some at a time', async () => {
  const { add, all } = await events()
  await add(10_200, noon)
  expect(all()).toHaveLength(10_200)
  await add(12_000, noon)
  expect(all()).toHaveLength(12_000)
  expect(all()[0]?.seq).toBe(10_201)
  await add(64, noon)
  expect(all()).toHaveLength(12_064 - 512)
  for (let times = 0; times < 5; times++) await add(64, noon)
  expect(all().length).toBeLessThan(10_064)
})

test('what a write that failed had added is not taken for settled', async () => {
  const { add, all, fail } = await events()
  await fail(12_000, noon)
  await add(12_000, noon)
  expect(all()).toHaveLength(12_000)
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
