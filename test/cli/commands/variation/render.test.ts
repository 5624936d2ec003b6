import { describe, expect, test } from 'vitest'
import { template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = '$publisher::Coupon::v1::Red'
const lines = [
  '# local.vatom::Coupon::v1::Red, over local.vatom::Coupon::v1',
  'vatom:',
  '  vAtom::vAtomType:',
  '    root_type: vAtom::vAtomType',
  '    title: Red coupon  # variation',
  '    category: Coupons',
]

describe('variation render', () => {
  test('of files, without a service', async () => {
    const { run, file } = await publisher()
    file('t.yaml', template())
    file('v.yaml', variation())
    const env = {
      VATOM_BASE_URL: 'http://127.0.0.1:1',
      VATOM_APP_ID: 'x',
      VATOM_ACCESS_TOKEN: 'y',
      VATOM_PUBLISHER: 'local.vatom',
    }
    const { code, out, err } = await run(['variation', 'render', 'v.yaml', '--template', 't.yaml'], { env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').slice(0, 6)).toEqual(lines)
    expect(out).toContain('    color: red         # variation\n')
    expect(out.match(/# variation/g)).toHaveLength(2)
  })

  test.each(transports)('of what a service has: %s', async (transport) => {
    const { vatom, json, file } = await publisher({ transport })
    file('c.yaml', `${template()}---\n${variation()}`)
    await vatom('template', 'create', 'c.yaml')
    await vatom('variation', 'create', 'c.yaml')
    const { code, out } = await vatom('variation', 'render', name)
    expect(code).toBe(0)
    expect(out).toContain('    title: Red coupon  # variation\n')
    expect(out).toContain('    category: Coupons\n')
    const [found] = (await json('variation', 'render', name)) as { leaves: { path: string }[] }[]
    expect(found).toMatchObject({
      template_variation: 'local.vatom::Coupon::v1::Red',
      vatom: { private: { color: 'red' } },
    })
    expect(found?.leaves).toContainEqual({ path: 'vatom.private.color', value: 'red', from: 'variation' })
    expect(found?.leaves).toContainEqual({
      path: 'vatom.vAtom::vAtomType.category',
      value: 'Coupons',
      from: 'template',
    })
    expect(await vatom('variation', 'render', `${name}x`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('hint: did you mean local.vatom::Coupon::v1::Red?'),
    })
  })

  test('several, and from standard input', async () => {
    const { run, vatom, file } = await publisher()
    const both = `${variation()}---\n${variation('$publisher::Coupon::v1::Blue')}`
    file('c/all.yaml', `${template()}---\n${both}`)
    expect((await vatom('variation', 'render', 'c')).out.split('\n---\n')).toHaveLength(2)
    file('t.yaml', template())
    const piped = await run(['variation', 'render', '-', '--template', 't.yaml'], { stdin: both })
    expect(piped.out).toContain('# local.vatom::Coupon::v1::Blue, over')
  })

  test('what stands in the way', async () => {
    const { vatom, file } = await publisher()
    file('t.yaml', template())
    file('v.yaml', variation())
    file('bad.yaml', variation().replace('color', 'colour'))
    const failing = async (...args: string[]) => {
      const { code, out, err } = await vatom('variation', 'render', ...args)
      expect(out).toBe('')
      return `${code} ${err}`
    }
    expect(await failing('v.yaml')).toMatch(/^3 .*is not among the files\nhint: .*--template FILE/s)
    expect(await failing('t.yaml')).toMatch(/^3 .*no variation/)
    expect(await failing('bad.yaml', 't.yaml')).toMatch(/^3 error\[overlay-private\]/)
    expect(await failing('v.yaml', name)).toMatch(/^2 .*not both/s)
    expect(await failing(name, '--template', 't.yaml')).toMatch(/^2 .*can only be used with files/)
  })

  test('a text that looks like a mark is no mark', async () => {
    const { vatom, file } = await publisher()
    file(
      'c.yaml',
      `${template().replace('title: Coupon', 'title: "a # variation"\n    description: |\n      one # variation\n      two')}---\n${variation()}`,
    )
    const { out } = await vatom('variation', 'render', 'c.yaml')
    expect(out).toContain('      one # variation\n      two\n')
  })
})
