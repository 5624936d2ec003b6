// biome-ignore-all lint/suspicious/noThenProperty: the word of the format; no promise is made of it
import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/contract/api/scenario.ts'
import { dial, hall, refusal, says } from '../../support/sockets.ts'

/** Two users with an open WebSocket each, and a scenario that is set after that. */
async function disturbed(scenario: Scenario) {
  const world = await hall()
  const [ann, bob] = [await world.register('ann@a.example'), await world.register('bob@a.example')]
  const [toAnn, toBob] = [await world.connected(ann), await world.connected(bob)]
  const { scenario: active } = await world.service.testControls()
  active.set(scenario)
  /** One user writes to the other: an event for each. */
  const write = (text: string) => says(ann, bob, text)
  return { ...world, ann, bob, toAnn, toBob, active, write }
}

describe('a scenario for messages on WebSockets', () => {
  test('drops the connection of a user without a close frame, and leaves others alone', async () => {
    const { ann, toAnn, toBob, write } = await disturbed([
      { match: { event: 'my_events', user: 'bob@a.example' }, then: { drop: true } },
    ])
    await write('hello')
    expect(await toBob.closed).toBe(1006)
    expect((await toAnn.settled()).every(({ user_id }) => user_id === ann.id)).toBe(true)
  })

  test.each([1008, 1011, 4001])('closes with %i', async (close) => {
    const { toBob, write } = await disturbed([{ match: { event: '*', user: 'bob@a.example' }, then: { close } }])
    await write('hello')
    expect(await toBob.closed).toBe(close)
  })

  test('omits one, sends another text, another payload, and then what it would have sent, by fields of the payload', async () => {
    const { toBob, write, active } = await disturbed([
      { match: { event: 'my_ev*' }, times: 2, then: { omit: true } },
      { match: { event: 'my_events' }, times: 1, then: { payload: { mine: 1 } } },
    ])
    await write('one')
    expect(await toBob.settled()).toEqual([])
    active.set([
      { match: { event: 'my_events', body: { msg: 'never' } }, then: { drop: true } },
      { match: { event: 'my_events', user: 'bob@a.example' }, times: 1, then: { payload: { mine: 1 } } },
      { match: { event: 'my_events', user: 'bob@a.example' }, times: 1, then: { message: '[17]' } },
    ])
    for (const text of ['two', 'three', 'four']) await write(text)
    expect(await toBob.next(3)).toMatchObject([
      { msg_type: 'my_events', payload: { mine: 1 } },
      [17],
      { msg_type: 'my_events', payload: expect.not.objectContaining({ mine: 1 }) },
    ])
    expect(active.rules()).toMatchObject([{ remaining: null }, { remaining: 0 }, { remaining: 0 }])
  })

  test('delays one, and those after it wait for it', async () => {
    const { toBob, write } = await disturbed([
      { match: { event: 'my_events', user: 'bob@a.example' }, times: 1, then: { latency_ms: 300, payload: 'late' } },
    ])
    const began = performance.now()
    await write('one')
    await write('two')
    expect(await toBob.settled()).toEqual([])
    expect(await toBob.next(2)).toMatchObject([{ payload: 'late' }, { payload: expect.any(Object) }])
    expect(performance.now() - began).toBeGreaterThan(290)
  })

  test('does nothing to requests, and rules for requests do nothing to messages, but may refuse a WebSocket', async () => {
    const { ann, address, toBob, write, active } = await disturbed([{ match: { event: '*' }, then: { omit: true } }])
    await write('unseen')
    expect(await toBob.settled()).toEqual([])
    active.set([{ match: { path: '/ws' }, then: { status: 503 } }])
    expect(await refusal(address(ann.token))).toMatchObject({ status: 503 })
    await write('seen')
    expect(await toBob.next()).toHaveLength(1)
    active.set([])
    expect(await dial(address(ann.token)).next()).toMatchObject([{ msg_type: 'info' }])
  })

  test.each([
    [{ match: { event: 'info', path: '/ws' }, then: { omit: true } }, /nothing but user and body beside event/],
    [{ match: { event: 'info' }, then: { status: 503 } }, /can only have .* for an event/],
    [{ then: { omit: true } }, /only for an event/],
    [{ match: { event: 'info' }, then: { close: 1006 } }, /1000 to 1003, 1007 to 1014, or 3000 to 4999/],
    [{ match: { event: 'info' }, then: { close: 1011, omit: true } }, /one of/],
  ])('%j is refused', async (rule, message) => {
    const { baseUrl } = await hall()
    const answer = await fetch(`${baseUrl}/__vatom/scenario`, { method: 'PUT', body: JSON.stringify([rule]) })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(message)
  })
})
