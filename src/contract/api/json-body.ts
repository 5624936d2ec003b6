import { limits } from '../limits.ts'
import { messageOf } from '../unknown-values.ts'
import { ApiError } from './errors.ts'

/**
 * A request body as JSON, of any content type. Throws `invalid` for text that is not JSON, is nested too deeply or has more
 * than so many keys and values (both before it is parsed), a number beyond range, or a key that would change a prototype.
 */
export function parseJsonBody(text: string, values: number = limits.values): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  if (json.trim() === '') return undefined
  checkShape(json, values)
  try {
    const value: unknown = JSON.parse(json)
    inspect(value)
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid', `the body is not JSON: ${messageOf(error)}`)
  }
}

const byteOrderMark = 0xfeff

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
/** Characters outside of strings that count: how much deeper it is after each, and how many values each announces. */
const counted = new Map(
  Object.entries({ '{': [1, 0], '[': [1, 0], '}': [-1, 0], ']': [-1, 0], ',': [0, 1], ':': [0, 1] } as const).map(
    ([character, steps]) => [character.charCodeAt(0), steps],
  ),
)

/** Refuses what would take long to parse; takes a few milliseconds for the longest body. */
function checkShape(json: string, most: number): void {
  let depth = 0
  let values = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfString(json, index)
    const steps = counted.get(code)
    if (!steps) continue
    depth += steps[0]
    values += steps[1]
    if (depth > limits.depth) throw new ApiError('invalid', `the body is nested deeper than ${limits.depth} levels`)
    if (values > most)
      throw new ApiError('invalid', `the body has more than ${most} keys and values: send less at a time`)
  }
}

/** Where a string ends that begins at an index: at a quote that has no odd number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}

function inspect(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('invalid', 'the body has a number beyond the range of numbers')
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__') || poisonsConstructor(value))
    throw new ApiError('invalid', 'the body holds a key that would change what objects inherit')
  for (const inner of Object.values(value)) inspect(inner)
}

function poisonsConstructor(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false
  const own: unknown = Reflect.get(value, 'constructor')
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}
