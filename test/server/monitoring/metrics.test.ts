import { rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../support/folders.ts'
import { overHttp, testService } from '../../support/service.ts'
import { dial } from '../../support/sockets.ts'

const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers })

/** An address of this machine that is not a loopback one. */
const outward = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

describe('metrics', () => {
  test('count requests by operation and status since the start, and have their durations', async () => {
    const { service } = await testService()
    const { port, baseUrl, wsUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'app-id': 'local', authorization: `Bearer ${service.localToken()}` }
    for (let times = 0; times < 2; times++) await overHttp(port, get('/v1/user', headers))
    await overHttp(port, get('/v1/user', { 'app-id': 'local' }))
    await overHttp(port, get('/v1/nothing'))
    await overHttp(port, get('/__vatom/health'))
    const { next } = dial(`${wsUrl}?app_id=local&token=${service.localToken()}`)
    await next()
    const answer = await fetch(`${baseUrl}/__vatom/metrics`)
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE vatom_requests_total counter',
        // One more is of the test's own set-up.
        'vatom_requests_total{operation="getProfile",status="200"} 3',
        'vatom_requests_total{operation="getProfile",status="403"} 1',
        'vatom_requests_total{operation="other",status="404"} 1',
        '# TYPE vatom_request_duration_seconds histogram',
        'vatom_request_duration_seconds_bucket{operation="getProfile",le="+Inf"} 4',
        'vatom_request_duration_seconds_count{operation="getProfile"} 4',
        'vatom_writes_waiting 0',
        'vatom_searches_waiting 0',
        'vatom_websockets_open 1',
        expect.stringMatching(/^vatom_database_bytes [1-9]\d+$/),
        expect.stringMatching(/^vatom_connections_open [1-9]/),
        expect.stringMatching(/^process_resident_memory_bytes \d+/),
        expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds \d/),
      ]),
    )
    const buckets = lines.filter((line) =>
      line.startsWith('vatom_request_duration_seconds_bucket{operation="getProfile"'),
    )
    const counts = buckets.map((line) => Number(line.split(' ')[1]))
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(text).not.toMatch(/health|publisher@|127\.0\.0\.1|eyJ/)
    // Once more, as it is read again and again.
    expect(await (await fetch(`${baseUrl}/__vatom/metrics`)).text()).toContain(
      'vatom_requests_total{operation="getProfile",status="200"} 3\n',
    )
  })

  test.skipIf(!outward)(
    'are read from other machines by any host name with their token, and with no other',
    async () => {
      const { service } = await testService({ password: 'of-my-own', metricsToken: 'to-scrape' })
      const { port } = await service.listen({ host: '0.0.0.0', port: 0 })
      const status = async (path: string, authorization?: string) => {
        const headers = { host: '10.42.0.7:4100', ...(authorization !== undefined && { authorization }) }
        return (await overHttp(port, get(path, headers), outward)).status
      }
      expect(await status('/__vatom/metrics', 'Bearer to-scrape')).toBe(200)
      for (const wrong of [undefined, 'Bearer to-scrap', 'Bearer ', 'to-scrape', `Bearer ${service.localToken()}`])
        expect(await status('/__vatom/metrics', wrong)).toBe(403)
      expect(await status('/__vatom/journal', 'Bearer to-scrape')).toBe(403)
      for (const probe of ['health', 'ready']) expect(await status(`/__vatom/${probe}`)).toBe(200)
    },
  )

  test.skipIf(!outward)('are for this machine alone without a token', async () => {
    const { service } = await testService({ password: 'of-my-own' })
    const { port, baseUrl } = await service.listen({ host: '0.0.0.0', port: 0 })
    for (const authorization of ['Bearer ', 'Bearer undefined'])
      expect(
        await overHttp(port, get('/__vatom/metrics', { host: 'localhost', authorization }), outward),
      ).toMatchObject({
        status: 403,
      })
    expect((await fetch(`${baseUrl}/__vatom/metrics`)).status).toBe(200)
  })
})

test('a service is ready while its database is there, and alive without it', async () => {
  const folder = newFolder()
  const { service } = await testService({ db: join(folder, 'a.db') })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string) => {
    const answer = await fetch(`${baseUrl}/__vatom/${path}`)
    return [answer.status, await answer.text()]
  }
  expect(await ask('ready')).toEqual([
    200,
    expect.stringMatching(/^\{"request_id":".*","payload":\{"status":"ready"\}\}$/),
  ])
  rmSync(folder, { recursive: true })
  const [status, text] = await ask('ready')
  expect(status).toBe(503)
  expect(text).not.toContain(folder)
  expect(await ask('health')).toEqual([200, expect.any(String)])
})
