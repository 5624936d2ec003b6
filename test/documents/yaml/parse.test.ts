import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { parse } from '../../../src/documents/yaml/parse.ts'
import { parseFile } from '../../../src/documents/yaml/read-documents.ts'

const rules = (text: string) => parse(text).findings.map(({ rule }) => rule)

describe('a document of too many words and signs is refused before it is read', () => {
  test.each([
    ['a list in brackets', `[${'a,'.repeat(900_000)}]`],
    ['a list of dashes', '- a\n'.repeat(500_000)],
    ['empty lists', `[${'[],'.repeat(600_000)}]`],
    ['a document after others', `a: 1\n---\n[${'a,'.repeat(900_000)}]`],
  ])('%s', (_, text) => {
    expect(text.length).toBeLessThan(limits.file)
    expect(parse(text)).toMatchObject({
      findings: [{ rule: 'file-size', message: `more than ${limits.tokens} words and signs in one document` }],
    })
  })

  test.each([
    ['brackets', '[', 65],
    ['keys in braces', '{a: ', 257],
    ['dashes', '- ', 129],
  ])('%s without an end are read to the level that is too deep alone', (_, level, column) => {
    const deep = parse(level.repeat(limits.depth + 1)).findings
    expect(deep).toMatchObject([{ rule: 'depth', range: [column - 1, column] }])
    expect(parse(`${level.repeat(limits.depth + 1)}[${'[],'.repeat(600_000)}`).findings).toEqual(deep)
    expect(rules(level.repeat(limits.depth))).not.toContain('depth')
  })

  test('and no other: those of several documents are counted apart', () => {
    const list = `[${'a, '.repeat(40_000)}]\n`
    expect(rules(Array(4).fill(list).join('---\n'))).toEqual([])
    expect(rules(`text: ${'a '.repeat(900_000)}`)).toEqual([])
  })
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test.each([
  ['aliases without an anchor', numbers(20_000).map((one) => `- *a${one}\n`), 20_000],
  ['numbers as keys', [`x: {${numbers(40_000).join(',')}}`], 40_000],
])(
  'many %s are all reported in some seconds',
  (_, lines, count) => {
    const { documents } = parseFile({ file: 'x.yaml', named: true }, new TextEncoder().encode(lines.join('')))
    expect(documents.map(({ findings }) => findings.length)).toEqual([count])
  },
  10_000,
)
