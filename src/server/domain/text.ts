import { JsonText } from '../request/answers.ts'

/** Records as the text of a list: what is kept as JSON text is joined, not parsed and printed again. */
export const listText = (records: readonly string[]): string => `[${records.join(',')}]`

/** A record as JSON text; parts that are JSON text already are put in as they are. */
export function recordText(record: unknown): string {
  if (record instanceof JsonText) return record.text
  if (Array.isArray(record)) return listText(record.map(recordText))
  if (typeof record !== 'object' || record === null) return JSON.stringify(record)
  const members = Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}:${recordText(value)}`)
  return `{${members.join(',')}}`
}
