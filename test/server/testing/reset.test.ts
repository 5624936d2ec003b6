import { expect, onTestFinished, test, vi } from 'vitest'
import type { ServiceOptions } from '../../../src/server/service.ts'
import { emitted, testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

/** A service in memory whose ids come from a seed. */
const seeded = (options: Partial<ServiceOptions> = {}) => testService({ seed: 'one', ...options })

/** What a service makes, as ids and codes. */
async function made(world: Awaited<ReturnType<typeof seeded>>) {
  const ids = await emitted(world.publisher, 'local.vatom::Tea::v1', 3)
  const ann = await world.register('ann@example.com')
  const controls = await world.service.testControls()
  return { ids, ann: ann.id, codes: controls.messages().map(({ code }) => code) }
}

test('services with the same seed make the same ids and codes, others do not', async () => {
  const first = await made(await seeded())
  expect(await made(await seeded())).toEqual(first)
  const other = await made(await seeded({ seed: 'two' }))
  expect(other.ids.filter((id) => first.ids.includes(id))).toEqual([])
  expect(other.ann).not.toBe(first.ann)
  for (const id of [...first.ids, first.ann])
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
})

test('without a seed ids differ', async () => {
  const worlds = [await testService(), await testService()]
  const [one, other] = await Promise.all(worlds.map(async (world) => (await world.register('ann@example.com')).id))
  expect(one).not.toBe(other)
})

test('POST /__vatom/reset returns to the state at the start, and what is made then has the same ids', async () => {
  const world = await listening({ seed: 'one', temporary: '/nowhere' })
  const { service, tool } = world
  await world.register('bob@example.com')
  const controls = await service.testControls()
  await controls.rememberStart()
  const first = await made(world)
  await tool('PUT', '/__vatom/clock', { frozen: true, advance_seconds: 60 })
  // biome-ignore lint/suspicious/noThenProperty: the word of the format
  await tool('PUT', '/__vatom/scenario', [{ then: { latency_ms: 1 } }])

  expect((await tool('POST', '/__vatom/reset')).payload).toMatchObject({ users: 1, templates: 0, vatoms: 0 })

  expect((await tool('GET', '/__vatom/clock')).payload).toMatchObject({ offset_seconds: 0, frozen: false })
  expect((await tool('GET', '/__vatom/scenario')).payload).toEqual([])
  expect(await made(world)).toEqual(first)
})

test('resets at the same time are carried out one after the other', async () => {
  const world = await listening({ temporary: '/nowhere' })
  await (await world.service.testControls()).rememberStart()
  const answers = await Promise.all(Array.from({ length: 5 }, () => world.tool('POST', '/__vatom/reset', {})))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('a reset keeps the sessions of users who exist at the start, and brings back those that were ended', async () => {
  const world = await listening({ temporary: '/nowhere' })
  const bob = await world.register('bob@example.com')
  await (await world.service.testControls()).rememberStart()
  const ann = await world.register('ann@example.com')
  await bob.call('POST', '/v1/user/logout')
  expect((await bob.call('GET', '/v1/user')).status).toBe(403)
  await world.tool('POST', '/__vatom/reset')
  expect((await bob.call('GET', '/v1/user')).status).toBe(200)
  expect((await ann.call('GET', '/v1/user')).status).toBe(403)
})

test('a reset ends the scenario that a test set, and begins anew that of the start', async () => {
  // biome-ignore lint/suspicious/noThenProperty: the word of the format
  const scenario = [{ match: { operation: 'login' as const }, times: 1, then: { status: 503 as const } }]
  const { tool, ask } = await listening({ temporary: '/nowhere', scenario })
  expect((await ask('POST', '/v1/user/login', {})).status).toBe(503)
  await tool('DELETE', '/__vatom/scenario')
  await tool('POST', '/__vatom/reset')
  expect((await tool('GET', '/__vatom/scenario')).payload).toMatchObject([{ times: 1, remaining: 1 }])
})

/** A service in memory whose scenario delays what changes the profile by a minute, and such a request that waits. */
async function withDelayed() {
  // biome-ignore lint/suspicious/noThenProperty: the word of the format
  const rule = { match: { operation: 'updateProfile' as const }, times: 1, then: { latency_ms: 60_000 } }
  const world = await listening({ temporary: '/nowhere', scenario: [rule] })
  const controls = await world.service.testControls()
  await controls.rememberStart()
  const snapshot = await controls.snapshot()
  onTestFinished(() => snapshot.close())
  const delayed = world.ask('PATCH', '/v1/user', { first_name: 'Delayed' })
  await vi.waitFor(() => expect(controls.scenario.rules()).toMatchObject([{ remaining: 0 }]), { interval: 2 })
  return { ...world, controls, snapshot, delayed }
}
type Delayed = Awaited<ReturnType<typeof withDelayed>>

test.each([
  ['POST /__vatom/reset', ({ tool }: Delayed) => tool('POST', '/__vatom/reset')],
  ['DELETE /__vatom/data', ({ tool }: Delayed) => tool('DELETE', '/__vatom/data')],
  ['a reset by a test in the process', ({ controls }: Delayed) => controls.returnToStart()],
  ['the return to a snapshot', ({ snapshot }: Delayed) => snapshot.restore()],
])('%s ends a write that a scenario delays', async (_name, replace) => {
  const world = await withDelayed()
  await replace(world)
  expect(await world.delayed).toMatchObject({ status: 409, body: { error: 9048 } })
  expect((await world.ask('GET', '/v1/user')).payload.properties.first_name).not.toBe('Delayed')
})

test('requests that began before a reset are not in the journal after it', async () => {
  const { tool, delayed, ask } = await withDelayed()
  await tool('POST', '/__vatom/reset')
  await delayed
  await ask('GET', '/v1/user')
  const entries = (await tool('GET', '/__vatom/journal')).payload
  expect(entries).toMatchObject([{ path: '/__vatom/reset' }, { operation: 'getProfile' }])
})

test('what waits for its turn to write when all data is replaced is not written', async () => {
  const { service, publisher } = await testService()
  const controls = await service.testControls()
  await controls.rememberStart()
  const reset = controls.returnToStart()
  const late = publisher.call('PATCH', '/v1/user', { body: { first_name: 'Late' } })
  const user = controls.makeUser({}).catch((error: unknown) => error)
  await reset
  expect(await late).toMatchObject({ status: 409, body: { error: 9048 } })
  expect(await user).toMatchObject({ kind: 'replaced' })
  expect(service.contents()).toMatchObject({ users: 0 })
})

test('the data of a service that is not temporary is not reset', async () => {
  const { tool, register } = await listening()
  const ann = await register('ann@example.com')
  expect(await tool('POST', '/__vatom/reset')).toMatchObject({ status: 403, body: { error: 9024 } })
  expect((await ann.call('GET', '/v1/user')).status).toBe(200)
})

test('a snapshot in memory has sessions, sent codes and assets, and can be restored again and again', async () => {
  const world = await testService({ seed: 'one' })
  const controls = await world.service.testControls()
  const ann = await world.register('ann@example.com')
  const content = async function* () {
    yield Buffer.from('tea')
  }
  const uploaded = await world.publisher.call('POST', '/v1/publisher/asset', { files: [{ name: 'a.txt', content }] })
  expect(uploaded.status).toBe(200)
  const messages = controls.messages()
  const snapshot = await controls.snapshot()
  onTestFinished(() => snapshot.close())
  for (let time = 0; time < 2; time++) {
    await ann.call('DELETE', '/v1/user')
    expect((await ann.call('GET', '/v1/user')).status).toBe(403)
    await snapshot.restore()
    expect((await ann.call('GET', '/v1/user')).payload).toMatchObject({ id: ann.id })
    expect(controls.messages()).toEqual(messages)
    expect(world.service.contents()).toMatchObject({ assets: 1, users: 1 })
  }
})
