import { boundsOf, resultOf } from './bounds.mjs'
import { ask, serveInMemory, sessionOf } from './serve.mjs'

const hour = 3600
const month = 30 * 24 * hour

/** Moves the clock of a service; `seconds` from now, or to an instant. */
const move = (ready, setting) => ask(ready, 'PUT', '/__vatom/clock', { body: setting })

/** What must hold wherever the clock stands: sign in, use the token, refresh it, write, read back. */
async function cycle(ready, name) {
  const session = await sessionOf(ready)
  if (session === undefined) return ['the publisher cannot sign in']
  const token = session.access_token.token
  const found = []
  const expect = async (what, status, method, route, options) => {
    const answer = await ask(ready, method, route, options)
    if (answer.status !== status) found.push(`${what} is answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body.payload
  }
  await expect('a fresh token', 200, 'GET', '/v1/user', { token })
  const headers = { Authentication: session.refresh_token.token }
  await expect('a refresh', 200, 'POST', '/v1/access_token', { headers })
  const template = `local.vatom::${name}::v1`
  const body = { template, vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'Clock' } } }
  await expect('a new template', 200, 'POST', '/v1/templates', { token, body })
  await expect('the template', 200, 'GET', `/v1/templates/${encodeURIComponent(template)}`, { token })
  await move(ready, { advance_seconds: 301 })
  await expect('an expired token', 403, 'GET', '/v1/user', { token })
  await expect('a refresh after five minutes', 200, 'POST', '/v1/access_token', { headers })
  await move(ready, { advance_seconds: month })
  const { status } = await ask(ready, 'POST', '/v1/access_token', { headers })
  if (status < 400 || status >= 500) found.push(`an expired refresh token is answered ${status}`)
  return found
}

/** A locked account opens again when its time is over, and not before; also after the clock went back. */
async function lockedAccount(ready, round) {
  const token = `clock${round}@example.com`
  const login = (password) =>
    ask(ready, 'POST', '/v1/user/login', { body: { token, token_type: 'email', auth_data: { password } } })
  const user_tokens = [{ token, token_type: 'email' }]
  await ask(ready, 'POST', '/v1/users', { body: { user_tokens, password: 'a long password' } })
  const found = []
  for (let attempt = 0; attempt < 5; attempt++) await login('wrong')
  if ((await login('a long password')).status === 200) found.push('five wrong passwords do not lock an account')
  await move(ready, { advance_seconds: 302 })
  const { status, body } = await login('a long password')
  if (status !== 200) found.push(`an account stays locked: ${status} ${JSON.stringify(body)}`)
  return found
}

/** Moves the clock back and forth, by seconds and by centuries, and signs in, writes and lets tokens expire at each place. */
export async function run(args) {
  const { count, seed, random, isOver } = boundsOf(args, { count: 100, seconds: 300 })
  const { ready, stop } = await serveInMemory()
  const faults = []
  let jumps = 0
  for (; jumps < count && !isOver(); jumps++) {
    const at = new Date(Date.UTC(1971, 0, 1) + random() * (Date.UTC(9990, 0, 1) - Date.UTC(1971, 0, 1)))
    const near = Math.round((random() - 0.5) * 10 ** (1 + random() * 8))
    const setting = random() < 0.5 ? { now: at.toISOString() } : { advance_seconds: near }
    const { status } = await move(ready, setting)
    if (status === 400) await ask(ready, 'DELETE', '/__vatom/clock')
    const found = [
      ...(await cycle(ready, `Jump${jumps}`)),
      ...(jumps % 5 === 0 ? await lockedAccount(ready, jumps) : []),
    ]
    faults.push(...found.map((fault) => `jump ${jumps} to ${JSON.stringify(setting)}: ${fault}`))
  }
  await stop()
  return resultOf(
    `${jumps} jumps of the clock from 1971 to 9990, at each: sign in, write, read, let tokens expire`,
    faults,
    seed,
  )
}
