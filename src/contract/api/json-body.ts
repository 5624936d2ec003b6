import { countedSigns, excessOf } from '../json-shape.ts'
import { limits } from '../limits.ts'
import { messageOf } from '../unknown-values.ts'
import { ApiError } from './errors.ts'

/** A text is not JSON; `reason` says where, and quotes some of it. */
export class NotJson extends ApiError {
  constructor(readonly reason: string) {
    super('invalid', `the body is not JSON: ${reason}`)
  }
}

/**
 * A request body as JSON, of any content type. Throws `NotJson`, and `invalid` for text that is nested too deeply or has more
 * than so many keys and values (both before it is parsed), a number beyond range, keys in each other that are too long, or
 * one that would change a prototype.
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
    throw new NotJson(messageOf(error))
  }
}

const byteOrderMark = 0xfeff

/** Keys and values are counted by what follows them. */
const counted = countedSigns(',:')

/** Refuses what would take long to parse. */
function checkShape(json: string, values: number): void {
  const excess = excessOf(json, { levels: limits.depth, values, counted })
  if (excess === 'levels') throw new ApiError('invalid', `the body is nested deeper than ${limits.depth} levels`)
  if (excess === 'values')
    throw new ApiError('invalid', `the body has more than ${values} keys and values: send less at a time`)
}

/** `named` are the characters of the keys to a value. */
function inspect(value: unknown, named = 0): void {
  if (named > limits.fieldPath)
    throw new ApiError(
      'invalid',
      `the keys to a value of the body have more than ${limits.fieldPath} characters together`,
    )
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('invalid', 'the body has a number beyond the range of numbers')
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__') || poisonsConstructor(value))
    throw new ApiError('invalid', 'the body holds a key that would change what objects inherit')
  if (Array.isArray(value)) for (const inner of value) inspect(inner, named)
  else for (const [key, inner] of Object.entries(value)) inspect(inner, named + key.length)
}

function poisonsConstructor(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false
  const own: unknown = Reflect.get(value, 'constructor')
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}
