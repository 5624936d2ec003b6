import { describe, expect, test } from 'vitest'
import { type Warning, WarningList, warningsIn } from '../../../src/contract/api/warnings.ts'
import { limits } from '../../../src/contract/limits.ts'

const half = (text: string) => text.repeat(limits.warningMessage / 2 / text.length)
const warningHeader = (all: readonly Warning[]) => new WarningList(all).header()
const one = (message: string): Warning => ({ code: 'no-effect', path: 'private["Größe"]', message })

test.each(['plain', 'Größe Ж 🙂', 'a "quoted"; one\r\nSet-Cookie: x', '\u007f', '\ud800'])(
  '%j comes through a header',
  (message) => {
    const header = warningHeader([one(message)])
    expect(header).toMatch(/^[\x20-\x7e]*$/)
    expect(warningsIn(header)).toEqual([one(message)])
  },
)

test('each once', () => expect(warningsIn(warningHeader([one('a'), one('b'), one('a')]))).toEqual([one('a'), one('b')]))

test('what does not fit is left out and counted', () => {
  const header = warningHeader(Array.from({ length: 1000 }, (_, index) => one(`${index} `.repeat(30))))
  expect(header.length).toBeLessThanOrEqual(limits.warnings)
  const warnings = warningsIn(header)
  expect(warnings.at(-1)).toEqual({ code: 'more', path: '', message: `and ${1001 - warnings.length} more` })
})

test('of those that are the same once they are cut, no more are made than an answer can have', () => {
  let made = 0
  const alike = Array.from({ length: 500 }, (_, index) => () => {
    made++
    return one(`${'x'.repeat(500)}${index}${'x'.repeat(500)}`)
  })
  const [first, more] = new WarningList(alike).all()
  expect([first?.message.length, more?.message]).toEqual([limits.warningMessage + 1, `and ${500 - made} more`])
  expect(made).toBe(limits.warningCount)
})

test('those that differ in the end alone are not the same once they are cut', () => {
  const below = (field: string) => ({ ...one('a'), path: `${'deep.'.repeat(100)}${field}` })
  const warnings = warningsIn(warningHeader(['aa', 'bb', 'cc'].map(below)))
  expect(warnings.map(({ path }) => path.slice(-7))).toEqual(['deep.aa', 'deep.bb', 'deep.cc'])
  expect(warnings.map(({ path }) => path.slice(0, 10))).toEqual(Array(3).fill('deep.deep.'))
})

test('a long message is cut', () => {
  const [{ message } = one('')] = warningsIn(warningHeader([one('x'.repeat(10_000))]))
  expect(message).toMatch(/^x{200}…x{200}$/)
})

test('a long place is cut, and what it is about is said', () => {
  const long = Array.from({ length: 100 }, (_, index) => ({ ...one(`${index}`), path: 'x'.repeat(20_000) }))
  const warnings = warningsIn(warningHeader(long))
  expect(warnings.length).toBeGreaterThan(2)
  expect(warnings[0]).toMatchObject({ path: `${half('x')}…${half('x')}`, message: '0' })
  expect(warnings.at(-1)?.message).toBe(`and ${101 - warnings.length} more`)
})

test('those for which there is no room are counted without a bound', () => {
  const all = Array.from({ length: 20_000 }, (_, index) => one(`${index}`))
  const warnings = warningsIn(warningHeader(all))
  expect(warnings.at(-1)?.message).toBe(`and ${20_001 - warnings.length} more`)
})

test.each(['done all the same', '{"code":"a"}', '[1]', '[{"code":"a","path":""}]'])(
  'the header %j of another service is one warning',
  (header) => expect(warningsIn(header)).toEqual([{ code: '', path: '', message: header }]),
)

test('two headers, joined as HTTP joins them, are read as one', () =>
  expect(warningsIn(`${warningHeader([one('a')])}, ${warningHeader([one('b')])}`)).toEqual([one('a'), one('b')]))

describe('of a service that sends too much', () => {
  test('the number is bounded, and the rest counted', () => {
    const warnings = warningsIn(JSON.stringify(Array.from({ length: 500 }, (_, index) => one(`${index}`))))
    expect(warnings.length).toBeLessThanOrEqual(limits.warningCount)
    expect(warnings.at(-1)).toEqual({ code: 'more', path: '', message: `and ${501 - warnings.length} more` })
  })
  test('the length is bounded, and the rest counted', () => {
    const long = Array.from({ length: 30 }, (_, index) => one(`${index} ${'x'.repeat(450)}`))
    const warnings = warningsIn(JSON.stringify(long))
    expect(warnings[0]?.message).toHaveLength(limits.warningMessage + 1)
    expect(JSON.stringify(warnings).length).toBeLessThanOrEqual(limits.warnings)
    expect(warnings.at(-1)).toEqual({ code: 'more', path: '', message: `and ${31 - warnings.length} more` })
  })
  test('a header of another form is cut', () =>
    expect(warningsIn('x '.repeat(7000))).toEqual([{ code: '', path: '', message: `${half('x ')}…${half('x ')}` }]))
  test('what it counted itself stays', () => {
    const header = warningHeader(Array.from({ length: 1000 }, (_, index) => one(`${index}`)))
    expect(warningsIn(header)).toEqual(JSON.parse(header))
  })
})

test.each([undefined, '', ' '])('%j is none', (header) => expect(warningsIn(header)).toEqual([]))

test('fields that a newer service adds do no harm', () =>
  expect(warningsIn('[{"code":"a","path":"","message":"b","severity":1}]')).toMatchObject([
    { code: 'a', message: 'b' },
  ]))
