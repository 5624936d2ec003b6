import { expect, test } from 'vitest'
import { template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

/** Failures and notes whose hints are commands about `$publisher`. */
const commands: readonly (readonly string[])[] = [
  ['template', 'bump', '$publisher::Coupn::v1'],
  ['template', 'bump', '$publisher::Tea::v1', 'coupon.yaml'],
  ['template', 'get', '$publisher::Coupn::v1'],
  ['template', 'publish', '$publisher::Coupon::v1'],
  ['template', 'publish', '$publisher::Coupon::v1', '--yes'],
  ['template', 'publish', '$publisher::Coupon::v1', '--confirm', '$publisher::Tea::v1'],
  ['template', 'update', 'tea.yaml'],
  ['variation', 'publish', '$publisher::Coupon::v1::Red', '--confirm', '$publisher::Coupon::v1::Red'],
  ['variation', 'create', 'red tea.yaml'],
  ['face', 'list', '$publisher::Tea::v1'],
  ['emit', '$publisher::Tea::v1'],
  ['emit', '$publisher::Coupon::v1::Red', '--num', '11'],
  ['publish', '$publisher::Coupon::v1'],
  ['plan', 'red tea.yaml', '--out', 'my plan'],
]

test.each(commands)('a shell runs what the hint of %s %s %s names', async (...words) => {
  const { file, vatom } = await publisher()
  file('coupon.yaml', template())
  file('red.yaml', variation())
  file('tea.yaml', template('$publisher::Tea::v1'))
  file('red tea.yaml', variation('$publisher::Tea::v1::Red', '$publisher::Tea::v1'))
  expect(await vatom('template', 'create', 'coupon.yaml')).toMatchObject({ code: 0 })
  expect(await vatom('variation', 'create', 'red.yaml')).toMatchObject({ code: 0 })
  const { err } = await vatom(...words)
  expect(err).toContain('hint: ')
  for (const [line] of err.matchAll(/\bvatom (?!::).*/g)) expect(line).not.toMatch(/(?<!')\$publisher|(?<!')red tea/)
})

test('a folder and a file with spaces are quoted in the next command', async () => {
  const { vatom } = await publisher()
  expect((await vatom('init', 'my shop', '--name', 'Tea')).err).toContain("Next: vatom plan 'my shop'\n")
  expect((await vatom('plan', 'my shop', '--out', 'my plan')).err).toContain("vatom apply 'my plan'\n")
})

test('a name with a space is quoted in the command that was meant, and pruned where its template is renamed', async () => {
  const desk = await publisher()
  desk.file('c/t.yaml', template())
  desk.file('c/v.yaml', variation('$publisher::Coupon::v1::Back Stage'))
  desk.file('c/vatom.yaml', 'catalog: c\n')
  expect(await desk.vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
  expect((await desk.vatom('variation', 'get', 'Back')).err).toContain(
    "did you mean: vatom variation get 'local.vatom::Coupon::v1::Back Stage'\n",
  )
  desk.file('c/t.yaml', template('$publisher::Coupon::v2'))
  desk.file('c/v.yaml', variation('$publisher::Coupon::v2::Back Stage', '$publisher::Coupon::v2'))
  expect((await desk.vatom('plan', 'c')).out).toContain('local.vatom::Coupon::v1::Back Stage')
  expect(await desk.vatom('apply', 'c', '--prune', '--yes')).toMatchObject({ code: 0 })
  expect((await desk.vatom('variation', 'list')).out).not.toContain('Coupon::v1')
})
