import { describe, expect, test } from 'vitest'
import { wayTo } from '../../src/client/proxies.ts'

describe('NO_PROXY', () => {
  const HTTP_PROXY = 'http://proxy.example:3128'
  const way = (url: string, NO_PROXY: string) => wayTo(url, { HTTP_PROXY, NO_PROXY })

  test.each([
    ['http://a.example', 'a.example', 'a.example'],
    ['http://A.example', 'other, A.EXAMPLE', 'A.EXAMPLE'],
    ['http://b.a.example', 'a.example', 'a.example'],
    ['http://b.a.example', '.a.example', '.a.example'],
    ['http://a.example', '*.a.example', '*.a.example'],
    ['http://a.example', 'a.example:80', 'a.example:80'],
    ['https://a.example', 'a.example:443', 'a.example:443'],
    ['http://a.example:4100', 'a.example:4100', 'a.example:4100'],
    ['http://10.0.0.1', '10.0.0.1', '10.0.0.1'],
    ['http://[2001:db8::1]:80', '[2001:db8::1]', '[2001:db8::1]'],
    ['https://a.example', '*', '*'],
    ['https://a.example', 'other, *', '*'],
  ])('has %s reached directly by %s', (url, without, entry) => {
    expect(way(url, without)).toEqual({ direct: `NO_PROXY has ${entry}` })
  })

  test.each([
    ['http://ba.example', 'a.example'],
    ['http://a.example', 'b.a.example'],
    ['http://a.example', 'a.example:443'],
    ['https://a.example', 'a.example:80'],
    ['http://a.example', ''],
    ['http://a.example', ', ,'],
  ])('leaves %s to the proxy by %j', (url, without) => {
    expect(way(url, without)).toEqual({ proxy: { variable: 'HTTP_PROXY', value: HTTP_PROXY } })
  })
})
