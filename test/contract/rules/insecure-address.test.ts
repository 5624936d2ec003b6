import { expect, test } from 'vitest'
import { insecureAddress } from '../../../src/contract/rules/insecure-address.ts'

const found = (document: unknown) => insecureAddress.check(document, {}, 'face')

test.each([
  ['http://cdn.example/a.png', 1],
  ['HTTP://8.8.8.8/a.png', 1],
  ['https://cdn.example/a.png', 0],
  ['native://image', 0],
  ['htps://cdn.example/a.png', 1],
  ['ttps://cdn.example/a.png', 1],
  ['Https://cdn.example/a.png', 0],
  ['htp:/cdn.example/a.png', 1],
  ['ftp://cdn.example/a.png', 1],
  ['data:image/png;base64,iVBORw0KGgo=', 0],
  ['./a.png', 0],
  // That only one network can reach them says enough.
  ['http://localhost:4100/a.png', 0],
  ['http://10.0.0.7/a.png', 0],
])('%s has %i warnings, in a resource and in a face', (url, count) => {
  const resources = [{ name: 'a', value: { value: url } }]
  expect(found({ vatom: { 'vAtom::vAtomType': { resources } } })).toHaveLength(count)
  expect(found({ display_url: 'native://image', package_url: url })).toHaveLength(count)
})

test('a misspelt scheme is answered with the one that is meant', () => {
  expect(found({ package_url: 'htps://cdn.example/a.png' })).toEqual([
    {
      path: ['package_url'],
      message: expect.stringContaining('has no scheme that viewers know'),
      hint: 'write https://',
    },
  ])
})

test('the schema alone refuses a display_url with another scheme, and it is a warning without encryption', () => {
  expect(found({ display_url: 'htps://cdn.example/a.png' })).toEqual([])
  expect(found({ display_url: 'http://cdn.example/a.png' })).toHaveLength(1)
})
