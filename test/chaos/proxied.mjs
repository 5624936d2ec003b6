import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { besideKinds } from './beside-attacker.mjs'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { profile } from './watched-service.mjs'

const client = fileURLToPath(new URL('proxied-caller.mjs', import.meta.url))

/** What the attacker's requests have that is long. */
const kinds = ['body', 'header', 'half']

/**
 * One caller behind a reverse proxy that opens a connection for each request, with many requests at a time. The figures are
 * how long another caller behind it waits for a profile, in the middle and at most, and the memory of the service.
 * `--connections` at a time, `--seconds` for each kind.
 */
export async function run(args) {
  const { connections, seconds } = optionsOf(args, { connections: 200, seconds: 10 })
  const { db, other } = await crowdedWorld({ count: 1000 })
  const token = other.access_token.token
  const { held, figures } = await besideKinds(kinds, {
    ...{ db, options: ['--trust-proxy', '127.0.0.1'], client, connections, seconds },
    ask: (ready) => asked(ready, token),
  })
  return {
    held,
    figures: `one caller behind a proxy had ${connections} requests at a time, another one waited in the middle, ${figures}`,
  }
}

/** Asks for a profile on a connection of its own, as another caller. */
async function asked({ base_url, app_id }, token) {
  const headers = { 'App-Id': app_id, Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.10' }
  const sent = request(base_url + profile.path, { method: profile.method, agent: false, headers }).end()
  const [answer] = await once(sent, 'response')
  await once(answer.resume(), 'end')
  if (answer.statusCode !== 200) throw new Error(`the other caller was answered ${answer.statusCode}`)
}
