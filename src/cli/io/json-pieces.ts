import { isObject } from '../../contract/schema/path.ts'

/** Characters after which a piece is long enough. */
const enough = 65_536

/** The indented JSON of a value, in pieces: the text of a long list need not be in memory as a whole. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = ''
  for (const part of partsOf(value)) {
    piece += part
    if (piece.length < enough) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** The parts of a list, and of each list in an object; any other value is one part. */
function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) return yield* listParts(value, '')
  if (!isObject(value)) return yield String(JSON.stringify(value, null, 2))
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  for (const [index, [key, field]] of fields.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${JSON.stringify(key)}: `
    if (Array.isArray(field)) yield* listParts(field, '  ')
    else yield indented(field, '  ')
  }
  yield fields.length === 0 ? '{}' : '\n}'
}

function* listParts(list: readonly unknown[], indent: string): Generator<string> {
  for (const [index, entry] of list.entries())
    yield `${index === 0 ? '[' : ','}\n${indent}  ${indented(entry, `${indent}  `)}`
  yield list.length === 0 ? '[]' : `\n${indent}]`
}

/** Line breaks in texts are escaped in JSON, so that each line break is between values. */
const indented = (value: unknown, indent: string) =>
  (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`)
