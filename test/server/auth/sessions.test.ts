import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { configuredSessionsOf } from '../../../src/server/auth/configured-sessions.ts'
import { newProcessSessions } from '../../../src/server/auth/process-sessions.ts'
import { sessionUser, startSession } from '../../../src/server/auth/sessions.ts'
import { tokensOf } from '../../../src/server/auth/tokens.ts'
import { newUser } from '../../../src/server/domain/users/user.ts'
import { openStore } from '../../../src/server/store/store.ts'

test('of more sessions of a user than the limit those that end first are over', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  let now = Date.now()
  const clock = () => new Date(now)
  const tokens = tokensOf('secret', 'local', clock)
  const ids = await store.write(() => {
    store.users.insert({ ...newUser({ store, now: clock() }), id: 'ann' })
    const ann = store.users.byId('ann')
    if (!ann) throw new Error('the user is not stored')
    return Array.from({ length: limits.sessions + 3 }, () => {
      now += 1000
      const { access_token } = startSession({ store, tokens, clock }, ann)
      return tokens.read('access', access_token)?.session ?? ''
    })
  })
  const configuredSessions = configuredSessionsOf(async () => Buffer.from('key'))
  const sources = { store, clock, processSessions: newProcessSessions(), configuredSessions }
  const isLive = (session: string) => sessionUser({ user_id: 'ann', session }, sources) !== undefined
  expect(ids.map(isLive).lastIndexOf(false)).toBe(2)
  expect(ids.filter(isLive)).toHaveLength(limits.sessions)
})

test('a thousand sessions with the configured password are known without looking again, and no more of them', async () => {
  const sessions = configuredSessionsOf(async () => Buffer.from('key'))
  const ids: string[] = []
  while (ids.length < 1001) ids.push(await sessions.newId())
  const looks = vi.spyOn(crypto, 'createHmac')
  syncBuiltinESMExports()
  onTestFinished(() => {
    looks.mockRestore()
    syncBuiltinESMExports()
  })
  const looksFor = (some: readonly string[]) => {
    looks.mockClear()
    expect(some.every(sessions.accepts)).toBe(true)
    return looks.mock.calls.length
  }
  const thousand = ids.slice(0, 1000)
  expect([looksFor(thousand), looksFor(thousand)]).toEqual([1000, 0])
  expect([looksFor(ids.slice(1000)), looksFor(ids.slice(0, 1)), looksFor(ids.slice(0, 1))]).toEqual([1, 1, 0])
})
