import { describe, expect, test } from 'vitest'
import { action, template, variation, variationName } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { type Caller, codeFor, made, testService } from '../../support/service.ts'

const bob = { token: 'bob@example.com', token_type: 'email' }

async function world(db = ':memory:') {
  const found = await testService({ db })
  const { service, publisher, as, send, register } = found
  await made(
    publisher,
    ['POST', '/v1/templates', template({ unpublished: false })],
    ['POST', '/v1/template_variations', variation({ unpublished: false })],
    ['POST', '/v1/publisher/action', action()],
  )
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const user = await register(bob.token)
  await made(user, ['POST', '/v1/user/verify_token', { ...bob, verify_code: await codeFor(service, bob.token) }])
  const login = async (password: string) => {
    const { status, payload } = await send('POST', '/v1/user/login', { body: { ...bob, auth_data: { password } } })
    expect(status).toBe(200)
    return as(user.id, payload.access_token.token)
  }
  return { ...found, port, user, login }
}
type World = Awaited<ReturnType<typeof world>>

/** A request of which the body has not arrived, but for a byte; the function sends the rest, and resolves with the answer. */
async function halfSent({ port, service, send }: World, { token }: Caller, method: string, path: string, body: object) {
  const text = JSON.stringify(body)
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nApp-Id: ${service.appId}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n`
  const { socket, closed } = rawConnection(port)
  await new Promise<void>((resolve) => socket.write(head + text.slice(0, 1), () => resolve()))
  // The service has read it when it has answered another.
  await send('GET', '/v1/user')
  await fetch(`http://127.0.0.1:${port}/__vatom/health`)
  return async () => {
    socket.write(text.slice(1))
    const answer = await closed
    return { status: Number(answer.slice(9, 12)), error: JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error }
  }
}

const ends: [string, (world: World) => Promise<Caller>][] = [
  [
    'a logout',
    async ({ user, login }) => {
      await made(user, ['POST', '/v1/user/logout'])
      return await login('secret')
    },
  ],
  [
    'a recovery',
    async ({ send, service, login }) => {
      await send('POST', '/v1/user/reset_token', { body: bob })
      return await login(await codeFor(service, bob.token))
    },
  ],
  [
    'a new password',
    async ({ login }) => {
      const other = await login('secret')
      await made(other, ['PATCH', '/v1/user', { password: 'another' }])
      return other
    },
  ],
]

describe.each(ends)('a request whose session was ended by %s before its body arrived', (_, end) => {
  test('changes nothing', async () => {
    const place = await world()
    const { publisher, user, register } = place
    const eve = await register('eve@example.com')
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }])
    const [id] = ids
    await made(publisher, ['POST', '/v1/user/vatom/action/Transfer', { 'this.id': id, 'new.owner.id': user.id }])
    const given = { 'this.id': id, 'new.owner.id': eve.id }
    const pending = await Promise.all([
      halfSent(place, user, 'POST', '/v1/user/vatom/action/Transfer', given),
      halfSent(place, user, 'PATCH', '/v1/user', { password: 'stolen' }),
      halfSent(place, user, 'POST', '/v1/user/vatom/inventory', { parent_id: '.' }),
    ])
    const owner = await end(place)
    for (const finish of pending) expect(await finish()).toEqual({ status: 403, error: 401 })
    expect((await owner.call('POST', '/v1/user/vatom/inventory', { body: { parent_id: '.' } })).text).toContain(id)
    expect(await owner.call('GET', '/v1/user')).toMatchObject({ status: 200 })
    const stolen = { ...bob, auth_data: { password: 'stolen' } }
    expect(await place.send('POST', '/v1/user/login', { body: stolen })).toMatchObject({ status: 403 })
  })
})

test('a request whose session goes on is carried out, though its access token expired before its body arrived', async () => {
  const place = await world()
  const finish = await halfSent(place, place.user, 'PATCH', '/v1/user', { first_name: 'Bob' })
  place.advance(301)
  expect(await finish()).toMatchObject({ status: 200 })
})

test.each([
  ['of a user', true],
  ['of the process itself', false],
])('a long write is refused whose session, %s, was ended while it waited', async (_, isUsers) => {
  const { service, publisher, as, send } = await world(newDatabase())
  const login = {
    token: service.publisher.email,
    token_type: 'email',
    auth_data: { password: service.publisher.password },
  }
  const { payload } = await send('POST', '/v1/user/login', { body: login })
  const user = as(publisher.id, payload.access_token.token)
  const [ended, other] = isUsers ? [user, publisher] : [publisher, user]
  const emission = { body: { template_variation: variationName, num: 1000 } }
  const [first, second] = [other, ended].map((caller) => caller.call('POST', '/v1/vatoms', emission))
  await made(ended, ['POST', '/v1/user/logout'])
  expect(await first).toMatchObject({ status: 200, payload: { num_created: 1000 } })
  expect(await second).toMatchObject({ status: 403, body: { error: 401 } })
  const { payload: stats } = await other.call('POST', '/v1/user/vatom/inventorystats', { body: {} })
  expect(stats.stats).toMatchObject([{ template_variation: variationName, count: 1000 }])
})
