import { describe, expect, test } from 'vitest'
import { red, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

/** An `eth` section as YAML. */
const eth = (fields: Readonly<Record<string, number>>, network = 'mainnet') =>
  `eth:\n  network: ${network}\n  fields: { ${Object.entries(fields)
    .map(([field, value]) => `${field}: { type: uint, value: ${value} }`)
    .join(', ')} }\n`

/** How many writes the service has recorded. */
async function recorded({ service }: Desk): Promise<number> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  return Object((await (await fetch(`${baseUrl}/__vatom/ledger`)).json()) as object).payload.length
}

describe.each(transports)('on the %s transport', (transport) => {
  test('eth on mainnet states the chain writes and wants --accept-charges, which --yes does not cover', async () => {
    const { file, vatom, json } = await publisher({ transport })
    const eth =
      'eth:\n  network: mainnet\n  fields:\n    serial: { type: uint, value: 7 }\n    rare: { type: bool, value: true }\n'
    file('chain.yaml', template('$publisher::Chain::v1', eth))
    const refused = await vatom('template', 'create', 'chain.yaml', '--yes')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('3 chain writes') })
    expect(refused.err).toContain('--accept-charges')
    expect(await json('template', 'list')).toEqual([])
    expect(await json('template', 'create', 'chain.yaml', '--accept-charges')).toMatchObject({ summary: { ok: 1 } })
  })

  test('the chain writes of several documents are stated as one number, which is what the service writes', async () => {
    const desk = await publisher({ transport })
    desk.file('one.yaml', template('$publisher::A::v1', eth({ serial: 7 })))
    desk.file('two.yaml', `${template('$publisher::B::v1', eth({ a: 1, b: 2 }))}---\n${template('$publisher::C::v1')}`)
    const { code, err } = await desk.vatom('template', 'create', 'one.yaml', 'two.yaml', '--accept-charges')
    expect(code).toBe(0)
    expect(err).toContain('warning: eth on mainnet: 5 chain writes (2 contracts, 3 fields) will be charged\n')
    expect(err).not.toContain('testnet')
    expect(await recorded(desk)).toBe(5)
  })

  test('eth on testnet is a note with the number of chain writes, and no question', async () => {
    const desk = await publisher({ transport })
    desk.file('chain.yaml', template('$publisher::Chain::v1', eth({ serial: 7 }, 'testnet')))
    const { code, err } = await desk.vatom('template', 'create', 'chain.yaml')
    expect(code).toBe(0)
    expect(err).toContain('eth on testnet: 2 chain writes (1 contract, 1 field), free of charge\n')
    expect(err).not.toContain('warning')
    expect(await recorded(desk)).toBe(2)
    desk.file('plain.yaml', template('$publisher::Plain::v1'))
    expect((await desk.vatom('template', 'create', 'plain.yaml')).err).not.toContain('chain')
  })

  test('a variation with an eth section of its own writes every field of its template, too', async () => {
    const desk = await publisher({ transport })
    const { file, vatom, json } = desk
    file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
    file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
    await json('template', 'create', 'coupon.yaml')
    const refused = await vatom('variation', 'create', 'red.yaml', '--yes')
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('eth on mainnet: 3 chain writes (1 contract, 2 fields) will be charged'),
    })
    expect(refused.err).toContain('--accept-charges')
    expect(await vatom('variation', 'get', red)).toMatchObject({ code: 1 })
    const before = await recorded(desk)
    expect(await json('variation', 'create', 'red.yaml', '--accept-charges')).toMatchObject({ summary: { ok: 1 } })
    expect(await recorded(desk)).toBe(before + 3)
  })

  test('changing the eth section of a template states what its variations write, too, and asks where that is charged', async () => {
    const desk = await publisher({ transport })
    const { file, vatom, json } = desk
    const blue = variation('$publisher::Coupon::v1::Blue')
    file('other.yaml', template('$publisher::Other::v1', eth({ a: 1 }, 'testnet')))
    file('green.yaml', variation('$publisher::Other::v1::Green', '$publisher::Other::v1', eth({ a: 5 })))
    await json('template', 'create', 'other.yaml')
    await json('variation', 'create', 'green.yaml', '--accept-charges')
    file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
    file('both.yaml', `${variation(undefined, undefined, eth({ a: 5 }))}---\n${blue}`)
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'both.yaml', '--accept-charges')
    const before = await recorded(desk)
    file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 3, b: 4 }, 'testnet')))
    const asked = await vatom('template', 'update', 'coupon.yaml')
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('--accept-charges') })
    expect(asked.err).toContain('eth on testnet: 2 chain writes (2 fields), free of charge')
    expect(asked.err).toContain('eth on mainnet: 1 chain write (1 field) will be charged')
    expect(await recorded(desk)).toBe(before)
    expect(await vatom('template', 'update', 'coupon.yaml', '--accept-charges')).toMatchObject({ code: 0 })
    expect(await recorded(desk)).toBe(before + 3)
  })

  test('changing the eth section of a variation states the fields that are new', async () => {
    const desk = await publisher({ transport })
    const { file, vatom, json } = desk
    file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
    file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'red.yaml', '--accept-charges')
    const before = await recorded(desk)
    file('red.yaml', variation(undefined, undefined, eth({ a: 6 })))
    expect(await vatom('variation', 'update', 'red.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('eth on mainnet: 1 chain write (1 field) will be charged'),
    })
    expect(await vatom('variation', 'update', 'red.yaml', '--accept-charges')).toMatchObject({ code: 0 })
    expect(await recorded(desk)).toBe(before + 1)
    file('red.yaml', variation())
    const taken = await vatom('variation', 'update', 'red.yaml')
    expect(taken).toMatchObject({ code: 0, err: expect.not.stringContaining('chain') })
    expect(await recorded(desk)).toBe(before + 1)
  })

  test('a variation without an eth section of its own writes nothing, and nothing is said', async () => {
    const desk = await publisher({ transport })
    desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1 }, 'testnet')))
    desk.file('red.yaml', variation())
    await desk.json('template', 'create', 'coupon.yaml')
    const before = await recorded(desk)
    const { code, err } = await desk.vatom('variation', 'create', 'red.yaml')
    expect(code).toBe(0)
    expect(err).not.toContain('chain')
    expect(await recorded(desk)).toBe(before)
  })

  test('a variation with an eth section that its template cannot bear is refused by the service, not asked about', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
    const missing = await vatom('variation', 'create', 'red.yaml')
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining(`no template is named ${name}`) })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const lost = variation('$publisher::Lost::v1::Red', '$publisher::Lost::v1', eth({ a: 5 }))
    file('both.yaml', `${lost}---\n${variation('$publisher::Coupon::v1::Blue')}`)
    expect(await vatom('variation', 'create', 'both.yaml')).toMatchObject({
      code: 6,
      out: expect.stringContaining('Blue'),
    })
    const bare = await vatom('variation', 'create', 'red.yaml')
    expect(bare).toMatchObject({ code: 1, err: expect.stringContaining('the template has no eth section') })
    for (const { err } of [missing, bare]) expect(err).not.toContain('chain writes')
  })

  test('what the balance does not cover is refused in one line, exit 1, and nothing is created', async () => {
    const desk = await publisher({ transport, service: { balance: 115 } })
    desk.file('chain.yaml', template('$publisher::Chain::v1', eth({ a: 1, b: 2 })))
    const { code, out, err } = await desk.vatom('template', 'create', 'chain.yaml', '--accept-charges')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^error\[charges_uncovered\]: the balance does not cover the chain writes: they need 120 units, and 115 are left$/m,
    )
    expect(await desk.json('template', 'list')).toEqual([])
    expect(await recorded(desk)).toBe(0)
    const { out: told } = await desk.run(['template', 'create', 'chain.yaml', '--accept-charges', '--json'])
    expect(JSON.parse(told)).toMatchObject({
      results: [{ status: 'refused' }],
      error: { code: 'charges_uncovered', message: expect.stringContaining('120 units') },
    })
  })

  test('publishing what is charged wants --accept-charges, of a variation too, and writes nothing new', async () => {
    const desk = await publisher({ transport })
    desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ serial: 7 })))
    desk.file('red.yaml', variation())
    await desk.json('template', 'create', 'coupon.yaml', '--accept-charges')
    await desk.json('variation', 'create', 'red.yaml')
    const publish = (kind: string, one: string, ...flags: string[]) =>
      desk.vatom(kind, 'publish', one, '--confirm', one, ...flags)
    for (const [kind, one] of [
      ['template', name],
      ['variation', red],
    ] as const) {
      const asked = await publish(kind, one)
      expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('2 chain writes') })
      expect(asked.err).toContain('publishing makes none')
      expect(asked.err).not.toContain('will be charged')
      expect(await desk.json(kind, 'get', one)).toMatchObject({ properties: { unpublished: true } })
      expect(await publish(kind, one, '--accept-charges')).toMatchObject({ code: 0 })
    }
    expect(await recorded(desk)).toBe(2)
  })

  test('publishing what stands on testnet says so, and asks nothing', async () => {
    const desk = await publisher({ transport })
    desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ serial: 7 }, 'testnet')))
    await desk.json('template', 'create', 'coupon.yaml')
    const { code, err } = await desk.vatom('template', 'publish', name, '--confirm', name)
    expect(code).toBe(0)
    expect(err).toContain('eth on testnet: the draft made 2 chain writes (1 contract, 1 field), free of charge')
    expect(err).not.toContain('warning')
    expect(await recorded(desk)).toBe(2)
  })
})
