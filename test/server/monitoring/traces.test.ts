import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { overHttp, testService } from '../../support/service.ts'

afterEach(() => vi.unstubAllEnvs())

/** A collector of traces, and what it was sent. */
async function collector() {
  const received: { readonly path: string; readonly body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', body })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const spansOf = ({ body }: { readonly body: string }) => {
  const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans
  return { resource: attributes(resource), spans: scopeSpans[0].spans }
}
const attributes = (holder: { attributes: { key: string; value: object }[] }) =>
  Object.fromEntries(holder.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('each request is a span, in the trace of its caller', async () => {
  const { url, received } = await collector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment=test')
  const { service, publisher } = await testService({ traces: true })
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const trace = 'a'.repeat(32)
  const parent = 'b'.repeat(16)
  const authorization = `Bearer ${service.localToken()}`
  const get = (path: string, headers = {}) =>
    overHttp(port, { method: 'GET', path, headers: { 'app-id': 'local', ...headers } })
  await get('/v1/user?secret=s3cret', { authorization, traceparent: `00-${trace}-${parent}-01`, 'x-request-id': 'r1' })
  await get('/v1/user')
  await get('/v1/user', { authorization, traceparent: `00-${trace}-${parent}-00`, 'x-request-id': 'unsampled' })
  await get('/__vatom/health')
  await service.close()
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  const { resource, spans } = spansOf(received[0] ?? { body: '' })
  expect(resource).toMatchObject({ 'service.name': 'vatom', 'deployment.environment': 'test' })
  // The first is of the test's own set-up.
  const [, own, refused, ...rest] = spans
  expect(rest).toEqual([])
  expect(own).toMatchObject({ name: 'getProfile', traceId: trace, parentSpanId: parent, kind: 2 })
  expect(attributes(own)).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'vatom.operation': 'getProfile',
    'vatom.request_id': 'r1',
    'user.id': publisher.id,
  })
  expect(Number(own.endTimeUnixNano)).toBeGreaterThan(Number(own.startTimeUnixNano))
  expect(attributes(refused)).toMatchObject({ 'http.response.status_code': 403 })
  expect(refused).not.toHaveProperty('parentSpanId')
  expect(received[0]?.body).not.toMatch(/s3cret|eyJ|127\.0\.0\.1|publisher@/)
})

test('a collector that does not answer holds up neither requests nor the end', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9')
  const { service } = await testService({ traces: true })
  const began = performance.now()
  await service.close()
  expect(performance.now() - began).toBeLessThan(4000)
})
