import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import { portOf } from '../../src/listening-port.ts'

/** A server at another port of this host, and what it was asked for, with the headers as they came. */
export async function neighbour(
  answer: { readonly type: string; readonly body: string } = { type: 'text/plain', body: '' },
) {
  const asked: { readonly path: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push({ path: url, headers })
    response.writeHead(200, { 'Content-Type': answer.type }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${portOf(server)}`, asked }
}
