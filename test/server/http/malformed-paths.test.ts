import { expect, test } from 'vitest'
import { overHttp, testService } from '../../support/service.ts'

/** A service, and what it answers to a request for a path. */
async function asking() {
  const { service, lines, advance } = await testService()
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    overHttp(port, { method, path, headers: { 'app-id': 'local', 'x-request-id': 'mine-1', ...headers } })
  return { service, lines, advance, ask }
}

const origin = 'http://localhost:3000'

test.each(['/v1/templates/%ff', '/v1/templates/%', '/assets/%E0%A4', '/%zz'])(
  'a path that cannot be decoded is answered with all headers, and logged: %s',
  async (path) => {
    const { ask, lines, service } = await asking()
    const { status, headers, body } = await ask(path, { origin })
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ request_id: 'mine-1', error: expect.any(Number) })
    expect(headers).toMatchObject({ 'x-request-id': 'mine-1', vary: 'Origin' })
    expect(headers).toHaveProperty('access-control-allow-origin')
    expect(lines.filter((line) => line.startsWith(`GET ${path} 400 `))).toHaveLength(1)
    const { journal } = await service.testControls()
    expect(journal.newest().filter(({ request_id }) => request_id === 'mine-1')).toMatchObject([{ path, status: 400 }])
  },
)

test('pages of other origins cannot read the answer, and the method does not matter', async () => {
  const { ask } = await asking()
  const { headers } = await ask('/v1/templates/%ff', { origin: 'https://evil.example' })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  for (const method of ['GET', 'POST', 'PROPFIND'])
    expect(await ask('/v1/templates/%ff', {}, method)).toMatchObject({
      status: 400,
      body: expect.stringContaining("'/v1/templates/%ff' is not a valid url component"),
    })
  const preflight = { origin, 'access-control-request-method': 'GET' }
  expect(await ask('/v1/templates/%ff', preflight, 'OPTIONS')).toMatchObject({ status: 204 })
})

test.each(['/%zz', '/v1/templates/%ff', '/nothing', '/v1/nothing'])(
  'by a name that is not allowed nothing is answered, whatever is wrong with the path: %s',
  async (path) => {
    const { ask } = await asking()
    const { status, body } = await ask(path, { host: 'evil.example' })
    expect([status, JSON.parse(body).error]).toEqual([403, 9014])
    expect(body).not.toContain(path)
  },
)

test('requests after it on the same connection are answered as ever', async () => {
  const { ask } = await asking()
  await ask('/v1/templates/%ff')
  expect(await ask('/v1/templates/%25ff')).toMatchObject({ status: 403 })
})
