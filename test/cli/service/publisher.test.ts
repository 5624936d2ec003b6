import { expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

test('validate takes the publisher from the environment', async () => {
  const { run } = await publisher()
  const env = { VATOM_PUBLISHER: 'acme.com' }
  expect(await run(['template', 'validate', '-'], { stdin: template('acme.com::A::v1'), env })).toMatchObject({
    code: 0,
  })
  expect(await run(['template', 'validate', '-'], { stdin: template('local.vatom::A::v1'), env })).toMatchObject({
    code: 3,
  })
})
