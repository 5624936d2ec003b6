import { setTimeout } from 'node:timers/promises'
import { connected } from './sockets.mjs'

const [base_url = '', connections, kind = 'half'] = process.argv.slice(2)
const head = `POST /v1/users HTTP/1.1\r\nHost: ${new URL(base_url).host}\r\nApp-Id: local\r\n`
const form = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n'
const file = `--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.gif"\r\n\r\nGIF89a${'x'.repeat(100_000)}`

/** What is sent on a connection, and for how many milliseconds it is open then. */
const kinds = {
  half: { text: `${head}Content-Length: 2000\r\n\r\n{`, open: 20 },
  requests: { text: `${head}Content-Length: 2\r\nX-Long: ${'x'.repeat(14_000)}\r\n\r\n{}`.repeat(9), open: 3 },
  upload: { text: `${head.replace('users', 'user/avatar')}${form}${file}`, open: 8 },
}
const { text, open } = kinds[kind]

/** Sends that on each of some connections, resets it and opens another, until it is ended. */
async function resetting() {
  for (;;) {
    const socket = await connected({ base_url })
    socket.write(text)
    await setTimeout(open)
    socket.resetAndDestroy()
  }
}

await Promise.all(Array.from({ length: Number(connections) }, resetting))
