import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy } from '../schema/lazy.ts'
import { parseJson } from '../unknown-values.ts'

/**
 * What the service warns of in an answer that is a success, by code. A warning about a document has the name of the
 * rule that it breaks as its code.
 */
export const warningCatalogue = {
  'no-effect': 'A field was accepted and has no effect',
  'read-as': 'A field or value was read as another one',
  'missing-variation': 'A child_policy names a variation that does not exist',
  'missing-action': 'The policy of an action names an action that does not exist',
  'handler-host': 'The action handler is on a host that this service does not call',
  'handler-not-called': 'A dry run does not call action handlers: what they answer is not predicted',
  'not-waited-for': 'The action runs after the answer: its result is not reported',
  'action-failed': 'An action of the policy failed, and the failure does not abort the request',
  more: 'There are more warnings than an answer has room for',
} as const satisfies Readonly<Record<string, string>>
export type WarningCode = keyof typeof warningCatalogue

/** A warning in an answer, in the header `Vatom-Warning`. */
export interface Warning {
  /** Of the catalogue, or the name of a rule. */
  readonly code: string
  /** The place in the request's body, as an issue of an error has it; empty for the whole. */
  readonly path: string
  readonly message: string
  /** The record that the message is about, where that is not the one sent: a name, or the id of a face. */
  readonly about?: string | undefined
}

/** A warning of the catalogue. */
export const warning = (code: WarningCode, path: string, message: string, about?: string): Warning => ({
  code,
  path,
  message,
  ...(about !== undefined && { about }),
})

/** The warning of a field that is accepted and not used. */
export const noEffect = (field: string): Warning => warning('no-effect', field, `${field} has no effect`)

/** Warnings as a header: a JSON array in printable ASCII. What does not fit is left out and counted. */
export function warningHeader(warnings: readonly Warning[]): string {
  const texts: string[] = []
  let length = 0
  for (const { message, ...one } of warnings) {
    const text = ascii({ ...one, message: shortened(message) })
    length += text.length + 1
    if (length > limits.warnings) break
    texts.push(text)
  }
  const rest = warnings.length - texts.length
  if (rest > 0) texts.push(ascii(warning('more', '', `and ${rest} more`)))
  return `[${texts.join()}]`
}

const shortened = (text: string) =>
  text.length > limits.warningMessage ? `${text.slice(0, limits.warningMessage)}…` : text

/** JSON text with other characters escaped. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const Warnings = lazy(() =>
  z.array(z.looseObject({ code: z.string(), path: z.string(), message: z.string(), about: z.string().optional() })),
)

/** The warnings in a header, each once; a header of another form is one warning without a code. */
export function warningsIn(header = ''): readonly Warning[] {
  if (header.trim() === '') return []
  const parsed = Warnings().safeParse(parseJson(header))
  if (!parsed.success) return [{ code: '', path: '', message: header }]
  return [...new Map(parsed.data.map((one) => [JSON.stringify(one), one])).values()]
}
