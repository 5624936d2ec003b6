import { describe, expect, test, vi } from 'vitest'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { template } from '../../fixtures/bodies.ts'
import { action, outputOf, owned, perform } from '../../support/acting.ts'
import { answering } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Caller, made } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const name = 'local.vatom::Coupon'
const own = 'local.vatom://stamp'
const acquire = 'blockv://v1/AcquirePubVariationWithCoins'
const refused = { status: 400, body: { error: 9040 } }

/** A public vAtom with an action Gift, which each user can run once, and which gives them another one before it runs. */
async function world(settings: object) {
  const db = newDatabase()
  const opened = await twoPublishers({ db })
  const { publisher } = opened
  const { url, asked } = await answering({})
  const variation = { unpublished: false, public: true, auto_create_on_acquire: true }
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: name, unpublished: false }, { visibility: { type: 'public' } })],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, ...variation }],
    ['POST', '/v1/publisher/action_handler', { reactor: own, url }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
  )
  const id = String(ids[0])
  await action(publisher, name, 'AcquirePubVariation', { reactor: acquire })
  await action(publisher, name, 'Gift', { limit_per_user: 1, policy: { pre: ['AcquirePubVariation'] }, ...settings })
  return { ...opened, db, id, asked, gift: (user: Caller) => perform(user, 'Gift', id) }
}

async function vatomsIn(db: string): Promise<number> {
  const sqlite = await openSqlite(db)
  const row = sqlite.prepare('SELECT count(*) AS count FROM vatoms').get()
  sqlite.close()
  return Number(Object(row).count)
}

describe.each([
  ['the platform carries out', acquire, 2],
  ['a handler carries out', own, 1],
])('an action with a limit that %s', (_, reactor, given) => {
  test('runs what its policy names once, however many ask for it at once', async () => {
    const { bob, gift } = await world({ reactor })
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
    const { db, bob, gift, service } = await world({ reactor, wait: false })
    const statuses: number[] = []
    await often(async () => statuses.push((await gift(bob)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // What is under way is carried out before.
    await service.close()
    expect(await vatomsIn(db)).toBe(1 + given)
  })
})

describe('a run whose pre-action fails is given back', () => {
  const failing = { policy: { pre: ['AcquirePubVariation', 'Fails'] }, abort_on_pre_error: true, reactor: own }
  const mended = ['PATCH', `/v1/publisher/action/${name}::Action::Gift`, { policy: { pre: [] } }] as const

  test('where it is waited for', async () => {
    const { publisher, bob, gift } = await world(failing)
    for (let count = 0; count < 2; count++) expect(await gift(bob)).toMatchObject({ status: 400, body: { error: 13 } })
    await made(publisher, mended)
    outputOf(await gift(bob))
    expect(await gift(bob)).toMatchObject(refused)
  })

  test('where it is not', async () => {
    const { publisher, bob, gift, asked } = await world({ ...failing, wait: false })
    expect(await gift(bob)).toMatchObject({ status: 200 })
    await made(publisher, mended)
    await vi.waitFor(async () => outputOf(await gift(bob)))
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(await gift(bob)).toMatchObject(refused)
  })
})

test('a run that is refused before it begins is given back where it is not waited for', async () => {
  const { publisher, bob, id } = await world({ reactor: own })
  await action(publisher, name, 'Transfer', { wait: false, limit_per_user: 1 })
  const give = (input: object) => perform(publisher, 'Transfer', id, input)
  expect(await give({})).toMatchObject({ status: 400, body: { error: 516 } })
  expect(await give({ 'new.owner.id': bob.id })).toMatchObject({ status: 200 })
})
