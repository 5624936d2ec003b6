import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { serverOf } from './servers.ts'

/** A server at another port of this host, and what it was asked for, with the headers as they came. */
export async function neighbour(
  answer: RequestListener = (_, response) => {
    response.end()
  },
) {
  const asked: { readonly path: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
  const { url: origin, server } = await serverOf((request, response) => {
    asked.push({ path: request.url, headers: request.headers })
    answer(request, response)
  })
  server.on('upgrade', (request, socket) => {
    asked.push({ path: request.url, headers: request.headers })
    socket.destroy()
  })
  return { origin, asked }
}
