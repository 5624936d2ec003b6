import { afterEach, expect, test } from 'vitest'
import { action, outputOf, perform } from '../../support/acting.ts'
import { gate, handlerOf } from '../../support/action-handler.ts'
import { emitted } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const name = 'local.vatom::Card'
const reactor = 'local.vatom://stamp'

const gates: ReturnType<typeof gate>[] = []
afterEach(() => {
  for (const one of gates.splice(0)) one.open()
})

/** Publishers on a service with room for 1 MiB of bodies, a quarter of that for each; the handler waits for a gate. */
async function world(wait: boolean) {
  const opened = await twoPublishers({ maxMemory: 16 })
  const answered = gate()
  gates.push(answered)
  const { url } = await handlerOf(async (response) => {
    await answered.opened
    response.end('{"output": {"done": true}}')
  })
  const { publisher } = opened
  const [id = ''] = await emitted(publisher, name, 1)
  await publisher.call('POST', '/v1/publisher/action_handler', { body: { reactor, url } })
  await action(publisher, name, 'Stamp', { reactor, wait })
  const stamp = (length: number, char = 'x') => perform(publisher, 'Stamp', id, { note: char.repeat(length) })
  return { ...opened, answered, stamp }
}

test('the bodies of a user that wait in an operation are bounded; short ones, and those of others, are taken', async () => {
  const { publisher, other, answered, stamp } = await world(true)
  const waiting = [stamp(100_000), stamp(100_000)]
  const refused = await stamp(100_000)
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('long bodies wait') } })
  const profile = (caller: typeof publisher, length: number) =>
    caller.call('PATCH', '/v1/user', { body: { first_name: 'Ann', language: ' '.repeat(length) } })
  expect((await profile(publisher, 100_000)).status).toBe(503)
  expect((await profile(other, 100_000)).status).toBe(400)
  expect((await publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ann' } })).status).toBe(200)
  answered.open()
  for (const answer of await Promise.all(waiting)) expect(outputOf(answer)).toEqual({ done: true })
  expect(outputOf(await stamp(100_000))).toEqual({ done: true })
})

test('the body of an action that is not waited for counts until the action has ended', async () => {
  const { service, answered, stamp } = await world(false)
  expect([(await stamp(100_000)).status, (await stamp(100_000)).status, (await stamp(100_000)).status]).toEqual([
    200, 503, 503,
  ])
  answered.open()
  await (await service.testControls()).settled()
  expect((await stamp(100_000)).status).toBe(200)
})

test('a body counts by its bytes', async () => {
  const { answered, stamp } = await world(true)
  const waiting = [stamp(60_000, 'ж'), stamp(60_000, 'ж')]
  expect(await stamp(60_000, 'ж')).toMatchObject({ status: 503 })
  answered.open()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
})
