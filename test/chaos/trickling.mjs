import { setImmediate } from 'node:timers/promises'
import { connected } from './sockets.mjs'

/** Connections that are opened and closed at a time. */
const passing = 20

const [base_url = '', connections] = process.argv.slice(2)
const head = `POST /v1/user/login HTTP/1.1\r\nHost: ${new URL(base_url).host}\r\nApp-Id: local\r\nContent-Length: 1000000\r\n\r\n`

async function trickling() {
  const socket = await connected({ base_url })
  socket.setNoDelay(true).write(head)
  return socket
}

/** Sends a body on each of many connections, byte by byte, and opens and closes others, until it is ended. */
const sockets = await Promise.all(Array.from({ length: Number(connections) }, trickling))
for (;;) {
  for (const socket of sockets) if (socket.writable) socket.write(' ')
  const others = await Promise.all(Array.from({ length: passing }, () => connected({ base_url })))
  for (const other of others) other.destroy()
  await setImmediate()
}
