import { expect, test } from 'vitest'
import { isLoopback } from '../../../src/contract/api/loopback.ts'

test.each([
  'localhost',
  'app.localhost',
  '127.0.0.1',
  '127.255.255.255',
  '127.1.20.99',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
])('%s is this machine', (host) => expect(isLoopback(host)).toBe(true))

test.each([
  '',
  'localhost.evil.example',
  '.localhost',
  '127.0.0.256',
  '127.999.999.999',
  '127.1',
  '127.0.0.1.evil.example',
  '[::1]evil.com',
  '::2',
  '192.168.1.1',
  '0.0.0.0',
])('%j is not', (host) => expect(isLoopback(host)).toBe(false))
