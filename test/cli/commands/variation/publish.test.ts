import { describe, expect, test } from 'vitest'
import { red, template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('a variation is not published before its template', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation())
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'red.yaml')
    const { code, err } = await vatom('variation', 'publish', red, '--confirm', red)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('vatom template publish') })
  })
})
