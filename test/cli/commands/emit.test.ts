import { describe, expect, test } from 'vitest'
import { red, template, variation } from '../../fixtures/yaml.ts'
import { stocked, transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('emit prints an id a line, and the payload under --json', async () => {
    const { vatom, json } = await stocked(transport)
    const { code, out } = await vatom('emit', red, '--num', '3')
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(3)
    expect(await json('emit', red)).toMatchObject({ num_created: 1, num_errors: 0, ids: [expect.any(String)] })
  })

  test('a draft variation emits at most ten', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation())
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'red.yaml')
    expect(await vatom('emit', red, '--num', '11')).toMatchObject({ code: 1, out: '' })
    expect(await vatom('emit', red, '--num', '10')).toMatchObject({ code: 0 })
  })
})
