import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { eachPart, JsonParts, JsonText, recordText } from '../json-text.ts'

/** The fields to answer, by name, each with those within it; undefined means the whole field. */
interface Selection extends ReadonlyMap<string, Selection | undefined> {}

/** A list of records with the fields that a request asks for; only the names by default. */
export function sparseList(records: Iterable<object>, fields = 'name'): JsonParts {
  const wanted = selection(fields)
  return new JsonParts(eachPart(records, (record) => recordText(select(record, wanted))))
}

const refused = (text: string) =>
  new ApiError('invalid', `fields is not a selection such as name,properties(publisher_fqdn): ${text}`, [
    { path: 'fields', message: 'must be names separated by commas; a name can be followed by names in parentheses' },
  ])

/** Reads `name,properties(publisher_fqdn)`; throws `invalid` for anything else. */
function selection(text: string): Selection {
  const tokens = text.match(/[(),]|[^(),]+/g) ?? []
  const found = names(tokens, 0, text)
  if (tokens.length > 0) throw refused(text)
  return found
}

function names(tokens: string[], depth: number, text: string): Selection {
  if (depth > limits.fieldsDepth) throw refused('it is nested too deeply')
  const found = new Map<string, Selection | undefined>()
  do {
    const name = tokens.shift()?.trim()
    if (!name || '(),'.includes(name)) throw refused(text)
    found.set(name, tokens[0] === '(' ? inner(tokens, depth, text) : undefined)
  } while (tokens[0] === ',' && tokens.shift())
  return found
}

function inner(tokens: string[], depth: number, text: string): Selection {
  tokens.shift()
  const found = names(tokens, depth + 1, text)
  if (tokens.shift() !== ')') throw refused(text)
  return found
}

/** The fields of a record that were asked for; names that it does not have are ignored. */
function select(record: unknown, fields: Selection): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const parts: unknown = record instanceof JsonText ? JSON.parse(record.text) : record
  if (!isObject(parts)) return found
  for (const [name, within] of fields) {
    if (!Object.hasOwn(parts, name)) continue
    found[name] = within && isObject(parts[name]) ? select(parts[name], within) : parts[name]
  }
  return found
}
