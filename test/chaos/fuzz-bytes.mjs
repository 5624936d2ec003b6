import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { ask } from './serve.mjs'
import { connected, upgradeOf } from './sockets.mjs'

const atOnce = 16
const newline = '\r\n'
const pieces = [
  'GET /v1/user HTTP/1.1',
  'POST /v1/templates HTTP/1.1',
  'GET / HTTP/9.9',
  'PRI * HTTP/2.0',
  'OPTIONS * HTTP/1.1',
  'CONNECT localhost:1 HTTP/1.1',
  'get /v1/user http/1.1',
  'Host: 127.0.0.1',
  'Host:',
  'Content-Length: 10',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Connection: keep-alive, close',
  'App-Id: local',
  'Authorization: Bearer ',
  `X: ${'a'.repeat(20_000)}`,
  ': empty',
  'bad header',
  '5\r\nhello\r\n0\r\n',
  'ffffffffff\r\n',
  '0\r\n\r\n',
  '{"a":',
  '',
]

const bytes = (random, length) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
const pick = (random, list) => list[Math.floor(random() * list.length)]

/** Bytes that are like a request, or none at all. */
function almostRequest(random) {
  if (random() < 0.2) return bytes(random, 1 + Math.floor(random() * 200))
  const lines = Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, pieces))
  const text = Buffer.from(lines.join(newline) + newline.repeat(Math.floor(random() * 3)))
  if (random() < 0.3) text[Math.floor(random() * text.length)] = Math.floor(random() * 256)
  return text
}

/** Sends bytes and resolves with what is answered: after a moment, or so many milliseconds without an answer. */
async function exchange(ready, chunks, patience) {
  const socket = await connected(ready)
  let answer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    answer = Buffer.concat([answer, chunk])
  })
  for (const chunk of chunks) socket.write(chunk)
  const closed = once(socket, 'close')
  await Promise.race([closed, once(socket, 'data'), setTimeout(patience)])
  await Promise.race([closed, setTimeout(10)])
  socket.destroy()
  return answer.toString('latin1')
}

const broken = (answer) => /^HTTP\/1\.1 5(?!0[15])\d\d/m.exec(answer)?.[0]

async function isServing(ready) {
  const { status } = await ask(ready, 'GET', '/__vatom/health')
  return status === 200
}

async function inTurns({ count, isOver }, one) {
  const faults = []
  let ran = 0
  for (; ran < count && !isOver(); ran += atOnce)
    faults.push(...(await Promise.all(Array.from({ length: atOnce }, one))).flat())
  return { ran, faults }
}

/** Sends what is no request, or almost one, over plain connections; the service goes on answering. */
export async function fuzzBytes(ready, bounds) {
  const { ran, faults } = await inTurns(bounds, async () => {
    const sent = almostRequest(bounds.random)
    const status = broken(await exchange(ready, [sent], 30))
    return status ? [`${JSON.stringify(sent.toString('latin1').slice(0, 300))} is answered ${status}`] : []
  })
  if (!(await isServing(ready))) faults.push('the service no longer answers')
  return { figures: `${ran} connections of raw bytes`, faults }
}

/** A frame of a client with a random header: reserved bits, unknown opcodes, no mask, a wrong length, large or broken texts. */
function frame(random) {
  const texts = [
    '{"type":"command","cmd":"monitor","payload":{"top_left":{"lat":1,"lon":1},"bottom_right":{"lat":0,"lon":2}}}',
    '{"type":',
    '[]',
    'null',
    '"x"',
    '{}',
    '',
  ]
  const payload = random() < 0.5 ? Buffer.from(pick(random, texts)) : bytes(random, Math.floor(random() * 120))
  const first = random() < 0.6 ? pick(random, [0x81, 0x82, 0x88, 0x89, 0x8a, 0x01, 0x00]) : Math.floor(random() * 256)
  const length = random() < 0.9 ? payload.length : Math.floor(random() * 126)
  const isMasked = random() < 0.9
  return Buffer.concat([
    Buffer.from([first, (isMasked ? 0x80 : 0) | length]),
    isMasked ? Buffer.alloc(4) : Buffer.alloc(0),
    payload,
  ])
}

/** Sends broken and unusual frames over WebSockets. */
export async function fuzzFrames(ready, bounds, token) {
  const upgrade = upgradeOf(ready, token)
  let opened = 0
  const { ran, faults } = await inTurns(bounds, async () => {
    const frames = Array.from({ length: 1 + Math.floor(bounds.random() * 6) }, () => frame(bounds.random))
    const answer = await exchange(ready, [upgrade, ...frames], 2000)
    opened += Number(answer.startsWith('HTTP/1.1 101'))
    const status = broken(answer)
    return status ? [`frames ${Buffer.concat(frames).toString('hex').slice(0, 300)} are answered ${status}`] : []
  })
  if (!(await isServing(ready))) faults.push('the service no longer answers')
  if (opened === 0) faults.push('no WebSocket was opened')
  return { figures: `${ran} WebSockets with broken frames`, faults }
}
