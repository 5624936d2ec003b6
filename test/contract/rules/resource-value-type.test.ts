import { expect, test } from 'vitest'
import { vatomRules } from '../../../src/contract/rules/vatom-rules.ts'

test.each([
  ['ResourceValueType::URI', 'https://a.example/b.png', 0],
  ['ResourceValueType::URL', 'https://a.example/b.png', 1],
  ['ResourceValueType::URL', './b.png', 1],
  ['ResourceValueType::Link', 'https://a.example/b.png', 0],
  ['ResourceValueType::Text', 'hello', 0],
])('a value of %s that is %s has %i warnings', (resourceValueType, value, count) => {
  const rule = vatomRules.find(({ name }) => name === 'resource-value-type')
  const vatom = { 'vAtom::vAtomType': { resources: [{ name: 'a', value: { resourceValueType, value } }] } }
  expect(rule?.check({ vatom }, {}, 'template')).toHaveLength(count)
})
