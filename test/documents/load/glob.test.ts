import fc from 'fast-check'
import { expect, test } from 'vitest'
import { globOf } from '../../../src/documents/load/glob.ts'

/** The same as a regular expression, which takes too long for many stars. */
function regular(pattern: string): RegExp {
  const meanings: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
  const name = pattern.replace(/\/$/, '')
  const depth = name.includes('/') ? '' : '(?:.*/)?'
  const path = name
    .replace(/^\//, '')
    .replace(/\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (part) => meanings[part] ?? `\\${part}`)
  return new RegExp(`^${depth}${path}(?:/|$)`)
}

test('a pattern fits the paths that its regular expression fits', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '**', '**/', '?', '/', '+'),
    minLength: 1,
    maxLength: 8,
  })
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '+'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(pattern, path, (one, other) => {
      expect(globOf(one)(other)).toBe(regular(one).test(other))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['drafts', 'drafts/a.yaml', true],
  ['drafts', 'shop/drafts/a.yaml', true],
  ['drafts/', 'drafts-2/a.yaml', false],
  ['/drafts', 'shop/drafts/a.yaml', false],
  ['shop/**/old', 'shop/a/b/old/c.yaml', true],
  ['*.tmp.yaml', 'shop/a.tmp.yaml', true],
  ['shop/*.yaml', 'shop/a/b.yaml', false],
  ['borrador-\u00f1/', 'borrador-n\u0303/a.yaml', true],
  ['borrador-n\u0303', 'borrador-\u00f1/a.yaml', true],
  ['borrador-n', 'borrador-n\u0303/a.yaml', false],
  ['a**/b', 'aab/c.yaml', false],
  ['**a**/b', 'aab', true],
])('%s and %s: %j', (pattern, path, expected) => {
  expect(globOf(pattern)(path)).toBe(expected)
})

test('many stars are no matter', () => {
  const fits = globOf(`${'*a'.repeat(100)}*b`)
  const path = `${'a'.repeat(250)}c`
  expect(fits(path)).toBe(false)
  expect(globOf('*'.repeat(201))(path)).toBe(true)
})

test('nor is the length of a path', () => {
  const fits = globOf(`**${`${'a'.repeat(60)}**`.repeat(15)}b`)
  expect(fits('a'.repeat(100_000))).toBe(false)
  expect(fits(`${'a'.repeat(100_000)}b`)).toBe(true)
})
