import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printable } from '../../../src/contract/printable.ts'
import { flowText, lineText, memberText, yamlText } from '../../../src/documents/edit/yaml-text.ts'

/** Texts with characters that control a terminal, reorder text or are not seen, among others. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u0085',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u{e0041}',
      '\ud83d',
      '\u007f',
    ),
    fc.constantFrom('a', ' ', '\n', '\t', '"', "'", '\\', ':', '#', '\u200d', '\u{1f468}'),
  ),
})
const quotings = fc.constantFrom(undefined, 'QUOTE_SINGLE', 'QUOTE_DOUBLE')

test('what is written into a file is visible in it, and read as it is', () => {
  fc.assert(
    fc.property(texts, quotings, (text, quoting) => {
      const member = memberText(text, 2, quoting)
      expect(parse(`a:\n  k:${member}\n`)).toEqual({ a: { k: text } })
      const lines = [yamlText(text, { quoting }), flowText(text, quoting), lineText(text)]
      for (const written of lines) expect(parse(written)).toBe(text)
      for (const written of [...lines, member]) expect(printable(written)).toBe(written)
      const inBrackets = yamlText([[text], { [text]: text }], { flow: true })
      expect(parse(inBrackets)).toEqual([[text], { [text]: text }])
      const nested = yamlText({ [text]: [text, { key: text }] })
      expect(parse(nested)).toEqual({ [text]: [text, { key: text }] })
      expect(printable(nested)).toBe(nested)
    }),
    {
      examples: [
        [' \n', undefined],
        [':\nab', undefined],
      ],
    },
  )
})

test('a character beyond the first 65,536 is escaped as YAML has it, as not all that reads YAML takes halves', () => {
  expect(yamlText('a\u{e0041}')).toBe('"a\\U000e0041"\n')
  expect(lineText('a\u{e0041}')).toBe('"a\\U000e0041"')
})
