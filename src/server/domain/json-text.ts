/** JSON text that becomes part of an answer as it is, without being parsed. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** JSON text in parts, each of which is made when a client is ready to read it; to be read once. */
export class JsonParts {
  constructor(readonly parts: Iterable<string>) {}
}

/** A JSON list of records that are JSON text. */
export const listText = (records: readonly string[]): string => `[${records.join(',')}]`

/** The same, of batches of records. Where one is empty, its part is, too: others can have a turn there. */
export function* listParts(batches: Iterable<readonly string[]>): Generator<string, void> {
  yield '['
  let isFirst = true
  for (const records of batches) {
    yield records.length > 0 && !isFirst ? `,${records.join(',')}` : records.join(',')
    isFirst &&= records.length === 0
  }
  yield ']'
}

/** The same, of single records. */
export const eachPart = <T>(records: Iterable<T>, textOf: (record: T) => string): Generator<string, void> =>
  listParts(mapped(records, (record) => [textOf(record)]))

/** What a function makes of each value, when it is wanted. */
export function* mapped<T, V>(values: Iterable<T>, map: (value: T) => V): Generator<V, void> {
  for (const value of values) yield map(value)
}

/** A record as JSON text; parts that are `JsonText` are used as they are. */
export function recordText(record: unknown): string {
  if (record instanceof JsonText) return record.text
  if (Array.isArray(record)) return listText(record.map(recordText))
  if (typeof record !== 'object' || record === null) return JSON.stringify(record)
  const members = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${recordText(value)}`)
  return `{${members.join(',')}}`
}
