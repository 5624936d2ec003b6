import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { connected } from './sockets.mjs'
import { watchedBeside, watchedService } from './watched-service.mjs'

const mebibyte = 2 ** 20
/** Milliseconds of processor time for which no crowd may hold the event loop, and bytes of memory that it may take. */
const longestHold = 150
const mostMemory = 256 * mebibyte

const keys = Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()
const long = 'x'.repeat(1_000_000)
const map = '"bottom_left":{"lat":-90,"lon":-180},"top_right":{"lat":90,"lon":180}'
const action = (rest) => ({ line: 'POST /v1/user/vatom/action/Drop', body: `{"this.id":"v2",${rest}}` })

/** Requests of one user, each on a connection of its own, of which all are complete at the same moment. */
const crowds = {
  'actions with 20,000 keys': { ...action(keys), connections: 150 },
  profiles: { line: 'GET /v1/user', body: '', connections: 900 },
  'dry runs that wait, with a body of 1 MB': {
    line: 'POST /v1/user/tokens',
    body: `{"token":"a@example.com","token_type":"email","x":"${long}"}`,
    headers: 'Vatom-Dry-Run: r5/9\r\n',
    connections: 600,
  },
  'groups of the map': {
    line: 'POST /v1/vatom/geodiscovergroups',
    body: `{${map},"precision":12,"filter":"all"}`,
    connections: 99,
    vatoms: 40_000,
  },
  samples: {
    line: 'POST /v1/vatom/discover',
    body: '{"sample":1,"group_by":["id"],"return":{"type":"count"}}',
    connections: 99,
    vatoms: 40_000,
  },
}

async function unfinished(ready, token, { line, body, headers = '' }) {
  const socket = await connected(ready)
  const head = `${line} HTTP/1.1\r\nHost: ${new URL(ready.base_url).host}\r\nApp-Id: ${ready.app_id}\r\nAuthorization: Bearer ${token}\r\n`
  const text = `${head}${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  const state = { answered: false, complete: () => socket.write(text.slice(-1)), leave: () => socket.destroy() }
  socket.once('data', () => {
    state.answered = true
  })
  socket.write(text.slice(0, -1))
  return state
}

/**
 * Requests of many connections that become complete at the same moment. The figures are the longest hold of the event loop,
 * the most memory, how many were answered, and how long another user waited at most. `--seconds` end a crowd; `--only` is
 * for one.
 */
export async function run(args) {
  const { seconds, only } = optionsOf(args, { seconds: 20, only: '' })
  const figures = []
  for (const [name, crowd] of Object.entries(crowds)) {
    if (!name.includes(only)) continue
    const found = await measure(await crowdedWorld({ count: crowd.vatoms ?? 1000 }), crowd, seconds)
    figures.push(found)
    const { hold, peak, answered, slowest } = found
    console.log(
      `  ${name}: held ${Math.round(hold)} ms, ${Math.round(peak / mebibyte)} MB, ${answered} of ${crowd.connections} answered, the other waited ${Math.round(slowest)} ms`,
    )
  }
  const hold = Math.max(...figures.map((one) => one.hold))
  const peak = Math.max(...figures.map((one) => one.peak))
  return {
    held: hold < longestHold && peak < mostMemory,
    figures: `${figures.length} crowds held ${Math.round(hold)} ms at most, ${Math.round(peak / mebibyte)} MB at most`,
  }
}

async function measure(world, crowd, seconds) {
  const service = await watchedService(world.db)
  const watched = watchedBeside(service, world.other.access_token.token)
  const waiting = []
  for (let opened = 0; opened < crowd.connections; opened++)
    waiting.push(await unfinished(service.ready, world.attacker.access_token.token, crowd))
  await setTimeout(500)
  watched.begin()
  for (const { complete } of waiting) complete()
  const isAnswered = () => waiting.every(({ answered }) => answered)
  for (const until = performance.now() + seconds * 1000; performance.now() < until && !isAnswered(); )
    await setTimeout(100)
  const figures = await watched.end()
  for (const { leave } of waiting) leave()
  await service.stop()
  return { ...figures, answered: waiting.filter(({ answered }) => answered).length }
}
