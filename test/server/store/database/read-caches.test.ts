import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newUser } from '../../../../src/server/domain/users/user.ts'
import type { Service } from '../../../../src/server/service.ts'
import { openStore, type Store } from '../../../../src/server/store/store.ts'
import { action } from '../../../support/acting.ts'
import { newDatabase } from '../../../support/folders.ts'
import { answerOf, emitted, registration, testService } from '../../../support/service.ts'
import { serviceWorker } from '../../../support/service-worker.ts'

/** Serves a database over HTTP until its input ends, and says where. */
const server = `
const { openService } = require('./service.cjs')
openService({ db: process.argv[2], scryptCost: 16 }).then(async (service) => {
  console.log((await service.listen({ host: '127.0.0.1', port: 0 })).baseUrl)
  process.stdin.on('end', () => service.close()).resume()
})
`
const { program, env } = serviceWorker('caches', server)

/** Where a service of another process on the same file listens. */
async function otherProcess(db: string): Promise<string> {
  const child = spawn(process.execPath, [program, db], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

const thisProcess = async (_db: string, service: Service) =>
  (await service.listen({ host: '127.0.0.1', port: 0 })).baseUrl

const appId = 'local'

interface Given {
  readonly token?: string
  readonly body?: object | undefined
  readonly more?: Readonly<Record<string, string>>
}

async function ask(base: string, method: string, path: string, { token = '', body, more }: Given) {
  const headers = { 'app-id': appId, authorization: `Bearer ${token}`, ...more }
  const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return answerOf(response.status, {}, await response.text())
}

describe.each([
  ['this process', thisProcess],
  ['another process', otherProcess],
] as const)('what was just read is read again after a change by %s', (_name, changer) => {
  /** A service that is read from, and one that changes its database. */
  async function world() {
    const db = newDatabase()
    const { service, publisher } = await testService({ db, clock: () => new Date() })
    const here = await thisProcess(db, service)
    const there = await changer(db, service)
    const { payload } = await ask(here, 'POST', '/v1/users', { body: registration('bob@example.com') })
    const token: string = payload.access_token.token
    const read = (path: string) => ask(here, 'GET', path, { token })
    const change = async (method: string, path: string, body?: object, by = token, more = {}) => {
      const answer = await ask(there, method, path, { token: by, body, more })
      expect(answer).toMatchObject({ status: 200 })
      return answer.payload
    }
    const signIn = async () => {
      const login = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }
      return (await change('POST', '/v1/user/login', login)).access_token.token as string
    }
    expect([(await read('/v1/user')).status, (await read('/v1/user')).status]).toEqual([200, 200])
    return { service, publisher, id: String(payload.user.id), token, read, change, signIn }
  }

  test('a session that has ended is refused, and no other one', async () => {
    const { read, change, signIn } = await world()
    const other = await signIn()
    await change('POST', '/v1/user/logout', undefined, other)
    expect(await read('/v1/user')).toMatchObject({ status: 200 })
    await change('POST', '/v1/user/logout')
    expect(await read('/v1/user')).toMatchObject({ status: 403 })
  })

  test('a new password ends the other sessions', async () => {
    const { read, change, signIn } = await world()
    const other = await signIn()
    await change('PATCH', '/v1/user', { password: 'another' }, other)
    expect(await read('/v1/user')).toMatchObject({ status: 403 })
  })

  test('a user who was deleted is refused', async () => {
    const { read, change } = await world()
    await change('DELETE', '/v1/user')
    expect(await read('/v1/user')).toMatchObject({ status: 403 })
  })

  test('rights that were given hold, and those that were taken away do not', async () => {
    const { id, read, change } = await world()
    expect(await read('/v1/templates')).toMatchObject({ status: 403 })
    await change('PATCH', `/__vatom/users/${id}`, { pub_fqdn: 'bob.example', is_admin: true })
    expect(await read('/v1/templates')).toMatchObject({ status: 200 })
    await change('PATCH', `/__vatom/users/${id}`, { is_admin: false })
    expect(await read('/v1/templates')).toMatchObject({ status: 403 })
  })

  test('an address that was removed is gone, and a new name is shown', async () => {
    const { read, change } = await world()
    const added = await change('POST', '/v1/user/tokens', { token: 'b@example.com', token_type: 'email' })
    expect((await read('/v1/user/tokens')).payload).toHaveLength(2)
    await change('DELETE', `/v1/user/tokens/${added.id}`)
    expect((await read('/v1/user/tokens')).payload).toHaveLength(1)
    await change('PATCH', '/v1/user', { first_name: 'Robert' })
    expect((await read('/v1/user')).payload).toMatchObject({ properties: { first_name: 'Robert' } })
  })

  test('a vAtom is shown as it is, to those who may see it', async () => {
    const { service, publisher, id, read, change } = await world()
    const { access_token } = await service.localSession()
    const [vatom = ''] = await emitted(publisher, 'local.vatom::T', 1, { transferable: true })
    await action(publisher, 'local.vatom::T', 'Transfer')
    expect(await read(`/v1/vatoms/${vatom}`)).toMatchObject({ status: 403 })
    const transfer = { 'this.id': vatom, 'new.owner.id': id }
    await change('POST', '/v1/user/vatom/action/Transfer', transfer, access_token)
    expect(await read(`/v1/vatoms/${vatom}`)).toMatchObject({
      status: 200,
      payload: { 'vAtom::vAtomType': { owner: id } },
    })
    await change('POST', '/v1/user/vatom/trash', { 'this.id': vatom })
    expect(await read(`/v1/vatoms/${vatom}`)).toMatchObject({ status: 403 })
  })

  test('what a dry run changes is shown to nobody', async () => {
    const { read, change } = await world()
    const dryRun = () => change('PATCH', '/v1/user', { first_name: 'Robert' }, undefined, { 'vatom-dry-run': 'true' })
    const [predicted, ...names] = await Promise.all([dryRun(), read('/v1/user'), read('/v1/user')])
    expect(predicted).toMatchObject({ properties: { first_name: 'Robert' } })
    for (const { payload } of [...names, await read('/v1/user')]) expect(payload.properties.first_name).toBe('')
  })
})

describe('within a write', () => {
  /** A user in two stores on one database, as two processes have it. */
  async function world() {
    const db = newDatabase()
    const [here, there] = [await openStore(db), await openStore(db)]
    onTestFinished(async () => {
      for (const store of [here, there]) await store.close()
    })
    const id = 'u'
    await here.write(() => here.users.insert(bob(here, id)))
    const rename = (store: Store, name: string) =>
      store.users.updateProfile({ id, properties: name, password: null, avatar: null, when_modified: '' })
    const read = () => here.users.byId(id)?.properties
    read()
    return { here, there, rename, read }
  }

  test('what it changed is read again, by itself and after it', async () => {
    const { here, rename, read } = await world()
    const names = await here.write(() => {
      const before = read()
      rename(here, 'Rob')
      return [before, read()]
    })
    expect([...names, read()]).toEqual(['Bob', 'Rob', 'Rob'])
  })

  test('what a failed one changed is read again, by the others that are committed with it and after it', async () => {
    const { here, rename, read } = await world()
    const failed = here.write(() => {
      rename(here, 'Rob')
      throw new Error(read())
    })
    const next = here.write(read)
    await expect(failed).rejects.toThrow('Rob')
    expect([await next, read()]).toEqual(['Bob', 'Bob'])
  })

  test('what another process committed before it began is read again', async () => {
    const { here, there, rename, read } = await world()
    await there.write(() => rename(there, 'Rob'))
    expect(await here.write(read)).toBe('Rob')
    await here.write(() => rename(here, 'Bert'))
    expect(await there.write(() => there.users.byId('u')?.properties)).toBe('Bert')
  })

  test('what cannot be committed is not shown afterwards', async () => {
    const { here, rename, read } = await world()
    const ending = here.write(() => {
      rename(here, 'Rob')
      expect(read()).toBe('Rob')
      throw Object.assign(new Error('disk full'), { errcode: 13 })
    })
    await expect(ending).rejects.toThrow('disk full')
    expect(read()).toBe('Bob')
  })
})

test('the session of a user who is deleted by a statement on users alone is read again', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const session = { session: 's', user: 'u', now: 0 }
  await store.write(() => {
    store.users.insert(bob(store, 'u'))
    store.sessions.insert({ id: 's', user_id: 'u', refresh_hash: 'hash', expires_at: 1 })
  })
  expect(store.sessions.user(session)).toMatchObject({ id: 'u' })
  await store.write(() => store.users.remove('u'))
  expect(store.sessions.user(session)).toBeUndefined()
})

const bob = (store: Store, id: string) => ({ ...newUser({ store, now: new Date() }), id, properties: 'Bob' })
