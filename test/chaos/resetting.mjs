import { setTimeout } from 'node:timers/promises'
import { connected } from './sockets.mjs'

/** Milliseconds for which a connection is open. */
const open = 20

const [base_url = '', connections] = process.argv.slice(2)
const half = `POST /v1/users HTTP/1.1\r\nHost: ${new URL(base_url).host}\r\nApp-Id: local\r\nContent-Length: 2000\r\n\r\n{`

/** Sends half a request on each of some connections, resets it and opens another, until it is ended. */
async function resetting() {
  for (;;) {
    const socket = await connected({ base_url })
    socket.write(half)
    await setTimeout(open)
    socket.resetAndDestroy()
  }
}

await Promise.all(Array.from({ length: Number(connections) }, resetting))
