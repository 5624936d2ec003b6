import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Is called for each request; what it returns is called when the answer is closed. */
type Begin = (request: IncomingMessage, answer: ServerResponse) => () => void

const followers = new WeakMap<Server, Begin[]>()

/** Follows the requests of a server until their answers are closed: with one listener of each answer for all that follow. */
export function followExchanges(server: Server, begin: Begin): void {
  const known = followers.get(server)
  if (known) known.push(begin)
  else followers.set(server, listen(server, [begin]))
}

function listen(server: Server, all: Begin[]): Begin[] {
  server.on('request', (request, answer: ServerResponse) => {
    const ends = all.map((begin) => begin(request, answer))
    answer.once('close', () => {
      for (const end of ends) end()
    })
  })
  return all
}
