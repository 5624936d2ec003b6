import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'

/**
 * A request body as JSON, whatever its content type says. Refuses with `invalid` what is not JSON, is nested too
 * deeply, holds a number beyond range, or would change what objects inherit.
 */
export function parseBody(text: string): unknown {
  const value = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  inspect(value, 1)
  return value
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError('invalid', `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('invalid', 'the body holds a number beyond the range of numbers')
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.depth) throw new ApiError('invalid', `the body is nested deeper than ${limits.depth} levels`)
  if (Object.hasOwn(value, '__proto__') || poisonsConstructor(value))
    throw new ApiError('invalid', 'the body holds a key that would change what objects inherit')
  for (const inner of Object.values(value)) inspect(inner, depth + 1)
}

function poisonsConstructor(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false
  const own: unknown = Reflect.get(value, 'constructor')
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}
