import { describe, expect, test } from 'vitest'
import { listening } from './listening.ts'
import { codeFor, registration } from './service.ts'

const register = (ask: Awaited<ReturnType<typeof listening>>['ask'], email: string) =>
  ask('POST', '/v1/users', registration(email))

describe('the outbox', () => {
  test('has every message, newest last, and needs no authorization', async () => {
    const { ask, tool, advance } = await listening()
    expect((await tool('GET', '/__vatom/outbox')).payload).toEqual([])
    await register(ask, 'ann@example.com')
    advance(60)
    await register(ask, 'bob@example.com')
    const message = { token_type: 'email', kind: 'verification_code', code: expect.stringMatching(/^\d{6}$/) }
    const [ann, bob] = [
      { ...message, to: 'ann@example.com', when: '2027-03-01T12:00:00Z' },
      { ...message, to: 'bob@example.com', when: '2027-03-01T12:01:00Z' },
    ]
    expect((await tool('GET', '/__vatom/outbox')).payload).toEqual([ann, bob])
    expect((await tool('GET', '/__vatom/outbox?limit=1')).payload).toEqual([bob])
    expect(await tool('GET', '/__vatom/outbox?limit=x')).toMatchObject({ status: 400, body: { error: 516 } })
  })

  test('keeps the newest thousand', async () => {
    const { ask, tool } = await listening()
    const tokens = (from: number) =>
      Array.from({ length: 10 }, (_, index) => ({ token: `u${from * 10 + index}@example.com`, token_type: 'email' }))
    for (let n = 0; n <= 100; n++) await ask('POST', '/v1/users', { user_tokens: tokens(n) })
    const { payload } = await tool('GET', '/__vatom/outbox')
    expect(payload).toHaveLength(1000)
    expect([payload[0].to, payload.at(-1).to]).toEqual(['u10@example.com', 'u1009@example.com'])
  })

  test('holds nothing of a request that was refused', async () => {
    const { ask, tool } = await listening()
    const user_tokens = ['new@example.com', 'publisher@local.vatom'].map((token) => ({ token, token_type: 'email' }))
    expect(await ask('POST', '/v1/users', { user_tokens })).toMatchObject({ status: 409 })
    expect((await tool('GET', '/__vatom/outbox')).payload).toEqual([])
  })

  test('each message is a line of the log, once; a guest id is not in it', async () => {
    const { ask, lines, service } = await listening()
    await register(ask, 'ann@example.com')
    await ask('POST', '/v1/user/reset_token', { token: 'ann@example.com', token_type: 'email' })
    await ask('POST', '/v1/user/login', {})
    const told = lines.filter((line) => line.startsWith('message to'))
    const pin = await codeFor(service, 'ann@example.com')
    expect(told).toEqual([
      expect.stringMatching(/^message to ann@example\.com \(email\): verification_code \d{6}$/),
      `message to ann@example.com (email): one_time_pin ${pin}`,
    ])
    await service.inject({ method: 'POST', path: '/v1/user/guest', headers: { 'app-id': 'local' } })
    expect(lines.filter((line) => line.startsWith('message to'))).toHaveLength(2)
  })

  test('what a process sends that does not listen is told with the next request', async () => {
    const { ask, tool, lines, send } = await listening()
    await send('POST', '/v1/users', { body: registration('ann@example.com') })
    expect((await tool('GET', '/__vatom/outbox')).payload).toMatchObject([{ to: 'ann@example.com' }])
    await ask('POST', '/v1/user/logout')
    expect(lines.filter((line) => line.startsWith('message to ann@example.com'))).toHaveLength(1)
  })
})
