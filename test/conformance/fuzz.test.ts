import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/api/envelope.ts'
import { type Operation, operations } from '../../src/contract/api/table.ts'
import { filterOps } from '../../src/contract/values.ts'
import { type Answer, doors, emitted, pathOf, testService } from '../support/service.ts'
import { good } from './good.ts'

const allowed = [200, 400, 403, 404, 409, 413]
const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('local.vatom::Coupon::v1', '$publisher::A', '..', '%'),
)
const strange = fc.oneof(
  fc.anything({ withNullPrototype: false, maxDepth: 4 }),
  fc.jsonValue({ maxDepth: 8 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('$currentuser', '__proto__', 'constructor', null, -0, 1e308, '\u0000', '\ud800'),
)

function expectAnswer({ status, body, text }: Answer) {
  expect(allowed, text).toContain(status)
  if (status === 200) return
  expect(ErrorBody().safeParse(body).success).toBe(true)
  expect(body).not.toHaveProperty('payload')
  expect(text).not.toMatch(/\.ts:|node:internal|SQLITE/)
}

const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd')
/** A text as the database keeps it. */
const stored = (text: string) => wellFormed(text).replaceAll('\0', '\ufffd')

const json = (value: unknown) => {
  try {
    return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
  } catch {
    return undefined
  }
}

/** A good body with one value anywhere in it replaced. */
function mutated(body: unknown, picks: readonly number[], value: unknown): unknown {
  if (typeof body !== 'object' || body === null || picks.length === 0) return value
  const keys = Object.keys(body)
  const key = keys[(picks[0] ?? 0) % (keys.length + 1)]
  if (key === undefined) return { ...body, [json(value) ?? 'x']: value }
  const inner = mutated(Reflect.get(body, key), picks.slice(1), value)
  if (Array.isArray(body)) return body.map((entry, index) => (String(index) === key ? inner : entry))
  return { ...body, [key]: inner }
}

describe.each(operations)('%s', (operation: Operation, row) => {
  test('answers anything with a declared status, and no trace', async () => {
    const world = await testService()
    const { name: own, ...sent } = await good[operation](world)
    const call = row.auth === 'none' ? world.send : world.publisher.call
    await fc.assert(
      fc.asyncProperty(
        fc.option(name, { nil: own }),
        fc.array(fc.nat(20), { maxLength: 6 }),
        strange,
        fc.boolean(),
        async (given, picks, value, whole) => {
          const raw = json(whole ? value : mutated(sent.body, picks, value))
          const path = pathOf(operation, wellFormed(given ?? 'x'))
          expectAnswer(await call(row.method, path, { ...sent, ...(raw !== undefined && { raw }) }))
        },
      ),
      { numRuns: 10 },
    )
  })
})

test.each(doors)('no path, header or bytes of a body give a 500 (%s)', async (door) => {
  const { service, send } = await testService({}, door)
  const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  const names = fc.constantFrom(
    'authorization',
    'authentication',
    'app-id',
    'content-type',
    'origin',
    'accept',
    'if-match',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'),
      fc.oneof(fc.webPath(), fc.constantFrom('/v1/user', '/v1/access_token', '/v1/templates', '/v1/users')),
      fc.dictionary(names, header),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      async (method, path, headers, raw, genuine) => {
        const token: Record<string, string> = genuine ? { authorization: `Bearer ${service.localToken()}` } : {}
        expectAnswer(await send(method, path || '/', { headers: { ...headers, ...token }, raw }))
      },
    ),
    { numRuns: 60 },
  )
})

test('§4.4 any filter finds what its words mean', async () => {
  const { publisher } = await testService()
  const categories = [
    '',
    'Coupons',
    'coupons',
    'a*b',
    'ab',
    '💥z',
    '\uffffz',
    '\u0001x',
    "o'x",
    '[a-z]%_',
    'x'.repeat(256),
  ]
  for (const [index, category] of categories.entries())
    await emitted(publisher, `local.vatom::${index}`, 1, { category }, { category })
  const value = fc.oneof(fc.constantFrom(...categories, '*', 'a*', '*x*', '**', 'o*s'), fc.string({ unit: 'binary' }))
  const element = fc.record({
    field: fc.constantFrom('vAtom::vAtomType.category', 'private.category'),
    filter_op: fc.constantFrom(...filterOps),
    value,
    bool_op: fc.constantFrom('And' as const, 'Or' as const),
  })
  const group = fc.record({ filter_elems: fc.array(element, { maxLength: 5 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(group, { maxLength: 3 }), async (filters) => {
      const { status, payload, text } = await publisher.call('POST', '/v1/vatom/discover', { body: { filters } })
      expect([status, text]).toEqual([200, expect.any(String)])
      const found = payload.results.map((vatom: { private: { category: string } }) => vatom.private.category)
      const expected = categories.filter((category) => filters.every((one) => groupHolds(one.filter_elems, category)))
      expect(found.reverse()).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

type Element = { filter_op: (typeof filterOps)[number]; value: string; bool_op: 'And' | 'Or' }

function groupHolds(elements: readonly Element[], text: string): boolean {
  const [first, ...rest] = elements
  if (!first) return true
  let holds = elementHolds(first, text)
  let before = first
  for (const element of rest) {
    const next = elementHolds(element, text)
    holds = before.bool_op === 'And' ? holds && next : holds || next
    before = element
  }
  return holds
}

function elementHolds({ filter_op, value }: Element, text: string): boolean {
  const order = byCodePoint(text, stored(value))
  if (filter_op === 'Match') {
    const pieces = stored(value)

      .split('*')
      .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(pieces.join('[^]*'), 'u').test(text)
  }
  return { Eq: order === 0, Ne: order !== 0, Gt: order > 0, Ge: order >= 0, Lt: order < 0, Le: order <= 0 }[filter_op]
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
