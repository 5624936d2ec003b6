/** JSON text that becomes part of an answer as it is, without being parsed. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A JSON list of records that are JSON text. */
export const listText = (records: readonly string[]): string => `[${records.join(',')}]`

/** A record as JSON text; parts that are `JsonText` are used as they are. */
export function recordText(record: unknown): string {
  if (record instanceof JsonText) return record.text
  if (Array.isArray(record)) return listText(record.map(recordText))
  if (typeof record !== 'object' || record === null) return JSON.stringify(record)
  const members = Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}:${recordText(value)}`)
  return `{${members.join(',')}}`
}
