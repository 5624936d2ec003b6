import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { action, outputOf, perform } from '../../support/acting.ts'
import { gate, handlerOf } from '../../support/action-handler.ts'
import { type Caller, emitted } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const card = 'local.vatom::Card'
const reactor = 'local.vatom://stamp'
const mebibyte = 2 ** 20

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes of what is still used. */
function used(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** As many inputs that have no effect as an action has room for: each is warned of. */
const idle = Object.fromEntries(Array.from({ length: 3900 }, (_, at) => [`k${at}`, 1]))

async function activated(publisher: Caller) {
  const [id = ''] = await emitted(publisher, card, 1)
  await action(publisher, card, 'Activate')
  outputOf(await perform(publisher, 'Activate', id))
  return id
}

/** Has a list of changes of a dry run predicted: all are. */
async function predicted({ call }: Caller, changes: number, requests: readonly object[]) {
  const { payload } = await call('POST', '/__vatom/dry-run', { body: { id: 'a', changes, requests } })
  for (const { status, headers } of payload) expect([status, headers['vatom-dry-run']]).toEqual([200, 'true'])
  return payload
}

test('of the changes of a dry run, their bodies are remembered, not what they warned of', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const body = JSON.stringify({ 'this.id': await activated(publisher), ...idle })
  const request = { method: 'POST', path: '/v1/user/vatom/action/Activate', body }
  await predicted(publisher, 0, [request])
  const before = used()
  const [answer] = await predicted(publisher, 1, Array(limits.dryRunRepeated).fill(request))
  expect(answer.headers['vatom-warning']).toContain('more')
  expect(used() - before).toBeLessThan(5 * mebibyte)
})

test('a query that is not read is remembered as its text', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const query = Array.from({ length: 1500 }, (_, at) => `k${at}`).join('&')
  const requests = (from: number) =>
    Array.from({ length: 100 }, (_, at) => ({
      method: 'PATCH',
      path: `/v1/user?${from + at}&${query}`,
      body: '{"first_name":"Ann"}',
    }))
  await predicted(publisher, 0, requests(0))
  const before = used()
  for (const done of [100, 200, 300, 400]) await predicted(publisher, done, requests(done))
  expect(used() - before).toBeLessThan(10 * mebibyte)
})

test('an action that waits for a handler keeps as many warnings as its answer has room for', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const id = await activated(publisher)
  const answered = gate()
  let asked = 0
  const { url } = await handlerOf(async (response) => {
    asked++
    await answered.opened
    response.end('{}')
  })
  await publisher.call('POST', '/v1/publisher/action_handler', { body: { reactor, url } })
  await action(publisher, card, 'Stamp', { reactor, timeout: 60_000 })
  await publisher.call('PATCH', `/v1/publisher/action/${card}::Action::Activate`, {
    body: { policy: { pre: ['Stamp'] } },
  })
  const before = used()
  const waiting = Array.from({ length: 10 }, () => perform(publisher, 'Activate', id, idle))
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(10)
  const taken = used() - before
  answered.open()
  for (const { status, headers } of await Promise.all(waiting))
    expect([status, headers['vatom-warning']]).toEqual([200, expect.stringContaining('more')])
  expect(taken).toBeLessThan(10 * mebibyte)
})
