import { expect, test } from 'vitest'
import { createDryRun, offeringDryRuns } from '../../src/client/dry-run.ts'
import { UnreachableError } from '../../src/client/errors.ts'
import { fixedSession } from '../../src/client/session.ts'
import type { Transport } from '../../src/client/transport.ts'
import { errorCatalogue } from '../../src/contract/api/errors.ts'
import type { WireRequest } from '../../src/contract/api/wire.ts'

test.each([
  ['true', true],
  ['supported', false],
  ['offered', false],
  ['offered, lists', false],
  ['', false],
  ['false', false],
  ['a/1', false],
  [undefined, false],
])('an answer with Vatom-Dry-Run: %s to a read with Vatom-Dry-Run: true offers dry runs: %s', async (value, offers) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'vatom-dry-run': value }
  const { isOffered } = offeringDryRuns(async () => ({ status: 200, headers, body: '{"payload":{}}' }), 'local')
  expect(await isOffered()).toBe(offers)
})

/** A service that predicts every change, and what it was sent. */
function predicting(refusesLists = false) {
  const sent: string[] = []
  const answer = (changes: number, body: object = { success_message: `${changes}` }) => ({
    status: 200,
    headers: { 'vatom-dry-run': 'true' },
    body: JSON.stringify({ payload: body }),
  })
  const send = async ({ method, path, headers, body = '' }: WireRequest) => {
    sent.push(`${method} ${path}`)
    if (path !== '/__vatom/dry-run') return answer(Number(headers['vatom-dry-run']?.split('/')[1]))
    if (refusesLists) return { status: 404, headers: {}, body: '{}' }
    const { changes, requests } = JSON.parse(body)
    return {
      ...answer(
        0,
        requests.map((_: unknown, index: number) => answer(changes + index)),
      ),
    }
  }
  const dryRun = (isOnNetwork: boolean) => dryRunOver(send, { isOnNetwork })
  return { sent, send, dryRun }
}

/** A dry run over a transport, of which nobody hears, one by one, if nothing else is said. */
const dryRunOver = (send: Transport, options: Partial<Parameters<typeof createDryRun>[1]> = {}) =>
  createDryRun(
    { appId: 'local', send, session: fixedSession('token') },
    { atEnd: () => {}, onBusy: () => {}, isOnNetwork: false, ...options },
  )
const action = { body: { name: 'local.vatom::T::v1::Action::Transfer', reactor: 'blockv://v1/Transfer' } }

test.each([
  ['as lists of a hundred', true, false, { 'POST /__vatom/dry-run': 3 }],
  ['one by one to a service in the same process', false, false, { 'POST /v1/publisher/action': 250 }],
  [
    'one by one after a refused list, and one that says whether they arrive',
    true,
    true,
    { 'POST /__vatom/dry-run': 1, 'POST /v1/publisher/action': 251 },
  ],
])(
  'changes that wait together are sent %s, each after those before it',
  async (_, isOnNetwork, refusesLists, expected) => {
    const { sent, dryRun } = predicting(refusesLists)
    const { client } = dryRun(isOnNetwork)
    const answers = await Promise.all(Array.from({ length: 250 }, () => client.registerAction(action)))
    expect(answers.map(({ success_message }) => success_message)).toEqual(answers.map((_, index) => `${index}`))
    const counts: Record<string, number> = {}
    for (const one of sent) counts[one] = (counts[one] ?? 0) + 1
    expect(counts).toEqual(expected)
  },
)

test('changes are sent one by one where a web page answers lists, also after one that was sent by itself', async () => {
  const { sent, send } = predicting()
  const { client } = dryRunOver(
    async (request) =>
      request.path === '/__vatom/dry-run' ? { status: 200, headers: {}, body: '<html>app</html>' } : send(request),
    { isOnNetwork: true },
  )
  await client.registerAction(action)
  await Promise.all([client.registerAction(action), client.registerAction(action)])
  expect(sent).toEqual(Array(4).fill('POST /v1/publisher/action'))
})

test('a list for which the service has no room yet is sent again as often as it asks for that', async () => {
  const { sent, send } = predicting()
  let refusals = 9
  let told = 0
  const busy = { status: 503, headers: { 'retry-after': '0' }, body: '{"error":9016,"message":"wait"}' }
  const { client } = dryRunOver(async (request) => (refusals-- > 0 ? busy : send(request)), {
    onBusy: () => told++,
    isOnNetwork: true,
  })
  const answers = await Promise.all(Array.from({ length: 3 }, () => client.registerAction(action)))
  expect(answers).toHaveLength(3)
  expect(told).toBe(1)
  expect(sent).toEqual(['POST /__vatom/dry-run'])
})

test('the failure of a change that was asked for again and again says how often', async () => {
  let sent = 0
  const send = async () => {
    const wait = ++sent < 5 ? '0' : '9999'
    const repeated = sent === 1 ? { repeated: { attempts: 3, seconds: 1 } } : {}
    return { status: 503, headers: { 'retry-after': wait }, body: '{"error":9016,"message":"wait"}', ...repeated }
  }
  const { client } = dryRunOver(send)
  await expect(client.registerAction(action)).rejects.toMatchObject({
    kind: 'busy',
    repeated: { attempts: 7, seconds: expect.any(Number) },
  })
})

test('the failure of a change that found nobody after it was asked for again says how often, too', async () => {
  let sent = 0
  const send = async () => {
    if (++sent === 4) throw new UnreachableError('a.example', 'it is gone')
    return { status: 503, headers: { 'retry-after': '0' }, body: '{"error":9016,"message":"wait"}' }
  }
  const { client } = dryRunOver(send)
  await expect(client.registerAction(action)).rejects.toMatchObject({
    reason: 'it is gone',
    repeated: { attempts: 4, seconds: expect.any(Number) },
  })
})

test('a list is sent no more once the service asks to wait too long, and none of its changes by itself', async () => {
  const sent: string[] = []
  const send = async ({ path }: WireRequest) => {
    sent.push(path)
    return { status: 503, headers: { 'retry-after': '9999' }, body: '{"error":9016,"message":"wait"}' }
  }
  const { client } = dryRunOver(send, { isOnNetwork: true })
  const answers = await Promise.allSettled(Array.from({ length: 3 }, () => client.registerAction(action)))
  expect(answers).toMatchObject(Array(3).fill({ status: 'rejected', reason: { kind: 'busy', retryAfter: 9999 } }))
  expect(sent).toEqual(['/__vatom/dry-run'])
})

test('after a list without an answer nothing more is predicted: it would be as if its changes had not been made', async () => {
  const sent: WireRequest[] = []
  const send = async (request: WireRequest) => {
    sent.push(request)
    throw new Error('no answer')
  }
  const { client } = dryRunOver(send, { isOnNetwork: true })
  const answers = await Promise.allSettled(Array.from({ length: 250 }, () => client.registerAction(action)))
  expect(answers).toMatchObject(Array(250).fill({ status: 'rejected', reason: { message: 'no answer' } }))
  expect(sent).toMatchObject([{ path: '/__vatom/dry-run', changes: false, repeatable: true }])
})

test.each([
  ['dryRunFull', { why: 'full', reason: 'no more' }],
  ['dryRunLost', { why: 'forgotten' }],
] as const)('after %s nothing more is predicted, and it is told why', async (kind, end) => {
  const { status, code: error } = errorCatalogue[kind]
  const ends: unknown[] = []
  const { client } = dryRunOver(
    async () => ({ status, headers: {}, body: JSON.stringify({ error, message: 'no more' }) }),
    { atEnd: (predicted, end) => ends.push([predicted, end]) },
  )
  await expect(client.registerAction(action)).rejects.toMatchObject({ kind })
  await expect(client.registerAction(action)).rejects.toMatchObject({ kind })
  expect(ends).toEqual([[0, end]])
})

const said = (status: number, mark: string | undefined, body: object) => ({
  status,
  headers: { ...(mark !== undefined && { 'vatom-dry-run': mark }) },
  body: JSON.stringify(body),
})
const refusal = { request_id: '1', error: 9000, message: 'no' }

test.each([
  said(400, 'supported', refusal),
  said(404, 'supported', {}),
  said(400, undefined, refusal),
  said(404, undefined, refusal),
])(
  'the header of dry runs is said to be removed where a service itself refuses a request without it: %j',
  async (answer) => {
    const { send, sent } = predicting(true)
    const ends: unknown[] = []
    const { client } = dryRunOver(async (request) => (request.body === '[]' ? answer : send(request)), {
      isOnNetwork: true,
      atEnd: (predicted, end) => ends.push([predicted, end]),
    })
    await expect(client.registerAction(action)).rejects.toMatchObject({ kind: 'dryRunRefused' })
    expect({ ends, sent }).toEqual({ ends: [[0, { why: 'blocked' }]], sent: ['POST /__vatom/dry-run'] })
  },
)

test.each([
  said(400, undefined, { message: 'Invalid request body' }),
  said(404, undefined, {}),
  said(400, 'offered', refusal),
  said(401, undefined, { message: 'Unauthorized' }),
  said(403, undefined, {}),
  said(429, 'supported', refusal),
  said(500, 'supported', refusal),
  said(503, undefined, {}),
  said(200, undefined, {}),
])('any other answer to that is a failure, and says of no header that it is removed: %j', async (answer) => {
  const { send, sent } = predicting(true)
  const ends: unknown[] = []
  const { client } = dryRunOver(async (request) => (request.body === '[]' ? answer : send(request)), {
    isOnNetwork: true,
    atEnd: (predicted, end) => ends.push([predicted, end]),
  })
  const failed = client.registerAction(action)
  await expect(failed).rejects.toMatchObject({ status: answer.status })
  await expect(failed).rejects.not.toMatchObject({ kind: 'dryRunRefused' })
  expect({ ends, sent }).toEqual({ ends: [], sent: ['POST /__vatom/dry-run'] })
})

test('whether a change without a body and a name arrives is asked in the name of nobody, who can change nothing', async () => {
  const { send } = predicting(true)
  const asked: WireRequest[] = []
  const { client } = dryRunOver(
    async (request) => {
      asked.push(request)
      return request.headers['app-id'] === 'local' ? send(request) : said(403, 'supported', refusal)
    },
    { isOnNetwork: true },
  )
  await expect(client.deleteUser({})).rejects.toMatchObject({ kind: 'dryRunRefused' })
  const [, probe, ...others] = asked
  expect(probe).toMatchObject({ method: 'DELETE', path: '/v1/user', headers: { 'vatom-dry-run': 'true' } })
  expect(probe?.headers).not.toHaveProperty('authorization')
  expect(others).toEqual([])
})
