import { setTimeout } from 'node:timers/promises'
import { connected } from './sockets.mjs'

/** Milliseconds after which a request that is not complete is given up. */
const patience = 1000

const [base_url = '', connections, kind = 'body'] = process.argv.slice(2)
const head = `POST /v1/users HTTP/1.1\r\nHost: ${new URL(base_url).host}\r\nApp-Id: local\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n`
const length = 900_000
const body = `{"password":"${'x'.repeat(length - 15)}"}`

const kinds = {
  body: `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  header: `${head}X-Long: ${'x'.repeat(14_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  half: `${head}Content-Length: ${length}\r\n\r\n${body.slice(0, length / 2)}`,
}
const text = kinds[kind]

/** Sends that as a proxy does, on a connection for each request, until it is ended. */
async function asking() {
  for (;;) {
    const socket = await connected({ base_url })
    socket.resume().write(text)
    await Promise.race([new Promise((resolve) => socket.once('close', resolve)), setTimeout(patience)])
    socket.destroy()
  }
}

await Promise.all(Array.from({ length: Number(connections) }, asking))
