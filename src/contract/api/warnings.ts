import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy } from '../schema/lazy-schema.ts'
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
  'action-used': 'The policy of an action names an action that was removed',
  'handler-host': 'The action handler is on a host that this service does not call',
  'handler-used': 'Actions name the reactor of an action handler that was removed',
  'handler-not-called': 'A dry run does not call action handlers: what they answer is not predicted',
  'not-waited-for': 'The action runs after the answer: its result is not reported',
  'type-change': 'A custom property was set to a value of another type than it had',
  'action-failed': 'An action of the policy failed, and the failure does not abort the request',
  held: 'A vAtom was sent to an address that is not verified: its new owner can use it only once it is',
  'guest-made': 'A vAtom was sent to an address that nobody had: a guest was made for it',
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
export const warningHeader = (warnings: readonly Warning[]): string => `[${bounded(warnings).map(ascii).join()}]`

/** A warning with a long message or place cut. */
export const short = (warning: Warning): Warning => ({
  ...warning,
  path: shortened(warning.path),
  message: shortened(warning.message),
})

const shortened = (text: string) =>
  text.length > limits.warningMessage ? `${text.slice(0, limits.warningMessage)}…` : text

/** The first warnings, as many as an answer has room for, each short; the last one counts the rest. */
function bounded(warnings: readonly Warning[]): readonly Warning[] {
  const all = warnings.length
  const first = warnings.slice(0, limits.warningCount).map(short)
  if (fitting(first, room) === all) return first
  const count = Math.min(fitting(first, room - lengthOf(rest(all, 0))), limits.warningCount - 1)
  return [...first.slice(0, count), rest(all, count)]
}

const rest = (all: number, count: number): Warning =>
  warning('more', '', `and ${all < limits.warningsKept ? '' : 'at least '}${all - count} more`)

/** How many of the first warnings a header of so many characters has room for. */
function fitting(warnings: readonly Warning[], room: number): number {
  let left = room
  const first = warnings.findIndex((one) => {
    left -= lengthOf(one)
    return left < 0
  })
  return first < 0 ? warnings.length : first
}

/** Characters of a header but for its first bracket, and those of a warning with what follows it. */
const room = limits.warnings - 1
const lengthOf = (one: Warning) => ascii(one).length + 1

/** JSON text with other characters escaped. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What is in the headers of an answer: HTTP joins several of one name with commas. */
const Warnings = lazy(() =>
  z.array(
    z.array(z.looseObject({ code: z.string(), path: z.string(), message: z.string(), about: z.string().optional() })),
  ),
)

/**
 * The warnings in a header, each once and no more than `warningHeader` writes; a header of another form is one warning
 * without a code.
 */
export function warningsIn(header = ''): readonly Warning[] {
  if (header.trim() === '') return []
  const parsed = Warnings().safeParse(parseJson(`[${header}]`))
  if (!parsed.success) return bounded([{ code: '', path: '', message: header }])
  return bounded([...new Map(parsed.data.flat().map((one) => [JSON.stringify(one), one])).values()])
}
