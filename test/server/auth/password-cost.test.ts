import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../src/server/service.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'
import { registration, send } from '../../support/service.ts'

const inMemory = ':memory:'

async function opened(db: string) {
  const service = await openService({ db })
  onTestFinished(() => service.close())
  const login = async (token: string, password: string) => {
    const started = performance.now()
    const body = { token, token_type: 'email', auth_data: { password } }
    const { status } = await send(service, 'POST', '/v1/user/login', { body })
    return { status, milliseconds: performance.now() - started }
  }
  /** The shortest of several logins: others use the processors, too. */
  const fastest = async (token: string, password: string, count = 8) => {
    const times: number[] = []
    for (let time = 0; time < count; time++) {
      const { status, milliseconds } = await login(token, password)
      expect(status).toBe(200)
      times.push(milliseconds)
    }
    return Math.min(...times)
  }
  const register = () => send(service, 'POST', '/v1/users', { body: registration('ann@example.com') })
  return { service, login, fastest, register }
}

/** The hash that is stored of the password of ann@example.com. */
async function storedHash(db: string): Promise<string> {
  const store = await openStore(db)
  const user = store.users.byToken('email', 'ann@example.com')
  await store.close()
  return user?.password ?? ''
}

/** Milliseconds in which somebody signs in whose password a database stores, at the least. */
async function ofStored(): Promise<number> {
  const { fastest, register } = await opened(newDatabase())
  await register()
  return await fastest('ann@example.com', 'secret', 2)
}

test('users of a service in memory sign in at once, the seeded publisher as well', async () => {
  const { fastest, login, register } = await opened(inMemory)
  await register()
  const atOnce = (await ofStored()) / 5
  expect(await fastest('publisher@local.vatom', 'vatom-local')).toBeLessThan(atOnce)
  expect(await fastest('ann@example.com', 'secret')).toBeLessThan(atOnce)
  expect((await login('ann@example.com', 'wrong')).status).toBe(403)
})

test('the seeded publisher of a database signs in at once, as that password is never stored', async () => {
  const { fastest, login } = await opened(newDatabase())
  expect(await fastest('publisher@local.vatom', 'vatom-local')).toBeLessThan((await ofStored()) / 5)
  expect((await login('publisher@local.vatom', 'wrong')).status).toBe(403)
})

test('a database stores passwords with the cost that somebody who reads it has to pay', async () => {
  const db = newDatabase()
  const { register } = await opened(db)
  await register()
  expect(await storedHash(db)).toMatch(/^scrypt\$131072\$[\w+/=]{24}\$[\w+/=]{44}$/)
})

test('where a database stores passwords, a user without one is refused no faster than a user with one', async () => {
  const { service, login, register } = await opened(newDatabase())
  await register()
  const body = { user_tokens: [{ token: 'bob@example.com', token_type: 'email' }] }
  await send(service, 'POST', '/v1/users', { body })
  const none = await login('bob@example.com', 'vatom-local')
  const wrong = await login('ann@example.com', 'wrong')
  expect([none.status, wrong.status]).toEqual([403, 403])
  expect(none.milliseconds).toBeGreaterThan(wrong.milliseconds / 10)
})
