import { expect, test } from 'vitest'
import { insecureAddress } from '../../../src/contract/rules/insecure-address.ts'

const found = (document: unknown) => insecureAddress.check(document, {}, 'face')

test.each([
  ['http://cdn.example/a.png', 1],
  ['HTTP://8.8.8.8/a.png', 1],
  ['https://cdn.example/a.png', 0],
  ['native://image', 0],
  // That only one network can reach them says enough.
  ['http://localhost:4100/a.png', 0],
  ['http://10.0.0.7/a.png', 0],
])('%s has %i warnings, in a resource and in a face', (url, count) => {
  const resources = [{ name: 'a', value: { value: url } }]
  expect(found({ vatom: { 'vAtom::vAtomType': { resources } } })).toHaveLength(count)
  expect(found({ display_url: url, package_url: '.' })).toHaveLength(count)
})
