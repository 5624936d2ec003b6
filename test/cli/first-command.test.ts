import { expect, test } from 'vitest'
import { template } from '../fixtures/documents.ts'
import { publisher } from '../support/vatom.ts'

test('a template is created on the local context without any set-up', async () => {
  const { vatom, file } = await publisher()
  file('coupon.yaml', template())
  expect(await vatom('template', 'create', 'coupon.yaml')).toEqual({
    code: 0,
    out: 'Created template local.vatom::Coupon::v1 (draft) on local\n',
    err: expect.stringMatching(/^context local: this machine only, .*\/local\.db\n$/),
  })
})

test('creating it again says that it exists, and exits 1', async () => {
  const { vatom, file } = await publisher()
  file('coupon.yaml', template())
  await vatom('template', 'create', 'coupon.yaml')
  expect(await vatom('template', 'create', 'coupon.yaml')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('already exists'),
  })
})
