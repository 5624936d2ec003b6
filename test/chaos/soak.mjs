import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { publishExample } from '../bench/publisher.mjs'
import { scratchFolder } from '../bench/vatom.mjs'
import { boundsOf, resultOf } from './bounds.mjs'
import { ask, callerOf, freshToken, sessionOf } from './serve.mjs'
import { watchedService } from './watched-service.mjs'

const mebibyte = 2 ** 20
const users = 8
const most = 256 * mebibyte

/** What users do, one of them after the other, by chance. */
const deeds = [
  ({ variation }) => ['POST', '/v1/vatoms', { template_variation: variation, num: 2 }],
  () => ['POST', '/v1/vatom/discover', { limit: 20 }],
  () => ['POST', '/v1/user/vatom/inventory', { parent_id: '*', limit: 20, page: 1 }],
  () => ['GET', '/v1/user'],
  ({ ids }) => ['POST', '/v1/user/vatom/get', { ids: ids.slice(-5) }],
  ({ ids }) => ['POST', '/v1/user/vatom/trash', { 'this.id': ids.shift() ?? 'none' }],
  ({ template }) => ['GET', `/v1/templates/${encodeURIComponent(template)}`],
  () => ['PATCH', '/v1/user', { first_name: 'Ada' }],
  () => ['GET', '/v1/user/vatom/inventory/hash'],
  () => ['GET', '/v1/nowhere'],
]

/** Asks by chance until the time is over. */
async function use({ service, session, world }, { random, isOver }, counts) {
  let token = await freshToken(service.ready, session)
  let since = performance.now()
  while (!isOver()) {
    if (performance.now() - since > 120_000) {
      token = await freshToken(service.ready, session)
      since = performance.now()
    }
    const [method, route, body] = deeds[Math.floor(random() * deeds.length)](world)
    const { status, body: answer } = await ask(service.ready, method, route, { token, body })
    counts.requests++
    if (status >= 500) counts.broken.push(`${method} ${route} is answered ${status} ${JSON.stringify(answer)}`)
    if (route === '/v1/vatoms' && status === 200) world.ids.push(...answer.payload.ids)
  }
}

/** Mixed load of eight users for `--seconds`: no request fails, and the memory stays within bounds. */
export async function run(args) {
  const bounds = boundsOf(args, { count: users, seconds: 600 })
  const db = path.join(scratchFolder(), 'soak.db')
  const service = await watchedService(db, ['--calls-per-minute', '0'])
  const session = await sessionOf(service.ready)
  const call = callerOf(service.ready, session.access_token.token)
  const world = { ids: [], ...(await publishExample({ call })) }
  const counts = { requests: 0, broken: [] }
  const memory = []
  const using = Array.from({ length: bounds.count }, () => use({ service, session, world }, bounds, counts))
  while (!bounds.isOver()) {
    await setTimeout(1000)
    memory.push((await service.measured()).memory)
  }
  await Promise.all(using)
  await service.stop()
  const peak = Math.max(...memory)
  const faults = [...counts.broken, ...(peak < most ? [] : [`the service takes ${Math.round(peak / mebibyte)} MB`])]
  const half = memory.slice(memory.length / 2)
  const range = [Math.min(...half), Math.max(...half)].map((bytes) => Math.round(bytes / mebibyte))
  const figures = `${counts.requests} requests of ${bounds.count} users in ${bounds.seconds} s, ${counts.broken.length} failed, ${range.join(' to ')} MB in the second half`
  return resultOf(figures, faults, bounds.seed)
}
