import { expect, test } from 'vitest'
import { nameRules } from '../../../src/contract/rules/name-rules.ts'

test.each([
  ['$publisher::Tea::v1::First', '$publisher::Tea::v1', 0],
  ['local.vatom::Tea::v1::First', '$publisher::Tea::v1', 0],
  ['$publisher::Teas::v1::First', '$publisher::Tea::v1', 1],
  ['$publisher::Tea::v2::First', '$publisher::Tea::v1', 1],
  ['$publisher::Tea::v1', '$publisher::Tea::v1', 1],
  ['First', '$publisher::Tea::v1', 0],
])('the variation %s of %s has %i warnings of its name', (template_variation, template, count) => {
  const rule = nameRules.find(({ name }) => name === 'variation-name')
  const found = rule?.check({ template_variation, template }, {}, 'variation')
  expect(found).toHaveLength(count)
  if (count > 0) expect(found?.[0]?.hint).toMatch(/^write \$publisher::Tea::v1::/)
})
