import { describe, expect, test } from 'vitest'
import { red, template } from '../../../fixtures/yaml.ts'
import { stocked, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template get prints the document as YAML, and takes $publisher', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const { out } = await vatom('template', 'get', '$publisher::Coupon::v1')
    expect(out).toContain(`template: ${name}\n`)
    expect(out).toContain('title: Coupon\n')
  })

  test('template get of an unknown name exits 1, and says how to see those there are', async () => {
    const { vatom } = await publisher({ transport })
    expect(await vatom('template', 'get', name)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`${name}[^]*vatom template list`)),
    })
  })

  test('what get prints can be validated again', async () => {
    const { vatom, run } = await stocked(transport)
    for (const [kind, one] of [
      ['template', name],
      ['variation', red],
    ] as const) {
      const { out } = await vatom(kind, 'get', one)
      expect(await run([kind, 'validate', '-'], { stdin: out })).toMatchObject({ code: 0 })
    }
  })
})
