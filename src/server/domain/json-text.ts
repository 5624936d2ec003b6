/** A value that is JSON text already: it is joined to other text, not parsed and printed again. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Records that are JSON text, as the text of a list. */
export const listText = (records: readonly string[]): string => `[${records.join(',')}]`

/** A record as JSON text; parts that are JSON text already are put in as they are. */
export function recordText(record: unknown): string {
  if (record instanceof JsonText) return record.text
  if (Array.isArray(record)) return listText(record.map(recordText))
  if (typeof record !== 'object' || record === null) return JSON.stringify(record)
  const members = Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}:${recordText(value)}`)
  return `{${members.join(',')}}`
}
