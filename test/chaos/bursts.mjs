import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { connected } from './sockets.mjs'
import { watchedBeside, watchedService } from './watched-service.mjs'

const mebibyte = 2 ** 20
/** Milliseconds of processor time for which no burst may hold the event loop, and bytes of memory that it may take. */
const longestHold = 50
const mostMemory = 256 * mebibyte

const request =
  (line, headers = '', body = '') =>
  (host) =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n${body}`
const plain = request('GET /')
const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
const login = (headers, body) => request('POST /v1/user/login', `App-Id: local\r\n${headers}`, body)

/** What connections send without a token and without waiting for answers: the first request, and those behind it. */
const bursts = {
  plain: { first: plain, next: plain },
  'behind a registration': {
    first: request('POST /v1/users', 'App-Id: local\r\nContent-Length: 30\r\n', '{"password":"a long password"}'),
    next: plain,
  },
  'each asks for HTTP/2': { first: request('GET /', upgrade), next: request('GET /', upgrade) },
  'behind one that asks for HTTP/2': { first: request('GET /', upgrade), next: plain },
  'each asks whether to send its body': {
    first: plain,
    next: login('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
  },
  'each expects something else': { first: plain, next: login('Expect: x\r\nContent-Length: 2\r\n', '{}') },
  'each has a body in chunks of a byte': {
    first: plain,
    next: login('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'),
  },
}

/** Sends a text at once, and counts the answers. */
async function burst(ready, text) {
  const socket = await connected(ready)
  const state = { answers: 0, isOpen: true, leave: () => socket.destroy() }
  socket.on('close', () => {
    state.isOpen = false
  })
  let end = ''
  socket.on('data', (chunk) => {
    const received = end + chunk.latin1Slice()
    state.answers += received.split(/HTTP\/1\.1 [2-5]/).length - 1
    end = received.slice(-'HTTP/1.1 '.length)
  })
  socket.write(text)
  return state
}

/**
 * Connections that each send many requests in one packet. The figures are the longest hold of the event loop, the most
 * memory, how many were answered, and how long another user waited at most. `--connections`, `--requests` of each, and
 * `--seconds` in which no answer comes end a burst; `--only` is for one.
 */
export async function run(args) {
  const options = optionsOf(args, { connections: 40, requests: 2000, seconds: 10, only: '' })
  const world = await crowdedWorld({ count: 1000 })
  const figures = []
  for (const [name, made] of Object.entries(bursts)) {
    if (!name.includes(options.only)) continue
    const found = await measure(world, made, options)
    figures.push(found)
    const { hold, peak, answers, closed, slowest } = found
    console.log(
      `  ${name}: held ${Math.round(hold)} ms, ${Math.round(peak / mebibyte)} MB, ${answers} of ${options.connections * (options.requests + 1)} answered, ${closed} connections closed, the other waited ${Math.round(slowest)} ms`,
    )
  }
  const hold = Math.max(...figures.map((one) => one.hold))
  const peak = Math.max(...figures.map((one) => one.peak))
  return {
    held: hold < longestHold && peak < mostMemory,
    figures: `${figures.length} bursts held ${Math.round(hold)} ms at most, ${Math.round(peak / mebibyte)} MB at most`,
  }
}

async function measure(world, { first, next }, { connections, requests, seconds }) {
  const service = await watchedService(world.db)
  const { host } = new URL(service.ready.base_url)
  const text = first(host) + next(host).repeat(requests)
  await setTimeout(500)
  const watched = watchedBeside(service, world.other.access_token.token)
  await setTimeout(500)
  watched.begin()
  const senders = await Promise.all(Array.from({ length: connections }, () => burst(service.ready, text)))
  const answered = () => senders.reduce((sum, { answers }) => sum + answers, 0)
  const all = connections * (requests + 1)
  for (let before = -1; answered() > before && answered() < all; ) {
    before = answered()
    await setTimeout(seconds * 1000)
  }
  const figures = await watched.end()
  const closed = senders.filter(({ isOpen }) => !isOpen).length
  for (const { leave } of senders) leave()
  await service.stop()
  return { ...figures, answers: answered(), closed }
}
