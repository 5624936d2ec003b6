import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { consolePaths } from '../../../src/contract/console.ts'
import type { ServiceOptions } from '../../../src/server/service.ts'
import { consolePages } from '../../support/console-pages.ts'
import { newDatabase } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { overHttp, testService } from '../../support/service.ts'
import { dial, refusal } from '../../support/sockets.ts'

/** scrypt's N for the key: no other password is hashed with it here. */
const cost = 2 ** 5
const own = { password: 'of-my-own', scryptCost: cost } as const

/** Has the keys that services make counted, and held back while it is asked to; `salts` are what they are made with. */
function keys() {
  const real = crypto.scrypt
  const salts: string[] = []
  let failure: Error | undefined
  let held: (() => void)[] | undefined
  const spy = vi.spyOn(crypto, 'scrypt').mockImplementation((...given: Parameters<typeof real>) => {
    const [, salt, , { N }, done] = given
    if (N !== cost) return real(...given)
    salts.push(String(salt))
    if (failure) return done(failure, Buffer.alloc(0))
    if (held) held.push(() => real(...given))
    else real(...given)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return {
    made: () => salts.length,
    salts,
    fail: (error: Error | undefined) => {
      failure = error
    },
    hold: () => {
      held = []
    },
    release: () => {
      for (const make of held?.splice(0) ?? []) make()
      held = undefined
    },
  }
}

/** A service that listens, and how its publisher is asked for in several ways. */
async function listening(options: Partial<ServiceOptions>) {
  const world = await testService(options)
  const { port, wsUrl } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const login = (password: string) => {
    const body = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password } }
    return world.send('POST', '/v1/user/login', { body })
  }
  const sent = (method: string, path: string, headers: Record<string, string>) =>
    overHttp(port, { method, path, headers: { 'app-id': 'local', host: `127.0.0.1:${port}`, ...headers } })
  const read = (token: string) => sent('GET', '/v1/user', { authorization: `Bearer ${token}` })
  return { ...world, port, wsUrl, login, sent, read }
}
type World = Awaited<ReturnType<typeof listening>>

interface Session {
  readonly access: string
  readonly refresh: string
}

/** A database, and a session that began with the configured password in a process that has ended. */
async function formerSession(): Promise<Session & { readonly db: string }> {
  const db = newDatabase()
  const { login, service } = await listening({ db, ...own })
  const { payload } = await login(own.password)
  await service.close()
  return { db, access: payload.access_token.token, refresh: payload.refresh_token.token }
}

test('a start with an own password makes no key, nor does a request that needs none; the first logins make one', async () => {
  const { made } = keys()
  const { publisher, send, as, login, read } = await listening({ db: newDatabase(), ...own })
  const guest = await publisher.call('POST', '/v1/user/guest')
  const body = { token: guest.payload.properties.guest_id, token_type: 'guest_id' }
  const { payload } = await send('POST', '/v1/user/login', { body })
  const answers = [
    await as('', payload.access_token.token).call('GET', '/v1/user'),
    await send('POST', '/v1/access_token', { headers: { authentication: `Bearer ${payload.refresh_token.token}` } }),
    await login('wrong'),
    await read('none.of.ours'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403])
  expect(made()).toBe(0)
  const logins = await Promise.all([login(own.password), login(own.password)])
  expect(logins.map(({ status }) => status)).toEqual([200, 200])
  expect(made()).toBe(1)
  expect((await read(logins[0]?.payload.access_token.token)).status).toBe(200)
  expect((await login(own.password)).status).toBe(200)
  expect(made()).toBe(1)
})

test('the default password, which everybody knows, needs no costly key', async () => {
  const { made } = keys()
  const { login } = await listening({ db: newDatabase(), scryptCost: cost })
  expect((await login('vatom-local')).status).toBe(200)
  expect(made()).toBe(0)
})

test('the key of one password is another for each database', async () => {
  const { salts } = keys()
  for (const db of [newDatabase(), newDatabase()]) {
    const { login } = await listening({ db, ...own })
    expect((await login(own.password)).status).toBe(200)
  }
  expect(new Set(salts).size).toBe(2)
})

const doors: [string, (world: World, session: Session) => Promise<number>][] = [
  ['over HTTP', async ({ read }, { access }) => (await read(access)).status],
  [
    'by its refresh token over HTTP',
    async ({ sent }, { refresh }) => (await sent('POST', '/v1/access_token', { authentication: refresh })).status,
  ],
  [
    'by its refresh token as the only one',
    async ({ sent }, { refresh }) => (await sent('POST', '/v1/access_token', { authorization: refresh })).status,
  ],
  ['in process', async ({ as }, { access }) => (await as('', access).call('GET', '/v1/user')).status],
  [
    'by its refresh token in process',
    async ({ send }, { refresh }) =>
      (await send('POST', '/v1/access_token', { headers: { authentication: refresh } })).status,
  ],
  [
    'on a WebSocket',
    async ({ wsUrl }, { access }) => {
      const address = `${wsUrl}?app_id=local&token=${access}`
      const { next } = dial(address)
      const [greeted, refused] = [next().then(() => 200), refusal(address).then(({ status }) => status)]
      return await Promise.any([greeted, refused])
    },
  ],
  [
    'in the console',
    async ({ sent }, { access }) =>
      (await sent('POST', consolePaths.session, { authorization: `Bearer ${access}` })).status,
  ],
]

test.each(doors)('a session of an earlier process with the same password is accepted %s', async (_, ask) => {
  const { db, ...session } = await formerSession()
  const { made } = keys()
  const world = await listening({ db, ...own, pages: consolePages() })
  expect(made()).toBe(0)
  expect(await ask(world, session)).toBe(200)
  expect(made()).toBe(1)
})

test.each(doors)('a session of an earlier process with another password is refused %s', async (_, ask) => {
  const { db, ...session } = await formerSession()
  const world = await listening({ db, ...own, password: 'another', pages: consolePages() })
  expect(await ask(world, session)).toBe(403)
})

test('requests that need the key at once wait for the same one, while others are answered', async () => {
  const { db, access, refresh } = await formerSession()
  const { made, hold, release } = keys()
  const { service, read, sent, publisher } = await listening({ db, ...own })
  hold()
  const ended: string[] = []
  const waiting = [
    read(access),
    read(access),
    sent('POST', '/v1/access_token', { authentication: refresh }),
    service.inject({ method: 'GET', path: '/v1/user', headers: { 'app-id': 'local', authorization: access } }),
  ].map((answer) => answer.then(({ status }) => ended.push(`${status}`)))
  await vi.waitFor(() => expect(made()).toBe(1))
  expect((await read(service.localToken())).status).toBe(200)
  expect((await publisher.call('GET', '/v1/user')).status).toBe(200)
  expect(ended).toEqual([])
  release()
  await Promise.all(waiting)
  expect(ended).toEqual(['200', '200', '200', '200'])
  expect(made()).toBe(1)
})

test('a request whose connection is closed while it waits for the key is not carried out', async () => {
  const { db, access } = await formerSession()
  const { made, hold, release } = keys()
  const { service, port, read } = await listening({ db, ...own })
  const { journal } = await service.testControls()
  hold()
  const headers = `Host: localhost\r\nApp-Id: local\r\nAuthorization: ${access}`
  const { socket, closed } = rawConnection(port, `POST /v1/user/logout HTTP/1.1\r\n${headers}\r\n\r\n`)
  await vi.waitFor(() => expect(made()).toBe(1))
  socket.destroy()
  await closed
  const metrics = async () => await (await fetch(`http://127.0.0.1:${port}/__vatom/metrics`)).text()
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^vatom_connections_open 1$/m), 10_000)
  release()
  const logout = () => [...journal.after(0)].find(({ path }) => path === '/v1/user/logout')
  await vi.waitFor(() => expect(logout()).toMatchObject({ status: 503 }), 10_000)
  expect((await read(access)).status).toBe(200)
})

test('where the key cannot be made, the next request that needs it has it made', async () => {
  const { db, access } = await formerSession()
  const { made, fail } = keys()
  const { read, login } = await listening({ db, ...own })
  fail(new Error('no memory'))
  expect((await read(access)).status).toBe(500)
  expect((await login(own.password)).status).toBe(500)
  fail(undefined)
  expect((await read(access)).status).toBe(200)
  expect(made()).toBe(3)
})
