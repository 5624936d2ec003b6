import { expect, test } from 'vitest'
import { networkOf } from '../../../src/cli/serve/network.ts'

test.each([
  ['172.17.0.0/16', { address: '172.17.0.0', prefix: 16, family: 'ipv4' }],
  ['10.1.2.3', { address: '10.1.2.3', prefix: 32, family: 'ipv4' }],
  ['0.0.0.0/0', { address: '0.0.0.0', prefix: 0, family: 'ipv4' }],
  ['FD00::/8', { address: 'FD00::', prefix: 8, family: 'ipv6' }],
  ['::1', { address: '::1', prefix: 128, family: 'ipv6' }],
])('%s is a network', (text, network) => expect(networkOf(text)).toEqual(network))

test.each(['', '172.17.0.0/33', '172.17.0/16', '::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'bridge', '/8'])(
  '%j is not',
  (text) => expect(networkOf(text)).toBeUndefined(),
)
