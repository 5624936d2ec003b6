import { once } from 'node:events'
import { connect, Socket } from 'node:net'

/** A plain connection to a service; that it breaks is no error. */
export async function connected({ base_url }) {
  const { hostname, port } = new URL(base_url)
  const socket = new Socket()
  socket.on('error', () => {})
  socket.connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** The request that makes a connection a WebSocket of a user. */
export const upgradeOf = ({ base_url, app_id }, token) =>
  [
    `GET /ws?app_id=${app_id}&token=${token} HTTP/1.1`,
    `Host: ${new URL(base_url).host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '\r\n',
  ].join('\r\n')

/** Sends requests on one connection, and another one for each answer, until the function that it returns is called. */
export function insistent({ base_url, app_id }, localAddress, atOnce, requestOf) {
  const { hostname, host, port } = new URL(base_url)
  const next = () => {
    const { method, path, body = '', token } = requestOf()
    return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nApp-Id: ${app_id}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (text) => {
    for (let answered = text.split('HTTP/1.1 ').length - 1; answered > 0; answered--) socket.write(next())
  })
  for (let sent = 0; sent < atOnce; sent++) socket.write(next())
  return () => socket.destroy()
}

/** A WebSocket that watches a part of the map, and counts what it receives. */
export async function watchingMap(ready, token) {
  const socket = await connected(ready)
  let received = 0
  socket.write(upgradeOf(ready, token))
  await once(socket, 'data')
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  const command = {
    type: 'command',
    cmd: 'monitor',
    payload: { top_left: { lat: 47, lon: 6 }, bottom_right: { lat: 46, lon: 7 } },
  }
  socket.write(masked(JSON.stringify(command)))
  return { received: () => received, close: () => socket.destroy() }
}

/** A text frame of less than 64 KiB with a mask of zeros. */
function masked(text) {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126]), length, Buffer.alloc(4), Buffer.from(text)])
}
