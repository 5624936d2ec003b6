import { answerOf, testService } from './service.ts'

/** A service that listens, and what asks it over HTTP. */
export async function listening(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService(options)
  const { port, baseUrl } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  const fetched = async (path: string, init: RequestInit) => {
    const response = await fetch(baseUrl + path, init)
    return answerOf(response.status, Object.fromEntries(response.headers), await response.text())
  }
  return {
    ...world,
    port,
    baseUrl,
    headers,
    /** A request of the signed-in publisher. */
    ask: (method: string, path: string, body?: unknown) =>
      fetched(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    /** A request without any header of the API. */
    tool: (method: string, path: string, body?: unknown) =>
      fetched(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  }
}
