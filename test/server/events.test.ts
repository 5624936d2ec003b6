import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { tellChange } from '../../src/server/events/change.ts'
import { tellMessage } from '../../src/server/events/message.ts'
import { openService } from '../../src/server/service.ts'
import { openStore } from '../../src/server/store/store.ts'
import type { VatomRow } from '../../src/server/store/vatoms.ts'
import { listening } from './listening.ts'
import { type Caller, emitted, made, template, templateName, testService, variation, variationName } from './service.ts'
import { dial, refusal, type Told } from './sockets.ts'

type Options = Parameters<typeof testService>[0]

/** A service that listens, and connections of its users. */
async function hall(options: Options = {}) {
  const world = await testService(options)
  const { wsUrl, baseUrl, port } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const address = (token: string, app = 'local') => `${wsUrl}?app_id=${app}&token=${token}`
  /** A connection of a user's, which was greeted. */
  const connected = async ({ token }: Caller, how: Parameters<typeof dial>[1] = {}) => {
    const dialled = dial(address(token), how)
    expect(await dialled.next()).toMatchObject([{ msg_type: 'info' }])
    return dialled
  }
  return { ...world, wsUrl, baseUrl, port, address, connected }
}

function database() {
  const folder = mkdtempSync(join(tmpdir(), 'vatom-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'vatom.db')
}

const says = (from: Caller, to: Caller, message: string) =>
  made(from, ['POST', '/v1/user/message', { id: to.id, message }])

describe('a connection', () => {
  test('begins with whose it is', async () => {
    const { publisher, address, lines } = await hall()
    const { next } = dial(address(publisher.token))
    expect(await next()).toEqual([{ msg_type: 'info', payload: expect.any(Object), user_id: publisher.id }])
    expect(lines.filter((line) => line.startsWith('GET /ws 101 '))).toHaveLength(1)
    expect(lines.join('\n')).not.toContain(publisher.token)
  })

  test('is found under repeated slashes, and not under another path', async () => {
    const { publisher, wsUrl } = await hall()
    const query = `?app_id=local&token=${publisher.token}`
    expect(await dial(`${wsUrl.replace(/ws$/, '/ws')}${query}`).next()).toHaveLength(1)
    expect(await refusal(`${wsUrl}/x${query}`)).toMatchObject({ status: 404 })
  })

  test.each([
    ['without a token', '?app_id=local', 403, 401],
    ['with an empty token', '?app_id=local&token=', 403, 401],
    ['with a bad token', '?app_id=local&token=x', 403, 401],
    ['without an application', '?token=TOKEN', 403, 2],
    ['with an unknown application', '?app_id=x&token=TOKEN', 403, 2],
    ['with two tokens', '?app_id=local&token=TOKEN&token=TOKEN', 403, 401],
  ])('%s is refused', async (_, query, status, error) => {
    const { publisher, wsUrl } = await hall()
    const refused = await refusal(wsUrl + query.replaceAll('TOKEN', publisher.token))
    expect(refused).toMatchObject({ status })
    expect(JSON.parse(refused.text)).toEqual({ request_id: expect.any(String), error, message: expect.any(String) })
  })

  test('with an expired token is refused, as mobile clients need it', async () => {
    const { publisher, address, advance } = await hall({ compat: 'sdk' })
    expect(await refusal(address('x'))).toEqual({ status: 401, text: '{"message":"Unauthorized"}' })
    advance(301)
    expect(await refusal(address(publisher.token))).toEqual({ status: 401, text: '{"exp":"token expired"}' })
  })

  test.each([
    [{ headers: { host: 'evil.example' } }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
  ])('of %j is refused', async (how, status) => {
    const { publisher, address } = await hall()
    const refused = await refusal(address(publisher.token), how)
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([status, 9014])
  })

  test.each([
    { origin: 'http://localhost:3000' },
    { origin: 'https://app.example' },
    { origin: 'http://10.0.2.2:4100', headers: { host: '10.0.2.2:4100' } },
  ])('of %j is taken', async (how) => {
    const { publisher, connected } = await hall({ corsOrigins: ['https://app.example'] })
    await connected(publisher, how)
  })

  test('is no use without a WebSocket: a plain request is refused', async () => {
    const { baseUrl, publisher } = await hall()
    const answer = await fetch(`${baseUrl}/ws?app_id=local&token=${publisher.token}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 516 }])
  })

  test('is in the journal, and its token is not; a scenario can refuse it', async () => {
    const { ask, tool, publisher, baseUrl } = await listening()
    const address = `${baseUrl.replace('http', 'ws')}/ws?app_id=local&token=${publisher.token}`
    await dial(address).next()
    // biome-ignore lint/suspicious/noThenProperty: a rule says what to do
    await tool('PUT', '/__vatom/scenario', [{ match: { path: '/ws' }, then: { status: 503 } }])
    expect(await refusal(address)).toMatchObject({ status: 503 })
    const { payload } = await ask('GET', '/__vatom/journal')
    expect(payload.slice(-2)).toMatchObject([
      { method: 'GET', path: '/ws?app_id=local&token=[redacted]', status: 101 },
      { status: 503, injected: true },
    ])
  })

  test('is refused while others fill the service', async () => {
    const { publisher, address, connected } = await hall()
    await Promise.all(Array.from({ length: 1000 }, () => connected(publisher)))
    expect(await refusal(address(publisher.token))).toMatchObject({ status: 503 })
  }, 60_000)
})

describe('a request for another protocol', () => {
  const wish = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'

  /** What a connection answers to requests, each sent when the one before was answered. */
  const answers = (port: number, requests: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const found: string[] = []
      const socket = connect(port, '127.0.0.1')
      const ask = () => socket.write(requests[found.length] ?? '')
      let text = ''
      socket.on('data', (part) => {
        text += part
        if (!/\r\n\r\n\{.*\}$/s.test(text)) return
        found.push(text)
        text = ''
        if (found.length < requests.length) ask()
        else socket.end()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(found))
      ask()
    })

  test('is answered as if it had not asked for it, with its body', async () => {
    const { port } = await hall()
    const body = JSON.stringify({ token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'x' } })
    const request = `POST /v1/user/login HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\n${wish}Content-Length: ${body.length}\r\n\r\n${body}`
    expect(await answers(port, [request])).toEqual([expect.stringMatching(/^HTTP\/1\.1 403 .*"error":2032/s)])
  })

  test('is answered however many there are on one connection', async () => {
    const { port } = await hall()
    const warned = vi.fn()
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const request = `GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n${wish}\r\n`
    const found = await answers(port, Array(12).fill(request))
    expect(found.filter((one) => one.startsWith('HTTP/1.1 200 '))).toHaveLength(12)
    expect(warned.mock.calls).toEqual([])
  })
})

describe('what a user is told', () => {
  test('is when vAtoms come to them, with every key that clients read', async () => {
    const { publisher, connected, register } = await hall()
    const [mine, others] = [await connected(publisher), await connected(await register('bob@example.com'))]
    const ids = await emitted(publisher, templateName, 2)
    const payload = (id: string) => ({
      event_id: `inv_${id}:2027-03-01T12:00:00.000Z`,
      op: 'insert',
      id,
      new_owner: publisher.id,
      old_owner: '',
      template_variation: `${templateName}::V`,
      parent_id: '.',
      action_name: 'Emit',
    })
    expect(await mine.next(2)).toEqual(
      ids.map((id) => ({ msg_type: 'inventory', payload: payload(id), user_id: publisher.id })),
    )
    expect(await others.settled()).toEqual([])
  })

  test('comes to each of their connections', async () => {
    const { publisher, connected, register } = await hall()
    const bob = await register('bob@example.com')
    const [phone, desk] = [await connected(bob), await connected(bob)]
    await says(publisher, bob, 'Hello')
    for (const { next } of [phone, desk]) expect(await next()).toMatchObject([{ payload: { msg: 'Hello' } }])
  })

  test('is what others write to them, as their thread has it', async () => {
    const { publisher, connected, register } = await hall()
    const bob = await register('bob@example.com')
    const [sender, reader] = [await connected(publisher), await connected(bob)]
    await says(publisher, bob, 'Hello')
    const { threads } = await made(bob, ['POST', '/v1/activity/mythreads', {}])
    expect(await reader.next()).toEqual([{ msg_type: 'my_events', payload: threads[0].last_message, user_id: bob.id }])
    expect(await sender.settled()).toEqual([])
  })

  test('is what changes in their vAtoms of a draft, and nothing that does not', async () => {
    const { publisher, connected, advance } = await hall()
    const custom = { colour: 'red', size: { height: 1, width: 2 } }
    await made(
      publisher,
      ['POST', '/v1/templates', template({}, { title: 'Old' }, custom)],
      ['POST', '/v1/template_variations', variation()],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    )
    const [{ id }] = (await made(publisher, ['POST', '/v1/vatom/discover', {}])).results
    const { next } = await connected(publisher)
    advance(60)
    const vatom = template({}, { title: 'New' }, { size: { height: 1, width: 3 } }).vatom
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { vatom }])
    expect(await next()).toEqual([
      {
        msg_type: 'state_update',
        payload: {
          event_id: `state_${id}:2027-03-01T12:01:00.000Z`,
          op: 'update',
          id,
          action_name: 'Update',
          sync: 2,
          new_object: {
            sync: 2,
            when_modified: '2027-03-01T12:01:00Z',
            'vAtom::vAtomType': { title: 'New' },
            private: { colour: null, size: { width: 3 } },
          },
        },
        user_id: publisher.id,
      },
    ])
  })

  test('comes in the order it happened, however much it is', async () => {
    const { publisher, connected } = await hall()
    const { next } = await connected(publisher)
    const ids = await emitted(publisher, templateName, 10_000)
    await says(publisher, publisher, 'Done')
    const told = await next(10_001)
    expect(told.slice(0, -1).map(({ payload }) => payload.id)).toEqual(ids)
    expect(told.at(-1)).toMatchObject({ payload: { msg: 'Done' } })
  })

  test('is nothing from before they were connected', async () => {
    const { publisher, connected } = await hall()
    const first = await connected(publisher)
    await says(publisher, publisher, 'one')
    const second = await connected(publisher)
    await says(publisher, publisher, 'two')
    expect((await first.next(2)).map(({ payload }) => payload.msg)).toEqual(['one', 'two'])
    expect((await second.next()).map(({ payload }) => payload.msg)).toEqual(['two'])
  })

  test('is nothing from before they were connected, also if others have still to hear of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const db = database()
    const { publisher, connected, clock } = await hall({ db })
    const first = await connected(publisher)
    const other = await openStore(db)
    onTestFinished(() => other.close())
    const message = { to: publisher.id, from: '', vatoms: [], variations: [], action: 'Drop' }
    await other.write(() => tellMessage({ store: other, now: clock() }, { ...message, text: 'one' }))
    const second = await connected(publisher)
    vi.advanceTimersByTime(100)
    expect(await first.next()).toMatchObject([{ payload: { msg: 'one' } }])
    expect(await second.settled()).toEqual([])
  })

  test('is kept for others no longer than they need', async () => {
    const db = database()
    const { service, publisher, advance, as } = await hall({ db })
    const store = await openStore(db)
    onTestFinished(() => store.close())
    for (let count = 0; count < 63; count++) await says(publisher, publisher, 'early')
    advance(601)
    await says(as(publisher.id, service.localToken()), publisher, 'late')
    expect(store.events.after(0, 100)).toHaveLength(1)
  })

  test('is nothing of a request that failed', async () => {
    const { publisher, connected } = await hall()
    const { settled } = await connected(publisher)
    await publisher.call('POST', '/v1/user/message', { body: { id: 'none', message: 'Hello' } })
    expect(await settled()).toEqual([])
  })
})

describe('another process on the same database', () => {
  test('is heard, before and after what happens here', async () => {
    const db = database()
    const { publisher, connected, clock } = await hall({ db })
    const { next } = await connected(publisher)
    const other = await openService({ db, clock })
    onTestFinished(() => other.close())
    const there = (message: string) =>
      other.inject({
        method: 'POST',
        path: '/v1/user/message',
        headers: { 'app-id': 'local', authorization: `Bearer ${other.localToken()}` },
        body: JSON.stringify({ id: publisher.id, message }),
      })
    expect(await there('one')).toMatchObject({ status: 200 })
    await says(publisher, publisher, 'two')
    await there('three')
    expect((await next(3)).map(({ payload }) => payload.msg)).toEqual(['one', 'two', 'three'])
  })

  test('that resets it makes clients connect again; nothing is told twice', async () => {
    const db = database()
    const { publisher, connected, clock } = await hall({ db })
    const before = await connected(publisher)
    await says(publisher, publisher, 'one')
    await before.next()
    const other = await openService({ db, clock })
    onTestFinished(() => other.close())
    await other.reset()
    expect(await before.closed).toBe(1012)
    const after = await connected(publisher)
    await says(publisher, publisher, 'two')
    expect(await after.next()).toMatchObject([{ payload: { msg: 'two' } }])
    expect(await after.settled()).toEqual([])
  })

  test('that loads a snapshot makes clients connect again; what the snapshot had been told is not told again', async () => {
    const db = database()
    const { service, publisher, connected } = await hall({ db })
    await says(publisher, publisher, 'one')
    const shelf = await service.snapshots(`${db}.snapshots`)
    await shelf.save('a', { replace: false })
    const before = await connected(publisher)
    await says(publisher, publisher, 'two')
    await before.next()
    await shelf.load('a')
    expect(await before.closed).toBe(1012)
    const after = await connected(publisher)
    await says(publisher, publisher, 'three')
    expect(await after.next()).toMatchObject([{ payload: { msg: 'three' } }])
    expect(await after.settled()).toEqual([])
  })
})

describe('a connection ends', () => {
  afterEach(() => void vi.useRealTimers())

  test('with its session, not with its access token', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { service, publisher, connected, register, advance, as, send } = await hall()
    const bob = await register('bob@example.com')
    const { next, closed, rest } = await connected(bob)
    advance(301)
    const { payload } = await send('POST', '/v1/user/login', {
      body: { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } },
    })
    await says(as(bob.id, payload.access_token.token), bob, 'still there')
    expect(await next()).toMatchObject([{ payload: { msg: 'still there' } }])
    advance(31 * 24 * 3600)
    await says(as(publisher.id, service.localToken()), bob, 'late')
    expect(await closed).toBe(1008)
    expect(rest()).toEqual([])
  })

  test('with a logout, and others of the user go on', async () => {
    const { connected, register, as, send } = await hall()
    const bob = await register('bob@example.com')
    const login = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }
    const { payload } = await send('POST', '/v1/user/login', { body: login })
    const again = as(bob.id, payload.access_token.token)
    const [first, second] = [await connected(bob), await connected(again)]
    await made(bob, ['POST', '/v1/user/logout'])
    expect(await first.closed).toBe(1008)
    await says(again, again, 'Hello')
    expect(await second.next()).toMatchObject([{ payload: { msg: 'Hello' } }])
  })

  test('when the service closes, which waits for nobody', async () => {
    const { service, publisher, connected } = await hall()
    const [polite, silent] = [await connected(publisher), await connected(publisher)]
    silent.socket.pause()
    await service.close()
    expect(await polite.closed).toBe(1001)
  })

  test('when the service closes, after which nothing is looked at', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { service, publisher, connected } = await hall({ db: database() })
    const idle = vi.getTimerCount()
    await connected(publisher)
    expect(vi.getTimerCount()).toBeGreaterThan(idle)
    await service.close()
    expect(vi.getTimerCount()).toBe(idle)
  })

  test('when its client does not answer, and only then', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { publisher, connected } = await hall()
    const [alive, silent] = [await connected(publisher), await connected(publisher, { autoPong: false })]
    vi.advanceTimersByTime(30_000)
    await alive.settled()
    vi.advanceTimersByTime(30_000)
    expect(await silent.closed).toBe(1006)
    expect(await alive.settled()).toEqual([])
  })

  test('when its client does not read what it is sent', async () => {
    const { publisher, connected } = await hall()
    const [slow, quick] = [await connected(publisher), await connected(publisher)]
    slow.socket.pause()
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false })],
      ['POST', '/v1/template_variations', variation({ unpublished: false })],
    )
    for (let round = 0; round < 3; round++) {
      await made(publisher, ['POST', '/v1/vatoms', { template_variation: variationName, num: 10_000 }])
      await quick.next(10_000)
    }
    slow.socket.resume()
    expect(await slow.closed).toBe(1006)
    expect(await quick.settled()).toEqual([])
  })

  test('when its client says too much at once', async () => {
    const { publisher, connected } = await hall()
    const { socket, closed } = await connected(publisher)
    socket.send('x'.repeat(16_385))
    expect(await closed).toBe(1009)
  })
})

test.each(['x', '{}', '[]', '{"id":"7","type":"command","cmd":"dance"}', 'null', new Uint8Array([1])])(
  'a message that is no command is answered with an error: %j',
  async (said) => {
    const { publisher, connected } = await hall()
    const { socket, next } = await connected(publisher)
    socket.send(said)
    expect(await next()).toMatchObject([{ msg_type: 'error', payload: { message: expect.any(String) } }])
  },
)

describe('the map', () => {
  const paris = { lat: 48.85, lon: 2.35 }
  const around = ({ lat, lon }: typeof paris, degrees = 1) => ({
    top_left: { lat: lat + degrees, lon: lon - degrees },
    bottom_right: { lat: lat - degrees, lon: lon + degrees },
  })
  const monitor = (payload: object) =>
    JSON.stringify({ id: '1', version: '1', type: 'command', cmd: 'monitor', payload })

  /** A service with a connection of its publisher's, one of a user's who looks at a region, and a vAtom that moves. */
  async function square(region: object) {
    const db = database()
    const world = await hall({ db })
    const [ann, bob] = [await world.register('ann@example.com'), await world.register('bob@example.com')]
    const viewer = await world.connected(bob)
    viewer.socket.send(monitor(region))
    await viewer.settled()
    const store = await openStore(db)
    onTestFinished(() => store.close())
    const vatom = (owner: string, place?: { lat: number; lon: number }, fields: Partial<VatomRow> = {}): VatomRow => ({
      id: 'v1',
      owner,
      template: templateName,
      template_variation: variationName,
      parent_id: '.',
      public: place ? 1 : 0,
      json: JSON.stringify({
        'vAtom::vAtomType': {
          dropped: place !== undefined,
          geo_pos: { coordinates: place ? [place.lon, place.lat] : [0, 0] },
        },
      }),
      ...fields,
    })
    /** Tells, as a process of its own would, that an action changed the vAtom. */
    const changes = (action: string, before: VatomRow, after: VatomRow) =>
      store.write(() => tellChange({ store, now: world.clock() }, action, before, after))
    /** What the viewer is told until a message that comes last. */
    const told = async () => {
      await says(ann, bob, 'end')
      for (const all: Told[] = []; ; ) {
        all.push(...(await viewer.next()))
        if (all.at(-1)?.payload.msg === 'end') return all.slice(0, -1)
      }
    }
    return { ...world, ann, bob, viewer, vatom, changes, told }
  }

  test('tells of what another drops and picks up in the region, with every key that clients read', async () => {
    const { ann, bob, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    await changes('Pickup', vatom(ann.id, paris), vatom(ann.id))
    const event = { event_id: 'map_v1', vatom_id: 'v1', ...paris }
    expect(await told()).toEqual([
      { msg_type: 'map', payload: { ...event, op: 'add', action_name: 'Drop' }, user_id: bob.id },
      { msg_type: 'map', payload: { ...event, op: 'remove', action_name: 'Pickup' }, user_id: bob.id },
    ])
  })

  test('tells nobody of their own', async () => {
    const { bob, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(bob.id), vatom(bob.id, paris))
    expect((await told()).map(({ msg_type }) => msg_type)).toEqual(['state_update'])
  })

  test('tells who picks up what was another’s that it is gone from there, and is theirs', async () => {
    const { ann, bob, vatom, changes, told, connected } = await square(around(paris))
    const owner = await connected(ann)
    await changes('Pickup', vatom(ann.id, paris), vatom(bob.id))
    const moved = { op: 'insert', id: 'v1', old_owner: ann.id, new_owner: bob.id, action_name: 'Pickup' }
    expect(await owner.next()).toMatchObject([{ msg_type: 'inventory', payload: moved, user_id: ann.id }])
    expect((await told()).map(({ msg_type, payload }) => [msg_type, payload.op])).toEqual([
      ['inventory', 'insert'],
      ['map', 'remove'],
    ])
  })

  test('tells nothing of what not everybody may find', async () => {
    const { ann, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris, { public: 0 }))
    expect(await told()).toEqual([])
  })

  test('tells of what is moved from one place to another as gone and there', async () => {
    const { ann, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id, { lat: 48.5, lon: 2.5 }), vatom(ann.id, paris))
    expect((await told()).map(({ payload }) => [payload.op, payload.lat])).toEqual([
      ['remove', 48.5],
      ['add', 48.85],
    ])
  })

  test('tells of the last region alone', async () => {
    const { ann, vatom, changes, told, viewer } = await square(around(paris))
    viewer.socket.send(monitor(around({ lat: 0, lon: 0 })))
    await viewer.settled()
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    expect(await told()).toEqual([])
    await changes('Drop', vatom(ann.id), vatom(ann.id, { lat: 0.5, lon: -0.5 }))
    expect(await told()).toHaveLength(1)
  })

  test('keeps the region that it has when a command is wrong', async () => {
    const { ann, vatom, changes, told, viewer } = await square(around(paris))
    for (const wrong of [{}, { top_left: paris }, around({ lat: 95, lon: 0 })]) viewer.socket.send(monitor(wrong))
    expect(await viewer.next(3)).toMatchObject(Array(3).fill({ msg_type: 'error', payload: { id: '1' } }))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    expect(await told()).toHaveLength(1)
  })

  const box = (north: number, west: number, south: number, east: number) => ({
    top_left: { lat: north, lon: west },
    bottom_right: { lat: south, lon: east },
  })
  test.each([
    [box(1, -1, -1, 1), 0, 1, true],
    [box(1, -1, -1, 1), 0, 1.01, false],
    [box(1, -1, -1, 1), 1.01, 0, false],
    [box(-1, -1, 1, 1), 0.5, 0, true],
    [box(1, 170, -1, -170), 0, 175, true],
    [box(1, 170, -1, -170), 0, -175, true],
    [box(1, 170, -1, -170), 0, 180, true],
    [box(1, 170, -1, -170), 0, 165, false],
    [box(1, 170, -1, -170), 0, 0, false],
    [box(1, 170, -1, 190), 0, -175, true],
    [box(1, -190, -1, -170), 0, 175, true],
    [box(90, -180, -90, 180), 0, 123, true],
    [box(90, -200, -90, 200), 0, -123, true],
    [box(1, 5, -1, 5), 0, 5, true],
    [box(1, 5, -1, 5), 0, 6, false],
  ])('the region %j has the place %d, %d: %s', async (region, lat, lon, isThere) => {
    const { ann, vatom, changes, told } = await square(region)
    await changes('Drop', vatom(ann.id), vatom(ann.id, { lat, lon }))
    expect(await told()).toHaveLength(isThere ? 1 : 0)
  })
})
