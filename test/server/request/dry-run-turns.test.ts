import { expect, onTestFinished, test, vi } from 'vitest'
import { DryRuns } from '../../../src/server/request/dry-runs.ts'
import { testService } from '../../support/service.ts'

test('a user has one dry run at a time, others write between two of them, and those of closed connections are dropped', async () => {
  const { publisher } = await testService()
  const alone = vi.spyOn(DryRuns.prototype, 'alone')
  onTestFinished(() => alone.mockRestore())
  await publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ann' }, headers: { 'vatom-dry-run': 'true' } })
  const [environment] = alone.mock.calls[0] ?? []
  if (!environment) throw new Error('no dry run was carried out')
  const dryRuns = new DryRuns()
  const log: string[] = []
  const writes: Promise<unknown>[] = []
  const run = (caller: string, name: string, isGone = false) =>
    dryRuns.alone(
      environment,
      { caller, isGone: () => isGone },
      {
        changes: true,
        size: 0,
        carryOut: async () => {
          log.push(name)
          if (name === 'first') writes.push(environment.store.write(() => log.push('write')))
        },
      },
    )
  const all = [run('eve', 'first'), run('eve', 'second'), run('eve', 'dropped', true), run('eve', 'third')]
  const outcomes = await Promise.allSettled(all)
  await Promise.all(writes)
  expect(log).toEqual(['first', 'write', 'second', 'third'])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
