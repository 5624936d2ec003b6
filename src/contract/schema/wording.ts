import type * as z from 'zod/v4'

/** What a schema without a message of its own says of a value that it refuses; undefined leaves it to the library. */
export function wording(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}; not ${describe(issue.input)}`
  return undefined
}

/** A value as a message names it: `the string "no"`, `a list`, `12`. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(shortened(value))}`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** The type of a value, for a message that must not have the value itself: `a string`, `a list`. */
export const describeType = (value: unknown): string =>
  typeof value === 'object' ? describe(value) : `a ${typeof value}`

/** A name in a message as it is, anything else described. */
export const word = (value: unknown): string => (typeof value === 'string' ? shortened(value) : describe(value))

/** The first characters of a long text. */
export const shortened = (text: string, most = 40): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** `, with 3 vAtoms inside`, as the end of a sentence about a folder; empty for none. */
export const insideText = (count: number): string => (count === 0 ? '' : `, with ${plural(count, 'vAtom')} inside`)

/** `1 record`, `2 records`, `0 records`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A whole number as people read it: `1,000,000`. `toLocaleString` would load tables for it, which takes 8 ms. */
export const thousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** Things as a sentence lists them: `a`, `a and b`, `a, b, and c`. */
export function enumerated(things: readonly string[]): string {
  if (things.length < 3) return things.join(' and ')
  return `${things.slice(0, -1).join(', ')}, and ${things.at(-1)}`
}
