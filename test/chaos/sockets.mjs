import { once } from 'node:events'
import { Socket } from 'node:net'

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
