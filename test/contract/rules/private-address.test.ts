import { expect, test } from 'vitest'
import { privateAddress, privateAddressesIn } from '../../../src/contract/rules/private-address.ts'

const template = (value: string) => ({
  vatom: { 'vAtom::vAtomType': { resources: [{ name: 'a', value: { value } }] } },
})
const found = (document: unknown) => privateAddress.check(document)

test.each([
  'http://127.0.0.1:4100/a.png',
  'http://localhost/a.png',
  'http://[::1]/a.png',
  'http://10.1.2.3/a.png',
  'https://192.168.1.7/a.png',
  'http://172.16.0.1/a.png',
  'http://169.254.0.1/',
  'http://[fd00::1]/a.png',
  'https://printer.local/a.png',
  'https://images/card.png',
  'http://100.64.0.1/a.png',
  'http://100.127.255.254/a.png',
  'http://[fc00::1]/a.png',
  'http://[fe80::1]/a.png',
  'http://[::ffff:10.0.0.1]/a.png',
  'http://[::ffff:127.0.0.1]/a.png',
  'http://[64:ff9b::169.254.169.254]/a.png',
  'http://192.0.0.192/a.png',
  'http://192.0.2.1/a.png',
  'http://[2001:db8::1]/a.png',
  'https://cdn.internal/a.png',
  'https://shop.test/a.png',
  'https://cdn.invalid/a.png',
  'https://router.home.arpa/a.png',
  'https://printer.local./a.png',
  'https://localhost./a.png',
  'https://$HOST/a.png',
  `https://cdn.example/\${DIR}/a.png`,
  'https://cdn.example/$(Build.Id)/a.png',
  'https://cdn.example/@VERSION@/a.png',
  'https://cdn.example/@project.version@/a.png',
  'https:///a.png',
  'blob:https://a.example/b',
])('%s is warned of, in a resource and in a face', (url) => {
  expect(found(template(url))).toMatchObject([
    { path: ['vatom', 'vAtom::vAtomType', 'resources', 0, 'value', 'value'], message: expect.any(String) },
  ])
  expect(found({ display_url: url, package_url: 'https://example.com/' })).toMatchObject([{ path: ['display_url'] }])
})

test.each([
  'https://example.com/a.png',
  'http://172.32.0.1/a.png',
  'http://100.63.0.1/a.png',
  'http://100.128.0.1/a.png',
  'http://[::ffff:8.8.8.8]/a.png',
  'http://[64:ff9b::8.8.8.8]/a.png',
  'https://local.example.com/a.png',
  'https://test.com/a.png',
  'https://fd00.com/a.png',
  'https://8.8.8.8/',
  'https://example.com/@anna/a.png',
  'https://example.com/a@2x.png?to=b@3x',
  'native://image',
  'data:,a',
  '',
])('%s is not', (url) => {
  expect(found(template(url))).toEqual([])
  expect(found({ display_url: url })).toEqual([])
})

/** The first and the last address of each range, and those before and behind it; none where another range is there. */
test.each([
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['240.0.0.0', '255.255.255.255', '239.255.255.255', undefined],
  ['[::]', '[::1]', undefined, '[::2]'],
  ['[64:ff9b:1::]', '[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]', '[64:ff9b:0:ffff::]', '[64:ff9b:2::]'],
  ['[100::]', '[100::1:ffff:ffff:ffff:ffff]', '[ff:ffff::]', '[100:0:0:2::]'],
  ['[2001::]', '[2001:1ff:ffff::]', '[2000:ffff::]', '[2001:200::]'],
  ['[2001:db8::]', '[2001:db8:ffff::1]', '[2001:db7:ffff::]', '[2001:db9::]'],
  ['[3fff::]', '[3fff:fff:ffff::]', '[3ffe:ffff::]', '[3fff:1000::]'],
  ['[5f00::]', '[5f00:ffff::]', '[5eff:ffff::]', '[5f01::]'],
  ['[fc00::]', '[fdff:ffff::]', '[fbff:ffff::]', '[fe00::]'],
  ['[fe80::]', '[feff:ffff::]', '[fe7f:ffff::]', '[ff00::]'],
  ['[::ffff:10.0.0.0]', '[::ffff:10.255.255.255]', '[::ffff:9.255.255.255]', '[::ffff:11.0.0.0]'],
  ['[64:ff9b::172.16.0.0]', '[64:ff9b::172.31.255.255]', '[64:ff9b::172.15.255.255]', '[64:ff9b::172.32.0.0]'],
  ['[2002:c0a8::]', '[2002:c0a8:ffff:ffff::]', '[2002:c0a7:ffff::]', '[2002:c0a9::]'],
])('addresses from %s to %s are warned of, and none around them', (first, last, before, behind) => {
  const isWarnedOf = (host = 'cdn.example') => found(template(`https://${host}/a.png`)).length > 0
  expect([first, last].filter((host) => !isWarnedOf(host))).toEqual([])
  expect([before, behind].filter(isWarnedOf)).toEqual([])
})

test('a file is warned of in a resource; in a face another rule does that', () => {
  expect(found(template('file:///home/me/a.png'))).toHaveLength(1)
  expect(found({ package_url: 'file:///a.zip' })).toEqual([])
})

test.each(['https://%CDN%/a.png', 'https://<your-bucket>.s3.amazonaws.com/a.png', '//cdn.example/a.png', 'https://'])(
  '%s counts as an address that apps cannot read, and another rule reports it',
  (url) => {
    expect(found(template(url))).toEqual([])
    expect(privateAddressesIn(template(url))).toBe(1)
  },
)

test.each(['./card.png', 'card.png', '../pictures/my card.png', '/card.png'])(
  '%s is warned of as the path of a file, in a resource that has an address',
  (path) => {
    const withType = (resourceValueType: string) => ({
      vatom: { 'vAtom::vAtomType': { resources: [{ name: 'a', value: { resourceValueType, value: path } }] } },
    })
    expect(found(withType('ResourceValueType::URI'))).toMatchObject([
      { message: expect.stringContaining('path of a file'), hint: expect.stringContaining('vatom asset upload FILE') },
    ])
    expect(found(withType('ResourceValueType::Text'))).toEqual([])
  },
)

const asset = '0b7f9c1e-5d2a-4c3b-8e9f-a1b2c3d4e5f6'

test.each<[url: string, isOfLocalService: boolean]>([
  [`http://127.0.0.1:4100/assets/${asset}/card.png`, true],
  [`http://localhost:4100/assets/${asset}`, true],
  [`http://127.0.0.1:4100/assets/card.png`, false],
  [`http://127.0.0.1:4100/a/assets/${asset}/card.png`, false],
  [`http://192.168.1.7:4100/assets/${asset}/card.png`, false],
  [`file:///assets/${asset}/card.png`, false],
])('%s is the address of an asset of a service on this machine: %s', (url, isOfLocalService) => {
  const warned = (isLocal: boolean) => privateAddress.check(template(url), isLocal ? { localPorts: [] } : {}).length
  expect([warned(false), warned(true)]).toEqual([1, isOfLocalService ? 0 : 1])
  expect(privateAddressesIn(template(url))).toBe(1)
})
