import { expect, test } from 'vitest'
import type { ServiceOptions } from '../../../src/server/service.ts'
import { newDatabase } from '../../support/folders.ts'
import { codeFor, testService } from '../../support/service.ts'

const address = 'publisher@local.vatom'

type Opened = Awaited<ReturnType<typeof testService>>

/** Starts services on one database, one after the other. */
function starts() {
  const db = newDatabase()
  let last: Opened | undefined
  return async (options: Partial<ServiceOptions> = {}): Promise<Opened> => {
    await last?.service.close()
    last = await testService({ db, ...options })
    return last
  }
}

async function signedIn({ send }: Opened, password: string) {
  const body = { token: address, token_type: 'email', auth_data: { password } }
  const { payload } = await send('POST', '/v1/user/login', { body })
  return { access: String(payload.access_token.token), refresh: String(payload.refresh_token.token) }
}

/** The statuses of a request and of a refresh with the tokens of a session. */
async function statuses({ send, as }: Opened, { access, refresh }: Awaited<ReturnType<typeof signedIn>>) {
  const asked = await as('', access).call('GET', '/v1/user')
  const refreshed = await send('POST', '/v1/access_token', { headers: { authentication: `Bearer ${refresh}` } })
  return [asked.status, refreshed.status]
}

const accepted = [200, 200]
const refused = [403, 403]

test.each([
  ['another one', { password: 'former' }, 'former', { password: 'next' }, 'next'],
  ['one in place of the default one', {}, 'vatom-local', { password: 'next' }, 'next'],
  ['the default one in place of another', { password: 'former' }, 'former', {}, 'vatom-local'],
])(
  'a start with %s ends the sessions that began with the former password, and no later start does',
  async (...given) => {
    const [, before, former, after, next] = given
    const start = starts()
    const session = await signedIn(await start(before), former)
    expect(await statuses(await start(before), session)).toEqual(accepted)
    const changed = await start(after)
    expect(await statuses(changed, session)).toEqual(refused)
    const later = await signedIn(changed, next)
    expect(await statuses(changed, later)).toEqual(accepted)
    const again = await start(after)
    expect(await statuses(again, session)).toEqual(refused)
    expect(await statuses(again, later)).toEqual(accepted)
  },
)

test('services with different passwords on one database do not end the sessions of each other', async () => {
  const db = newDatabase()
  const [one, other] = [await testService({ db, password: 'one' }), await testService({ db, password: 'other' })]
  const sessions = [await signedIn(one, 'one'), await signedIn(other, 'other')] as const
  expect(await statuses(other, sessions[0])).toEqual(refused)
  expect(await statuses(one, sessions[1])).toEqual(refused)
  expect(await statuses(one, sessions[0])).toEqual(accepted)
  expect(await statuses(other, sessions[1])).toEqual(accepted)
})

test('the default password is the same whether it is given or not', async () => {
  const start = starts()
  const session = await signedIn(await start(), 'vatom-local')
  expect(await statuses(await start({ password: 'vatom-local' }), session)).toEqual(accepted)
})

test('sessions that did not begin with the configured password outlast it', async () => {
  const start = starts()
  const first = await start({ password: 'former' })
  const user = await first.register('ann@example.com')
  const body = { password: 'of-my-own' }
  const session = await signedIn(first, 'former')
  expect((await first.as('', session.access).call('PATCH', '/v1/user', { body })).status).toBe(200)
  const own = await signedIn(first, 'of-my-own')
  const next = await start({ password: 'next' })
  expect((await next.as(user.id, user.token).call('GET', '/v1/user')).status).toBe(200)
  expect(await statuses(next, session)).toEqual(accepted)
  expect(await statuses(next, own)).toEqual(accepted)
})

test('so does one that began with a pin, which takes the place of the password', async () => {
  const start = starts()
  const first = await start({ password: 'former' })
  await first.send('POST', '/v1/user/reset_token', { body: { token: address, token_type: 'email' } })
  const byPin = await signedIn(first, await codeFor(first.service, address))
  const next = await start({ password: 'next' })
  expect(await statuses(next, byPin)).toEqual(accepted)
})
