import { expect, test } from 'vitest'
import { operationCommands } from '../../../src/cli/manual/operation-commands.ts'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { operations } from '../../../src/contract/api/table.ts'
import { assumptionTable, errorTable, operationTable } from '../../../src/contract/derived/reference.ts'

const [calls = [], assumptions = [], errors = []] = [
  operationTable(operationCommands),
  assumptionTable(),
  errorTable(),
].map((table) => table.trimEnd().split('\n'))
const cells = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1)
const rowsOf = (lines: readonly string[], key: string) => lines.filter((line) => line.startsWith(`| \`${key}\` |`))

test.each(operations)('%s has one row', (key, { method, path, spec, summary, errors }) => {
  const found = rowsOf(calls, key)
  expect(found).toHaveLength(1)
  for (const part of [`\`${method} ${path}\``, spec ?? 'not named', summary, ...errors])
    expect(found[0]).toContain(part)
})
test.each(operations)('what %s assumes has one row, where it assumes anything', (key, { assumed }) =>
  expect(rowsOf(assumptions, key)).toEqual(assumed === undefined ? [] : [`| \`${key}\` | ${assumed} |`]),
)
test.each(Object.entries(errorCatalogue))('error %s has one row', (name, { status, code, title }) =>
  expect(errors).toContain(`| \`${name}\` | ${status} | ${code} | ${title} |`),
)
test('they hold nothing else, and every row has the cells of its heading', () => {
  expect(calls).toHaveLength(operations.length + 2)
  expect(errors).toHaveLength(Object.keys(errorCatalogue).length + 2)
  expect(new Set(calls.map((line) => cells(line).length))).toEqual(new Set([7]))
  expect(new Set(assumptions.map((line) => cells(line).length))).toEqual(new Set([2]))
  expect(new Set(errors.map((line) => cells(line).length))).toEqual(new Set([4]))
})
