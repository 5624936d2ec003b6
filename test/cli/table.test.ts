import { expect, test } from 'vitest'
import { createPaint } from '../../src/cli/output/paint.ts'
import { tableLines } from '../../src/cli/output/table.ts'

test('a table has as many rows as there are', async () => {
  const screen = { isTTY: true, columns: 80, paint: await createPaint(0) }
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x'])
  expect(tableLines(['N', 'X'], rows, screen)).toHaveLength(200_001)
})
