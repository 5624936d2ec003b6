import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { revisedFile } from '../../../src/documents/edit/revise-file.ts'
import { type ReadFile, readFile } from '../../../src/documents/load/read-file.ts'
import { choicesOf, handwritten, numbers } from '../../fixtures/handwritten.ts'

const fileOf = (text: string, name = 'a.yaml'): ReadFile => readFile({ file: name, named: true }, Buffer.from(text), {})
const valuesOf = ({ candidates }: ReadFile) => candidates.map(({ raw }) => raw.value)
const revised = (text: string, value: unknown, name?: string) => revisedFile(fileOf(text, name), new Map([[0, value]]))

describe('what changes is edited where it stands, and all else stays', () => {
  test.each([
    [
      'a text in its quotes',
      'a: \'x\' # why\nb: "y"\nc: z\n',
      { a: 'q', b: 'r', c: 's t' },
      'a: \'q\' # why\nb: "r"\nc: s t\n',
    ],
    ['a plain text that needs quotes', 'a: z\n', { a: 'no: x' }, 'a: "no: x"\n'],
    [
      'a text of several lines for one in quotes',
      "a:\n  b: 'x' # why\n  c: 1 # c\n",
      { a: { b: 'one\n\ntwo', c: 1 } },
      'a:\n  b: |- # why\n    one\n\n    two\n  c: 1 # c\n',
    ],
    [
      'words that are booleans in YAML 1.1',
      'a: x\nb: true\n',
      { a: 'no', b: true, on: 'Off', y: 1 },
      'a: "no"\nb: true\n"on": "Off"\ny: 1\n',
    ],
    ['a number for a text', 'a: "1" # n\n', { a: 2 }, 'a: 2 # n\n'],
    ['a missing value', 'a: # here\nb: 1\n', { a: 'x', b: 1 }, 'a: x # here\nb: 1\n'],
    [
      'a removed member with its comment',
      '# top\na: 1\nb: 2 # two\n# more\nc: 3\n',
      { a: 1, c: 3 },
      '# top\na: 1\n# more\nc: 3\n',
    ],
    [
      'a member behind the one before it',
      'c: 1 # c\n\n# b\nb: 2\n',
      { b: 2, a: [1], c: 1 },
      'c: 1 # c\n\n# b\nb: 2\na:\n  - 1\n',
    ],
    [
      'a member in a nested object',
      'a:\n    b: 1\n    # x\nd: 1\n',
      { a: { b: 1, c: { e: 1 } }, d: 1 },
      'a:\n    b: 1\n    c:\n      e: 1\n    # x\nd: 1\n',
    ],
    [
      'the first entry of a list within a list',
      '\na:\n- - p # one\n  - q # two\n- - x\n  - y\nb: 1 # b\n',
      { a: [['p', 'q'], ['y']], b: 1 },
      '\na:\n- - p # one\n  - q # two\n- - y\nb: 1 # b\n',
    ],
    [
      'the first entry of the first list within a list',
      '\na:\n- - x\n  - y\nb: 1 # b\n',
      { a: [['y']], b: 1 },
      '\na:\n  - - y\nb: 1 # b\n',
    ],
    ['an object for a text', 'a: x\nb: 1\n', { a: { c: 1 }, b: 1 }, 'a:\n  c: 1\nb: 1\n'],
    ['a text for an object', 'a:\n  c: 1 # c\nb: 1\n', { a: 'x', b: 1 }, 'a: x # c\nb: 1\n'],
    ['the last member that goes', 'a:\n  c: 1\nb: 1\n', { a: {}, b: 1 }, 'a: {}\nb: 1\n'],
    [
      'a block of lines',
      'a: |\n  one\n  two\n\nb: 1\n',
      { a: 'three\nfour\n', b: 1 },
      'a: |\n  three\n  four\n\nb: 1\n',
    ],
    ['a line for a block', 'a: |\n  one\nb: 1\n', { a: 'x', b: 1 }, 'a: x\nb: 1\n'],
    [
      'entries by name',
      'r:\n- name: a # A\n  v: 1\n- name: b\n  v: 2 # two\n',
      {
        r: [
          { name: 'b', v: 3 },
          { name: 'c', v: 4 },
        ],
      },
      'r:\n- name: b\n  v: 3 # two\n- name: c\n  v: 4\n',
    ],
    ['a first entry', 'r:\n  # b\n  - b\n', { r: ['a', 'b'] }, 'r:\n  # b\n  - a\n  - b\n'],
    ['a list in brackets', 'a: [ x, "y" ] # l\n', { a: ['x', 'y', 'z'] }, 'a: [ x, "y", z ] # l\n'],
    ['an object in brackets', 'a: {b: 1, c: [1]}\n', { a: { c: [1, 2], d: 'x, y' } }, 'a: {c: [1, 2], d: "x, y"}\n'],
    ['the end without a line break', 'a: 1', { a: 1, b: 2 }, 'a: 1\nb: 2\n'],
    ['lines that end as on Windows', 'a: 1\r\nb: 2\r\n', { a: 1, b: { c: 1 } }, 'a: 1\r\nb:\r\n  c: 1\r\n'],
    ['one of several aliases', 'a: &x 1\nb: *x\nc: *x\n', { a: 1, b: 2, c: 1 }, 'a: &x 1\nb: 2\nc: *x\n'],
    [
      'a text that an alias has, which keeps it',
      '# t\na: &x "one" # A\nb: *x # B\nc:   3 # C\n',
      { a: 'two', b: 'one', c: 3 },
      '# t\na: &x "two" # A\nb: one # B\nc:   3 # C\n',
    ],
    ['a text and its aliases', 'a: &x one # A\nb: *x # B\n', { a: 'two', b: 'two' }, 'a: &x two # A\nb: *x # B\n'],
    [
      'a merged member',
      'a: &x { b: 1, c: 2 }\nd:\n  <<: *x\n  e: 1\n',
      { a: { b: 1, c: 2 }, d: { b: 5, c: 2, e: 1 } },
      'a: &x { b: 1, c: 2 }\nd:\n  <<: *x\n  e: 1\n  b: 5\n',
    ],
  ])('%s', (_, before, value, after) => {
    const { text, isRewritten } = revised(before, value)
    expect(text).toBe(after)
    expect(isRewritten).toBe(false)
    expect(valuesOf(fileOf(text))).toEqual([value])
  })

  test.each([
    [
      'in lines',
      '{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}\n',
      { a: 'q', b: ['x', 'y'], c: { d: 1 } },
      '{\n  "a": "q",\n  "b": [\n    "x",\n    "y"\n  ],\n  "c": {\n    "d": 1\n  }\n}\n',
    ],
    ['in one line', '{"a":1,"b":2}', { b: 'x' }, '{"b":"x"}'],
  ])('JSON %s stays JSON', (_, before, value, after) => {
    const { text } = revised(before, value, 'a.json')
    expect(JSON.parse(text)).toEqual(value)
    expect(text).toBe(after)
  })

  test('only the document that changes is edited, and comments before and between stay', () => {
    const text = '# one\n---\na: 1   # a\n---\n# two\nb:   2\n...\n---\nc: 3\n'
    const after = revisedFile(fileOf(text), new Map([[1, { b: 4, d: 1 }]]))
    expect(after.text).toBe('# one\n---\na: 1   # a\n---\n# two\nb:   4\nd: 1\n...\n---\nc: 3\n')
  })
})

const key = fc.constantFrom('a', 'b', 'name', 'd e', '<<', 'x:y', 'no', '$p::v1', 'k-1')
const leaf = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'free tea',
    'no',
    '0012',
    '*',
    '#a',
    'a: b',
    ' lead',
    'two\nlines\n',
    'x\n\n',
    'a, b',
    '- a',
    "it's",
  ),
  fc.integer({ min: -5, max: 5 }),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))
const object = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true })

const unsafe = 'a\u009b5m\u202e\u2066\u200b\u{e0041}\u007f\u0085\u2028é👩‍🚀'
const inYaml = '"a\\u009b5m\\u202e\\u2066\\u200b\\U000e0041\\u007f\\u0085\\u2028é👩‍🚀"'
const inJson = inYaml.replace('\\U000e0041', '\\udb40\\udc41')

test.each([
  ['a: x\n', { a: unsafe }, `a: ${inYaml}\n`],
  ["a: 'x'\n", { a: unsafe }, `a: ${inYaml}\n`],
  ['a: >-\n  x\n', { a: unsafe }, `a: ${inYaml}\n`],
  ['a: 1\n', { a: 1, [unsafe]: [unsafe] }, `a: 1\n${inYaml}:\n  - ${inYaml}\n`],
  ['a: {b: x}\n', { a: { b: unsafe } }, `a: {b: ${inYaml}}\n`],
  ['a: {"b": "x"}\n', { a: { b: 'x', c: unsafe } }, `a: {"b": "x", "c": ${inJson}}\n`],
  ['- x\n', { a: unsafe }, `a: ${inYaml}\n`],
])('what is invisible, reorders text or commands a terminal is escaped: in %j', (text, value, expected) => {
  const found = revised(text, value).text
  expect(found).toBe(expected)
  expect(valuesOf(fileOf(found))).toEqual([value])
})

test('lines of a text with such characters have their spaces, however long it is', () => {
  const value = { a: `${'line\n'.repeat(20)}\n \n\u202e\n  end\n \n` }
  expect(valuesOf(fileOf(revised('a: x\n', value).text))).toEqual([value])
})

test('what is invisible, reorders text or commands a terminal is escaped in JSON', () => {
  for (const [text, value] of [
    ['{"a": "x"}\n', { a: unsafe }],
    ['{"a": 1}\n', { a: 1, [unsafe]: [unsafe] }],
    ['[1]\n', { a: unsafe }],
  ] as const) {
    const found = revised(text, value, 'a.json').text
    expect(found).toContain(inJson)
    expect(found).not.toContain('\u202e')
    expect(JSON.parse(found)).toEqual(value)
  }
})

test('whatever a document says and shall say, it says it afterwards, and the others are as they were', () => {
  fc.assert(
    fc.property(object, object, numbers, (before, after, list) => {
      const text = handwritten(before, choicesOf(list))
      const all = `# first\nq:   1\n---\n${text}---\nz: [ 1 ]   # last\n`
      const file = fileOf(all)
      fc.pre(file.candidates.length === 3 && file.candidates.every(({ raw }) => raw.sound && raw.findings.length === 0))
      const found = revisedFile(file, new Map([[1, after]]))
      expect(valuesOf(fileOf(found.text))).toEqual([{ q: 1 }, after, { z: [1] }])
      expect(found.text.startsWith('# first\nq:   1\n---\n')).toBe(true)
      expect(found.text.endsWith('---\nz: [ 1 ]   # last\n')).toBe(true)
      expect(revisedFile(fileOf(found.text), new Map([[1, after]])).text).toBe(found.text)
    }),
    { numRuns: 100 },
  )
})
