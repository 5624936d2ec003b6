import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { RemoteSqlite } from '../../../src/server/store/database/remote-sqlite.ts'
import { template, variation, variationName } from '../../fixtures/bodies.ts'
import { action, folderType, grant, outputOf, perform, seen } from '../../support/acting.ts'
import { gate, handlerOf } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { type Caller, emitted, made, overHttp, testService } from '../../support/service.ts'
import { slowWork } from '../../support/slow-work.ts'

const many = limits.fewRows + 1
const emission = { template_variation: variationName, num: many }
const emit = (caller: Caller) => caller.call('POST', '/v1/vatoms', { body: emission })
const emittedBy = async (caller: Caller): Promise<number> =>
  (await caller.call('POST', '/v1/user/vatom/inventorystats', { body: {} })).payload.stats[0]?.count ?? 0

/** Waits until a check succeeds, which takes long on a busy machine. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 })

/** What a connection sends. */
function sentBy({ token }: Caller, path: string, input: object): string {
  const body = JSON.stringify(input)
  const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'App-Id: local', `Authorization: Bearer ${token}`]
  return `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** A service with a template, and how many writes wait in it and connections are open. */
async function world() {
  const db = newDatabase()
  const { publisher, service, register } = await testService({ db })
  const { baseUrl, port } = await service.listen({ host: '127.0.0.1', port: 0 })
  await made(
    publisher,
    ['POST', '/v1/templates', template({ unpublished: false })],
    ['POST', '/v1/template_variations', variation({ unpublished: false })],
  )
  const gauge = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`${baseUrl}/__vatom/metrics`, { headers: { connection: 'close' } })).text()
    return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  }
  const untilWaiting = (count: number) =>
    eventually(async () => expect(await gauge('vatom_writes_waiting')).toBe(count))
  return { publisher, service, db, register, port, gauge, untilWaiting }
}

/** The next long write begins, and goes on when the gate is opened. */
function heldLongWrite() {
  const held = gate()
  const open = RemoteSqlite.open.bind(RemoteSqlite)
  const opening = vi.spyOn(RemoteSqlite, 'open').mockImplementationOnce(async (path) => {
    await held.opened
    return await open(path)
  })
  onTestFinished(() => {
    held.open()
    opening.mockRestore()
  })
  return { open: held.open, begun: () => eventually(() => expect(opening).toHaveBeenCalledOnce()) }
}

test('a change of many records that waits is given up once the connection of its request is closed', async () => {
  const { publisher, port, gauge, untilWaiting } = await world()
  const held = heldLongWrite()
  const first = emit(publisher)
  await held.begun()
  const connections = await gauge('vatom_connections_open')
  const leaving = Array.from({ length: 3 }, () => rawConnection(port, sentBy(publisher, '/v1/vatoms', emission)))
  await untilWaiting(leaving.length)
  for (const { socket } of leaving) socket.destroy()
  await eventually(async () => expect(await gauge('vatom_connections_open')).toBe(connections))
  held.open()
  expect((await first).status).toBe(200)
  await untilWaiting(0)
  expect((await emit(publisher)).status).toBe(200)
  expect(await emittedBy(publisher)).toBe(2 * many)
})

test('of the changes of many records of one user some may wait, others are refused, and those of another user are not', async () => {
  const { publisher, service, register, untilWaiting } = await world()
  const [ann, bob] = [await register('ann@example.com'), await register('bob@example.com')]
  for (const user of [ann, bob]) await grant(service, user, { is_admin: true, pub_fqdn: 'local.vatom' })
  const held = heldLongWrite()
  const all = Array.from({ length: limits.longWritesOfUser + 1 }, () => emit(ann))
  await untilWaiting(limits.longWritesOfUser)
  const refused = await emit(ann)
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('wait for some of yours')])
  expect(refused.headers['retry-after']).toBe('1')
  const others = [emit(bob), emit(publisher)]
  await untilWaiting(limits.longWritesOfUser + others.length)
  held.open()
  const answers = await Promise.all([...all, ...others])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a service that closes refuses at once the changes of many records that wait, and finishes the one that has begun', async () => {
  const { publisher, service, port, untilWaiting } = await world()
  const held = heldLongWrite()
  const warned = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warned.mockRestore())
  const headers = { 'app-id': 'local', authorization: `Bearer ${publisher.token}` }
  const sent = { method: 'POST', path: '/v1/vatoms', headers, body: JSON.stringify(emission) }
  const first = emit(publisher)
  await held.begun()
  const waiting = Promise.allSettled(Array.from({ length: 20 }, () => overHttp(port, sent)))
  await untilWaiting(20)
  const closed = service.close()
  const refused = { status: 503, body: expect.stringContaining('"error":9049') }
  for (const answer of await waiting) expect(answer).toMatchObject({ status: 'fulfilled', value: refused })
  held.open()
  expect((await first).status).toBe(200)
  await closed
  expect(warned).not.toHaveBeenCalled()
})

const box = 'local.vatom::Box::v1'

/** The id of a folder with so much in it that an action on it is a long write. */
async function filledBox(publisher: Caller): Promise<string> {
  const vatom = { 'vAtom::vAtomType': { root_type: folderType, transferable: true } }
  const big = { template: box, template_variation: `${box}::Big` }
  const { ids: boxes } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: box, unpublished: false, vatom })],
    ['POST', '/v1/template_variations', variation({ ...big, vatom: {}, unpublished: false })],
    ['POST', '/v1/vatoms', { template_variation: big.template_variation, num: 1 }],
  )
  const inside = (await emit(publisher)).payload.ids
  for (const ids of [inside.slice(0, 100), inside.slice(100)])
    await made(publisher, ['PATCH', '/v1/vatoms', { ids, parent_id: boxes[0] }])
  return String(boxes[0])
}

test('an action that was accepted, and is not waited for, is carried out while the service closes', async () => {
  const { publisher, service, db, register, untilWaiting } = await world()
  const ann = await register('ann@example.com')
  const id = await filledBox(publisher)
  await action(publisher, box, 'Drop')
  await action(publisher, box, 'Transfer', { wait: false, policy: { pre: ['Drop'] } })
  const held = heldLongWrite()
  const first = emit(publisher)
  await held.begun()
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': ann.id, 'geo.pos': { Lat: 1, Lon: 2 } }))
  await untilWaiting(1)
  const closed = service.close()
  held.open()
  expect((await first).status).toBe(200)
  await closed
  const again = await testService({ db })
  expect((await seen(again.as(ann.id, ann.token), id)).type.owner).toBe(ann.id)
})

test('an action whose handler was called is not to be sent again where the service refuses its changes as it closes', async () => {
  const { publisher, service, register } = await world()
  const ann = await register('ann@example.com')
  const address = { token: 'claimed@example.com', token_type: 'email' }
  await made(ann, ['POST', '/v1/user/tokens', address])
  const [id = '', held] = await emitted(publisher, box, 2, { transferable: true })
  await action(publisher, box, 'Transfer')
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': ann.id }))
  // As she has something held, it takes steps to look whether the vAtom is.
  outputOf(await perform(publisher, 'Transfer', held, { 'new.owner.email': address.token }))
  const reactor = 'local.vatom://stamp'
  const { url } = await handlerOf((response) => {
    void service.close()
    slowWork(1000)
    response.end('{}')
  })
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  await action(publisher, box, 'Stamp', { reactor })
  const { status, body, headers } = await perform(ann, 'Stamp', id)
  const message = 'The service is closing, but the handler of Stamp was already called: check the result'
  expect([status, body.error, body.message]).toEqual([503, 9049, expect.stringContaining(message)])
  expect(headers).not.toHaveProperty('retry-after')
  await service.close()
})

test('an action whose pre-action has begun is carried through, although its connection is closed and it waits again', async () => {
  const { publisher, register, port, gauge, untilWaiting } = await world()
  const ann = await register('ann@example.com')
  const id = await filledBox(publisher)
  await action(publisher, box, 'Drop')
  await action(publisher, box, 'Transfer', { policy: { pre: ['Drop'] } })
  const held = heldLongWrite()
  const connections = await gauge('vatom_connections_open')
  const input = { 'this.id': id, 'new.owner.id': ann.id, 'geo.pos': { Lat: 1, Lon: 2 } }
  const { socket } = rawConnection(port, sentBy(publisher, '/v1/user/vatom/action/Transfer', input))
  await held.begun()
  const other = emit(publisher)
  await untilWaiting(1)
  socket.destroy()
  await eventually(async () => expect(await gauge('vatom_connections_open')).toBe(connections))
  held.open()
  await other
  await eventually(async () => expect((await seen(ann, id)).type.owner).toBe(ann.id))
})
