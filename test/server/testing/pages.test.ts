import { describe, expect, test, vi } from 'vitest'
import { recipientGuest } from '../../../src/server/domain/users/guests.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'
import { codeFor, registration, testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

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
    expect((await tool('GET', '/__vatom/outbox?to=ann@example.com')).payload).toEqual([ann])
    expect((await tool('GET', '/__vatom/outbox?to=nobody@example.com')).payload).toEqual([])
    expect(await tool('GET', '/__vatom/outbox?limit=x')).toMatchObject({ status: 400, body: { error: 516 } })
  })

  test('stores the newest thousand, and all whose codes may be valid', async () => {
    const store = await openStore(':memory:')
    const message = { token_type: 'email', kind: 'verification_code', code: '1' }
    const add = async (names: string, count: number, when_sent: string, before: string) =>
      await store.write(() => {
        for (let n = 0; n < count; n++)
          store.outbox.add({ ...message, when_sent, recipient: `${names}${n}@example.com` }, before)
      })
    const kept = () => store.outbox.newest(2000).map(({ recipient }) => recipient)
    await add('early', 1010, '2027-03-01T12:00:00Z', '2027-03-01T11:45:00Z')
    expect(kept()).toHaveLength(1010)
    await add('late', 10, '2027-03-01T12:15:01Z', '2027-03-01T12:00:01Z')
    expect([kept().length, kept().at(0), kept().at(-1)]).toEqual([1000, 'early20@example.com', 'late9@example.com'])
    await add('ahead', 2, '2037-03-01T12:00:00Z', '2037-03-01T11:45:00Z')
    await add('right', 1500, '2027-03-01T13:00:00Z', '2027-03-01T12:45:00Z')
    await add('after', 1200, '2027-03-01T13:30:00Z', '2027-03-01T13:15:00Z')
    expect(kept().length).toBeLessThan(1300)
    await store.close()
  })

  test('holds nothing of a request that was refused', async () => {
    const { ask, tool } = await listening()
    const user_tokens = ['new@example.com', 'publisher@local.vatom'].map((token) => ({ token, token_type: 'email' }))
    expect(await ask('POST', '/v1/users', { user_tokens })).toMatchObject({ status: 409 })
    expect((await tool('GET', '/__vatom/outbox')).payload).toEqual([])
  })

  test('each message is a line of the log, once', async () => {
    const { ask, lines, service } = await listening()
    await register(ask, 'ann@example.com')
    await ask('POST', '/v1/user/reset_token', { token: 'ann@example.com', token_type: 'email' })
    await ask('POST', '/v1/user/login', {})
    const pin = await codeFor(service, 'ann@example.com')
    expect(lines.filter((line) => line.startsWith('message to'))).toEqual([
      expect.stringMatching(/^message to ann@example\.com \(email\): verification_code \d{6}$/),
      `message to ann@example.com (email): one_time_pin ${pin}`,
    ])
  })

  test('messages of another process are logged when they are sent, once, a guest id without the id itself', async () => {
    const db = newDatabase()
    const { ask, tool, lines } = await listening({ db })
    const other = await testService({ db })
    const messages = () => lines.filter((line) => line.startsWith('message to'))
    await other.send('POST', '/v1/users', { body: registration('eve@example.com') })
    await vi.waitFor(() => expect(messages()).toHaveLength(1))
    await other.send('POST', '/v1/user/reset_token', { body: { token: 'eve@example.com', token_type: 'email' } })
    const pin = await codeFor(other.service, 'eve@example.com')
    await vi.waitFor(() => expect(messages()).toHaveLength(2))
    const store = await openStore(db)
    const recipient = { token_type: 'email', token: 'guest@example.com' }
    await store.write(() => recipientGuest({ store, now: new Date() }, recipient))
    await store.close()
    await vi.waitFor(() => expect(messages()).toHaveLength(3))
    expect((await tool('GET', '/__vatom/outbox')).payload[2]).toMatchObject({
      to: 'guest@example.com',
      kind: 'guest_id',
      code: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    await ask('POST', '/v1/user/login', {})
    expect(messages()).toEqual([
      expect.stringMatching(/^message to eve@example\.com \(email\): verification_code \d{6}$/),
      `message to eve@example.com (email): one_time_pin ${pin}`,
      'message to guest@example.com (email): guest_id is in /__vatom/outbox',
    ])
  })
})
