import { createRequire } from 'node:module'
import { join } from 'node:path'

/** One worker of a test run: starts a service for tests, and resets and asks it as often as there are tests. */
const [name, folder, tests] = process.argv.slice(2)
const peer = createRequire(join(folder, 'x.js'))
const load = async (id) => await import(peer.resolve(id))

const peers = { nothing, vatom, msw, 'json-server': jsonServer, prism, miniflare }

const { read, reset, stop } = await peers[name]()
await asked()
const ready = performance.timeOrigin + performance.now()
const resets = []
const whole = []
for (let test = 0; test < Number(tests); test++) {
  const begun = performance.now()
  await reset?.()
  resets.push(performance.now() - begun)
  await asked()
  whole.push(performance.now() - begun)
}
process.send({ ready, resets: reset ? resets : undefined, tests: whole })
process.once('message', async () => {
  await stop()
  process.exit()
})

async function asked() {
  const answer = await read()
  if (!answer.ok) throw new Error(`${name} answers ${answer.status}`)
  await answer.text()
}

/** What a process takes that serves nothing. */
async function nothing() {
  return { read: async () => new Response('{}'), stop: async () => {} }
}

async function vatom() {
  const { startService } = await import('../../dist/library/testing.mjs')
  const service = await startService()
  const read = () =>
    fetch(`${service.baseUrl}/v1/user`, {
      headers: { 'App-Id': service.appId, Authorization: `Bearer ${service.publisher.accessToken}` },
    })
  return { read, reset: () => service.reset(), stop: () => service.close() }
}

/** Answers within the process, by handlers; what they store is the test's own. */
async function msw() {
  const [{ setupServer }, { http, HttpResponse }] = await Promise.all([load('msw/node'), load('msw')])
  const server = setupServer(http.get('http://api.example/user', () => HttpResponse.json({ id: 1 })))
  server.listen()
  return {
    read: () => fetch('http://api.example/user'),
    reset: async () => server.resetHandlers(),
    stop: async () => server.close(),
  }
}

async function jsonServer() {
  const { default: library } = await load('json-server')
  const seed = () => ({ users: [{ id: 1 }] })
  const router = library.router(seed())
  const app = library.create()
  app.use(router)
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${server.address().port}/users/1`
  return { read: () => fetch(url), reset: async () => router.db.setState(seed()), stop: async () => server.close() }
}

/** Makes answers from an OpenAPI document, and stores nothing: there is no reset. */
async function prism() {
  const { createServer } = peer('@stoplight/prism-http-server')
  const { getHttpOperationsFromSpec } = peer('@stoplight/prism-cli/dist/operations.js')
  const { createLogger } = peer('@stoplight/prism-core')
  const schema = { type: 'object', properties: { id: { type: 'integer' } } }
  const get = { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } }
  const operations = await getHttpOperationsFromSpec({
    openapi: '3.1.0',
    info: { title: 'users', version: '1' },
    paths: { '/user': { get } },
  })
  const logger = createLogger('bench', { level: 'silent' })
  const config = {
    mock: { dynamic: false },
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
  }
  const server = createServer(operations, { components: { logger }, cors: true, config })
  const url = `${await server.listen(0, '127.0.0.1')}/user`
  return { read: () => fetch(url), stop: () => server.close() }
}

/** Runs a worker in a process of its own; a reset is a new one, with empty storage. */
async function miniflare() {
  const { Miniflare } = await load('miniflare')
  const script = `export default { async fetch(_request, { STORE }) { return Response.json({ id: await STORE.get('id') }) } }`
  let instance
  let url
  const begin = async () => {
    instance = new Miniflare({ modules: true, script, kvNamespaces: ['STORE'], compatibilityDate: '2026-01-01' })
    url = await instance.ready
  }
  const stop = () => instance.dispose()
  await begin()
  const reset = async () => {
    await stop()
    await begin()
  }
  return { read: () => fetch(url), reset, stop }
}
