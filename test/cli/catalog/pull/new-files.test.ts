import { expect, test } from 'vitest'
import { face, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const other = '$publisher::Other::v1'

/** Where a pull puts the documents that a catalog does not have. */
async function placed(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { file, json } = await publisher()
  const card = face(undefined, 'card')
  file('all.yaml', [template(), variation(), face(), card, template(other), face(other)].join('---\n'))
  await json('apply', 'all.yaml', '--yes')
  for (const [name, text] of Object.entries(files)) file(`shop/${name}`, text)
  const { results } = (await json('pull', 'shop')) as { results: { status: string; name: string; file: string }[] }
  return results
    .filter(({ status }) => status === 'created')
    .map((row) => `${row.name.replace('local.vatom::', '')} in ${row.file.slice(5)}`)
}

test.each([
  [
    'a folder for each template',
    { 'coupon/template.yaml': template() },
    [
      'Coupon::v1::Red in coupon/coupon.variation.yaml',
      'Coupon::v1 icon, generic, high, native://image in coupon/coupon.faces.yaml',
      'Coupon::v1 card, generic, high, native://image in coupon/coupon.faces.yaml',
      'Other::v1 in other/other.yaml',
      'Other::v1 icon, generic, high, native://image in other/other.faces.yaml',
    ],
  ],
  [
    'a folder for each kind',
    { 'templates/a.yaml': template(), 'faces/a.yaml': face() },
    [
      'Coupon::v1::Red in templates/coupon.variation.yaml',
      'Coupon::v1 card, generic, high, native://image in faces/coupon.faces.yaml',
      'Other::v1 in templates/other.yaml',
      'Other::v1 icon, generic, high, native://image in faces/other.faces.yaml',
    ],
  ],
  [
    'a file for everything',
    { 'shop.yaml': [template(), variation(), face()].join('---\n') },
    [
      'Coupon::v1 card, generic, high, native://image in shop.yaml',
      'Other::v1 in other.yaml',
      'Other::v1 icon, generic, high, native://image in other.faces.yaml',
    ],
  ],
])('in a catalog with %s new documents go where their like is', async (_, files, expected) =>
  expect(await placed(files)).toEqual(expected),
)

test('in a catalog that is named like its template new templates are in it, not beside it', async () => {
  const { file, json } = await publisher()
  file('all.yaml', [template(), template(other)].join('---\n'))
  await json('apply', 'all.yaml', '--yes')
  file('coupon/coupon.yaml', template())
  expect(await json('pull', 'coupon')).toMatchObject({ results: [{}, { file: 'coupon/other.yaml' }] })
})
