import { expect, test } from 'vitest'
import { asCurl, asVatomApi } from '../../../src/web/console/requests/commands.ts'

const place = { origin: 'http://127.0.0.1:4100', appId: 'local', token: 't' }

test('an upload is copied for curl with its files by their names, whatever these are, and its fields as they are', () => {
  const upload = {
    method: 'POST',
    path: '/v1/publisher/asset',
    parts: [
      { field: 'file', file: `it's "a"; b\\c.txt`, type: 'text/plain', size: 3, body: { text: 'tea' } },
      { field: 'note', type: 'text/plain', size: 5, body: { text: '@file' } },
      { field: 'f=@/etc/hostname;y', file: 'a.txt', type: 'text/plain', size: 3, body: { text: 'tea' } },
      { field: 'f=x', type: 'text/plain', size: 3, body: { text: 'tea' } },
    ],
  }
  const lines = asCurl(upload, place).split(' \\\n  ')
  expect(lines.slice(-4)).toEqual([
    `-F 'file=@"it'\\''s \\"a\\"; b\\\\c.txt";type=text/plain'`,
    '--form-string note=@file',
    `-F 'f%3D@/etc/hostname;y=@"a.txt";type=text/plain'`,
    '--form-string f%3Dx=tea',
  ])
  expect(lines.join()).not.toContain('--data-raw')
  expect(lines.join()).not.toContain('Content-Type')
})

test.each(['m://x/v1/user', 'http://127.0.0.1:4100/v1/user', '@example.com/', '.example.com/', '0/v1/user', '*', ''])(
  'what is no path, such as %j, is not copied for curl: behind an origin it may be an address of another host',
  (path) => {
    for (const origin of ['http://dev.co', place.origin])
      expect(() => asCurl({ method: 'GET', path }, { ...place, origin })).toThrow(
        `${path} is no path of ${origin}: a path begins with /`,
      )
  },
)

test.each(['/v1/user', '//example.com/v1/user', '/\\example.com', '/@example.com', '/v1/user?at=m://x#y'])(
  'the path %s is copied for curl as one of the service',
  (path) => {
    const [line = ''] = asCurl({ method: 'GET', path }, place).split(' \\\n  ')
    const [address = ''] = /http[^']*/.exec(line) ?? []
    expect(address).toBe(place.origin + path)
    expect(new URL(address).origin).toBe(place.origin)
  },
)

test('control characters of a request are written out: pasted into a terminal they would be keys', () => {
  const request = (text: string) => ({ method: 'POST', path: '/v1/user/login', sent: { text } })
  const written = `$'{"a":"\\u0003\\u000aecho it\\'s \\\\u001b\\u001b"}'`
  const text = '{"a":"\u0003\necho it\'s \\u001b\u001b"}'
  expect(asCurl(request(text), place)).toContain(`--data-raw ${written}`)
  expect(asVatomApi(request(text), place)).toContain(`printf %s ${written} |`)
  expect(asCurl(request('{\n"a": 1}'), place)).toContain(`--data-raw '{\n"a": 1}'`)
})
