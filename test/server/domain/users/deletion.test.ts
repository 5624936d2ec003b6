import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '../../../../src/contract/api/errors.ts'
import { openService, type Service } from '../../../../src/server/service.ts'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { Writes } from '../../../../src/server/store/database/writes.ts'
import { action, folderType, grant, owned, perform, read } from '../../../support/acting.ts'
import { newDatabase, newFolder } from '../../../support/folders.ts'
import { type Caller, codeFor, emitted, made, outbox, testService } from '../../../support/service.ts'
import { serviceWorker } from '../../../support/service-worker.ts'
import { onMap } from '../../../support/worlds.ts'

const many = 130
const coin = 'local.vatom::Coin'
const trash = '00000000-0000-0000-0000-000000000000'

/** Each portion of a write has a transaction of its own: for what it can see, it takes a thousand times as long. */
function inSmallPortions(): void {
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() * 1000)
  onTestFinished(() => clock.mockRestore())
}

/** Has something done before the transactions of long writes: `before` gets their numbers from 1 on. */
function beforeTransactions(before: (number: number) => unknown): void {
  inSmallPortions()
  const { alone } = Writes.prototype
  let number = 0
  const spy = vi.spyOn(Writes.prototype, 'alone').mockImplementation(async function (this: Writes, ...given) {
    await before(++number)
    return (await alone.apply(this, given)) as never
  })
  onTestFinished(() => spy.mockRestore())
}

/** Stops a long write before one of its transactions, until it is to go on. */
function stopped(at = 3) {
  const gate = new EventTarget()
  const [reached, gone] = ['reached', 'gone'].map((name) => once(gate, name))
  beforeTransactions((number) => {
    if (number !== at) return
    gate.dispatchEvent(new Event('reached'))
    return gone
  })
  return { reached, goOn: () => gate.dispatchEvent(new Event('gone')) }
}

/** A service on disk that listens, and a user with many vAtoms: some in a folder, one that was dropped. */
async function world() {
  const db = newDatabase()
  const opened = await testService({ db })
  const { baseUrl } = await opened.service.listen({ host: '127.0.0.1', port: 0 })
  const bob = await opened.register('bob@example.com')
  const ann = await opened.register('ann@example.com')
  await grant(opened.service, bob, { is_admin: true, pub_fqdn: 'bob.example' })
  const [box = ''] = await emitted(bob, 'bob.example::Box', 1, { root_type: folderType })
  const [inner = ''] = await emitted(bob, 'bob.example::Inner', 1, { root_type: folderType })
  const coins = await emitted(bob, 'bob.example::Coin', many, { transferable: true })
  await made(
    bob,
    ['PATCH', '/v1/vatoms', { ids: coins.slice(0, 30), parent_id: inner }],
    ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: box }],
  )
  for (const name of ['Drop', 'Pickup', 'Transfer']) await action(bob, 'bob.example::Coin', name)
  const lying = coins.at(-1) ?? ''
  expect((await perform(bob, 'Drop', lying, { 'geo.pos': { lat: 47, lon: 8 } })).status).toBe(200)
  const ask = async (path: string) => Object(await (await fetch(baseUrl + path)).json()).payload
  return { ...opened, baseUrl, db, bob, ann, coins, lying, ask, deleted: () => bob.call('DELETE', '/v1/user') }
}
type World = Awaited<ReturnType<typeof world>>

/** How many rows a statement finds in a database, for another process. */
async function count(db: string, from: string, ...values: string[]): Promise<number> {
  const sqlite = await openSqlite(db)
  const { rows } = Object(sqlite.prepare(`SELECT count(*) AS rows FROM ${from}`).get(...values))
  sqlite.close()
  return rows
}
const left = ({ db, bob }: Pick<World, 'db' | 'bob'>) => count(db, 'vatoms WHERE owner = ?', bob.id)

/** Nothing is there any more of the user, and nothing is damaged. */
async function expectGone({ db, bob }: Pick<World, 'db' | 'bob'>) {
  expect(await left({ db, bob })).toBe(0)
  for (const table of ['messages', 'threads', 'held_vatoms', 'heirs', 'sessions', 'user_tokens'])
    expect([table, await count(db, `${table} WHERE user_id = ?`, bob.id)]).toEqual([table, 0])
  expect(await count(db, 'users WHERE id = ?', bob.id)).toBe(0)
  expect(await count(db, 'pragma_foreign_key_check')).toBe(0)
}

describe('while a user is being deleted', () => {
  test('nobody finds them, they cannot do anything, and others write', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const { bob, ann, send, deleted, ask, coins, service } = hall
    const login = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }
    const { payload } = await send('POST', '/v1/user/login', { body: login })
    const deletion = deleted()
    await reached
    expect(await left(hall)).toBeGreaterThan(0)
    expect(await bob.call('GET', '/v1/user')).toMatchObject({ status: 403, body: { error: 401 } })
    expect(await deleted()).toMatchObject({ status: 403 })
    expect(await perform(bob, 'Transfer', coins[50], { 'new.owner.id': ann.id })).toMatchObject({ status: 403 })
    const headers = { authentication: payload.refresh_token.token }
    expect(await send('POST', '/v1/access_token', { headers })).toMatchObject({ status: 403, body: { error: 2049 } })
    expect(await send('POST', '/v1/user/login', { body: login })).toMatchObject({ status: 403, body: { error: 2030 } })
    expect(await ann.call('GET', `/v1/users/${bob.id}`)).toMatchObject({ status: 404 })
    expect((await ask('/__vatom/users')).map(({ id }: Caller) => id)).not.toContain(bob.id)
    expect((await ask('/__vatom/users?search=bob')).map(({ id }: Caller) => id)).toEqual([])
    expect([await ask('/__vatom/users/count'), service.contents().users]).toEqual([{ count: 2 }, 1])
    const publishers = (await ask('/__vatom/balance')).map((one: { publisher_fqdn: string }) => one.publisher_fqdn)
    expect(publishers).toEqual(['local.vatom'])
    expect(await ann.call('PATCH', '/v1/user', { body: { first_name: 'Ann' } })).toMatchObject({ status: 200 })
    expect((await hall.register('bob@example.com')).id).not.toBe(bob.id)
    goOn()
    expect((await deletion).payload.success_message).toBe(
      `User deleted, with 1 user token and 2 sessions; ${many + 2} vAtoms trashed.`,
    )
    await expectGone(hall)
  })

  test('they receive nothing', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const { bob, ann, publisher, deleted, service } = hall
    const [first = '', second = ''] = await emitted(publisher, coin, 2, { transferable: true })
    await action(publisher, coin, 'Transfer', {
      guest_user: true,
      config: { auto_create_non_existing_recipient: true },
    })
    const deletion = deleted()
    await reached
    expect(await perform(publisher, 'Transfer', first, { 'new.owner.id': bob.id })).toMatchObject({ status: 400 })
    const message = { id: bob.id, message: 'Are you there?' }
    expect(await ann.call('POST', '/v1/user/message', { body: message })).toMatchObject({ status: 400 })
    expect(await perform(publisher, 'Transfer', second, { 'new.owner.email': 'bob@example.com' })).toMatchObject({
      status: 200,
    })
    expect((await outbox(service)).at(-1)).toMatchObject({ to: 'bob@example.com', kind: 'guest_id' })
    goOn()
    expect(await deletion).toMatchObject({ status: 200 })
    await expectGone(hall)
    expect(await read(publisher, first)).toMatchObject({ status: 200 })
  })

  test('what another user picks up is theirs', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const { ann, deleted, lying } = hall
    const deletion = deleted()
    await reached
    expect(await onMap(ann)).toEqual([lying])
    expect(await perform(ann, 'Pickup', lying)).toMatchObject({ status: 200 })
    goOn()
    expect((await deletion).payload.success_message).toContain(`${many + 1} vAtoms trashed`)
    expect(await owned(ann)).toEqual([lying])
    await expectGone(hall)
  })

  test('no vAtom of theirs is in a folder that was trashed', async () => {
    const astray = `vatoms AS inner JOIN vatoms AS outer ON outer.id = inner.parent_id
      WHERE inner.owner <> '${trash}' AND outer.owner = '${trash}'`
    const hall = await world()
    const seen: number[] = []
    beforeTransactions(async () => seen.push(await count(hall.db, astray)))
    expect(await hall.deleted()).toMatchObject({ status: 200 })
    expect(seen.length).toBeGreaterThan(5)
    expect(new Set(seen)).toEqual(new Set([0]))
    await expectGone(hall)
  })

  test('another user can be, too', async () => {
    const hall = await world()
    const { publisher, register, service, db } = hall
    const eve = await register('eve@example.com')
    await grant(service, eve, { is_admin: true, pub_fqdn: 'eve.example' })
    await emitted(eve, 'eve.example::Coin', many)
    inSmallPortions()
    const answers = await Promise.all([hall.deleted(), eve.call('DELETE', '/v1/user')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const bob of [hall.bob, eve]) await expectGone({ db, bob })
    expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('a transaction that fails is made again', async () => {
    const hall = await world()
    beforeTransactions((number) => {
      if (number === 4) throw new ApiError('busy')
    })
    expect(await hall.deleted()).toMatchObject({ status: 200 })
    await expectGone(hall)
  })

  test('a first transaction that fails leaves them', async () => {
    const hall = await world()
    beforeTransactions(() => {
      throw new ApiError('busy')
    })
    expect(await hall.deleted()).toMatchObject({ status: 503 })
    expect(await hall.bob.call('GET', '/v1/user')).toMatchObject({ status: 200 })
    expect(await left(hall)).toBe(many + 2)
  })

  test('a reset ends it', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const deletion = hall.deleted()
    await reached
    await hall.service.reset()
    goOn()
    expect(await deletion).toMatchObject({ status: 409 })
    expect(await hall.publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
    await expectGone(hall)
  })

  test.each([
    ['this service', 409],
    ['another service on the same database', 200],
  ])('a snapshot from before, restored by %s, brings them back with all that they own', async (by, status) => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const { service } = by === 'this service' ? hall : await testService({ db: hall.db })
    const snapshots = await service.snapshots(newFolder())
    await snapshots.save('before', { replace: false })
    const deletion = hall.deleted()
    await reached
    await snapshots.load('before')
    goOn()
    expect(await deletion).toMatchObject({ status })
    expect(await hall.ann.call('GET', `/v1/users/${hall.bob.id}`)).toMatchObject({ status: 200 })
    expect(await left(hall)).toBe(many + 2)
  })

  test('a snapshot is restored without what is left of them', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const snapshots = await hall.service.snapshots(newFolder())
    const deletion = hall.deleted()
    await reached
    expect(await snapshots.save('amid', { replace: false })).toMatchObject({ users: 1 })
    goOn()
    await deletion
    await snapshots.load('amid')
    await expectGone(hall)
  })

  test('another service on the same database sees to it when it begins to listen', async () => {
    const hall = await world()
    const { reached, goOn } = stopped()
    const deletion = hall.deleted()
    await reached
    const other = await testService({ db: hall.db })
    await other.service.listen({ host: '127.0.0.1', port: 0 })
    await vi.waitFor(() => expectGone(hall), { timeout: 10_000 })
    goOn()
    expect(await deletion).toMatchObject({ status: 200 })
    expect(await other.publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })
})

describe('what is held for an address of a deleted user', () => {
  const claimed = { token: 'claimed@example.com', token_type: 'email' }

  /** Somebody to whose unverified address many vAtoms were sent, one of them a folder with another. */
  async function claimant() {
    const hall = await world()
    const { publisher, ann, service, send, as } = hall
    await made(ann, ['POST', '/v1/user/tokens', claimed])
    const ids = await emitted(publisher, coin, 80, { transferable: true })
    await action(publisher, coin, 'Transfer')
    for (const id of ids) await perform(publisher, 'Transfer', id, { 'new.owner.email': claimed.token })
    const holder = async () => {
      await send('POST', '/v1/user/reset_token', { body: claimed })
      const password = await codeFor(service, claimed.token)
      const { payload } = await send('POST', '/v1/user/login', { body: { ...claimed, auth_data: { password } } })
      return as(payload.user.id, payload.access_token.token)
    }
    return { db: hall.db, bob: ann, holder, deleted: () => ann.call('DELETE', '/v1/user'), ids }
  }
  const have = async (holder: Caller) =>
    (await holder.call('POST', '/v1/user/vatom/inventorystats', { body: {} })).payload.stats[0]?.count ?? 0

  test('goes to its holder, who may have it at once', async () => {
    const hall = await claimant()
    const { reached, goOn } = stopped()
    const deletion = hall.deleted()
    await reached
    const holder = await hall.holder()
    const some = await have(holder)
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(80)
    goOn()
    expect((await deletion).payload.success_message).toContain('0 vAtoms trashed')
    expect(await have(holder)).toBe(80)
    await expectGone(hall)
  })

  test('is trashed if the holder is deleted, too', async () => {
    const hall = await claimant()
    const { reached, goOn } = stopped()
    const deletion = hall.deleted()
    await reached
    const holder = await hall.holder()
    expect(await holder.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
    goOn()
    expect(await deletion).toMatchObject({ status: 200 })
    await expectGone(hall)
    expect(await count(hall.db, 'vatoms WHERE owner = ?', trash)).toBe(80)
  })
})

test('with a service in memory, others write meanwhile, too', async () => {
  const { publisher, register, service } = await testService()
  const bob = await register('bob@example.com')
  await grant(service, bob, { is_admin: true, pub_fqdn: 'bob.example' })
  await emitted(bob, 'bob.example::Coin', 1000)
  inSmallPortions()
  let isOver = false
  const deletion = bob.call('DELETE', '/v1/user').finally(() => {
    isOver = true
  })
  let written = 0
  while (!isOver) {
    await made(publisher, ['PATCH', '/v1/user', { first_name: `n${written}` }])
    written++
  }
  expect((await deletion).payload.success_message).toContain('1000 vAtoms trashed')
  expect(written).toBeGreaterThan(10)
})

describe('a user of whom a portion cannot be removed', () => {
  const failing = (fails: (number: number) => boolean) =>
    beforeTransactions((number) => {
      if (fails(number)) throw new Error('disk full')
    })

  test('is deleted, and what is left goes at once where it can: no other number of vAtoms is told', async () => {
    const hall = await world()
    failing((number) => number === 4)
    const { status, payload } = await hall.deleted()
    expect({ status, message: payload.success_message }).toEqual({
      status: 200,
      message: 'User deleted, with 1 user token and 1 session; their vAtoms are trashed.',
    })
    await expectGone(hall)
  })

  test('is in the journal without a number of vAtoms, too', async () => {
    const { baseUrl, service, bob, ask } = await world()
    failing((number) => number === 4)
    const headers = { 'app-id': service.appId, authorization: `Bearer ${bob.token}` }
    expect((await fetch(`${baseUrl}/v1/user`, { method: 'DELETE', headers })).status).toBe(200)
    const [{ operation, removed }] = await ask('/__vatom/journal?limit=1')
    expect({ operation, removed }).toEqual({
      operation: 'deleteUser',
      removed: { users: 1, user_tokens: 1, sessions: 1 },
    })
  })

  test('is deleted, and the answer says that the rest goes when the service starts again', async () => {
    const hall = await world()
    failing((number) => number >= 4)
    const { status, payload } = await hall.deleted()
    expect({ status, message: payload.success_message }).toEqual({
      status: 200,
      message:
        'User deleted, with 1 user token and 1 session; what else they had is removed when the service starts again.',
    })
    expect(await left(hall)).toBeGreaterThan(0)
    expect((await hall.bob.call('GET', '/v1/user')).status).toBe(403)
  })

  test('is not deleted, and has everything, where the first one cannot be', async () => {
    const hall = await world()
    failing(() => true)
    const all = await left(hall)
    expect((await hall.deleted()).status).toBe(500)
    expect(await left(hall)).toBe(all)
    expect((await hall.bob.call('GET', '/v1/user')).status).toBe(200)
  })
})

/** Deletes a user, each portion of whom takes long, as far as it can see. */
const worker = `
const now = performance.now.bind(performance)
performance.now = () => now() * 1000
const { openService } = require('./service.cjs')
const [db, token] = process.argv.slice(2)
openService({ db }).then(async (service) => {
  await service.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'app-id': service.appId, authorization: 'Bearer ' + token }
  await service.inject({ method: 'DELETE', path: '/v1/user', headers })
})
`
const { program, env } = serviceWorker('deletion', worker)

test('what a killed process left of a user goes when a service begins to listen again', async () => {
  const hall = await world()
  await hall.service.close()
  const child = spawn(process.execPath, [program, hall.db, hall.bob.token], { env, stdio: 'inherit' })
  const ended = once(child, 'close')
  const all = await left(hall)
  while ((await left(hall)) === all) await setTimeout(5)
  child.kill('SIGKILL')
  await ended
  expect(await left(hall)).toBeGreaterThan(0)
  expect(await count(hall.db, 'users WHERE id = ? AND deleted = 1', hall.bob.id)).toBe(1)
  inSmallPortions()
  const listening = async (): Promise<Service> => {
    const service = await openService({ db: hall.db })
    await service.listen({ host: '127.0.0.1', port: 0 })
    return service
  }
  await (await listening()).close()
  expect(await count(hall.db, 'users WHERE id = ?', hall.bob.id)).toBe(1)
  const service = await listening()
  onTestFinished(() => service.close())
  await vi.waitFor(() => expectGone(hall), { timeout: 10_000 })
})
