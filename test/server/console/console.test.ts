import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dryRunDone, dryRunHeader } from '../../../src/contract/api/dry-run-header.ts'
import { consolePaths } from '../../../src/contract/console.ts'
import { limits } from '../../../src/contract/limits.ts'
import { pageKeyHeader, pageSessionHeader } from '../../../src/contract/page-session.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { parseJson } from '../../../src/contract/unknown-values.ts'
import { closeCodes } from '../../../src/server/events/close-codes.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { action, grant, outputOf, perform, seen } from '../../support/acting.ts'
import { gate, handlerOf } from '../../support/action-handler.ts'
import { consolePages } from '../../support/console-pages.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { sessionOf, tokenOf } from '../../support/page-session.ts'
import { codeFor, emitted, testService } from '../../support/service.ts'
import { dial } from '../../support/sockets.ts'

/** A service with a console, and a browser that can follow links and send requests. */
async function consoleOf(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService({ pages: consolePages(), ...options })
  const listening = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const { baseUrl, consoleLink } = listening
  // What the world of a test asked for itself is not listed; the numbers go on.
  const { journal } = await world.service.testControls()
  journal.clear()
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(baseUrl + path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }
  const link = () => String(consoleLink?.())
  const page = { headers: { accept: 'text/html,*/*' } }
  const signedIn = async () => {
    const session = await sessionOf(link(), consolePaths.session)
    return { session, headers: { ...session, origin: baseUrl, 'sec-fetch-site': 'same-origin' } }
  }
  const api = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  return { ...world, ...listening, ask, link, page, signedIn, api }
}

/** The headers of requests of the session that an answer has begun. */
const begunIn = ({ headers }: { readonly headers: Headers }) => ({
  [pageSessionHeader]: String(headers.get(pageSessionHeader)),
})

/** A console that its publisher signed in to with a password, from another machine; and another user. */
async function signedInByPassword(options: Parameters<typeof testService>[0] = {}) {
  const world = await consoleOf(options)
  const { ask, as, send, service, baseUrl } = world
  const far = { 'x-forwarded-for': '203.0.113.9', origin: baseUrl }
  const address = { token_type: 'email', token: 'publisher@local.vatom' }
  const login = async (password: string) => {
    const { payload } = await send('POST', '/v1/user/login', { body: { ...address, auth_data: { password } } })
    const caller = as(payload.user.id, payload.access_token.token)
    return { ...caller, change: (to: string) => caller.call('PATCH', '/v1/user', { body: { password: to } }) }
  }
  const publisher = await login('vatom-local')
  const own = { 'app-id': 'local', authorization: `Bearer ${publisher.token}` }
  const headers = {
    ...far,
    ...begunIn(await ask(consolePaths.session, { method: 'POST', headers: { ...own, ...far } })),
  }
  return {
    ...world,
    ...{ publisher, headers, login, user: await world.register('someone@example.com') },
    tokenOf: async (user: string) => {
      const { body } = await ask(consolePaths.token, { method: 'POST', headers, body: JSON.stringify({ user }) })
      return String(at(body, 'payload', 'access_token'))
    },
    recover: async () => {
      await send('POST', '/v1/user/reset_token', { body: address })
      return login(await codeFor(service, address.token))
    },
    signOut: () => ask(consolePaths.session, { method: 'DELETE', headers }),
  }
}

describe('the console of a service', () => {
  test('is for browsers: other clients are answered as without it', async () => {
    const { ask, page } = await consoleOf()
    const answered = await ask('/', page)
    expect(answered.status).toBe(200)
    expect(answered.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answered.text).toContain(`src="${consolePaths.scripts}console-AAAAAAAA.js"`)
    for (const accept of ['application/json', '*/*', '']) {
      const refused = await ask('/', { headers: { accept } })
      expect(refused).toMatchObject({ status: 404, body: { error: 9000 } })
    }
    const without = await consoleOf({ pages: undefined })
    expect(without.consoleLink).toBeUndefined()
    expect(await without.ask('/', page)).toMatchObject({ status: 404, body: { error: 9000 } })
    expect(await without.ask(consolePaths.session)).toMatchObject({ status: 404 })
  })

  test('a link can be used once, for a session that no browser sends by itself', async () => {
    const { ask, link, page, baseUrl } = await consoleOf()
    const used = link()
    const opened = await ask(used.slice(baseUrl.length), page)
    expect([opened.status, opened.headers.get('set-cookie'), opened.headers.get(pageSessionHeader)]).toEqual([
      200,
      null,
      null,
    ])
    const token = await tokenOf(used, consolePaths.session)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(await tokenOf(used, consolePaths.session)).toBeNull()
    expect(await tokenOf(`${baseUrl}/?key=`, consolePaths.session)).toBeNull()
    const asCookie = { cookie: `vatom_console_${new URL(baseUrl).port}=${token}; ${pageSessionHeader}=${token}` }
    expect((await ask(consolePaths.requests, { headers: asCookie })).status).toBe(403)
    expect((await ask(consolePaths.requests, { headers: { [pageSessionHeader]: String(token) } })).status).toBe(200)
  })

  test('says to start the service again where data without its publisher was loaded', async () => {
    const db = newDatabase()
    const { ask, link, baseUrl } = await consoleOf({ db })
    const sqlite = await openSqlite(db)
    sqlite.exec('DELETE FROM users')
    sqlite.close()
    const key = new URL(link()).searchParams.get('key') ?? ''
    const headers = { [pageKeyHeader]: key, origin: baseUrl }
    expect(await ask(consolePaths.session, { method: 'POST', headers })).toMatchObject({
      status: 503,
      body: {
        error: 9053,
        message: expect.stringContaining('local.vatom is not among the data that was loaded: start'),
      },
    })
  })

  test('a link is for its own machine', async () => {
    const { ask, link, page, baseUrl } = await consoleOf()
    const key = new URL(link()).searchParams.get('key') ?? ''
    const begin = (headers: Record<string, string>) =>
      ask(consolePaths.session, { method: 'POST', headers: { [pageKeyHeader]: key, ...headers } })
    const refused = await begin({ 'x-forwarded-for': '203.0.113.9' })
    expect([refused.status, refused.headers.get(pageSessionHeader)]).toEqual([403, null])
    expect((await ask('/', page)).status).toBe(200)
    expect((await begin({ origin: baseUrl })).status).toBe(200)
  })

  test('says without a session only how to sign in', async () => {
    const { ask, baseUrl } = await consoleOf()
    expect(at((await ask(consolePaths.session)).body, 'payload')).toEqual({ app_id: 'local' })
    for (const [method, path] of [
      ['GET', consolePaths.requests],
      ['GET', consolePaths.events],
      ['POST', consolePaths.token],
      ['DELETE', consolePaths.session],
    ] as const) {
      const init = { method, headers: { origin: baseUrl, [pageSessionHeader]: 'x' } }
      expect([path, (await ask(path, init)).status]).toEqual([path, 403])
    }
  })

  test('is signed in with an access token of its publisher, and of nobody else', async () => {
    const { ask, api, baseUrl, register } = await consoleOf()
    const begin = (headers: Record<string, string>) =>
      ask(consolePaths.session, { method: 'POST', headers: { 'app-id': 'local', ...headers } })
    const begun = await begin({ ...api, origin: baseUrl })
    expect(begun.status).toBe(200)
    const headers = begunIn(begun)
    expect(at((await ask(consolePaths.session, { headers })).body, 'payload', 'session')).toMatchObject({
      publisher: { fqdn: 'local.vatom' },
    })
    const user = await register('someone@example.com')
    const refused = await begin({ authorization: `Bearer ${user.token}` })
    expect([refused.status, refused.headers.get(pageSessionHeader)]).toEqual([403, null])
    expect((await begin({})).status).toBe(403)
  })

  /** One with which a publisher may have two sessions, and what begins one. */
  async function consoleOfTwo() {
    const most = vi.spyOn<{ pageSessions: number }, 'pageSessions'>(limits, 'pageSessions', 'get').mockReturnValue(2)
    onTestFinished(() => most.mockRestore())
    const opened = await consoleOf()
    const { ask, api, baseUrl } = opened
    const begin = async () => {
      const begun = await ask(consolePaths.session, { method: 'POST', headers: { ...api, origin: baseUrl } })
      return { ...begunIn(begun), origin: baseUrl }
    }
    return { ...opened, begin }
  }

  test('of as many sessions as a publisher may have, a new one ends the one not used for longest, with its tokens, and none of a link', async () => {
    const { ask, as, publisher, signedIn, begin } = await consoleOfTwo()
    const ofLink = await signedIn()
    const [first, second] = [await begin(), await begin()]
    const given = { method: 'POST', headers: second, body: JSON.stringify({ user: publisher.id }) }
    const token = String(at((await ask(consolePaths.token, given)).body, 'payload', 'access_token'))
    const statuses = () =>
      Promise.all(
        [first, second, ofLink.headers].map(async (headers) => (await ask(consolePaths.requests, { headers })).status),
      )
    expect(await as('', token).call('GET', '/v1/user')).toMatchObject({ status: 200 })
    await ask(consolePaths.requests, { headers: first })
    const third = await begin()
    expect(await statuses()).toEqual([200, 403, 200])
    expect((await ask(consolePaths.requests, { headers: third })).status).toBe(200)
    expect(await as('', token).call('GET', '/v1/user')).toMatchObject({ status: 403 })
  })

  test('sessions that have signed out take nobody’s place', async () => {
    const { ask, begin } = await consoleOfTwo()
    const first = await begin()
    for (let times = 0; times < 2; times++)
      expect((await ask(consolePaths.session, { method: 'DELETE', headers: await begin() })).status).toBe(200)
    await begin()
    expect((await ask(consolePaths.requests, { headers: first })).status).toBe(200)
  })

  test('a session that began with an access token ends with the session of that', async () => {
    const { ask, baseUrl, publisher } = await consoleOf()
    const own = { 'app-id': 'local', authorization: `Bearer ${publisher.token}`, origin: baseUrl }
    const begun = await ask(consolePaths.session, { method: 'POST', headers: own })
    const headers = { ...begunIn(begun), origin: baseUrl }
    expect((await ask(consolePaths.requests, { headers })).status).toBe(200)
    expect((await ask('/v1/user/logout', { method: 'POST', headers: own })).status).toBe(200)
    expect((await ask(consolePaths.requests, { headers })).status).toBe(403)
    const token = { method: 'POST', headers, body: JSON.stringify({ user: publisher.id }) }
    expect((await ask(consolePaths.token, token)).status).toBe(403)
  })

  test.each<[string, (world: Awaited<ReturnType<typeof signedInByPassword>>) => Promise<unknown>]>([
    ['a new password', ({ login }) => login('vatom-local').then(({ change }) => change('another'))],
    ['recovery of the account', ({ recover }) => recover()],
    ['sign-out of the page', ({ signOut }) => signOut()],
    ['sign-out of the session that it began with', ({ publisher }) => publisher.call('POST', '/v1/user/logout')],
  ])('%s ends a session that began with a password, and the tokens that it gave', async (_, end) => {
    const world = await signedInByPassword()
    const tokens = [await world.tokenOf(world.publisher.id), await world.tokenOf(world.user.id)]
    for (const token of tokens) expect(await world.as('', token).call('GET', '/v1/user')).toMatchObject({ status: 200 })
    await end(world)
    expect((await world.ask(consolePaths.requests, { headers: world.headers })).status).toBe(403)
    for (const token of tokens) expect(await world.as('', token).call('GET', '/v1/user')).toMatchObject({ status: 403 })
    expect(await world.as('', world.service.localToken()).call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test.each<[string, (world: Awaited<ReturnType<typeof signedInByPassword>>) => Promise<unknown>]>([
    ['sign-out of the page', ({ signOut }) => signOut()],
    ['a new password', ({ login }) => login('vatom-local').then(({ change }) => change('another'))],
  ])('%s ends what the page follows, before anything that comes after it is sent', async (_, end) => {
    const world = await signedInByPassword()
    const { baseUrl, wsUrl, headers, user } = world
    const stream = await fetch(baseUrl + consolePaths.events, { headers })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toMatch(/^data: \d+\n\n$/)
    const { next, closed } = dial(`${wsUrl}?app_id=local&token=${await world.tokenOf(user.id)}`)
    await next()
    await end(world)
    expect(await closed).toBe(closeCodes.sessionEnded)
    let rest = ''
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) rest += part.value
    const { journal } = await world.service.testControls()
    expect(rest).not.toContain(`data: ${journal.last}\n`)
  })

  test('signing out with a token of a page ends the connections that began with it alone', async () => {
    const { as, wsUrl, tokenOf, user, publisher } = await signedInByPassword()
    const [token, ofPublisher] = [await tokenOf(user.id), await tokenOf(publisher.id)]
    const dialled = [token, ofPublisher].map((one) => dial(`${wsUrl}?app_id=local&token=${one}`))
    for (const { next } of dialled) await next()
    await as('', token).call('POST', '/v1/user/logout')
    expect(await dialled[0]?.closed).toBe(closeCodes.sessionEnded)
    expect(await dialled[1]?.settled()).toEqual([])
  })

  test.each<[string, boolean, (world: Awaited<ReturnType<typeof signedInByPassword>>) => Promise<unknown>]>([
    ['goes on after sign-out of the page', true, ({ signOut }) => signOut()],
    [
      'goes on after sign-out of what it began with',
      true,
      ({ publisher }) => publisher.call('POST', '/v1/user/logout'),
    ],
    ['ends with a new password', false, ({ login }) => login('vatom-local').then(({ change }) => change('another'))],
  ])('what a page has begun and does not wait for %s', async (_, goesOn, end) => {
    const go = gate()
    const { asked, url } = await handlerOf(async (response) => {
      await go.opened
      response.end('{"private": {"stamps": 1}}')
    })
    const logged: string[] = []
    const log = (line: string) => line.includes('Stamp, not waited for') && logged.push(line)
    const world = await signedInByPassword({ log })
    const own = world.as('', world.service.localToken())
    const [name, reactor] = ['local.vatom::Card', 'local.vatom://stamp']
    const [id = ''] = await emitted(own, name, 1, {}, { stamps: 0 })
    await own.call('POST', '/v1/publisher/action_handler', { body: { reactor, url } })
    await action(own, name, 'Stamp', { reactor, wait: false })
    outputOf(await perform(world.as('', await world.tokenOf(world.publisher.id)), 'Stamp', id))
    await expect.poll(() => asked.length).toBe(1)
    await end(world)
    go.open()
    const stamps = async () => (await seen(own, id)).private.stamps
    await expect.poll(async () => (await stamps()) === 1 || logged.length > 0, { timeout: 10_000 }).toBe(true)
    expect([await stamps(), logged.length]).toEqual(goesOn ? [1, 0] : [0, 1])
  })

  test('a token that a page gave begins no session of another page', async () => {
    const { ask, tokenOf, publisher } = await signedInByPassword()
    const headers = { 'app-id': 'local', authorization: `Bearer ${await tokenOf(publisher.id)}` }
    const refused = await ask(consolePaths.session, { method: 'POST', headers })
    expect([refused.status, refused.headers.get(pageSessionHeader)]).toEqual([403, null])
    expect(at(refused.body, 'message')).toContain('sign in with an e-mail address and a password')
  })

  test('signing out with a token of a page ends the tokens that it gave of that user, and not the page', async () => {
    const { ask, as, tokenOf, user, publisher, headers } = await signedInByPassword()
    const [token, ofPublisher] = [await tokenOf(user.id), await tokenOf(publisher.id)]
    const other = await tokenOf(user.id)
    const dry = { headers: { [dryRunHeader]: dryRunDone } }
    expect(await as('', token).call('POST', '/v1/user/logout', dry)).toMatchObject({ status: 200 })
    expect(await as('', token).call('POST', '/v1/user/logout')).toMatchObject({ status: 200 })
    for (const ended of [token, other])
      expect(await as('', ended).call('GET', '/v1/user')).toMatchObject({ status: 403 })
    expect(await as('', ofPublisher).call('GET', '/v1/user')).toMatchObject({ status: 200 })
    expect(await as('', await tokenOf(user.id)).call('GET', '/v1/user')).toMatchObject({ status: 200 })
    expect((await ask(consolePaths.requests, { headers })).status).toBe(200)
  })

  test('of several publishers none signs in from elsewhere: the console shows the data of all', async () => {
    const { ask, api } = await consoleOf({ publishers: ['local.vatom', 'rival.example'] })
    const begin = (headers: Record<string, string>) => ask(consolePaths.session, { method: 'POST', headers })
    const refused = await begin({ ...api, 'x-forwarded-for': '203.0.113.9' })
    expect([refused.status, refused.headers.get(pageSessionHeader)]).toEqual([403, null])
    expect((await begin(api)).status).toBe(200)
  })

  test('a publisher who signed in from elsewhere is signed out when there is another one, or the rights are taken away', async () => {
    const { ask, api, baseUrl, publisher, service, register } = await consoleOf()
    const far = { 'x-forwarded-for': '203.0.113.9', origin: baseUrl }
    const begin = () => ask(consolePaths.session, { method: 'POST', headers: { ...api, ...far } })
    const statusWith = async (session: Record<string, string>) =>
      (await ask(consolePaths.requests, { headers: { ...far, ...session } })).status
    const session = begunIn(await begin())
    expect(await statusWith(session)).toBe(200)
    await grant(service, publisher, { is_admin: false })
    expect(await statusWith(session)).toBe(403)
    await grant(service, publisher, { is_admin: true })
    expect(await statusWith(begunIn(await begin()))).toBe(200)
    const rival = await register('rival@example.com')
    await grant(service, rival, { pub_fqdn: 'rival.example', is_admin: true })
    expect(await statusWith(session)).toBe(403)
    expect((await begin()).status).toBe(403)
    expect((await ask(consolePaths.session, { method: 'POST', headers: { ...api, origin: baseUrl } })).status).toBe(200)
  })

  test('a session ends when it is signed out', async () => {
    const { ask, signedIn } = await consoleOf()
    const { headers } = await signedIn()
    expect((await ask(consolePaths.requests, { headers })).status).toBe(200)
    expect((await ask(consolePaths.session, { method: 'DELETE', headers })).status).toBe(200)
    expect((await ask(consolePaths.requests, { headers })).status).toBe(403)
  })

  test.each([
    ['another origin', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s cannot use the session of a browser', async (_, foreign) => {
    const { ask, signedIn, publisher, api } = await consoleOf({ temporary: newFolder() })
    const { session } = await signedIn()
    const headers = { ...session, ...foreign }
    expect((await ask(consolePaths.requests, { headers })).status).toBe(403)
    const token = await ask(consolePaths.token, {
      method: 'POST',
      headers,
      body: JSON.stringify({ user: publisher.id }),
    })
    expect([token.status, token.text.includes('eyJ')]).toEqual([403, false])
    const begun = await ask(consolePaths.session, { method: 'POST', headers: { ...api, ...foreign } })
    expect([begun.status, begun.headers.get(pageSessionHeader)]).toEqual([403, null])
  })

  test('a Host that is not of the service gets no page', async () => {
    const { port, ask, page } = await consoleOf()
    const { request } = await import('node:http')
    const status = await new Promise((resolve) =>
      request({ port, host: '127.0.0.1', headers: { host: 'evil.example', accept: 'text/html' } }, (response) =>
        resolve(response.resume().statusCode),
      ).end(),
    )
    expect(status).toBe(403)
    expect((await ask('/', page)).status).toBe(200)
  })

  test('gives programs of this machine a link, and no page of any origin', async () => {
    const { ask, baseUrl } = await consoleOf()
    const made = await ask(consolePaths.links, { method: 'POST' })
    const url = String(at(made.body, 'payload', 'url'))
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32}$/)
    expect(await tokenOf(url, consolePaths.session)).toMatch(/^[\w-]{32}$/)
    for (const origin of [baseUrl, 'http://localhost:3000', 'null'])
      expect((await ask(consolePaths.links, { method: 'POST', headers: { origin } })).status).toBe(403)
  })

  test('has a policy that lets in no script but those of the build', async () => {
    const { ask, page, baseUrl } = await consoleOf()
    const { headers } = await ask('/', page)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src ${baseUrl}${consolePaths.scripts};`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|script-src[^;]*'self'/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('serves what the build has made, and no other file of its folder', async () => {
    const { ask } = await consoleOf()
    const script = await ask(`${consolePaths.scripts}console-AAAAAAAA.js`)
    expect([script.status, script.text, script.headers.get('x-content-type-options')]).toEqual([
      200,
      'export {}',
      'nosniff',
    ])
    for (const name of ['secret.txt', 'manifest.json', '..%2fmanifest.json', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'])
      expect([name, (await ask(consolePaths.scripts + name)).status]).toEqual([name, 404])
  })
})

describe('the requests that the console shows', () => {
  test('have their bodies, without secrets; the journal has none', async () => {
    const { ask, api, signedIn, publisher } = await consoleOf()
    const body = JSON.stringify({ first_name: 'Ada', password: 'very secret' })
    await ask('/v1/user', { method: 'PATCH', headers: api, body })
    const login = { token_type: 'email', token: 'publisher@local.vatom', auth_data: { password: 'wrong secret' } }
    await ask('/v1/user/login', { method: 'POST', headers: { 'app-id': 'local' }, body: JSON.stringify(login) })
    await ask('/v1/templates', { method: 'POST', headers: api, body: '{"password": "not secret", ' })
    const { headers } = await signedIn()
    const { body: answer, text } = await ask(consolePaths.requests, { headers })
    const [changed, refused, broken] = at(answer, 'payload') as object[]
    expect(changed).toMatchObject({
      seq: 2,
      method: 'PATCH',
      path: '/v1/user',
      operation: 'updateProfile',
      status: 200,
      user: publisher.id,
      sent: { text: '{"first_name":"Ada","password":"[redacted]"}', redacted: true },
      answered: { text: expect.stringContaining('"first_name":"Ada"') },
    })
    expect(refused).toMatchObject({ status: 403, sent: { redacted: true } })
    expect(broken).toMatchObject({ status: 400, sent: { text: '{"password": "[redacted]", ', redacted: true } })
    expect(text).not.toMatch(/(very|wrong|not) secret|eyJ/)
    const journal = await ask('/__vatom/journal')
    expect(journal.text).not.toMatch(/Ada|sent|answered/)
  })

  test('keep tokens out of answers, and deep bodies whole', async () => {
    const { ask, api, signedIn, register } = await consoleOf()
    await register('someone@example.com')
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    await ask('/v1/templates', { method: 'POST', headers: api, body: deep })
    const { headers } = await signedIn()
    const { text, body } = await ask(consolePaths.requests, { headers })
    expect(text).not.toContain('eyJ')
    expect((at(body, 'payload') as object[]).map((one) => at(one, 'sent', 'text')).includes(deep)).toBe(true)
  })

  test('mark those of the console, and are those after a number', async () => {
    const { ask, api, signedIn } = await consoleOf()
    await ask('/v1/user', { headers: api })
    const { headers } = await signedIn()
    await ask('/v1/user', { headers: { ...api, ...headers } })
    await ask('/', { headers: { accept: 'text/html' } })
    const all = at((await ask(consolePaths.requests, { headers })).body, 'payload') as object[]
    expect(all.map((one) => at(one, 'console'))).toEqual([undefined, true])
    const later = at((await ask(`${consolePaths.requests}?after=2`, { headers })).body, 'payload') as object[]
    expect(later.map((one) => at(one, 'seq'))).toEqual([3])
    expect(at((await ask(`${consolePaths.requests}?after=3`, { headers })).body, 'payload')).toEqual([])
  })

  test('are announced, and a service that closes ends the announcements at once', async () => {
    const { ask, api, signedIn, baseUrl, service } = await consoleOf()
    const { headers } = await signedIn()
    const stream = await fetch(baseUrl + consolePaths.events, { headers })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('data: 1\n\n')
    await ask('/v1/user', { headers: api })
    expect((await reader?.read())?.value).toBe('data: 2\n\n')
    const begun = performance.now()
    await service.close()
    expect((await reader?.read())?.done).toBe(true)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  test('can be sent again as the user who sent them', async () => {
    const { ask, signedIn, register } = await consoleOf()
    const { headers } = await signedIn()
    const user = await register('someone@example.com')
    const tokenOf = async (id: string) =>
      at(
        (await ask(consolePaths.token, { method: 'POST', headers, body: JSON.stringify({ user: id }) })).body,
        'payload',
        'access_token',
      )
    const authorization = `Bearer ${await tokenOf(user.id)}`
    const profile = await ask('/v1/user', { headers: { 'app-id': 'local', authorization } })
    expect(at(profile.body, 'payload', 'id')).toBe(user.id)
    expect(await tokenOf('nobody')).toBeUndefined()
  })
})
