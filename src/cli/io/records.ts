import type { Output } from './output.ts'
import { tableLines } from './table.ts'

/** How a list is shown: the head of each column, and what stands in it for a record. */
export type Columns<R> = Readonly<Record<string, (record: R) => string>>

/** Records as a table, under --json as they are; where there are none, stderr says so to people. */
export async function printRecords<R>(
  records: readonly R[],
  columns: Columns<R>,
  none: string,
  output: Output,
): Promise<void> {
  const cells = Object.values(columns)
  const rows = records.map((record) => cells.map((cell) => cell(record)))
  await output.listing(records, () => tableLines(Object.keys(columns), rows, output))
  if (records.length === 0 && !output.json) output.note(none)
}
