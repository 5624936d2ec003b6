import { expect, test } from 'vitest'
import { publisher } from '../../support/vatom.ts'

test.each([
  ['emit', 'local.vatom::Tea::v1::Green', '--num'],
  ['inventory', '--limit'],
  ['inventory', '--page'],
  ['serve', '--memory', '--balance'],
])('a whole number of %s is written in digits', async (...command) => {
  const { vatom } = await publisher()
  for (const text of ['1e3', '0x10', '1_000', '5.0', '+5'])
    expect(await vatom(...command, text)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('it must be a whole number'),
    })
})

test('spaces around a whole number, as wc prints them, are none of it', async () => {
  const { vatom } = await publisher()
  expect(await vatom('inventory', '--limit', '       3')).toMatchObject({ code: 0 })
})
