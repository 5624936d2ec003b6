import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { RemoteSqlite } from '../../../src/server/store/database/remote-sqlite.ts'
import { action, folderType, perform } from '../../support/acting.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Answer, emitted, testService } from '../../support/service.ts'

afterEach(() => void vi.restoreAllMocks())

const bags = 'local.vatom::Bag'
const coins = 'local.vatom::Coin'

/** A folder of a user, vAtoms of so many bytes, and changes to them. */
async function world(count: number, bytes: number) {
  const { publisher, service, register } = await testService({ db: newDatabase() })
  await service.listen({ host: '127.0.0.1', port: 0 })
  const [bag = ''] = await emitted(publisher, bags, 1, { transferable: true, root_type: folderType })
  for (const name of ['Combine', 'Uncombine', 'Split', 'Transfer']) await action(publisher, bags, name)
  const ids = await emitted(publisher, coins, count, { transferable: true }, { text: 'x'.repeat(bytes) })
  const bob = await register('bob@example.com')
  const combine = (some = ids) => perform(publisher, 'Combine', bag, { 'vatom.ids': some })
  const split = (some: readonly string[]) => perform(publisher, 'Split', bag, { 'vatom.ids': some })
  const uncombine = () => perform(publisher, 'Uncombine', bag)
  const transfer = () => perform(publisher, 'Transfer', bag, { 'new.owner.id': bob.id })
  const patch = (some: readonly string[], parent_id: string) =>
    publisher.call('PATCH', '/v1/vatoms', { body: { ids: some, parent_id } })
  const move = (parent_id: string) => patch(ids, parent_id)
  return { patch, bag, ids, combine, split, uncombine, transfer, move }
}

/** How many of some changes are made in steps, on a connection of their own, as they change many rows: no time passes. */
async function inSteps(...changes: readonly (() => Promise<Answer>)[]): Promise<number> {
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
  const open = vi.spyOn(RemoteSqlite, 'open').mockClear()
  for (const change of changes) expect(await change()).toMatchObject({ status: 200 })
  return open.mock.calls.length
}

test('a folder with few vAtoms that are large is as much as one with many', async () => {
  vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(20)
  const { bag, ids, move, patch, transfer } = await world(6, 60_000)
  await move(bag)
  const { status, body } = await transfer()
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: expect.stringContaining('one counts once more for each 16 KB'),
  })
  await patch(ids.slice(0, 1), '.')
  expect((await transfer()).status).toBe(200)
})

test('some large vAtoms are changed in steps, as many small ones are', async () => {
  const { bag, combine, uncombine, transfer, move } = await world(26, 60_000)
  expect(
    await inSteps(
      combine,
      uncombine,
      () => move(bag),
      () => move('.'),
      combine,
      transfer,
    ),
  ).toBe(6)
})

test('vAtoms that are moved count as several rows, whatever moves them, but not what they are put beside', async () => {
  const { ids, combine, split, uncombine } = await world(40, 10)
  expect(await inSteps(combine, uncombine, combine)).toBe(3)
  const few = ids.slice(0, 3)
  expect(
    await inSteps(
      () => split(few),
      () => combine(few),
    ),
  ).toBe(0)
})
