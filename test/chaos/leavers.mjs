import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { boundsOf } from './bounds.mjs'
import { ask, serveInMemory, sessionOf } from './serve.mjs'
import { connected, upgradeOf } from './sockets.mjs'
import { uploaded } from './uploaded.mjs'

/** Bytes of the asset that nobody reads to its end, and connections that are open at the same time. */
const size = 3_000_000
const atOnce = 50
/** Milliseconds within which the service has to notice that clients have left. */
const patience = 30_000

/** What clients send before they leave, each on a connection of its own. */
const requests = {
  'a long answer': ({ asset }) => getting(asset),
  'a long answer as a WebSocket': ({ asset }) => asking(asset, 'websocket'),
  'a long answer as HTTP/2': ({ asset }) => asking(asset, 'h2c'),
  'a long answer and a tunnel': ({ asset }) => `${getting(asset)}${tunnel}`,
  'an answer and a tunnel': () => `${getting('/')}${tunnel}`,
  'a WebSocket': ({ ready, token }) => upgradeOf(ready, token),
  'a WebSocket without a token': ({ ready }) => upgradeOf(ready, 'x'),
  'half a header': () => 'GET /v1/user HTTP/1.1\r\nHo',
  'half a body': () => 'POST /v1/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{',
}

const getting = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const tunnel = 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'
const asking = (path, protocol) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`

async function openConnections({ ready }) {
  const { body } = await ask(ready, 'GET', '/__vatom/metrics')
  return Number(/^vatom_connections_open (\d+)$/m.exec(body)[1])
}

/** How often the service has the file of the asset open, where the system says so. */
function openFiles({ pid, asset }) {
  const folder = `/proc/${pid}/fd`
  if (!existsSync(folder)) return 0
  const [, , id] = asset.split('/')
  return readdirSync(folder).filter((name) => isOpen(path.join(folder, name), id)).length
}

/** Whether a descriptor, which may be closed by now, leads to a file of a name. */
function isOpen(descriptor, name) {
  try {
    return readlinkSync(descriptor).includes(name)
  } catch {
    return false
  }
}

const openIn = async (world) => (await openConnections(world)) + openFiles(world)

async function leave(ready, text, wait) {
  const socket = await connected(ready)
  socket.write(text, () => {
    if (wait < 1) socket.resetAndDestroy()
  })
  await setTimeout(wait)
  socket.destroy()
}

/**
 * Clients that leave before they are answered, some milliseconds after they have asked; a fifth is reset at once. The figure is how many connections
 * and files stay open without them. `--count` of each kind.
 */
export async function run(args) {
  const { count, random, isOver, seed } = boundsOf(args, { count: 4000, seconds: 300 })
  const { ready, stop, pid } = await serveInMemory()
  const token = (await sessionOf(ready)).access_token.token
  const world = { ready, pid, token, asset: await uploaded(ready, token, size) }
  let [left, stuck] = [0, 0]
  for (const [name, request] of Object.entries(requests)) {
    const before = await openIn(world)
    for (let made = 0; made < count && !isOver(); made += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => leave(ready, request(world), random() * 5)))
      left += atOnce
    }
    let open = await openIn(world)
    for (const until = performance.now() + patience; open > before && performance.now() < until; ) {
      await setTimeout(100)
      open = await openIn(world)
    }
    if (open > before) console.log(`  ${name}: ${open - before} connections and files stay open`)
    stuck += Math.max(0, open - before)
  }
  await stop()
  return {
    held: stuck === 0,
    figures: `${left} clients left, ${stuck} of their connections and files stayed open; seed ${seed}`,
  }
}
