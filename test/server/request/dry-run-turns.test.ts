import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { CopyBounds } from '../../../src/server/request/copy-bounds.ts'
import type { DryRunAsker, Step } from '../../../src/server/request/dry-run.ts'
import { DryRuns } from '../../../src/server/request/dry-runs.ts'
import { gate } from '../../support/action-handler.ts'
import { testService } from '../../support/service.ts'

/** The environment in which a service carries out dry runs. */
async function environmentOf({ publisher }: Awaited<ReturnType<typeof testService>>) {
  const alone = vi.spyOn(DryRuns.prototype, 'alone')
  onTestFinished(() => alone.mockRestore())
  await publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ann' }, headers: { 'vatom-dry-run': 'true' } })
  const [environment] = alone.mock.calls[0] ?? []
  if (!environment) throw new Error('no dry run was carried out')
  return environment
}

/** Who asks: `eve@1` is a user, at an address; `publisher@1` one of the service. */
function asker(text: string, isGone = () => false): DryRunAsker {
  const [user = '', place = ''] = text.split('@')
  return { caller: user, user, place, isFirst: user === 'publisher', isGone }
}

const stepOf = (carryOut: () => Promise<unknown>): Step => ({ carryOut, remembered: { carryOut, size: 0 } })

test('a user has one dry run at a time, others write between two of them, and those of closed connections are dropped', async () => {
  const environment = await environmentOf(await testService())
  const dryRuns = new DryRuns()
  const log: string[] = []
  const writes: Promise<unknown>[] = []
  const run = (name: string, isGone = false) =>
    dryRuns.alone(
      environment,
      asker('eve@1', () => isGone),
      stepOf(async () => {
        log.push(name)
        if (name === 'first') writes.push(environment.store.write(() => log.push('write')))
      }),
    )
  const all = [run('first'), run('second'), run('dropped', true), run('third')]
  const outcomes = await Promise.allSettled(all)
  await Promise.all(writes)
  expect(log).toEqual(['first', 'write', 'second', 'third'])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('addresses share the places of dry runs, also if each user has one, and a publisher of the service keeps theirs', async () => {
  const environment = await environmentOf(await testService())
  const dryRuns = new DryRuns()
  const next = (who: string, changes: number) =>
    dryRuns
      .following(
        environment,
        { id: 'a', changes, ...asker(who) },
        stepOf(async () => {}),
      )
      .then(
        () => 'predicted',
        ({ kind }) => kind,
      )
  const begin = async (...all: string[]) => {
    const outcomes = []
    for (const who of all) outcomes.push(await next(who, 0))
    return outcomes.filter((one) => one !== 'predicted')
  }
  const users = Array.from({ length: limits.dryRuns }, (_, index) => `eve${index}@1`)
  expect(await begin('publisher@1', ...users, 'ann@2', 'bob@1', 'mia@2')).toEqual([])
  for (const who of ['publisher@1', 'ann@2', 'bob@1', 'mia@2', 'eve9@1']) expect(await next(who, 1)).toBe('predicted')
  for (const who of ['eve0@1', 'eve1@1', 'eve2@1', 'eve3@1']) expect(await next(who, 1)).toBe('dryRunLost')
  expect(await begin(...users.slice(3).map((_, index) => `user${index}@${index + 3}`))).toEqual([])
  expect(await begin('new@new', 'publisher@2')).toEqual(['busy'])
})

const nothing = stepOf(async () => {})

/** The first place in a dry run that needs a copy. */
const first = limits.dryRunRepeated + 1

/** Dry runs that have as many changes as are carried out again, and a function that sends a request of one. */
async function fullDryRuns(who: readonly string[], { step = nothing, memory }: { step?: Step; memory?: number }) {
  const environment = await environmentOf(await testService())
  const bounded = { ...environment, memory: memory ?? environment.memory }
  const dryRuns = new DryRuns()
  onTestFinished(() => dryRuns.close())
  const request = (name: string, changes: number, carriedOut = step) =>
    dryRuns.following(bounded, { id: 'a', changes, ...asker(name) }, carriedOut)
  for (const name of who) for (let changes = 0; changes < first; changes++) await request(name, changes)
  return request
}

/** Asks for the next request of such dry runs: it needs a copy. */
async function longDryRuns(who: readonly string[], step = nothing) {
  const request = await fullDryRuns(who, { step })
  return (name: string, carriedOut = step) => request(name, first, carriedOut)
}

const crowd = Array.from({ length: 8 }, (_, index) => `eve${index}@1`)
const withOthers = [...crowd, 'ann@2', 'publisher@3']

test('one copy for an address is made at a time: those for another, and for a publisher, do not wait for all', async () => {
  const order: string[] = []
  const take = vi.spyOn(CopyBounds.prototype, 'take').mockImplementation(async ({ user }) => void order.push(user))
  onTestFinished(() => take.mockRestore())
  const next = await longDryRuns(withOthers)
  await Promise.all(withOthers.map((who) => next(who)))
  expect(order).toHaveLength(withOthers.length)
  expect(order.slice(0, 3).sort()).toEqual(['ann', 'eve0', 'publisher'])
})

test('one request in a copy of an address is carried out at a time, and those of another, and of a publisher, do not wait for all', async () => {
  const take = vi.spyOn(CopyBounds.prototype, 'take').mockResolvedValue()
  onTestFinished(() => take.mockRestore())
  const next = await longDryRuns(withOthers)
  for (const who of withOthers) await next(who)
  const order: string[] = []
  await Promise.all(
    withOthers.map((who) =>
      next(
        who,
        stepOf(async () => order.push(who)),
      ),
    ),
  )
  expect(order).toHaveLength(withOthers.length)
  expect(order.slice(0, 3).sort()).toEqual(['ann@2', 'eve0@1', 'publisher@3'])
})

describe('the time to carry out earlier changes again', () => {
  /** A clock that can be set forward. */
  function clock() {
    let ahead = 0
    const now = performance.now.bind(performance)
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    onTestFinished(() => spy.mockRestore())
    return { forward: (milliseconds: number) => (ahead += milliseconds) }
  }

  test('is bounded: what takes longer is not predicted', async () => {
    const { forward } = clock()
    const next = await longDryRuns(
      ['eve@1'],
      stepOf(async () => forward(limits.dryRunTime / 8.5)),
    )
    await expect(next('eve@1')).rejects.toMatchObject({ kind: 'dryRunFull' })
  })

  test('is without what others do in between', async () => {
    const { forward } = clock()
    const next = await longDryRuns(
      ['eve@1'],
      stepOf(async () => setImmediate(forward, limits.dryRunTime / 8.5)),
    )
    await expect(next('eve@1')).resolves.toBeDefined()
  })
})

describe('copies that have to be made anew', () => {
  /** Dry runs of some in a memory that has room for six copies, and a function that removes the copies. */
  async function crowded(who: readonly string[]) {
    const take = vi.spyOn(CopyBounds.prototype, 'take')
    onTestFinished(() => take.mockRestore())
    const request = await fullDryRuns(who, { memory: 64 * 2 ** 20 })
    const remove = async () => {
      for (const [run] of take.mock.calls) await run.close()
    }
    return { request, remove, take }
  }

  test('are given up before who wants them waits for a turn: others may wait for their room', async () => {
    const { request, remove, take } = await crowded(['a@1', 'b@1'])
    const read = { ...nothing, remembered: undefined }
    for (const name of ['a@1', 'b@1']) for (let later = 0; later < 3; later++) await request(name, first + later)
    await remove()
    for (const name of ['a@1', 'b@1']) await request(name, first + 3, read)
    const given = vi.spyOn(CopyBounds.prototype, 'giveBack')
    onTestFinished(() => given.mockRestore())
    const turn = gate()
    take.mockImplementationOnce(() => turn.opened)
    // The copies that they have now cannot go back to earlier places.
    const waiting = ['a@1', 'b@1'].map((name) => request(name, first, read))
    await expect.poll(() => given.mock.calls.map(([run]) => run.user)).toEqual(['a', 'b'])
    turn.open()
    await Promise.all(waiting)
  })

  test('are, where earlier changes are replaced by others that need none', async () => {
    const { request } = await crowded(['a@1'])
    const made: string[] = []
    const next = (changes: number, word: string) =>
      request(
        'a@1',
        changes,
        stepOf(async () => made.push(word)),
      )
    await next(first - 1, 'old')
    await next(first, 'old')
    await next(first - 1, 'new')
    made.length = 0
    await next(first, 'next')
    expect(made).toEqual(['new', 'next'])
  })
})
