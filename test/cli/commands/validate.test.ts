import { describe, expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('validate checks without sending', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('coupon.yaml', template())
    expect(await vatom('template', 'validate', 'coupon.yaml')).toEqual({
      code: 0,
      out: `valid template ${name} (coupon.yaml)\n`,
      err: '',
    })
    file('bad.yaml', template().replace('title:', 'titel:'))
    expect(await vatom('template', 'validate', 'bad.yaml')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('bad.yaml:6:5'),
    })
    expect(await json('template', 'list')).toEqual([])
  })
})
