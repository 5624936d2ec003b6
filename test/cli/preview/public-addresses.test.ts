import { expect, test } from 'vitest'
import { PublicAddresses } from '../../../src/cli/preview/public-addresses.ts'

/** What a resolver says of names. */
const known = new Map([
  ['cdn.example.org', ['93.184.215.14', '2606:2800:21f:cb07::1']],
  ['metadata.example.org', ['169.254.169.254']],
  ['mixed.example.org', ['93.184.215.14', '10.0.0.7']],
  ['six.example.org', ['fd00:ec2::254']],
  ['mapped.example.org', ['::ffff:127.0.0.1']],
  ['link.example.org', ['fe80::1%eth0']],
  ['translated.example.org', ['64:ff9b:1::a00:1']],
])

const addresses = () =>
  new PublicAddresses(async (name) => {
    const found = known.get(name)
    if (found === undefined) throw new Error('ENOTFOUND')
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  })

test.each([
  ['https://cdn.example.org/a.png', true],
  ['https://93.184.215.14/a.png', true],
  ['https://[2606:2800:21f:cb07::1]/a.png', true],
  ['https://unknown.example.org/a.png', true],
  ['data:image/png,', true],
  ['https://metadata.example.org/latest', false],
  ['https://mixed.example.org/', false],
  ['https://six.example.org/', false],
  ['https://mapped.example.org/', false],
  ['https://link.example.org/', false],
  ['https://translated.example.org/', false],
  ['http://198.18.0.1/', false],
  ['http://[2002:a00:1::]/', false],
  ['http://localhost:3000/a.png', false],
  ['http://2130706433/', false],
  ['http://0x7f.1/', false],
  ['http://[::1]/', false],
  ['http://169.254.169.254/latest/meta-data', false],
  ['no address', false],
])('pictures show what is at %s: %s', async (url, isShown) => {
  expect(await addresses().mayLoad(url)).toBe(isShown)
})
