import { expect, test } from 'vitest'
import { asCurl } from '../../../src/web/console/requests/commands.ts'

test('an upload is copied for curl with its files by their names, whatever these are, and its fields as they are', () => {
  const upload = {
    method: 'POST',
    path: '/v1/publisher/asset',
    parts: [
      { field: 'file', file: `it's "a"; b\\c.txt`, type: 'text/plain', size: 3, body: { text: 'tea' } },
      { field: 'note', type: 'text/plain', size: 5, body: { text: '@file' } },
    ],
  }
  const lines = asCurl(upload, { origin: 'http://127.0.0.1:4100', appId: 'local' }).split(' \\\n  ')
  expect(lines.slice(-2)).toEqual([
    `-F 'file=@"it'\\''s \\"a\\"; b\\\\c.txt";type=text/plain'`,
    '--form-string note=@file',
  ])
  expect(lines.join()).not.toContain('--data-raw')
  expect(lines.join()).not.toContain('Content-Type')
})
