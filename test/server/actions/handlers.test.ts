import { IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { exchange } from '../../../src/server/actions/handler-exchange.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { action, outputOf, perform, seen } from '../../support/acting.ts'
import { answering, gate, handlerOf, saying, secureHandler, slowHandler } from '../../support/action-handler.ts'
import { type Caller, codeFor, doors, emitted, made, testService, warningsOf } from '../../support/service.ts'
import { twoPublishers, watched } from '../../support/worlds.ts'

const name = 'local.vatom::Card'
const reactor = 'local.vatom://stamp'
const fields = { stamps: 0, owner: { name: 'x' } }
const handled = (caller: Caller, url: string) =>
  caller.call('POST', '/v1/publisher/action_handler', { body: { reactor, url } })

/** A publisher with a vAtom whose Stamp is carried out by a handler at an address. */
async function world(url: string, options: Parameters<typeof testService>[0] = {}, settings: object = {}) {
  const opened = await twoPublishers(options)
  const { publisher } = opened
  const [id = ''] = await emitted(publisher, name, 1, {}, fields)
  await handled(publisher, url)
  await action(publisher, name, 'Stamp', { reactor, ...settings })
  return { ...opened, id }
}
const stamp = (caller: Caller, id: string, input: object = {}) => perform(caller, 'Stamp', id, input)

/** The address of a handler that is asked in plain text, and over TLS. */
const overHttp = async (answer: (response: ServerResponse) => unknown) => (await handlerOf(answer)).url
const overTls = async (answer: (response: ServerResponse) => unknown) => (await secureHandler(answer)).at('127.0.0.1')

describe.each(doors)('%s', (door) => {
  test('a reactor of the publisher’s own is carried out by its handler', async () => {
    const { asked, url } = await answering({ output: { ok: [1] }, private: { stamps: 1 } })
    const { publisher } = await testService({}, door)
    const [id = ''] = await emitted(publisher, name, 1, {}, fields)
    await handled(publisher, url)
    await action(publisher, name, 'Stamp', { reactor, config: { colour: 'red' } })
    const before = await publisher.call('GET', `/v1/vatoms/${id}`)
    expect(outputOf(await stamp(publisher, id, { place: 'Bern' }))).toEqual({ ok: [1] })
    expect(asked.map(({ body }) => body)).toEqual([
      {
        action: `${name}::Action::Stamp`,
        reactor,
        stage: 'main',
        user: { id: publisher.id, pub_fqdn: 'local.vatom', is_admin: true, is_merchant: false, activated: true },
        vatom: before.payload,
        input: { 'this.id': id, place: 'Bern' },
        config: { colour: 'red' },
      },
    ])
    expect(asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(asked[0]?.headers).not.toHaveProperty('authorization')
    const after = await seen(publisher, id)
    expect(after.private).toEqual({ ...fields, stamps: 1 })
    expect([after.type, after.sync]).toEqual([before.payload['vAtom::vAtomType'], 2])
  })
})

test('a handler is asked over TLS', async () => {
  const reply = JSON.stringify({ output: { text: 'x'.repeat(100_000) } })
  const { at } = await secureHandler((response) => response.end(reply))
  const { publisher, id } = await world(at('127.0.0.1'))
  expect(outputOf(await stamp(publisher, id))).toEqual({ text: 'x'.repeat(100_000) })
})

test.each([
  ['is for another host', 'localhost', true, /ERR_TLS_CERT_ALTNAME_INVALID/],
  ['nobody trusts', '127.0.0.1', false, /DEPTH_ZERO_SELF_SIGNED_CERT/],
])('a handler whose certificate %s is not asked', async (_what, host, isTrusted, message) => {
  const { at } = await secureHandler((response) => response.end('{}'), isTrusted)
  const { publisher, id } = await world(at(host))
  expect(await stamp(publisher, id)).toMatchObject({ status: 502, body: { message: expect.stringMatching(message) } })
})

test.each([
  ['http:', 80],
  ['https:', 443],
])('a handler at an %s address without a port is asked at port %i', async (protocol, port) => {
  const connecting = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    setImmediate(() => this.destroy(new Error('not connected')))
    return this
  })
  onTestFinished(() => connecting.mockRestore())
  const asked = exchange(new URL(`${protocol}//127.0.0.1/`), {}, '{}', new AbortController().signal)
  await expect(asked).rejects.toThrow()
  expect(connecting.mock.calls[0]?.flat(2)[0]).toMatchObject({ host: '127.0.0.1', port })
})

test('a handler is called by its host', async () => {
  const { asked, url, port } = await answering({})
  const { publisher, id } = await world(url)
  await stamp(publisher, id)
  expect(asked[0]?.headers.host).toBe(`127.0.0.1:${port}`)
})

test.each([
  ['over HTTP', overHttp, 4096],
  // Of TLS a record is read once it is complete, and another one may begin and end in the same piece.
  ['over TLS', overTls, 2 * 16_384],
])('what a handler sends at once %s is read in pieces, each in its turn', async (_protocol, handlerAt, most) => {
  const { publisher, id } = await world(
    await handlerAt((response) => response.end(JSON.stringify({ output: { text: 'x'.repeat(200_000) } }))),
  )
  const { push } = IncomingMessage.prototype
  const readInTurns = [0]
  const nextTurn = () => {
    readInTurns.push(0)
    next = setImmediate(nextTurn)
  }
  let next = setImmediate(nextTurn)
  const reading = vi.spyOn(IncomingMessage.prototype, 'push').mockImplementation(function (
    this: IncomingMessage,
    part,
  ) {
    readInTurns.push((readInTurns.pop() ?? 0) + (part?.length ?? 0))
    return push.call(this, part)
  })
  onTestFinished(() => {
    clearImmediate(next)
    reading.mockRestore()
  })
  outputOf(await stamp(publisher, id))
  expect(Math.max(...readInTurns)).toBeLessThanOrEqual(most)
  expect(readInTurns.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(200_000)
})

test.each([true, false])('a reset ends an action whose handler does not answer (wait: %s)', async (wait) => {
  const asked = gate()
  const { url } = await handlerOf(async () => asked.open())
  const { service, publisher, id } = await world(url, {}, { wait, timeout: 60_000 })
  const controls = await service.testControls()
  await controls.rememberStart()
  const answer = stamp(publisher, id)
  await asked.opened
  await controls.returnToStart()
  await controls.settled()
  expect(await answer).toMatchObject(wait ? { status: 409, body: { error: 9048 } } : { status: 200 })
  expect((await seen(publisher, id)).private).toEqual(fields)
})

test('a handler that is the service itself is refused what callers of this machine may do', async () => {
  const { service, publisher } = await testService()
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const [id = ''] = await emitted(publisher, name, 1, {}, fields)
  await handled(publisher, `http://127.0.0.1:${port}/__vatom/reset`)
  await action(publisher, name, 'Stamp', { reactor })
  expect(await stamp(publisher, id)).toMatchObject({ status: 502, body: { message: expect.stringContaining('403') } })
  expect((await publisher.call('GET', `/v1/vatoms/${id}`)).status).toBe(200)
})

test.each([
  ['nothing', ''],
  ['an empty object', '{}'],
  ['null for all it may answer', '{"output": null, "private": null, "error": null}'],
])('a handler that answers %s changes nothing', async (_what, text) => {
  const { url } = await handlerOf((response) => response.end(text))
  const { publisher, id } = await world(url)
  expect(outputOf(await stamp(publisher, id))).toEqual({})
  expect((await seen(publisher, id)).sync).toBe(1)
})

test('what a handler changes causes an event, and it can change only existing properties', async () => {
  const { db, events } = watched()
  const replies = [{ private: { owner: { name: 'y' } } }, { private: { colour: 'red' } }]
  const { url } = await handlerOf((response) => response.end(JSON.stringify(replies.shift())))
  const { publisher, id } = await world(url, { db })
  outputOf(await stamp(publisher, id))
  expect(await events()).toMatchObject([
    { type: 'state_update', action_name: 'Stamp', new_object: { private: { owner: { name: 'y' } } } },
  ])
  expect(await stamp(publisher, id)).toMatchObject({
    status: 400,
    body: { error: 516, issues: [{ path: 'private.colour' }] },
  })
  expect((await seen(publisher, id)).private).toEqual({ stamps: 0, owner: { name: 'y' } })
})

test('what a handler answers pollutes nothing', async () => {
  const { url } = await handlerOf((response) => response.end('{"private": {"__proto__": {"stamps": 1}}}'))
  const { publisher, id } = await world(url)
  await stamp(publisher, id)
  expect((await seen(publisher, id)).private).toEqual(fields)
  expect(Reflect.get({}, 'stamps')).toBeUndefined()
})

describe('a handler that fails', () => {
  test.each([
    ['refuses', 400, 9041, /^Not today$/, '{"error": {"Code": 7, "Msg": "Not today"}}', 200],
    ['refuses in a text', 400, 9041, /^Not today$/, '{"error": "Not today"}', 200],
    ['refuses with a status', 400, 9041, /^Not today$/, '{"error": {"Msg": "Not today"}, "id": 7}', 403],
    ['is at another path', 502, 9042, /failed: it answered 404$/, '<h1>Not found</h1>', 404],
    ['refuses with null', 502, 9042, /failed: it answered 403$/, '{"error": null}', 403],
    ['refuses in a number', 502, 9042, /failed: it answered 429$/, '{"error": 429}', 429],
    ['answers null', 502, 9042, /not an object/, 'null', 200],
    ['refuses with an empty text', 400, 9041, /^The action handler refused$/, '{"error": ""}', 200],
    ['answers another key, too', 502, 9042, /is not an object with .* alone/, '{"output": 1, "ok": false}', 200],
    ['refuses without a word', 400, 9041, /^The action handler refused$/, '{"error": {"Msg": null}}', 200],
    ['answers a failure', 502, 9042, /answered 500/, '{"output": 1}', 500],
    ['redirects', 502, 9042, /answered 302/, '', 302],
    ['answers no JSON', 502, 9042, /not JSON/, '<html>', 200],
    ['answers a list', 502, 9042, /not an object/, '[]', 200],
    ['answers no custom properties', 502, 9042, /not an object/, '{"private": 1}', 200],
    [
      'answers too much',
      502,
      9042,
      /more than 262144/,
      JSON.stringify({ output: 'x'.repeat(limits.handlerAnswer) }),
      200,
    ],
    [
      'answers with many values',
      502,
      9042,
      /more than 8192 keys and values/,
      `{"output": [${'{},'.repeat(8193)}{}]}`,
      200,
    ],
    [
      'nests too deep',
      502,
      9042,
      /nested deeper than 64 levels/,
      `{"output": ${'['.repeat(100)}${']'.repeat(100)}}`,
      200,
    ],
  ])('because it %s ends the action', async (_what, status, error, message, text, answered) => {
    const elsewhere = await answering({})
    const { url } = await handlerOf((response) => response.writeHead(answered, { location: elsewhere.url }).end(text))
    const { publisher, id } = await world(url)
    const answer = await stamp(publisher, id)
    expect(answer).toMatchObject({ status, body: { error, message: expect.stringMatching(message) } })
    expect(elsewhere.asked).toEqual([])
    expect((await seen(publisher, id)).sync).toBe(1)
  })

  test.each([
    ['a short text', 'secret', /is not JSON$/, /: its answer is not JSON: .*secret/],
    ['the page of another service', '<secret>'.repeat(99), /is not JSON$/, /is not JSON: .*<secret/],
    ['an unfinished object', '{"secret', /is not JSON$/, /is not JSON: .*\d/],
    [
      'other fields',
      '{"secret": 1, "secret_too": 2}',
      /alone, such as/,
      /: unknown field secret; unknown field secret_too$/,
    ],
    ['another field of a refusal', '{"error": {"secret": "No"}}', /alone, such as/, /: unknown field secret in error$/],
    ['a text for custom properties', '{"private": "secret"}', /alone, such as/, /: private .*"secret"$/],
    ['much', JSON.stringify({ ['secret'.repeat(150)]: 1 }), /alone, such as/, /unknown field .{20,200}…$/],
    ['control characters', '{"secret\\u001b": 1}', /alone, such as/, /unknown field secret\\u001b$/],
  ])('because it answers %s is quoted in the log, and nowhere else', async (_what, text, message, logged) => {
    const { url } = await handlerOf((response) => response.end(text))
    const { publisher, id, lines } = await world(url)
    const answer = await stamp(publisher, id)
    expect(answer).toMatchObject({ status: 502, body: { error: 9042, message: expect.stringMatching(message) } })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(lines.filter((line) => line.includes('failed'))).toEqual([expect.stringMatching(logged)])
  })

  const cut = (response: ServerResponse) => response.socket?.destroy()
  const begun = (response: ServerResponse) =>
    response.writeHead(200, { 'content-length': 9 }).write('{', () => cut(response))

  test.each([
    ['over HTTP', 'before its answer', overHttp, cut],
    ['over HTTP', 'in its answer', overHttp, begun],
    ['over TLS', 'before its answer', overTls, cut],
    ['over TLS', 'in its answer', overTls, begun],
  ])('because it ends the connection %s %s ends the action', async (_protocol, _when, handlerAt, answer) => {
    const { publisher, id } = await world(await handlerAt(answer))
    expect(await stamp(publisher, id)).toMatchObject({
      status: 502,
      body: { error: 9042, message: expect.stringMatching(/failed: ECONNRESET$/) },
    })
  })

  test('because it is not there ends the action', async () => {
    const { publisher, id } = await world('http://127.0.0.1:1/')
    expect(await stamp(publisher, id)).toMatchObject({
      status: 502,
      body: { error: 9042, message: expect.stringMatching(/ECONNREFUSED/) },
    })
  })

  test.each([
    ['another protocol', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 502, 9042],
    ['another protocol that it does not name', 'HTTP/1.1 101 X\r\n\r\n', 502, 9042],
    ['that it is to go on, and no more', 'HTTP/1.1 100 Continue\r\n\r\n', 504, 1508],
  ])('because it answers %s ends the action, and its connection', async (_what, text, status, error) => {
    const { closed, url } = await saying(text)
    const { publisher, id } = await world(url, {}, { timeout: 200 })
    expect(await stamp(publisher, id)).toMatchObject({ status, body: { error } })
    await closed
  })

  test.each([
    ['notices without end', 'HTTP/1.1 103 E\r\n\r\n'.repeat(11), 'more than 10 answers of status 1xx'],
    [
      'many small pieces',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(limits.handlerPieces + 1)}`,
      'more than 4096 pieces',
    ],
  ])('because it answers with %s ends the action, and its connection', async (_what, text, message) => {
    const { closed, url } = await saying(text)
    const { publisher, id } = await world(url)
    expect(await stamp(publisher, id)).toMatchObject({
      status: 502,
      body: { error: 9042, message: expect.stringContaining(message) },
    })
    await closed
  })

  test.each([
    ['answer', () => undefined],
    ['finish', (response: { write: (text: string) => unknown }) => response.write('{')],
  ])('because it does not %s in time ends the action', async (_what, answer) => {
    const { url } = await handlerOf(answer)
    const { publisher, id } = await world(url, {}, { timeout: 50 })
    expect(await stamp(publisher, id)).toMatchObject({
      status: 504,
      body: { error: 1508, message: expect.stringMatching(/within 50 ms/) },
    })
  })

  test('is part of the result where the action does not abort on it', async () => {
    const { url } = await answering({}, 500)
    const { publisher, id } = await world(url, {}, { abort_on_main_error: false })
    expect(await stamp(publisher, id)).toMatchObject({
      status: 200,
      payload: { main: { output: '{}', error: { Code: 9042 } } },
    })
  })
})

test('writes of others go on while a handler is at work, and of two callers at once one wins', async () => {
  const both = gate()
  const { url, asked } = await handlerOf(async (response, { body }) => {
    if (asked.length === 2) both.open()
    await both.opened
    response.end(JSON.stringify({ private: { stamps: body.vatom.private.stamps + 1 } }))
  })
  const { publisher, id } = await world(url)
  const waiting = [stamp(publisher, id), stamp(publisher, id)]
  await emitted(publisher, 'local.vatom::Other', 1)
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status, body }) => [status, body.error]).sort()).toEqual([
    [200, undefined],
    [409, 9043],
  ])
  expect((await seen(publisher, id)).private.stamps).toBe(1)
})

test('a vAtom that gets another owner while the handler runs is not changed', async () => {
  const { url, atWork, go } = await slowHandler('{"private": {"stamps": 9}}')
  const { publisher, bob, id } = await world(url)
  for (const one of ['Drop', 'Pickup']) await action(publisher, name, one)
  const waiting = stamp(publisher, id)
  await atWork
  outputOf(await perform(publisher, 'Drop', id, { 'geo.pos': { lat: 1, lon: 2 } }))
  outputOf(await perform(bob, 'Pickup', id))
  go()
  expect(await waiting).toMatchObject({ status: 403, body: { error: 1604 } })
  expect((await seen(bob, id)).private.stamps).toBe(0)
})

test('no handler is called beyond a limit, however many call at once', async () => {
  const go = gate()
  const { url, asked } = await handlerOf(async (response) => {
    await go.opened
    response.end('{}')
  })
  const { publisher, id } = await world(url, {}, { limit_per_user: 2 })
  const first = [stamp(publisher, id), stamp(publisher, id)]
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 9040 } })
  go.open()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
  expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 9040 } })
  expect(asked).toHaveLength(2)
})

test('a run that its handler fails is given back, and is no other user’s', async () => {
  const texts = ['{"error": {}}', '{}', '{}']
  const { url } = await handlerOf((response) => response.end(texts.shift()))
  const { publisher, bob } = await twoPublishers()
  const [id = ''] = await emitted(publisher, name, 1, { visibility: { type: 'public' } }, fields)
  await handled(publisher, url)
  await action(publisher, name, 'Stamp', { reactor, limit_per_user: 1 })
  expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 9041 } })
  outputOf(await stamp(publisher, id))
  outputOf(await stamp(bob, id))
})

test('handlers are called before and after an action, too', async () => {
  const { asked, url } = await answering({ output: 'not told' })
  const { publisher, id } = await world(url)
  const policy = { pre: ['Stamp'], post: ['Stamp'] }
  await action(publisher, name, 'Update', { policy })
  expect(outputOf(await perform(publisher, 'Update', id, { 'private.stamps': 3 }))).toEqual({})
  expect(asked.map(({ body }) => [body.stage, body.vatom.private.stamps])).toEqual([
    ['pre', 0],
    ['post', 3],
  ])
})

test('after an action its handler is shown what the caller gave away', async () => {
  const { asked, url } = await answering({ private: { stamps: 1 } })
  const { publisher, bob } = await twoPublishers()
  const [id = ''] = await emitted(publisher, name, 1, { transferable: true }, fields)
  await handled(publisher, url)
  await action(publisher, name, 'Stamp', { reactor })
  await action(publisher, name, 'Transfer', { policy: { post: ['Stamp'] }, abort_on_post_error: true })
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
  expect(asked.map(({ body }) => body.vatom['vAtom::vAtomType'].owner)).toEqual([bob.id])
  expect((await seen(bob, id)).private.stamps).toBe(1)
})

test('what is not waited for is answered while its handler is at work', async () => {
  const go = gate()
  const { asked, url } = await handlerOf(async (response) => {
    await go.opened
    response.end('{"private": {"stamps": 1}}')
  })
  const { publisher, id } = await world(url, {}, { wait: false })
  expect(outputOf(await stamp(publisher, id))).toEqual({})
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect((await seen(publisher, id)).private.stamps).toBe(0)
  go.open()
  await vi.waitFor(async () => expect((await seen(publisher, id)).private.stamps).toBe(1))
})

describe('the time of an action', () => {
  test('is for what its policy names, too', async () => {
    const { asked, url } = await handlerOf(() => undefined)
    const { publisher, id } = await world(url, {}, { timeout: limits.actionTimeout })
    const policy = { pre: ['Stamp', 'Stamp'], post: ['Stamp'] }
    const settings = { policy, timeout: 50, abort_on_pre_error: false }
    await action(publisher, name, 'Update', { ...settings, reactor: 'blockv://custom/privateproperties' })
    expect(await perform(publisher, 'Update', id, { 'private.stamps': 3 })).toMatchObject({
      status: 504,
      body: { error: 1508, message: expect.stringMatching(/Update did not finish within 50 ms/) },
    })
    expect(asked).toHaveLength(1)
    expect((await seen(publisher, id)).private.stamps).toBe(0)
  })

  test('is not all that one before it has', async () => {
    const { url } = await handlerOf(() => undefined)
    const { publisher, id } = await world(url, {}, { timeout: 50 })
    await action(publisher, name, 'Update', { policy: { pre: ['Stamp'] }, abort_on_pre_error: false })
    expect(await perform(publisher, 'Update', id, { 'private.stamps': 3 })).toMatchObject({ status: 200 })
    expect((await seen(publisher, id)).private.stamps).toBe(3)
  })
})

describe('at once', () => {
  /** A vAtom that anybody may stamp, a handler that answers once the gate opens, and users. */
  async function crowd(users: number, settings: object) {
    const go = gate()
    const { asked, url } = await handlerOf(async (response) => {
      await go.opened
      response.end('{}')
    })
    const { publisher, register, bob } = await twoPublishers()
    const [id = ''] = await emitted(publisher, name, 1, { visibility: { type: 'public' } }, fields)
    await handled(publisher, url)
    await action(publisher, name, 'Stamp', { reactor, ...settings })
    const others = await Promise.all(Array.from({ length: users }, (_, nth) => register(`u${nth}@example.com`)))
    return { publisher, bob, users: others, id, asked, go }
  }
  const times = (count: number, caller: Caller, id: string) =>
    Promise.all(Array.from({ length: count }, () => stamp(caller, id)))
  const refusal = { status: 503, body: { error: 9016 } }

  test('only so many actions of a user that are not waited for are run, only so many wait; those of others run meanwhile', async () => {
    const { publisher, bob, id, asked, go } = await crowd(0, { wait: false })
    const all = limits.laterAtOnceOfUser + limits.laterWaitingOfUser
    const answers = await times(all + 1, publisher, id)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(all)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused).toMatchObject(refusal)
    expect(refused?.headers).not.toHaveProperty('vatom-warning')
    await vi.waitFor(() => expect(asked).toHaveLength(limits.laterAtOnceOfUser), 20_000)
    expect(await stamp(bob, id)).toMatchObject({ status: 200 })
    await vi.waitFor(() => expect(asked).toHaveLength(limits.laterAtOnceOfUser + 1), 20_000)
    go.open()
    await vi.waitFor(() => expect(asked).toHaveLength(all + 1), 50_000)
  }, 60_000)

  test('of all users of an address half of the actions that are not waited for are run at once, and only so many wait but for one of each', async () => {
    const { publisher, users, id, asked, go } = await crowd(5, { wait: false })
    const each = limits.laterAtOnceOfUser + limits.laterWaitingOfUser
    for (const user of users.slice(0, 4)) await times(each, user, id)
    await vi.waitFor(() => expect(asked).toHaveLength(limits.laterAtOnce / 2), 20_000)
    const [last = publisher] = users.slice(4)
    const [first, ...more] = await times(each, last, id)
    expect(first).toMatchObject({ status: 200 })
    const left = limits.laterWaiting - 4 * limits.laterWaitingOfUser
    expect(more.filter(({ status }) => status === 200)).toHaveLength(left - 1)
    const ofPublisher = await times(limits.laterAtOnceOfUser + 2, publisher, id)
    expect(ofPublisher.filter(({ status }) => status !== 200)).toEqual([])
    await vi.waitFor(() => expect(asked).toHaveLength(limits.laterAtOnce / 2 + limits.laterAtOnceOfUser), 20_000)
    go.open()
  }, 60_000)

  test.each([
    ['that call handlers', 'Stamp'],
    ['before which a handler is called', 'Before'],
    ['after which a handler is called', 'After'],
  ])(
    'only so many actions %s are waited for of a user, and others are carried out',
    async (_what, refused) => {
      const { publisher, bob, id, asked, go } = await crowd(0, { timeout: limits.actionTimeout })
      await action(publisher, name, 'Update')
      await action(publisher, name, 'Before', { reactor: 'blockv://v1/Activate', policy: { pre: ['Stamp'] } })
      await action(publisher, name, 'After', { reactor: 'blockv://v1/Activate', policy: { post: ['Stamp'] } })
      const waiting = times(limits.handledOfUser + limits.handledWaitingOfUser, publisher, id)
      await vi.waitFor(() => expect(asked).toHaveLength(limits.handledOfUser), 10_000)
      expect(await perform(publisher, refused, id)).toMatchObject(refusal)
      outputOf(await perform(publisher, 'Update', id, { 'private.stamps': 3 }))
      const other = stamp(bob, id)
      await vi.waitFor(() => expect(asked).toHaveLength(limits.handledOfUser + 1), 10_000)
      go.open()
      expect([...(await waiting), await other].filter(({ status }) => status !== 200)).toEqual([])
      expect(await perform(publisher, refused, id)).toMatchObject({ status: 200 })
    },
    60_000,
  )

  test('of the actions that call handlers and are waited for, users of an address have half at most, and publishers find places', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const { publisher, bob, users, id, asked, go } = await crowd(3, { timeout: limits.actionTimeout })
    const [most, each] = [limits.handledAtOnce / 2, limits.handledOfUser + limits.handledWaitingOfUser]
    const waiting = users.map((user) => times(each, user, id))
    await vi.waitFor(() => expect(asked).toHaveLength(most), 10_000)
    const ofPublisher = stamp(publisher, id)
    await vi.waitFor(() => expect(asked).toHaveLength(most + 1), 10_000)
    const ofBob = stamp(bob, id)
    go.open()
    for (const answer of [await ofPublisher, await ofBob]) expect(answer).toMatchObject({ status: 200 })
    const answers = (await Promise.all(waiting)).flat()
    const done = most + users.length * limits.handledWaitingOfUser
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(done)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(refusal)
    expect(warned).not.toHaveBeenCalled()
  }, 60_000)
})

describe('an action that waits for its turn', () => {
  const email = 'bob@example.com'
  const signInByPin = async ({
    service,
    send,
  }: Pick<Awaited<ReturnType<typeof twoPublishers>>, 'service' | 'send'>) => {
    await send('POST', '/v1/user/reset_token', { body: { token: email, token_type: 'email' } })
    const password = await codeFor(service, email)
    const body = { token: email, token_type: 'email', auth_data: { password } }
    expect(await send('POST', '/v1/user/login', { body })).toMatchObject({ status: 200 })
  }

  test.each<[string, boolean, (world: Awaited<ReturnType<typeof twoPublishers>>) => Promise<unknown>]>([
    ['is carried out though its user signs out', true, ({ bob }) => bob.call('POST', '/v1/user/logout', { body: {} })],
    ['is not once its user has recovered the account from whoever began it', false, signInByPin],
  ])('%s', async (_what, isDone, meanwhile) => {
    const go = gate()
    const { asked, url } = await handlerOf(async (response) => {
      await go.opened
      response.end('{}')
    })
    const logged: string[] = []
    const opened = await twoPublishers({
      log: (line) => line.includes('Update, not waited for') && logged.push(line),
    })
    const { publisher, bob } = opened
    const [id = ''] = await emitted(publisher, name, 1, { transferable: true, visibility: { type: 'public' } }, fields)
    await handled(publisher, url)
    await action(publisher, name, 'Stamp', { reactor, wait: false })
    await action(publisher, name, 'Transfer')
    await action(publisher, name, 'Update', { wait: false })
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    const running = await Promise.all(Array.from({ length: limits.laterAtOnceOfUser }, () => stamp(bob, id)))
    expect(running.filter(({ status }) => status !== 200)).toEqual([])
    expect(await perform(bob, 'Update', id, { 'private.stamps': 7 })).toMatchObject({ status: 200 })
    await vi.waitFor(() => expect(asked).toHaveLength(limits.laterAtOnceOfUser), 20_000)
    await meanwhile(opened)
    go.open()
    const stamps = async () => (await seen(publisher, id)).private.stamps
    await vi.waitFor(async () => expect((await stamps()) === 7 || logged.length > 0).toBe(true), 20_000)
    expect([await stamps(), logged]).toEqual(isDone ? [7, []] : [0, [expect.any(String)]])
  })
})

describe('hosts', () => {
  test('a handler on another machine is stored with a warning, and not called', async () => {
    const { publisher } = await twoPublishers()
    const [id = ''] = await emitted(publisher, name, 1)
    const registered = await handled(publisher, 'http://handler.example/stamp')
    expect(registered.status).toBe(200)
    const message = expect.stringMatching(/^handler\.example is a host that/)
    expect(warningsOf(registered)).toEqual([{ code: 'handler-host', path: 'url', message }])
    await action(publisher, name, 'Stamp', { reactor })
    const answer = await stamp(publisher, id)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 13, message: expect.stringMatching(/--allow-handler-host/) },
    })
  })

  test.each([
    [['0.0.0.0'], 200, 1],
    [['0.0.0.1', '0.0.0'], 400, 0],
  ])('of others those alone are called that the service is told of: %j', async (handlerHosts, status, calls) => {
    const { asked, port } = await answering({})
    const { publisher, id } = await world(`http://0.0.0.0:${port}/`, { handlerHosts })
    expect((await stamp(publisher, id)).status).toBe(status)
    expect(asked).toHaveLength(calls)
  })

  test('one on this machine is registered without a warning', async () => {
    const { publisher } = await twoPublishers()
    const { headers } = await handled(publisher, 'http://localhost:9/')
    expect(headers).not.toHaveProperty('vatom-warning')
  })

  test('a publisher’s handler serves no other publisher', async () => {
    const { asked, url } = await answering({})
    const { publisher, other } = await twoPublishers()
    await handled(other, url)
    const [id = ''] = await emitted(publisher, name, 1)
    await action(publisher, name, 'Stamp', { reactor })
    expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 13 } })
    expect(asked).toEqual([])
  })
})

test('no handler acts on what is disabled', async () => {
  const { db } = watched()
  const { asked, url } = await answering({ private: { stamps: 1 } })
  const { publisher, id } = await world(url, { db })
  const sqlite = await openSqlite(db)
  sqlite.exec(`UPDATE vatoms SET json = json_set(json, '$."vAtom::vAtomType".disabled', json('true'))`)
  sqlite.close()
  expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 1708 } })
  expect(asked).toEqual([])
})

describe('a database that is busy once a handler was at work', () => {
  /** A handler after which another process holds the database, for longer than anybody waits. */
  async function held(settings: object = {}) {
    const { db } = watched()
    const other = await openSqlite(db)
    onTestFinished(() => other.close())
    const { url, asked } = await handlerOf((response) => {
      other.exec('BEGIN IMMEDIATE')
      let now = Date.now()
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
        now += 3000
        return now
      })
      onTestFinished(() => clock.mockRestore())
      response.end('{}')
    })
    return { ...(await world(url, { db }, settings)), asked }
  }

  test('is reported, without asking for the request again', async () => {
    const { publisher, id } = await held({ abort_on_main_error: false })
    const { status, body, headers } = await stamp(publisher, id)
    expect([status, body.error, body.message]).toEqual([503, 9016, expect.stringMatching(/handler of Stamp/)])
    expect(headers).not.toHaveProperty('retry-after')
  })

  test.each(['pre', 'post'])(
    'ends an action that goes on without what fails (%s), and says what is done',
    async (stage) => {
      const { publisher, id } = await held()
      await action(publisher, name, 'Before', { reactor: 'blockv://custom/privateproperties' })
      const policy = stage === 'pre' ? { pre: ['Before', 'Stamp'], post: [] } : { pre: [], post: ['Stamp'] }
      await action(publisher, name, 'Update', { policy, abort_on_pre_error: false, abort_on_post_error: false })
      const { status, body, headers } = await perform(publisher, 'Update', id, { 'private.stamps': 5 })
      const done = stage === 'pre' ? 'Before' : 'Update'
      expect([status, body.message]).toEqual([503, expect.stringContaining(`${done} is already done: check`)])
      expect(headers).not.toHaveProperty('retry-after')
      expect(headers).not.toHaveProperty('vatom-warning')
      expect((await seen(publisher, id)).private.stamps).toBe(5)
    },
  )
})

test('a database that is busy before anything is done asks for the request again', async () => {
  const { db } = watched()
  const { url } = await answering({})
  const { publisher, id } = await world(url, { db })
  await action(publisher, name, 'Update', { abort_on_main_error: false })
  const other = await openSqlite(db)
  other.exec('BEGIN IMMEDIATE')
  let now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 3000
    return now
  })
  const { status, headers } = await perform(publisher, 'Update', id, { 'private.stamps': 5 })
  clock.mockRestore()
  other.close()
  expect([status, headers['retry-after']]).toEqual([503, '1'])
})

test('an action without a handler is unhandled; the handler’s vAtom must be seen', async () => {
  const { asked, url } = await answering({})
  const { publisher, bob, id } = await world(url)
  expect(await stamp(bob, id)).toMatchObject({ status: 403, body: { error: 1604 } })
  await made(publisher, ['DELETE', `/v1/publisher/action_handler/${encodeURIComponent(reactor)}`])
  expect(await stamp(publisher, id)).toMatchObject({ status: 400, body: { error: 13 } })
  expect(asked).toEqual([])
})
