import { expect, test } from 'vitest'
import { privateAddress } from '../../../src/contract/rules/private-address.ts'

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
  'http://[2001:db8::1]/a.png',
  'http://[::ffff:8.8.8.8]/a.png',
  'http://[64:ff9b::8.8.8.8]/a.png',
  'http://192.0.2.1/a.png',
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

test('a file is warned of in a resource; in a face another rule does that', () => {
  expect(found(template('file:///home/me/a.png'))).toHaveLength(1)
  expect(found({ package_url: 'file:///a.zip' })).toEqual([])
})

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
