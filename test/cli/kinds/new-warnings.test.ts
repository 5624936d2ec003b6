import { expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const another = 'private.color is the string "blue" in the template, and 5 here'

test('what files show together is said once, and what one alone does not show is said by the service', async () => {
  const { vatom, file } = await publisher()
  const odd = variation().replace('color: red', 'color: 5')
  file('shop/both.yaml', [template(), odd].join('---\n'))
  file('odd.yaml', odd)
  await vatom('template', 'create', 'shop')
  const shown = await vatom('variation', 'create', 'shop')
  expect({ code: shown.code, times: shown.err.split(another).length - 1 }).toEqual({ code: 0, times: 1 })
  await vatom('variation', 'delete', '$publisher::Coupon::v1::Red', '--yes')
  expect((await vatom('variation', 'create', 'odd.yaml')).err).toContain(`warning: ${another}`)
})

test('what a flag changes in a record without a file is checked by the service, which says what the whole record shows', async () => {
  const { vatom, json, file } = await publisher()
  file(
    'coupon.yaml',
    [template(), face().replace('display_url: native://image', 'display_url: native://nothing')].join('---\n'),
  )
  await json('apply', 'coupon.yaml', '--yes')
  const id = String(at(await json('face', 'list', '$publisher::Coupon::v1'), 0, 'id'))
  const { code, err } = await vatom('face', 'update', id, '--quality', 'low')
  expect(code).toBe(0)
  expect(err).toContain('warning: native://nothing is shown only by viewers that register it')
})
