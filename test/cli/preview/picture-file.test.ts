import { expect, test } from 'vitest'
import { pictureFile } from '../../../src/cli/preview/pictures.ts'

test.each([
  ['acme.com::Coffee::v1::Small cup', 'acme.com-Coffee-v1-Small-cup'],
  ['$publisher::Coffee::v1', 'publisher-Coffee-v1'],
])('the picture of %s is %s', (name, file) => {
  expect(pictureFile(name, { viewMode: 'icon', platform: 'web' })).toBe(`${file}.icon.web.png`)
})
