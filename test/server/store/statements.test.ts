import { afterEach, expect, test, vi } from 'vitest'
import { Connection } from '../../../src/server/store/query.ts'
import { action, outputOf, perform } from '../../support/acting.ts'
import { emitted, testService } from '../../support/service.ts'

afterEach(() => void vi.restoreAllMocks())

/** How many statements work runs, besides those of its transaction. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const methods = ['first', 'rows', 'rowsOf', 'run', 'append'] as const
  const spies = methods.map((name) => vi.spyOn(Connection.prototype, name))
  await work()
  return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

async function world() {
  const { publisher, register } = await testService()
  const bob = await register('bob@example.com')
  const [first, second] = await emitted(publisher, 'local.vatom::T', 2, { transferable: true })
  await action(publisher, 'local.vatom::T', 'Transfer')
  const give = async (id: unknown) => outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
  return { publisher, first, second, give }
}

test('an emission inserts its vAtoms and one event; what is known is not read again', async () => {
  const { publisher } = await world()
  const emit = async () => {
    const body = { template_variation: 'local.vatom::T::V', num: 3 }
    expect(await publisher.call('POST', '/v1/vatoms', { body })).toMatchObject({ status: 200 })
  }
  await emit()
  // The third is the number of the last event, once for each commit.
  expect(await statementsOf(emit)).toBeLessThanOrEqual(3)
})

test('a transfer writes the vAtom once, and reads each row at most once between two writes', async () => {
  const { first, second, give } = await world()
  await give(first)
  // Two of them ask whether the vAtom is held for an address, and one how large it is.
  expect(await statementsOf(() => give(second))).toBeLessThanOrEqual(13)
})
