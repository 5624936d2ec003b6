import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { revisedFile } from '../../../src/documents/edit/revise-file.ts'
import { yamlText } from '../../../src/documents/edit/yaml-text.ts'
import { commitOf } from '../../../src/documents/load/git-head.ts'
import { submodulePaths } from '../../../src/documents/load/git-modules.ts'
import { GitReading } from '../../../src/documents/load/git-reading.ts'
import { readFile } from '../../../src/documents/load/read-file.ts'
import { withoutCommands } from '../../../src/documents/report/log-commands.ts'
import { folderTemplate, template } from '../../fixtures/yaml.ts'
import { folderWith } from '../../support/folders.ts'
import { publisher } from '../../support/vatom.ts'

/** So many that whatever looks at each of them from each of them does not end within a test. */
const many = 1_000_000
const spaces = ' '.repeat(many)

/** Fields or items in curly brackets, as many as a document may have. */
const flow = (count: number, written: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => written(index)).join(', ')

test.each<[string, string, string]>([
  ['a line that begins with a status', `404: a${spaces}\nfoo: 1\n`, 'the key 404 is not a text'],
  ['a status and nothing else', `404: a${spaces}\n\n`, 'holds no document, but the status of a failed download'],
  [
    'a comment in the place of a value',
    template().replace('category: Coupons', `category: #a${spaces}b`),
    'yaml-comment',
  ],
  ['a number', `${template()}    note: 1.${'0'.repeat(many)}1\n`, 'yaml-number'],
  ['a name of colons', template(`'a${':'.repeat(many)}'`), 'must have at most 256 characters'],
  ['a placeholder behind others', template(`"a$publisher${':'.repeat(many)}\\n"`), 'must have at most 256 characters'],
  [
    'a name in a query',
    folderTemplate('$publisher::Box::v1', '[]').replace(
      'child_policy: []',
      `query: { scope: { key: vAtom::vAtomType.template, value: "${'a.'.repeat(many / 2)}" } }`,
    ),
    'must have at most 65536 bytes',
  ],
  ['line ends behind a value', `a: b${'\r'.repeat(many)}c\n   d: e\n`, 'd is indented more than a'],
  [
    'a comment behind one that ignores a rule',
    template().replace('    color', `    # vatom-ignore no-face\n${spaces}color`),
    'valid template',
  ],
  [
    'a line with texts that look like fields',
    template().replace('color: blue', `note: [${'x'.repeat(many)}, ${'a:\u00a0b, '.repeat(100_000)}]`),
    'must have at most 65536 bytes',
  ],
  [
    'a long document behind many that are indented wrongly',
    `\n${'---\na:\n  b: 1\n c: 2\n'.repeat(1000)}---\n${'#\n'.repeat(many / 2)}`,
    'the indentation of c is that of nothing above it',
  ],
])('a million characters of %s are checked in time', async (_, text, found) => {
  const { vatom, file } = await publisher()
  file('c/a.yaml', text)
  const { out, err } = await vatom('validate', 'c/a.yaml')
  expect(out + err).toContain(found)
})

test.each<[string, string, string]>([
  ['words that may be booleans', flow(40_000, (one) => `k${one}: yes`), '39801 more problems'],
  [
    'such words beside values that cannot be read',
    flow(20_000, (one) => `a${one}: .inf, k${one}: yes`),
    '39801 more problems',
  ],
  [
    'maps with such words that are merged',
    `from: [${flow(4900, (one) => `&a${one} { k${one}: yes }`)}], <<: [${flow(4900, (one) => `*a${one}`)}]`,
    '4701 more problems',
  ],
])('%s are checked in time, however many they are', async (_, fields, found) => {
  const { vatom, file } = await publisher()
  file('c/a.yaml', template().replace('\n    color: blue', ` { ${fields} }`))
  const { out, err } = await vatom('validate', 'c/a.yaml')
  expect(out + err).toContain(found)
})

test.each([
  [`${'\n'.repeat(many)} `, '\n'],
  ['a\n\n', '"a\\n\\n"\n'],
  ['a\n', '|\na\n'],
  ['<<', '"<<"\n'],
])('a text that ends with blank lines is written in quotes', (text, written) => {
  expect(yamlText(text).slice(-written.length)).toBe(written)
})

test('a .gitmodules of a million lines, and a HEAD of as many spaces, are read in time', () => {
  expect(submodulePaths(`${'\n'.repeat(many)}[submodule "a"]\n\tpath = "a b"\n path=c\n`)).toEqual(['a b', 'c'])
  const folder = folderWith({ '.git/HEAD': `ref: ${spaces}\nx`, '.git/x': '' })
  expect(() => commitOf(folder, new GitReading({}))).toThrow(RangeError)
})

test('a list with a million spaces is edited in time', () => {
  const file = readFile({ file: 'a.yaml', named: true }, Buffer.from(`a: [1,${spaces}2 ]\n`), {})
  expect(revisedFile(file, new Map([[0, { a: [1, 2, 3] }]]))).toMatchObject({ text: 'a: [1, 2, 3 ]\n' })
})

test('a text of line ends is no command of a log, and what is behind them is', () => {
  const harmless = withoutCommands({ GITHUB_ACTIONS: 'true' })
  const ends = '\r'.repeat(many)
  expect(harmless(`${ends}a::error::`)).toBe(`${ends}a::error::`)
  expect(harmless('a\n  ::error::x')).not.toContain('::error')
  expect(harmless(' a\r\t::error::x')).not.toContain('::error')
})
