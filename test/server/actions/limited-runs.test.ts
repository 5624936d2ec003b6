import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { RemoteSqlite } from '../../../src/server/store/database/remote-sqlite.ts'
import { template } from '../../fixtures/bodies.ts'
import { action, folderType, outputOf, owned, perform } from '../../support/acting.ts'
import { slowHandler } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import { acquire, giftWorld, name, own, refused, reservedIn, rowsIn } from '../../support/gift.ts'
import { emitted, made, testService } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const vatomsIn = (db: string) => rowsIn(db, 'vatoms')

describe.each([
  ['the platform carries out', acquire, 2],
  ['a handler carries out', own, 1],
])('an action with a limit that %s', (_, reactor, given) => {
  test('runs what its policy names once, however many ask for it at once', async () => {
    const { bob, gift } = await giftWorld({ reactor })
    const answers = await Promise.all(Array.from({ length: 30 }, () => gift(bob)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200)[0]).toMatchObject(refused)
    expect(await owned(bob)).toHaveLength(given)
    expect(await gift(bob)).toMatchObject(refused)
  })

  test.each([
    ['at once', async (ask: () => Promise<unknown>) => void (await Promise.all(Array.from({ length: 30 }, ask)))],
    [
      'one after the other',
      async (ask: () => Promise<unknown>) => {
        for (let count = 0; count < 5; count++) await ask()
      },
    ],
  ])('runs it once where it is not waited for, and is asked for %s', async (_how, often) => {
    const { db, bob, gift, service } = await giftWorld({ reactor, wait: false })
    const statuses: number[] = []
    await often(async () => statuses.push((await gift(bob)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // What is under way is carried out before.
    await service.close()
    expect(await vatomsIn(db)).toBe(1 + given)
  })
})

const box = 'local.vatom::Box'

/** A user's folder with so much in it that an action on it is a long write; the action can be run as often as is said, and grants another. */
async function filledBox(limit_per_user = 1) {
  const { publisher, bob, service } = await twoPublishers({ db: newDatabase() })
  await service.listen({ host: '127.0.0.1', port: 0 })
  const shown = { unpublished: false, public: true, auto_create_on_acquire: true }
  const { ids: boxes } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: box, unpublished: false }, { root_type: folderType })],
    ['POST', '/v1/template_variations', { template: box, template_variation: `${box}::V`, ...shown }],
    ['POST', '/v1/vatoms', { template_variation: `${box}::V`, num: 1 }],
  )
  const id = String(boxes[0])
  const coins = await emitted(publisher, 'local.vatom::Coin', 150)
  for (const ids of [coins.slice(0, 100), coins.slice(100)])
    await made(publisher, ['PATCH', '/v1/vatoms', { ids, parent_id: id }])
  await action(publisher, box, 'Transfer')
  await action(publisher, box, 'Grant', { reactor: acquire })
  const limited = { reactor: 'blockv://v1/Uncombine', limit_per_user, policy: { pre: ['Grant'] } }
  await action(publisher, box, 'Gift', limited)
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
  const body = { template_variations: [`${box}::V`] }
  const ownedBoxes = async () =>
    (await bob.call('POST', '/v1/user/vatom/inventorystats', { body })).payload.stats[0].count
  return { gift: () => perform(bob, 'Gift', id), ownedBoxes }
}

/** Has the next commit of a long write carried out by a function. */
function atLongCommit(carryOut: (commit: () => Promise<void>) => Promise<unknown>): void {
  const { aside } = RemoteSqlite.prototype
  const spy = vi.spyOn(RemoteSqlite.prototype, 'aside').mockImplementation(async function (this: RemoteSqlite, sql) {
    const sent = () => aside.call(this, sql)
    if (sql !== 'COMMIT') return await sent()
    spy.mockRestore()
    await carryOut(sent)
  })
}

/** Waits for an answer, but not long: the request may itself wait for the long write. */
const briefly = (answer: Promise<unknown>) => Promise.race([answer, setTimeout(200)])

test('an action with a limit runs what its policy names once where it is asked for again while a long write is committed', async () => {
  const { gift, ownedBoxes } = await filledBox()
  let again: ReturnType<typeof gift> | undefined
  atLongCommit(async (commit) => {
    again = gift()
    await briefly(again)
    await commit()
  })
  outputOf(await gift())
  expect(await again).toMatchObject(refused)
  expect(await ownedBoxes()).toBe(2)
})

test('a run counts once where an action is asked for again between its commit and what follows', async () => {
  const { gift } = await filledBox(2)
  let again: ReturnType<typeof gift> | undefined
  atLongCommit(async (commit) => {
    await commit()
    again = gift()
    await briefly(again)
  })
  outputOf(await gift())
  outputOf((await again) ?? (await gift()))
  expect(await gift()).toMatchObject(refused)
})

test('a run counts once while its post-actions are carried out', async () => {
  const after = 'local.vatom://after'
  const { publisher, bob, gift } = await giftWorld({ reactor: acquire, limit_per_user: 2, policy: { post: ['After'] } })
  const { url, atWork, go } = await slowHandler()
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: after, url }])
  await action(publisher, name, 'After', { reactor: after })
  const first = gift(bob)
  await atWork
  const second = gift(bob)
  await vi.waitFor(async () => expect(await owned(bob)).toHaveLength(2))
  go()
  for (const answer of await Promise.all([first, second])) outputOf(answer)
  expect(await gift(bob)).toMatchObject(refused)
})

test('a run is carried out although its action is deleted while a handler is at work', async () => {
  const slow = 'local.vatom://slow'
  const { publisher, bob, gift } = await giftWorld({ reactor: slow })
  const { url, atWork, go } = await slowHandler()
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: slow, url }])
  const run = gift(bob)
  await atWork
  await made(publisher, ['DELETE', `/v1/publisher/action/${name}::Action::Gift`])
  go()
  outputOf(await run)
  await action(publisher, name, 'Gift', { limit_per_user: 1, reactor: acquire })
  outputOf(await gift(bob))
})

describe('a run whose pre-action fails is given back', () => {
  const failing = { policy: { pre: ['AcquirePubVariation', 'Fails'] }, abort_on_pre_error: true, reactor: own }
  const mended = ['PATCH', `/v1/publisher/action/${name}::Action::Gift`, { policy: { pre: [] } }] as const

  test('where it is waited for', async () => {
    const { publisher, bob, gift } = await giftWorld(failing)
    for (let count = 0; count < 2; count++) expect(await gift(bob)).toMatchObject({ status: 400, body: { error: 13 } })
    await made(publisher, mended)
    outputOf(await gift(bob))
    expect(await gift(bob)).toMatchObject(refused)
  })

  test('where it is not', async () => {
    const { publisher, bob, gift, asked } = await giftWorld({ ...failing, wait: false })
    expect(await gift(bob)).toMatchObject({ status: 200 })
    await made(publisher, mended)
    await vi.waitFor(async () => outputOf(await gift(bob)))
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(await gift(bob)).toMatchObject(refused)
  })
})

test('a run that is refused before it begins is given back where it is not waited for', async () => {
  const { publisher, bob, id } = await giftWorld({ reactor: own })
  await action(publisher, name, 'Transfer', { wait: false, limit_per_user: 1 })
  const give = (input: object) => perform(publisher, 'Transfer', id, input)
  expect(await give({})).toMatchObject({ status: 400, body: { error: 516 } })
  expect(await give({ 'new.owner.id': bob.id })).toMatchObject({ status: 200 })
})

describe('with two services on one database', () => {
  test('a run under way in one counts in the other, so that what its policy names runs once', async () => {
    const before = 'local.vatom://before'
    const { publisher, bob, gift, db } = await giftWorld({ reactor: acquire, policy: { pre: ['Before'] } })
    const { url, atWork, go, asked } = await slowHandler()
    await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: before, url }])
    await action(publisher, name, 'Before', { reactor: before })
    const other = await testService({ db, publishers: ['local.vatom', 'other.example'] })
    const elsewhere = other.as(bob.id, bob.token)
    const first = gift(bob)
    await atWork
    for (const answer of await Promise.all([gift(elsewhere), gift(elsewhere)])) expect(answer).toMatchObject(refused)
    go()
    outputOf(await first)
    expect(await gift(elsewhere)).toMatchObject(refused)
    expect(asked).toHaveLength(1)
    expect(await owned(bob)).toHaveLength(1)
    expect(await reservedIn(db)).toBe(0)
  })
})

test.each([true, false])('a dry run reserves nothing (wait: %s)', async (wait) => {
  const { db, bob, id, gift } = await giftWorld({ reactor: acquire, wait })
  const headers = { 'vatom-dry-run': 'true' }
  const asked = { body: { 'this.id': id }, headers }
  expect(await bob.call('POST', '/v1/user/vatom/action/Gift', asked)).toMatchObject({ status: 200 })
  expect(await reservedIn(db)).toBe(0)
  expect(await gift(bob)).toMatchObject({ status: 200 })
  await vi.waitFor(async () => expect(await reservedIn(db)).toBe(0))
  expect(await gift(bob)).toMatchObject(refused)
})
