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
