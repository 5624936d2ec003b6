import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { Network } from '../../../src/server/service.ts'
import { overHttp, testService } from '../../support/service.ts'

const loopback: readonly Network[] = [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }]
const publisher = { token: 'publisher@local.vatom', token_type: 'email' }

async function behindProxy(options: Parameters<typeof testService>[0] = { trustedProxies: loopback }) {
  const world = await testService(options)
  const { port } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  /** Sends a request as a proxy at an address sends it on for a caller. */
  const sentOn = async (
    path: string,
    sent: unknown,
    headers: Readonly<Record<string, string>>,
    proxy = '127.0.0.1',
  ) => {
    const named = { host: `localhost:${port}`, 'app-id': 'local', ...headers }
    const request = { method: 'POST', path, headers: named, body: JSON.stringify(sent) }
    return await overHttp(port, request, proxy)
  }
  const login = async (password: string, caller: string, proxy?: string) =>
    (await sentOn('/v1/user/login', { ...publisher, auth_data: { password } }, { 'x-forwarded-for': caller }, proxy))
      .status
  return { ...world, port, sentOn, login }
}

const fillOf = async (work: () => Promise<number>) => {
  let last = 0
  for (let n = 0; n <= limits.callsPerMinute; n++) last = await work()
  return last
}

describe('behind a proxy that is trusted', () => {
  test('wrong passwords lock the account of the publisher for their sender alone', async () => {
    const { login } = await behindProxy()
    for (let n = 0; n < limits.loginAttempts; n++) expect(await login('wrong', '203.0.113.9')).toBe(403)
    expect(await login('vatom-local', '203.0.113.9')).toBe(403)
    expect(await login('vatom-local', '203.0.113.10')).toBe(200)
  })

  test('calls are counted by caller', async () => {
    const { sentOn } = await behindProxy()
    const guest = async (from: string) => (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': from })).status
    expect(await fillOf(() => guest('203.0.113.9'))).toBe(429)
    expect(await guest('203.0.113.10')).toBe(200)
  })

  test('a caller is one, whatever port and spelling of their address the proxy writes', async () => {
    const { sentOn } = await behindProxy()
    let made = 0
    const guest = async (from: string) => (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': from })).status
    expect(await fillOf(() => guest(`203.0.113.9:${4000 + made++}`))).toBe(429)
    const spellings = ['2001:db8:9:100::1', '2001:DB8:9:100::1', '[2001:0db8:0009:0100::1]:4711']
    expect(await fillOf(() => guest(spellings[made++ % spellings.length] ?? ''))).toBe(429)
  })

  test('the caller is the last one that no trusted proxy names, whatever the caller wrote before it', async () => {
    const { sentOn } = await behindProxy({
      trustedProxies: [...loopback, { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    })
    let made = 0
    const guest = async () =>
      (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': `198.51.100.${made++ % 250}, 203.0.113.9, 10.1.2.3` }))
        .status
    expect(await fillOf(guest)).toBe(429)
  })

  test('no more addresses are looked at than a request comes by proxies', async () => {
    const { sentOn } = await behindProxy()
    const guest = async (later: number) => {
      const named = ['203.0.113.9', ...Array.from({ length: later }, () => '127.0.0.1')].join(', ')
      return (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': named })).status
    }
    expect(await fillOf(() => guest(limits.proxies - 1))).toBe(429)
    expect(await fillOf(() => guest(limits.proxies))).toBe(429)
    expect(await guest(1000)).toBe(429)
    const blanks = { 'x-forwarded-for': `203.0.113.10${','.repeat(1000)}` }
    expect(await sentOn('/v1/user/guest', {}, blanks)).toMatchObject({ status: 429 })
  })

  test('an address that is missing is passed over', async () => {
    const { sentOn } = await behindProxy()
    const guest = async (from: string) => (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': from })).status
    expect(await fillOf(() => guest(', 203.0.113.9,, 127.0.0.1, '))).toBe(429)
    expect(await guest('203.0.113.9')).toBe(429)
    expect(await guest(',')).toBe(200)
  })

  test('a proxy is one with a port, too, in whatever spelling: callers behind it stay apart', async () => {
    const { sentOn } = await behindProxy({
      trustedProxies: [...loopback, { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    })
    const proxies = ['10.1.2.3:4711', '10.1.2.4:4712', '[::ffff:10.1.2.3]:4711', '::FFFF:10.1.2.3']
    let made = 0
    const guest = async (from: string) =>
      (await sentOn('/v1/user/guest', {}, { 'x-forwarded-for': `${from}, ${proxies[made++ % proxies.length]}` })).status
    expect(await fillOf(() => guest('203.0.113.9'))).toBe(429)
    expect(await guest('203.0.113.10')).toBe(200)
  })

  test('the addresses that are answered begin with https where the proxy says so', async () => {
    const { port, service } = await behindProxy()
    const headers = { 'app-id': 'local', authorization: `Bearer ${service.localToken()}`, host: `localhost:${port}` }
    const document = async (more: Readonly<Record<string, string>>, from = '127.0.0.1') =>
      (await overHttp(port, { method: 'GET', path: '/__vatom/openapi.json', headers: { ...headers, ...more } }, from))
        .body
    expect(await document({ 'x-forwarded-proto': 'https' })).toContain(`"https://localhost:${port}`)
    expect(await document({ 'x-forwarded-proto': 'javascript' })).toContain(`"http://localhost:${port}`)
    expect(await document({ 'x-forwarded-proto': 'https' }, '127.0.0.2')).toContain(`"http://localhost:${port}`)
  })

  test('what it sends on is not of this machine', async () => {
    const { sentOn } = await behindProxy()
    expect(await sentOn('/__vatom/reset', {}, { 'x-forwarded-for': '127.0.0.1' })).toMatchObject({ status: 403 })
  })
})

describe('a proxy that is not trusted', () => {
  test('cannot name a caller', async () => {
    const { login } = await behindProxy()
    for (let n = 0; n < limits.loginAttempts; n++) await login('wrong', `203.0.113.${n}`, '127.0.0.2')
    expect(await login('vatom-local', '203.0.113.99', '127.0.0.2')).toBe(403)
    expect(await login('vatom-local', '203.0.113.99')).toBe(200)
  })

  test('is named once in the log, with the flag that trusts it', async () => {
    const { login, lines } = await behindProxy({})
    await login('wrong', '203.0.113.9')
    await login('wrong', '203.0.113.9')
    const hints = lines.filter((line) => line.includes('--trust-proxy'))
    expect(hints).toEqual([
      '127.0.0.1 sends requests on for others (x-forwarded-for); if that is your reverse proxy, to tell its callers apart: vatom serve --trust-proxy 127.0.0.1',
    ])
    const trusting = await behindProxy()
    await trusting.login('wrong', '203.0.113.9')
    expect(trusting.lines.filter((line) => line.includes('--trust-proxy'))).toEqual([])
  })
})
