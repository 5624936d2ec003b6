import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { DryRunAsker } from '../../../src/server/request/dry-run.ts'
import { DryRuns } from '../../../src/server/request/dry-runs.ts'
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

const stepOf = (carryOut: () => Promise<unknown>) => ({ changes: true, size: 0, carryOut })

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
