import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { endOfText } from '../json-values.ts'

/** A member of the object in a text of JSON: its value stands from `start` to `end`. */
interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** The value of a member of a record, or undefined if there is none. What stands after it is not read. */
export function memberOf(json: string, key: string): unknown {
  for (const [name, text] of partsOf(json)) if (name === key) return JSON.parse(text)
  return undefined
}

/** The members of a record with the texts of their values. */
export function* partsOf(json: string): Generator<readonly [key: string, text: string], void, void> {
  for (const { key, start, end } of membersOf(json)) yield [key, json.slice(start, end)]
}

/**
 * Two records without the members that are written alike at the end of both. Most changes concern a few of the first
 * members, and the rest can be large.
 */
export function withoutSameEnd(one: string, other: string): readonly [Section, Section] {
  const others = membersOf(other)
  for (const { end } of membersOf(one)) {
    const { value } = others.next()
    if (value && one.slice(end) === other.slice(value.end)) return [upTo(one, end), upTo(other, value.end)]
  }
  return [sectionOf(JSON.parse(one)), sectionOf(JSON.parse(other))]
}

const upTo = (json: string, end: number): Section => sectionOf(JSON.parse(`${json.slice(0, end)}}`))

/** The members of the object that a text of JSON is, found one by one. */
function* membersOf(json: string): Generator<Member, undefined, void> {
  for (let from = json.indexOf('"'); from >= 0; ) {
    const keyEnd = endOfText(json, from)
    const end = endOfValue(json, keyEnd)
    yield { key: JSON.parse(json.slice(from, keyEnd)), start: json.indexOf(':', keyEnd) + 1, end }
    from = json.indexOf('"', end)
  }
}

/** Where a member ends whose key ends at a place: at the comma, or the end of its object, that follows it. */
function endOfValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') at = endOfText(json, at) - 1
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth < 0 || (depth === 0 && sign === ',')) return at
  }
  return json.length
}
