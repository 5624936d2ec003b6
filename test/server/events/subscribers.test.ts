import { EventEmitter, once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { limits } from '../../../src/contract/limits.ts'
import { configuredSessionsOf } from '../../../src/server/auth/configured-sessions.ts'
import { newProcessSessions } from '../../../src/server/auth/process-sessions.ts'
import { deliverMessage } from '../../../src/server/domain/messages.ts'
import { Subscriber } from '../../../src/server/events/subscriber.ts'
import { Subscribers } from '../../../src/server/events/subscribers.ts'
import { openService } from '../../../src/server/service.ts'
import { openStore, type Store } from '../../../src/server/store/store.ts'
import { template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { emitted, made } from '../../support/service.ts'
import { hall, says } from '../../support/sockets.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Whoever is connected is signed in with the session of the process. */
const sessions = newProcessSessions()
const processSessions = { ...sessions, byId: () => sessions.own }
const configuredSessions = configuredSessionsOf(async () => Buffer.from('key'))

const visitor = (user: string) => ({ user, session: 'own', place: '127.0.0.1', isFirst: false })

interface Many {
  readonly count: number
  readonly user: string
}

/** Stores events of a user. */
function storeMany({ events }: Pick<Store, 'events'>, { count, user }: Many): void {
  const event = { msg_type: 'my_events', user_id: user, lat: null, lon: null, payload: '{}', created: Date.now() }
  for (let index = 0; index < count; index++) events.append(event)
}

const none = (_seq: number): boolean => false

/**
 * Clients of users who need not exist, who look at all of the map. An event that `isLost` cannot be read when it is to be
 * sent; one that `isRemoved` is not even announced.
 */
async function peopleOf({ isLost = none, isRemoved = none } = {}) {
  const opened = await openStore(':memory:')
  onTestFinished(() => opened.close())
  const byId = (id: string) => ({ ...opened.users.byId(id), id }) as ReturnType<typeof opened.users.byId>
  const at = (seq: number) => (isLost(seq) ? undefined : opened.events.at(seq))
  const announced: typeof opened.events.announced = (...given) =>
    opened.events.announced(...given).filter(({ seq }) => !isRemoved(seq))
  const store = { ...opened, users: { ...opened.users, byId }, events: { ...opened.events, at, announced } }
  const subscribers = new Subscribers({
    ...{ store, clock: () => new Date(), processSessions, configuredSessions, log: undefined },
    ...{ connections: 1000, memory: 2 ** 28 },
  })
  onTestFinished(() => subscribers.close())
  /** Whom each message was sent to. */
  const order: string[] = []
  const subscribe = (user: string) => {
    const client = { sent: 0, types: [] as string[], closed: [] as number[] }
    const send = (text: string) => {
      order.push(user)
      client.types.push(JSON.parse(text).msg_type)
      client.sent++
    }
    const close = (code: number) => client.closed.push(code)
    const rest = { bufferedAmount: 0, cork: () => {}, uncork: () => {}, terminate: () => {} }
    const socket = Object.assign(new EventEmitter(), rest, { send, close })
    const subscriber = new Subscriber(socket as unknown as WebSocket, socket, visitor(user))
    subscriber.region = { north: 90, south: -90, west: -180, width: 360 }
    subscribers.add(subscriber)
    return Object.assign(client, { leave: () => subscribers.remove(subscriber) })
  }
  return { opened, subscribe, order }
}

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
    const db = newDatabase()
    const { publisher, connected, clock } = await hall({ db })
    const first = await connected(publisher)
    const other = await openStore(db)
    onTestFinished(() => other.close())
    const message = { to: publisher.id, from: publisher.id, vatoms: [], variations: [], action: 'Drop' }
    await other.write(() => deliverMessage({ store: other, now: clock() }, { ...message, text: 'one' }))
    const second = await connected(publisher)
    vi.advanceTimersByTime(100)
    expect(await first.next()).toMatchObject([{ payload: { msg: 'one' } }])
    expect(await second.settled()).toEqual([])
  })

  test('is kept as a row for at most a hundred vAtoms that came together', async () => {
    const db = newDatabase()
    const { publisher } = await hall({ db })
    const ids = await emitted(publisher, templateName, 250)
    const store = await openStore(db)
    onTestFinished(() => store.close())
    const kept = store.events.after(0, 100).map(({ payload }) => JSON.parse(payload).ids)
    expect(kept.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(kept.flat()).toEqual(ids)
  })

  test('is kept for others no longer than they need', async () => {
    const db = newDatabase()
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
    const db = newDatabase()
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
    const db = newDatabase()
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
    const db = newDatabase()
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

describe('events that are removed before they are sent', () => {
  test('end the connections that missed them, also if another process removes them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const db = newDatabase()
    const { publisher, connected, clock } = await hall({ db })
    const { socket, rest } = await connected(publisher)
    const closed = once(socket, 'close')
    const other = await openStore(db)
    onTestFinished(() => other.close())
    const message = { to: publisher.id, from: publisher.id, vatoms: [], variations: [], action: 'Drop', text: 'one' }
    await other.write(() => deliverMessage({ store: other, now: clock() }, message))
    const store = (count: number) => other.write(() => storeMany(other, { count, user: 'nobody' }))
    await store(limits.events + 64)
    await store(64)
    vi.advanceTimersByTime(100)
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([1012, 'events were missed: connect again and read everything again'])
    const again = await connected(publisher)
    await says(publisher, publisher, 'two')
    expect(await again.next()).toMatchObject([{ payload: { msg: 'two' } }])
    expect(rest()).toEqual([])
  })

  test('end those of the user alone whose events they were, where it is known whose they were', async () => {
    const { opened, subscribe } = await peopleOf({ isLost: (seq) => seq === 2 })
    const [ann, bob] = [subscribe('ann'), subscribe('bob')]
    await opened.write(() => {
      storeMany(opened, { count: 2, user: 'ann' })
      storeMany(opened, { count: 1, user: 'bob' })
    })
    await expect.poll(() => ann.closed).toEqual([1012])
    await expect.poll(() => bob.sent).toBe(1)
    expect([ann.sent, bob.closed]).toEqual([0, []])
  })

  test('end no connection that began after them', async () => {
    const { opened, subscribe } = await peopleOf({ isRemoved: (seq) => seq <= 2 })
    const ann = subscribe('ann')
    await opened.write(() => storeMany(opened, { count: 2, user: 'ann' }))
    const again = subscribe('ann')
    await opened.write(() => storeMany(opened, { count: 1, user: 'ann' }))
    await expect.poll(() => again.sent).toBe(1)
    expect([ann.closed, ann.sent, again.closed]).toEqual([[1012], 0, []])
  })
})

test('that all data was replaced ends no connection that began after it', async () => {
  const { opened, subscribe } = await peopleOf()
  const ann = subscribe('ann')
  const replaced = { msg_type: 'replaced', user_id: '', lat: null, lon: null, payload: '{}', created: Date.now() }
  await opened.write(() => opened.events.append(replaced))
  const again = subscribe('ann')
  await expect.poll(() => ann.closed).toEqual([1012])
  await opened.write(() => storeMany(opened, { count: 1, user: 'ann' }))
  await expect.poll(() => again.sent).toBe(1)
  expect(again.closed).toEqual([])
})

test('a user does not wait for all that another is sent before', async () => {
  const { opened, subscribe, order } = await peopleOf()
  const desks = Array.from({ length: 20 }, () => subscribe('ann'))
  const bob = subscribe('bob')
  await opened.write(() => {
    storeMany(opened, { count: 2000, user: 'ann' })
    storeMany(opened, { count: 1, user: 'bob' })
  })
  await expect.poll(() => desks.map(({ sent }) => sent), { timeout: 10_000 }).toEqual(desks.map(() => 2000))
  expect(bob.sent).toBe(1)
  expect(order.indexOf('bob')).toBeLessThan(1000)
})

test('what is sent to each of the connections of a user counts as often before it is the turn of others', async () => {
  const { opened, subscribe, order } = await peopleOf()
  const count = 200
  const desks = Array.from({ length: 20 }, () => subscribe('ann'))
  subscribe('bob')
  await opened.write(() => {
    for (const user of ['ann', 'bob']) storeMany(opened, { count, user })
  })
  await expect.poll(() => desks.map(({ sent }) => sent), { timeout: 10_000 }).toEqual(desks.map(() => count))
  expect(order.lastIndexOf('bob')).toBeLessThan(1000)
})

test('fewer events of the map are sent at a time while those of users wait', async () => {
  const { opened, subscribe } = await peopleOf()
  const ann = subscribe('ann')
  const count = 640
  const onMap = { msg_type: 'map', user_id: 'owner', lat: 1, lon: 1, created: Date.now() }
  await opened.write(() => {
    for (let vatom_id = 0; vatom_id < count; vatom_id++)
      opened.events.append({ ...onMap, payload: JSON.stringify({ op: 'add', vatom_id }) })
    storeMany(opened, { count, user: 'ann' })
  })
  await expect.poll(() => ann.sent).toBe(2 * count)
  const before = ann.types.slice(0, ann.types.lastIndexOf('my_events'))
  expect(before.filter((type) => type === 'map').length).toBeLessThan(count / 4)
})

describe('a new connection hears at once what is new, however much waited for an earlier one of its user', () => {
  const many = 2000

  /** Connects again, and returns whom messages were sent to from then on, where another is sent a hundred as well. */
  async function sentAfter(
    { opened, subscribe, order }: Awaited<ReturnType<typeof peopleOf>>,
    again = subscribe('ann'),
  ) {
    const before = order.length
    subscribe('bob')
    await opened.write(() => {
      storeMany(opened, { count: 100, user: 'bob' })
      storeMany(opened, { count: 1, user: 'ann' })
    })
    await expect.poll(() => order.slice(before).filter((user) => user === 'bob').length).toBe(100)
    await expect.poll(() => again.sent).toBe(1)
    return order.slice(before)
  }

  test('which has ended', async () => {
    const people = await peopleOf()
    const earlier = people.subscribe('ann')
    people.subscribe('zoe')
    await people.opened.write(() => storeMany(people.opened, { count: many, user: 'ann' }))
    while (earlier.sent === 0) await nextTurn()
    earlier.leave()
    expect(earlier.sent).toBeLessThan(many)
    expect((await sentAfter(people)).indexOf('ann')).toBeLessThan(100)
  })

  test('which has ended before it was read what is for it', async () => {
    const people = await peopleOf()
    const earlier = people.subscribe('ann')
    people.subscribe('zoe')
    await people.opened.write(() => storeMany(people.opened, { count: many, user: 'ann' }))
    earlier.leave()
    expect(earlier.sent).toBe(0)
    expect((await sentAfter(people)).indexOf('ann')).toBeLessThan(100)
  })

  test('which ends after the new one began', async () => {
    const people = await peopleOf()
    const earlier = people.subscribe('ann')
    await people.opened.write(() => storeMany(people.opened, { count: many, user: 'ann' }))
    while (earlier.sent === 0) await nextTurn()
    const again = people.subscribe('ann')
    earlier.leave()
    expect(earlier.sent).toBeLessThan(many)
    expect((await sentAfter(people, again)).indexOf('ann')).toBeLessThan(100)
  })
})

test('what many watch is sent to some of them in a turn, and all of it reaches all of them', async () => {
  // Users who do not exist would be signed out.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const sources = {
    store,
    clock: () => new Date(),
    ...{ processSessions, configuredSessions },
    log: undefined,
    memory: 2 ** 28,
    connections: 1000,
  }
  const subscribers = new Subscribers(sources)
  let [sent, writes] = [0, 0]
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    send: () => {
      sent++
      for (const end = performance.now() + 0.01; performance.now() < end; );
    },
    cork: () => writes++,
    uncork: () => {},
    close: () => {},
    terminate: () => {},
  })
  const watching = Array.from({ length: 200 }, (_, index) => {
    const subscriber = new Subscriber(socket as unknown as WebSocket, socket, visitor(`user-${index}`))
    subscriber.region = { north: 90, south: -90, west: -180, width: 360 }
    return subscriber
  })
  socket.setMaxListeners(0)
  for (const subscriber of watching) subscribers.add(subscriber)
  const event = { msg_type: 'map', user_id: 'owner', lat: 1, lon: 1, created: Date.now() }
  await store.write(() => {
    for (let vatom_id = 0; vatom_id < 50; vatom_id++)
      store.events.append({ ...event, payload: JSON.stringify({ op: 'add', vatom_id }) })
  })
  const perTurn: number[] = []
  for (let before = sent; sent < 50 * 200; before = sent) {
    await nextTurn()
    perTurn.push(sent - before)
  }
  subscribers.close()
  expect(sent).toBe(50 * 200)
  expect(Math.max(...perTurn)).toBeLessThan(500 + 200)
  expect(writes).toBeLessThanOrEqual(4 * 200)
})

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

test('what could not be read is sent after the next change, in its order', async () => {
  // Users who do not exist would be signed out.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const opened = await openStore(':memory:')
  onTestFinished(() => opened.close())
  let isBroken = true
  const announced: typeof opened.events.announced = (...given) => {
    if (isBroken) throw new Error('out of order')
    return opened.events.announced(...given)
  }
  const store = { ...opened, events: { ...opened.events, announced } }
  const log = vi.fn()
  const subscribers = new Subscribers({
    store,
    clock: () => new Date(),
    ...{ processSessions, configuredSessions },
    log,
    connections: 1000,
    memory: 2 ** 28,
  })
  const send = vi.fn()
  const rest = { bufferedAmount: 0, cork: () => {}, uncork: () => {}, close: () => {}, terminate: () => {} }
  const socket = Object.assign(new EventEmitter(), rest, { send })
  const subscriber = new Subscriber(socket as unknown as WebSocket, socket, visitor('ann'))
  subscriber.region = { north: 90, south: -90, west: -180, width: 360 }
  subscribers.add(subscriber)
  const event = { msg_type: 'map', user_id: 'owner', lat: 1, lon: 1, created: Date.now() }
  await opened.write(() => opened.events.append({ ...event, payload: '{"vatom_id":1}' }))
  await someTurns()
  expect(log).toHaveBeenCalledWith('events: out of order')
  isBroken = false
  await opened.write(() => opened.events.append({ ...event, payload: '{"vatom_id":2}' }))
  await someTurns()
  expect(send.mock.calls.map(([text]) => JSON.parse(text).payload.vatom_id)).toEqual([1, 2])
  subscribers.close()
})

test('what is stored while something is sent in several turns is sent after it, without a further change', async () => {
  // Users who do not exist would be signed out.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const sources = { store, clock: () => new Date(), processSessions, configuredSessions, log: undefined }
  const subscribers = new Subscribers({ ...sources, connections: 1000, memory: 2 ** 28 })
  onTestFinished(() => subscribers.close())
  const event = { msg_type: 'map', user_id: 'owner', lat: 1, lon: 1, created: Date.now() }
  let second: Promise<unknown> | undefined
  const send = vi.fn((_text: string) => {
    // For longer than a turn lasts.
    for (const began = process.cpuUsage().user; process.cpuUsage().user - began < 12_000; );
    second ??= store.write(() => store.events.append({ ...event, payload: '2' }))
  })
  const rest = { bufferedAmount: 0, cork: () => {}, uncork: () => {}, close: () => {}, terminate: () => {} }
  const socket = Object.assign(new EventEmitter(), rest, { send })
  for (const user of ['ann', 'bob']) {
    const subscriber = new Subscriber(socket as unknown as WebSocket, socket, visitor(user))
    subscriber.region = { north: 90, south: -90, west: -180, width: 360 }
    subscribers.add(subscriber)
  }
  await store.write(() => store.events.append({ ...event, payload: '1' }))
  await someTurns()
  await second
  await someTurns()
  expect(send.mock.calls.map(([text]) => JSON.parse(text).payload)).toEqual([1, 1, 2, 2])
})

test('messages that a scenario delays count by their bytes, and too many end the connection', () => {
  const terminate = vi.fn()
  const rest = { bufferedAmount: 0, send: vi.fn(), cork: () => {}, uncork: () => {}, close: () => {}, terminate }
  const socket = Object.assign(new EventEmitter(), rest)
  const delayed = () => ({ latency_ms: 1000 })
  const ann = new Subscriber(socket as unknown as WebSocket, socket, visitor('ann'), delayed)
  ann.send('my_events', JSON.stringify('€'.repeat(limits.socketUnread / 2)))
  expect(ann.unread).toBe(1.5 * limits.socketUnread + 2)
  expect(terminate).not.toHaveBeenCalled()
  ann.send('my_events', '""')
  expect(terminate).toHaveBeenCalledOnce()
  expect(rest.send).not.toHaveBeenCalled()
})

test('events of users do not wait for those of the map, of which all but what is over by then is sent', async () => {
  const opened = await openStore(':memory:')
  onTestFinished(() => opened.close())
  const byId = (id: string) => ({ ...opened.users.byId(id), id }) as ReturnType<typeof opened.users.byId>
  const store = { ...opened, users: { ...opened.users, byId } }
  const subscribers = new Subscribers({
    ...{ store, clock: () => new Date(), processSessions, configuredSessions, log: undefined },
    ...{ connections: 1000, memory: 2 ** 28 },
  })
  onTestFinished(() => subscribers.close())
  const send = vi.fn()
  const rest = { bufferedAmount: 0, cork: () => {}, uncork: () => {}, close: () => {}, terminate: () => {} }
  const socket = Object.assign(new EventEmitter(), rest, { send })
  const subscriber = new Subscriber(socket as unknown as WebSocket, socket, { ...visitor('ann'), session: 'own' })
  subscriber.region = { north: 90, south: -90, west: -180, width: 360 }
  subscribers.add(subscriber)
  const count = 300
  const at = { msg_type: 'map', user_id: 'owner', lat: 1, created: Date.now() }
  await opened.write(() => {
    for (let lon = 0; lon < count; lon++)
      for (const op of ['add', 'remove'])
        opened.events.append({ ...at, lon, payload: JSON.stringify({ op, vatom_id: 'v', lon }) })
    opened.events.append({ ...at, msg_type: 'my_events', user_id: 'ann', lat: null, lon: null, payload: '"mine"' })
  })
  const told = () => send.mock.calls.map(([text]) => JSON.parse(text).payload)
  await expect.poll(() => told().filter(({ op }) => op === 'remove')).toHaveLength(count)
  expect(told().indexOf('mine')).toBeLessThan(told().length - 30)
  expect(
    told()
      .filter(({ op }) => op === 'remove')
      .map(({ lon }) => lon),
  ).toEqual(Array.from({ length: count }, (_, lon) => lon))
  expect(told().filter(({ op }) => op === 'add').length).toBeLessThan(count)
})
