import { expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const inBraces = 'commerce: {pricing: {pricingType: Fixed, value: {currency: EUR, price: 3,50}}}'
const inLines = `commerce:
      pricing:
        pricingType: Fixed
        value:
          currency: EUR
          price: 3,50`

test.each([
  ['in braces', inBraces, 'in { } a comma begins the next field, so 3,50 is no number', 'write a decimal point: 3.50'],
  ['on a line of its own', inLines, 'must be a number', 'write a decimal point: "3.50"'],
  [
    'that may be one of thousands',
    inLines.replace('3,50', '1,000'),
    'must be a number',
    'for thousands write 1000; else write a decimal point: "1.000"',
  ],
])('a decimal comma %s is one error, with the number to write', async (_, commerce, message, hint) => {
  const { vatom, file } = await publisher()
  file(
    'priced.yaml',
    template().replace('    category: Coupons\n', (line) => `${line}    ${commerce}\n`),
  )
  const { code, out, err } = await vatom('validate', 'priced.yaml')
  expect(code).toBe(3)
  expect(out + err).toContain(message)
  expect(out + err).toContain(`hint: ${hint}\n`)
  expect((out + err).match(/^error\[/gm)).toHaveLength(1)
  expect(out + err).not.toContain('write "50"')
})

test.each([
  ['5s', 5000],
  ['1.5 min', 90_000],
  ['250ms', 250],
])('a timeout of %s: the hint is the number of milliseconds', async (timeout, meant) => {
  const { vatom, file } = await publisher()
  file('drop.yaml', `name: $publisher::Tea::v1::Action::Drop\nreactor: blockv://v1/Drop\ntimeout: ${timeout}\n`)
  const { code, out, err } = await vatom('action', 'validate', 'drop.yaml')
  expect(code).toBe(3)
  expect(out + err).toContain(`hint: write ${meant}: milliseconds\n`)
})

test('the name of an action without its template is one error', async () => {
  const { vatom, file } = await publisher()
  file('redeem.yaml', 'name: Redeem\nreactor: blockv://v1/Redeem\n')
  const { code, out, err } = await vatom('validate', 'redeem.yaml')
  expect(code).toBe(3)
  expect((out + err).match(/^error\[.*\]/gm)).toEqual(['error[action-name]'])
  expect(out + err).not.toContain('write local.vatom::Redeem')
})

test('a catalog with vatom.yaml alone has no documents', async () => {
  const { vatom, file } = await publisher()
  file('empty/vatom.yaml', 'catalog: x\n')
  for (const words of [['validate'], ['plan', '--prune'], ['apply']])
    expect((await vatom(...words, 'empty')).err).toMatch(
      /^error: empty: the catalog has no documents, only vatom\.yaml.*\n.*hint: .*to delete what it had on the service: vatom template delete NAME, or variation, face or action delete\n/,
    )
})
