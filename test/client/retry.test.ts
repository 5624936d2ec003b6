import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { UnreachableError } from '../../src/client/errors.ts'
import { retrying } from '../../src/client/retry.ts'
import type { WireResponse } from '../../src/contract/api/wire.ts'

type Step = WireResponse | Error
const answer = (status: number, headers: Record<string, string> = {}): WireResponse => ({ status, headers, body: '' })
/** An answer to a change that something between may have given. */
const between = (...asked: Parameters<typeof answer>): WireResponse => ({ ...answer(...asked), mayBeDone: true })
const busy = JSON.stringify({ error: 9016, request_id: 'r' })
const closing = JSON.stringify({ error: 9049, request_id: 'r' })
const reset = new UnreachableError('http://x', 'the connection was closed', { isClosed: true })

const refused = new UnreachableError('http://x', 'connection refused', { isRefused: true })

interface Given {
  readonly limit?: number
  readonly repeatable?: boolean
  readonly headers?: Record<string, string>
  readonly changes?: boolean
  readonly beforeAgain?: (mayBeDone: boolean) => Promise<void>
  /** Milliseconds that each answer takes. */
  readonly takes?: number
}

/** A service that answers the steps one after the other, and a request to it. */
function service(
  method: string,
  steps: readonly Step[],
  { limit = 30_000, takes = 0, headers = {}, ...given }: Given = {},
) {
  const waits: number[] = []
  let sent = 0
  let clock = 0
  let notes = 0
  const send = retrying(
    async () => {
      const step = steps[sent++]
      clock += takes
      if (step === undefined) throw new Error('asked once too often')
      if (step instanceof Error) throw step
      return step
    },
    {
      sleep: async (milliseconds) => {
        waits.push(milliseconds)
        clock += milliseconds
      },
      random: () => 0.5,
      now: () => clock,
      limit,
      onAway: () => {
        notes++
      },
    },
  )
  const request = { method, path: '/', headers, ...given }
  const ended = () =>
    send(request).then(
      ({ status }) => status,
      (error: Error) => error.message,
    )
  return { ended, waits, counts: () => ({ sent, notes }) }
}

/** The outcome of one request to a service that answers the steps. */
async function ask(...given: Parameters<typeof service>) {
  const { ended, waits, counts } = service(...given)
  const outcome = await ended()
  return { outcome, sent: counts().sent, waits }
}

test.each([
  ['a read after a closed connection', 'GET', [reset, answer(200)], { outcome: 200, sent: 2, waits: [200] }],
  ['a read after 408', 'GET', [answer(408), answer(200)], { outcome: 200, sent: 2, waits: [200] }],
  ['a read after 503', 'GET', [answer(503), answer(502), answer(200)], { outcome: 200, sent: 3, waits: [200, 400] }],
  [
    'a read three times at most',
    'GET',
    [answer(503), answer(503), answer(503)],
    { outcome: 503, sent: 3, waits: [200, 400] },
  ],
  ['a write that was not taken: 429', 'POST', [answer(429), answer(200)], { outcome: 200, sent: 2, waits: [200] }],
  [
    'a write that says when: 503 with Retry-After',
    'POST',
    [{ ...answer(503, { 'retry-after': '2' }), body: busy }, answer(200)],
    { outcome: 200, sent: 2, waits: [2100] },
  ],
] as const)('repeats %s', async (_, method, steps, expected) => {
  expect(await ask(method, steps)).toEqual(expected)
})

test.each([
  ['a write after a closed connection', 'POST', [reset], 'No answer from http://x: the connection was closed'],
  ['a write after a bare 503', 'POST', [answer(503)], 503],
  ['a write after 503 with Retry-After of a gateway', 'POST', [between(503, { 'retry-after': '2' })], 503],
  ['a write after 429 of a gateway', 'POST', [between(429)], 429],
  ['a write after 503 with a Retry-After that is no time', 'POST', [answer(503, { 'retry-after': '-5' })], 503],
  ['a write after 502', 'PATCH', [answer(502)], 502],
  ['a write after 408', 'PATCH', [between(408)], 408],
  ['what was refused', 'GET', [answer(403)], 403],
  ['a read that failed inside the service', 'GET', [answer(500)], 500],
] as const)('does not repeat %s', async (_, method, steps, outcome) => {
  expect(await ask(method, steps)).toEqual({ outcome, sent: 1, waits: [] })
})

test('repeats what is no GET and may be sent twice, as a search', async () => {
  expect(await ask('POST', [reset, answer(502), answer(200)], { repeatable: true })).toMatchObject({
    outcome: 200,
    sent: 3,
  })
})

test('goes on as long as it may where the number of requests is bounded, and waits longer each time', async () => {
  const paced = answer(429, { 'retry-after': '1' })
  const { outcome, sent, waits } = await ask('GET', [paced, paced, paced, paced, paced, answer(200)])
  expect({ outcome, sent, waits }).toEqual({ outcome: 200, sent: 6, waits: [1_100, 1_100, 1_100, 1_700, 3_300] })
  const never = await ask('GET', Array(40).fill(answer(429, { 'retry-after': '0' })))
  expect(never).toMatchObject({ outcome: 429 })
  expect(never.sent).toBeLessThan(12)
})

test('does not wait longer than it may', async () => {
  const slow = [answer(429, { 'retry-after': '3' }), answer(429, { 'retry-after': '3' }), answer(200)]
  expect(await ask('GET', slow, { limit: 5_000 })).toMatchObject({ outcome: 429, sent: 2, waits: [3_100] })
  expect(await ask('GET', [answer(429, { 'retry-after': '60' })], { limit: 5_000 })).toMatchObject({
    outcome: 429,
    waits: [],
  })
})

describe('a date in Retry-After', () => {
  const date = (time: number) => new Date(time).toUTCString()
  const busyUntil = (headers: Record<string, string>) => [answer(503, headers), answer(200)]
  const sentAt = Date.parse('2031-05-01T12:00:00Z')

  test.each([
    ['is waited for by the clock of whoever answers', sentAt + 4_000, [4_100]],
    ['that has passed asks for no longer wait than usual', sentAt - 3_600_000, [300]],
  ])('%s', async (_, until, waits) => {
    const steps = busyUntil({ date: date(sentAt), 'retry-after': date(until) })
    expect(await ask('GET', steps)).toEqual({ outcome: 200, sent: 2, waits })
  })

  test('is waited for by the clock of this machine where the answer has no date, in whole seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: sentAt + 400 })
    onTestFinished(() => void vi.useRealTimers())
    const steps = busyUntil({ 'retry-after': date(sentAt + 10_000) })
    expect(await ask('GET', steps)).toEqual({ outcome: 200, sent: 2, waits: [10_100] })
  })

  test('that is hours away is not waited for', async () => {
    const steps = busyUntil({ date: date(sentAt), 'retry-after': date(sentAt + 7_200_000) })
    expect(await ask('GET', steps)).toEqual({ outcome: 503, sent: 1, waits: [] })
  })
})

describe('where nothing listens', () => {
  test('a service that has not answered yet is not waited for', async () =>
    expect(await ask('GET', [refused])).toMatchObject({
      outcome: 'No answer from http://x: connection refused',
      sent: 1,
    }))

  test.each(['GET', 'POST'])(
    'a %s is sent when a service that has answered is there again, which is said once',
    async (method) => {
      const { ended, waits, counts } = service(method, [answer(200), ...Array(6).fill(refused), answer(201)])
      await ended()
      expect(await ended()).toBe(201)
      expect(waits).toEqual([200, 400, 800, 1_000, 1_000, 1_000])
      expect(counts()).toEqual({ sent: 8, notes: 1 })
    },
  )

  test('it is waited for some ten seconds, and then no more until it answers', async () => {
    const { ended, waits, counts } = service('POST', [
      answer(200),
      ...Array(13).fill(refused),
      answer(200),
      refused,
      answer(200),
    ])
    for (const outcome of [200, refused.message, refused.message, 200, 200]) expect(await ended()).toBe(outcome)
    expect(waits.slice(0, -1).reduce((sum, wait) => sum + wait)).toBe(9_400)
    expect(counts()).toEqual({ sent: 17, notes: 2 })
  })

  test('nor longer than it may', async () => {
    const { ended, waits } = service('GET', [answer(200), ...Array(12).fill(refused)], { limit: 2_000 })
    await ended()
    expect(await ended()).toBe(refused.message)
    expect(waits).toEqual([200, 400, 800])
  })
})

describe('where a service that has answered is answered for', () => {
  test.each([
    ['a gateway: 502', 'GET', answer(502)],
    ['a gateway: 503', 'GET', answer(503)],
    ['a gateway: 504', 'GET', answer(504)],
    ['the service, as it closes', 'POST', { ...answer(503, { 'retry-after': '1' }), body: closing }],
  ])('it is waited for as where nothing listens: %s', async (_, method, step) => {
    const { ended, counts } = service(method, [answer(200), ...Array(5).fill(step), refused, answer(201)])
    await ended()
    expect(await ended()).toBe(201)
    expect(counts()).toEqual({ sent: 8, notes: 1 })
  })

  test('it is waited for some ten seconds, and then no more until it answers', async () => {
    const { ended, waits, counts } = service('GET', [answer(200), ...Array(15).fill(answer(502)), answer(200)])
    for (const outcome of [200, 502, 502, 200]) expect(await ended()).toBe(outcome)
    expect(waits.slice(0, 11).reduce((sum, wait) => sum + wait)).toBe(9_400)
    expect(counts()).toEqual({ sent: 17, notes: 1 })
  })

  test('the time that answers take is part of the ten seconds', async () => {
    const { ended, waits, counts } = service('GET', [answer(200), ...Array(9).fill(answer(504))], {
      takes: 4_000,
      limit: 10 ** 9,
    })
    for (const outcome of [200, 504]) expect(await ended()).toBe(outcome)
    expect(waits).toEqual([200, 400])
    expect(counts()).toEqual({ sent: 4, notes: 1 })
  })

  test('a wait that it asks for is kept, within the same time', async () => {
    const { ended, waits } = service('GET', [answer(200), ...Array(4).fill(answer(503, { 'retry-after': '4' }))])
    await ended()
    expect(await ended()).toBe(503)
    expect(waits).toEqual([4_100, 4_100])
  })

  test('what fails otherwise once it is back is tried again as ever', async () => {
    const { ended } = service('GET', [answer(200), refused, refused, refused, answer(502), reset, answer(200)])
    await ended()
    expect(await ended()).toBe(200)
  })

  test('a service that is busy is not waited for as if it had ended', async () => {
    const step = { ...answer(503, { 'retry-after': '1' }), body: busy }
    const { ended, counts } = service('POST', [answer(200), step, step, step])
    await ended()
    expect(await ended()).toBe(503)
    expect(counts()).toEqual({ sent: 4, notes: 0 })
  })

  test('what may not be sent again is not', async () => {
    const { ended, waits } = service('POST', [answer(200), answer(502)])
    await ended()
    expect(await ended()).toBe(502)
    expect(waits).toEqual([])
  })

  test('a dry run that waits for its turn leaves that to who sends it', async () => {
    const step = { ...answer(503, { 'retry-after': '1' }), body: busy }
    const { ended, counts } = service('POST', [answer(200), step, step, step], {
      repeatable: true,
      headers: { 'vatom-dry-run': 'id/0' },
    })
    await ended()
    expect(await ended()).toBe(503)
    expect(counts()).toEqual({ sent: 4, notes: 0 })
  })
})

describe('before a request is sent again', () => {
  const off = answer(503, { 'retry-after': '1' })
  const ownBusy = { ...off, body: busy }
  const bounded = answer(429, { 'retry-after': '1' })
  async function asked(steps: readonly Step[], given: Given) {
    const seen: boolean[] = []
    await ask('PATCH', [...steps, answer(200)], {
      ...given,
      beforeAgain: async (mayBeDone) => void seen.push(mayBeDone),
    })
    return seen
  }

  test.each([
    ['a vAtom service refused it', [bounded, ownBusy], [false, false]],
    ['a gateway may have sent it on, once', [bounded, off, ownBusy], [false, true, true]],
  ] as const)('a change is looked for: %s', async (_, steps, expected) =>
    expect(await asked(steps, { changes: true })).toEqual(expected),
  )

  test('what changes nothing is not looked for', async () =>
    expect(await asked([bounded, off], { changes: false, repeatable: true })).toEqual([]))
})

test('a service that goes away after it bounded requests many times is waited for all the same', async () => {
  const bounded = Array.from({ length: 15 }, () => answer(429, { 'retry-after': '1' }))
  const { outcome, waits } = await ask('GET', [...bounded, refused, refused, answer(200)], { limit: 10 ** 9 })
  expect(outcome).toBe(200)
  expect(waits.slice(-2)).toEqual([200, 400])
})
