import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/server/store/store.ts'

/** A ledger with so many writes of two publishers: of each three, one costs a unit, and the others cost the other two. */
async function ledgerWith(count: number) {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const entry = {
    subject: 's',
    network: 'mainnet',
    symbol: 'x',
    entry: 'contract',
    field: null,
    type: null,
    value: null,
  }
  await store.write(() => {
    for (let n = 1; n <= count; n++) {
      const [publisher_fqdn, units] = n % 3 === 0 ? ['one.example', 1] : ['two.example', 2]
      store.ledger.append({ ...entry, publisher_fqdn, units, when_written: `write ${n}` })
    }
  })
  return store
}

test('a line has each charge of a short ledger, by publisher', async () => {
  const store = await ledgerWith(5)
  expect(Object.fromEntries(await store.slices.run(() => store.ledger.chargedOverTime()))).toEqual({
    'one.example': { writes: 1, points: [{ when: 'write 3', charged: 1 }] },
    'two.example': {
      writes: 4,
      points: [
        { when: 'write 1', charged: 2 },
        { when: 'write 2', charged: 4 },
        { when: 'write 4', charged: 6 },
        { when: 'write 5', charged: 8 },
      ],
    },
  })
})

test('a line of a long ledger has few points, in steps, and ends with all that was charged', async () => {
  const store = await ledgerWith(12_000)
  const steps = store.ledger.chargedOverTime()
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  expect(count).toBe(3)
  const two = step.value.get('two.example')
  expect(two?.points).toHaveLength(200)
  expect([two?.writes, two?.points.at(-1)]).toEqual([8000, { when: 'write 11999', charged: 16_000 }])
  expect(two?.points[0]).toEqual({ when: 'write 59', charged: 80 })
})

test('an empty ledger has no line', async () => {
  const store = await ledgerWith(0)
  expect(await store.slices.run(() => store.ledger.chargedOverTime())).toEqual(new Map())
})

test.each([
  ['all', null, (n: number) => n],
  ['a publisher', 'one.example', (n: number) => 3 * n],
])(
  'a page of %s goes on where the one before it ended, and looks at some thousand writes in each step',
  async (_, publisher, nth) => {
    const store = await ledgerWith(12_000)
    const page = (offset: number) => {
      const steps = store.ledger.page({ publisher, limit: 1000, offset })
      let count = 0
      let step = steps.next()
      for (; !step.done; step = steps.next()) count++
      return { rows: step.value.map(({ seq }) => seq), count }
    }
    const numbers = (from: number) => Array.from({ length: 1000 }, (_, index) => nth(from + index + 1))
    expect(page(0)).toEqual({ rows: numbers(0), count: 1 })
    expect(page(1000).rows).toEqual(numbers(1000))
    expect(page(2500)).toEqual({ rows: numbers(2500), count: publisher ? 3 : 1 })
    expect(page(12_000)).toEqual({ rows: [], count: 3 })
  },
)
