import { describe, expect, test } from 'vitest'
import { red, template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('variation create and get resolve over the template', async () => {
    const { file, json } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation())
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'red.yaml')
    expect(await json('variation', 'get', red)).toMatchObject({
      name: red,
      properties: {
        template: name,
        unpublished: true,
        template_variation: {
          'vAtom::vAtomType': { title: 'Red coupon', category: 'Coupons' },
          private: { color: 'red' },
        },
      },
    })
  })

  test('a variation that overwrites what it may not is refused with the place', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation().replace('color: red', 'colour: red'))
    await json('template', 'create', 'coupon.yaml')
    const { code, err } = await vatom('variation', 'create', 'red.yaml')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('colour') })
  })

  test('a variation of a template that does not exist is refused, exit 1', async () => {
    const { file, vatom } = await publisher({ transport })
    file('red.yaml', variation())
    expect(await vatom('variation', 'create', 'red.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining(name),
    })
  })
})
