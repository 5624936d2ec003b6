import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { face, template, variation } from '../../fixtures/bodies.ts'
import type { Caller } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

/** Sends a list of changes of one dry run. */
const list = (caller: Pick<Caller, 'call'>, requests: readonly object[], changes = 0, id = 'a') =>
  caller.call('POST', '/__vatom/dry-run', { body: { id, changes, requests } })

const post = (path: string, body: object) => ({ method: 'POST', path, body: JSON.stringify(body) })
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => post('/v1/templates', template({ template: `local.vatom::T${n}::v1` })))

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

test('each request is answered as after those before it, and nothing is stored', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const requests = [
    post('/v1/templates', template()),
    post('/v1/templates', template()),
    post('/v1/template_variations', variation()),
    post('/v1/publisher/face', face()),
  ]
  const { status, payload } = await list(publisher, requests)
  expect([status, statuses(payload)]).toEqual([200, [200, 400, 200, 200]])
  expect(payload[0].headers['vatom-dry-run']).toBe('true')
  expect(JSON.parse(payload[1].body)).toMatchObject({ message: expect.stringContaining('already exists') })
  const more = await list(publisher, [post('/v1/publisher/face', face())], 3)
  expect(statuses(more.payload)).toEqual([200])
  expect((await publisher.call('GET', '/v1/templates')).payload).toEqual([])
})

test('a list of as many requests as it may have is answered, and requests of others meanwhile', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  let ended = false
  const answered = list(publisher, numbered(limits.dryRunListed)).finally(() => {
    ended = true
  })
  let others = 0
  while (!ended) {
    const { payload } = await publisher.call('GET', '/v1/templates')
    expect(payload).toEqual([])
    others++
  }
  expect(statuses((await answered).payload)).toEqual(Array(limits.dryRunListed).fill(200))
  expect(others).toBeGreaterThan(5)
  expect(await list(publisher, numbered(limits.dryRunListed + 1))).toMatchObject({ status: 400 })
})

test.each(['method', 'path'])(
  'a list with a request whose %s is longer than HTTP takes is refused as a whole',
  async (part) => {
    const { publisher } = await twoPublishers({}, 'over HTTP')
    const longest = { method: 'PROPPATCH', path: '/v1/'.padEnd(limits.dryRunPath, 'a'), body: '{}' }
    expect(statuses((await list(publisher, [longest])).payload)).toEqual([404])
    const { status, text } = await list(publisher, [
      longest,
      { ...longest, [part]: '/v1/'.padEnd(limits.dryRunPath + 1, 'a') },
    ])
    expect([status, text]).toEqual([400, expect.stringContaining(`requests[1].${part}`)])
  },
)

test('lists of one address that are being carried out take a bounded amount of memory; one at a time is answered', async () => {
  const { publisher } = await twoPublishers({ maxMemory: 16 }, 'over HTTP')
  const long = numbered(20).map((request) => ({ ...request, body: request.body.padEnd(7_500) }))
  const sent = () => list(publisher, long)
  const answers = await Promise.all([sent(), sent(), sent()])
  expect(statuses(answers).sort()).toEqual([200, 503, 503])
  expect(answers.find(({ status }) => status === 503)?.text).toContain('too many requests with long bodies wait')
  expect(await sent()).toMatchObject({ status: 200 })
  expect(await Promise.all([list(publisher, numbered(3), 0, 'b'), list(publisher, numbered(3), 0, 'c')])).toMatchObject(
    [{ status: 200 }, { status: 200 }],
  )
})

test('it ends with the answer that the dry run is lost', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const { payload } = await list(publisher, numbered(3), 7)
  expect(statuses(payload)).toEqual([409])
})

test('what reads, and calls that are counted by their address, are refused in it', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const { payload } = await list(publisher, [
    { method: 'GET', path: '/v1/templates' },
    { method: 'POST', path: '/v1/users', body: '{}' },
    post('/v1/user/reset_token', { token: 'a@example.com', token_type: 'email' }),
  ])
  expect(statuses(payload)).toEqual(payload.map(() => 400))
})

test('its requests are refused in turns: others are answered in between', async () => {
  let turn = 0
  const turns: number[] = []
  const log = (line: string) => line.includes(' 404 ') && turns.push(turn)
  const { publisher } = await twoPublishers({ log }, 'over HTTP')
  const requests = Array.from({ length: limits.dryRunListed }, () => post(`/v1/${'a//'.repeat(3000)}`, {}))
  const timer = setInterval(() => turn++)
  expect(statuses((await list(publisher, requests)).payload)).toEqual(requests.map(() => 404))
  clearInterval(timer)
  expect(turns).toHaveLength(requests.length)
  expect(new Set(turns).size).toBeGreaterThan(4)
})

test('without a token of a publisher its requests are refused', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const headers = { authorization: '' }
  const call: Caller['call'] = (method, path, sent) => publisher.call(method, path, { ...sent, headers })
  expect(statuses((await list({ call }, numbered(1))).payload)).toEqual([403])
})

test('it is answered up to a request for which there is no room yet; if that is its first, it can be sent again', async () => {
  const { publisher } = await twoPublishers({}, 'over HTTP')
  let now = Math.ceil(performance.now())
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const few = limits.dryRunRepeated + 1
  const ids = ['a', 'b', 'c', 'd'].slice(0, limits.dryRunCopies)
  for (const id of ids) await list(publisher, numbered(few + 1), 0, id)
  /** What a list is answered while the other dry runs go on. */
  const waited = async (requests: readonly object[], changes: number) => {
    let isAnswered = false
    const answered = list(publisher, requests, changes, 'e').finally(() => {
      isAnswered = true
    })
    while (!isAnswered) {
      for (const id of ids) await list(publisher, [post('/v1/templates', template())], few + 1, id)
      now += limits.dryRunResting - 1
      await new Promise((resolve) => setTimeout(resolve))
    }
    return answered
  }
  const requests = numbered(few + 3)
  expect(statuses((await waited(requests, 0)).payload)).toEqual(Array(few).fill(200))
  const refused = { status: 503, headers: { 'retry-after': '1' }, body: { error: 9016 } }
  expect(await waited(requests.slice(few), few)).toMatchObject(refused)
  now += limits.dryRunResting
  const { payload } = await list(publisher, requests.slice(few), few, 'e')
  expect(statuses(payload)).toEqual(requests.slice(few).map(() => 200))
})

test('more changes than a dry run may have are not predicted', async () => {
  const bound = vi.spyOn<{ dryRunChanges: number }, 'dryRunChanges'>(limits, 'dryRunChanges', 'get')
  onTestFinished(() => bound.mockRestore())
  bound.mockReturnValue(300)
  const { publisher } = await twoPublishers({}, 'over HTTP')
  const change = { method: 'PATCH', path: '/v1/user', body: '{"first_name":"Ada"}' }
  const listed = Array(limits.dryRunListed).fill(change)
  const found = new Set<number>()
  for (let changes = 0; changes < limits.dryRunChanges; changes += listed.length)
    for (const status of statuses((await list(publisher, listed, changes)).payload)) found.add(status)
  expect([...found]).toEqual([200])
  expect(statuses((await list(publisher, [change], limits.dryRunChanges)).payload)).toEqual([400])
})
