import { expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { operations } from '../../../src/contract/api/table.ts'
import { referenceTable } from '../../../src/contract/derived/reference.ts'

const text = referenceTable()
const lines = text.split('\n')
const cells = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1)

test.each(operations)('%s has one row', (key, row) => {
  const found = lines.filter((line) => line.startsWith(`| \`${key}\` |`))
  expect(found).toHaveLength(1)
  for (const part of [row.method, `\`${row.path}\``, row.spec, row.summary, row.assumed ?? '', ...row.errors])
    expect(found[0]).toContain(part)
})
test.each(Object.entries(errorCatalogue))('error %s has one row', (name, { status, code, title }) =>
  expect(lines).toContain(`| \`${name}\` | ${status} | ${code} | ${title} |`),
)
test('it holds nothing else, and every row has the cells of its heading', () => {
  const [calls = [], errors = []] = text
    .trimEnd()
    .split('\n\n')
    .map((table) => table.split('\n'))
  expect(calls).toHaveLength(operations.length + 2)
  expect(errors).toHaveLength(Object.keys(errorCatalogue).length + 2)
  expect(new Set(calls.map((line) => cells(line).length))).toEqual(new Set([8]))
  expect(new Set(errors.map((line) => cells(line).length))).toEqual(new Set([4]))
  expect(text.endsWith('|\n')).toBe(true)
})
