import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChainWrite, chainWrites, isCharged } from '../../../src/contract/vatom/chain.ts'
import { completeEth } from '../../../src/contract/vatom/complete.ts'

const uint = (value: unknown) => ({ type: 'uint', value })
const bool = (value: unknown) => ({ type: 'bool', value })
const text = (value: unknown) => ({ type: 'string', value })
/** A section as it is kept. */
const kept = (fields: object, more: object = {}) => completeEth({ network: 'mainnet', fields, ...more }, 'acme.example')
const field = (name: string, type: string, value: unknown): ChainWrite => ({ entry: 'field', field: name, type, value })
const contract: ChainWrite = { entry: 'contract' }

describe('§2.3 what a change of an eth section writes', () => {
  const before = kept({ serial: uint(7), rare: bool(true) })
  test.each<[string, unknown, unknown, readonly ChainWrite[]]>([
    ['nothing to nothing: nothing', undefined, undefined, []],
    ['a section taken away: nothing', before, undefined, []],
    ['a section that is null: nothing', before, null, []],
    [
      'a new section: its contract, then each field',
      undefined,
      before,
      [contract, field('serial', 'uint', 7), field('rare', 'bool', true)],
    ],
    ['a new section without fields: its contract', undefined, kept({}), [contract]],
    ['the same section: nothing', before, kept({ rare: bool(true), serial: uint(7) }), []],
    ['the same values in other words: nothing', before, kept({ serial: uint('007'), rare: bool('true') }), []],
    [
      'a number beyond what numbers hold, with zeros before it: nothing',
      kept({ a: uint('18446744073709551616') }),
      kept({ a: uint('0018446744073709551616') }),
      [],
    ],
    [
      'the same symbol said outright: nothing',
      before,
      kept({ serial: uint(7), rare: bool(true) }, { symbol: 'acme.example' }),
      [],
    ],
    ['one new value: that field', before, kept({ serial: uint(8), rare: bool(true) }), [field('serial', 'uint', 8)]],
    [
      'false for true: that field',
      before,
      kept({ serial: uint(7), rare: bool(false) }),
      [field('rare', 'bool', false)],
    ],
    [
      'a new field: that field',
      before,
      kept({ serial: uint(7), rare: bool(true), note: text('') }),
      [field('note', 'string', '')],
    ],
    [
      'another type, the same text: that field',
      kept({ a: text('true') }),
      kept({ a: bool('true') }),
      [field('a', 'bool', true)],
    ],
    [
      'another type, the same value: that field',
      kept({ a: text('18446744073709551616') }),
      kept({
        a: uint('18446744073709551616'),
      }),
      [field('a', 'uint', '18446744073709551616')],
    ],
    [
      'a field that is gone: null, of the type it had',
      before,
      kept({ rare: bool(true) }),
      [field('serial', 'uint', null)],
    ],
    [
      'new values first, then what is gone',
      before,
      kept({ rare: bool(false) }),
      [field('rare', 'bool', false), field('serial', 'uint', null)],
    ],
    [
      'another network: a contract and every field',
      before,
      kept({ serial: uint(7) }, { network: 'testnet' }),
      [contract, field('serial', 'uint', 7)],
    ],
    [
      'another symbol: a contract and every field',
      before,
      kept({ rare: bool(true) }, { symbol: 'ACME' }),
      [contract, field('rare', 'bool', true)],
    ],
    [
      'names that every object inherits are fields like others',
      kept({ valueOf: uint(1) }),
      kept({ constructor: uint(1) }),
      [field('constructor', 'uint', 1), field('valueOf', 'uint', null)],
    ],
  ])('%s', (_what, from, to, writes) => expect(chainWrites(from, to)).toEqual(writes))

  const fields = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'toString'),
    fc.oneof(
      fc.nat({ max: 3 }).map(uint),
      fc.boolean().map(bool),
      fc.constantFrom('', '1', 'true').map(text),
      fc.constant(uint('18446744073709551616')),
    ),
  )
  const section = fc
    .tuple(fields, fc.constantFrom('mainnet', 'testnet'), fc.constantFrom('A', 'B'))
    .map(([found, network, symbol]) => kept({ ...found }, { network, symbol }))

  test('written over what was there, it gives what is there, and no write is one too many', () => {
    fc.assert(
      fc.property(section, section, (from, to) => {
        const writes = chainWrites(from, to)
        expect(written(from, to, writes)).toEqual(to)
        expect(chainWrites(to, to)).toEqual([])
        for (const index of writes.keys()) expect(written(from, to, writes.toSpliced(index, 1))).not.toEqual(to)
      }),
    )
  })
})

type Kept = ReturnType<typeof kept>

/** A section after the writes that are to make it another; a contract of the other begins without fields. */
function written(from: Kept, to: Kept, writes: readonly ChainWrite[]): object {
  let { network, symbol } = from
  const fields = new Map(Object.entries(Object(from.fields)))
  for (const write of writes) {
    if (write.entry === 'contract') {
      fields.clear()
      ;({ network, symbol } = to)
    } else if (write.value === null) fields.delete(write.field)
    else fields.set(write.field, { type: write.type, value: write.value })
  }
  return { network, symbol, fields: Object.fromEntries(fields) }
}

test.each([
  ['mainnet', true],
  ['testnet', false],
])('§2.3 writes on %s are charged: %s', (network, charged) => expect(isCharged(kept({}, { network }))).toBe(charged))
