import { afterEach, describe, expect, test, vi } from 'vitest'
import { Connection } from '../../../../src/server/store/query.ts'
import { action, folderType, perform } from '../../../support/acting.ts'
import { type Answer, emitted, testService } from '../../../support/service.ts'

afterEach(() => void vi.restoreAllMocks())

const bags = 'local.vatom::Bag'
const coins = 'local.vatom::Coin'
const large = 20_000
const dryRun = { 'vatom-dry-run': 'true' }

/** Two folders with large records, of which one contains small vAtoms. */
async function world(count: number) {
  const { publisher, register } = await testService()
  const bob = await register('bob@example.com')
  const text = 'x'.repeat(60_000)
  const type = { transferable: true, root_type: folderType }
  const [bag = '', other = ''] = await emitted(publisher, bags, 2, type, { text })
  const names = ['Combine', 'Split', 'Uncombine', 'Transfer', 'Drop']
  for (const name of names) await action(publisher, bags, name)
  const ids = await emitted(publisher, coins, count, { transferable: true })
  const patch = (parent_id: string) => publisher.call('PATCH', '/v1/vatoms', { body: { ids, parent_id } })
  expect(await patch(bag)).toMatchObject({ status: 200, payload: { num_updated: count } })
  const act = (name: string, id: string, input: object = {}) => perform(publisher, name, id, input)
  return { publisher, bob, bag, other, ids, patch, act }
}

type World = Awaited<ReturnType<typeof world>>

/** How many large texts a request parses, and how often it reads the record of a folder. */
async function workOf(folder: string, request: () => Promise<Answer>) {
  const parse = vi.spyOn(JSON, 'parse')
  const first = vi.spyOn(Connection.prototype, 'first')
  const answer = await request()
  const parsed = parse.mock.calls.filter(([text]) => String(text).length > large).length
  const read = first.mock.calls.filter(([, values]) => Object(values).id === folder).length
  vi.restoreAllMocks()
  expect(answer).toMatchObject({ status: 200 })
  return { parsed, read }
}

describe('the record of a folder is read and parsed as often for many vAtoms as for few', () => {
  test.each<[string, (world: World) => Promise<Answer>]>([
    ['Uncombine', ({ act, bag }) => act('Uncombine', bag)],
    ['Split', ({ act, bag, ids }) => act('Split', bag, { 'vatom.ids': ids })],
    ['Combine into another folder', ({ act, other, ids }) => act('Combine', other, { 'vatom.ids': ids })],
    ['a move to the root', ({ patch }) => patch('.')],
    ['a move into another folder', ({ patch, other }) => patch(other)],
    ['Transfer', ({ act, bag, bob }) => act('Transfer', bag, { 'new.owner.id': bob.id })],
    ['Drop', ({ act, bag }) => act('Drop', bag, { 'geo.pos': { lat: 1, lon: 1 } })],
    [
      'its removal',
      ({ publisher, bag }) => publisher.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': bag } }),
    ],
    [
      'a dry run of Uncombine',
      ({ publisher, bag }) =>
        publisher.call('POST', '/v1/user/vatom/action/Uncombine', { body: { 'this.id': bag }, headers: dryRun }),
    ],
    [
      'Transfer, and then the deletion of its new owner',
      async ({ act, bag, bob }) => {
        expect(await act('Transfer', bag, { 'new.owner.id': bob.id })).toMatchObject({ status: 200 })
        return await bob.call('DELETE', '/v1/user')
      },
    ],
  ])('%s', async (_, request) => {
    const [few, many] = [await world(2), await world(20)]
    const work = await workOf(many.bag, () => request(many))
    expect(work.read).toBeGreaterThan(0)
    expect(work).toEqual(await workOf(few.bag, () => request(few)))
  })
})
