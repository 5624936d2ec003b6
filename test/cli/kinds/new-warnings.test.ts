import { expect, test } from 'vitest'
import { template, variation } from '../../fixtures/yaml.ts'
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
