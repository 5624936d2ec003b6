import { expect, test } from 'vitest'
import { folderTemplate, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

test('plan and apply warn of a variation to be deleted that a draft of another catalog names', async () => {
  const { file, vatom } = await publisher()
  file('a/vatom.yaml', 'catalog: a\n')
  file('a/coupon.yaml', template())
  file('a/red.yaml', variation())
  file('b/vatom.yaml', 'catalog: b\n')
  const box = '$publisher::Box::v1'
  file('b/box.yaml', folderTemplate(box, '[{ template_variation: $publisher::Coupon::v1::Red }]'))
  file('b/first.yaml', `template_variation: ${box}::First\ntemplate: ${box}\n`)
  for (const name of ['a', 'b']) expect(await vatom('apply', name, '--yes')).toMatchObject({ code: 0 })
  file('a/red.yaml', variation('$publisher::Coupon::v1::Blue'))
  const warning =
    'local.vatom::Coupon::v1::Red is in the child_policy of local.vatom::Box::v1::First, which no longer emits vAtoms until it exists again'
  expect((await vatom('plan', 'a', '--prune')).err).toContain(warning)
  expect(await vatom('apply', 'a', '--prune', '--yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining(warning),
  })
})
