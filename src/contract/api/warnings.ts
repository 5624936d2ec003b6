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
  'missing-handler': 'No action handler is registered for the reactor of the action',
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

/** A warning, or what makes it: of many, those for which an answer has no room are never made. */
export type WarningSource = Warning | (() => Warning)

/** A warning of the catalogue. */
export const warning = (code: WarningCode, path: string, message: string, about?: string): Warning => ({
  code,
  path,
  message,
  ...(about !== undefined && { about }),
})

/** The warning of a field that is accepted and not used. */
export const noEffect = (field: string): Warning => warning('no-effect', field, `${field} has no effect`)

/** Characters of a header but for its first bracket. */
const room = limits.warnings - 1

/**
 * The warnings of an answer, short: as many are kept as it has room for, each once. The first for which there is none,
 * and all after it, are counted without a look at them.
 */
export class WarningList {
  /** By their text in the header. */
  readonly #kept = new Map<string, Warning>()
  #free = room
  #others = 0
  /** Of which the text is known: those that are the same once they are cut are kept once, and take time each. */
  #seen = 0

  constructor(all: Iterable<WarningSource> = []) {
    for (const one of all) this.add(one)
  }

  /** One that is kept already is not added again. */
  add(source: WarningSource): void {
    if (this.#others > 0 || this.#seen === limits.warningCount) {
      this.#others++
      return
    }
    this.#seen++
    const warning = short(typeof source === 'function' ? source() : source)
    const text = ascii(warning)
    if (this.#kept.has(text)) return
    if (lengthOf(text) > this.#free) {
      this.#others++
      return
    }
    this.#kept.set(text, warning)
    this.#free -= lengthOf(text)
  }

  get isEmpty(): boolean {
    return this.#kept.size + this.#others === 0
  }

  /** Marks what it has; the function that it returns takes back what was added since. */
  mark(): () => void {
    const [size, free, others, seen] = [this.#kept.size, this.#free, this.#others, this.#seen]
    return () => {
      for (const text of [...this.#kept.keys()].slice(size)) this.#kept.delete(text)
      this.#free = free
      this.#others = others
      this.#seen = seen
    }
  }

  /** A JSON array in printable ASCII. */
  header(): string {
    return `[${this.all().map(ascii).join()}]`
  }

  /** Those that are kept, as many as there is room for where a last one counts the rest. */
  all(): readonly Warning[] {
    const kept = [...this.#kept]
    const first = kept.map(([, warning]) => warning)
    if (this.#others === 0) return first
    const all = first.length + this.#others
    const places = Math.min(fitting(kept, room - lengthOf(ascii(rest(all)))), limits.warningCount - 1)
    return [...first.slice(0, places), rest(all - places)]
  }
}

/** A warning with a long message or place cut. */
const short = (warning: Warning): Warning => ({
  ...warning,
  path: shortened(warning.path),
  message: shortened(warning.message),
})

/** A text with both its ends: what stands deep in a record differs from its neighbours in the last of its place. */
const shortened = (text: string) =>
  text.length > limits.warningMessage ? `${text.slice(0, endLength)}…${text.slice(-endLength)}` : text

const endLength = limits.warningMessage / 2

const rest = (count: number): Warning => warning('more', '', `and ${count} more`)

/** How many of the first texts a header of so many characters has room for. */
function fitting(kept: readonly (readonly [text: string, Warning])[], characters: number): number {
  let left = characters
  const first = kept.findIndex(([text]) => {
    left -= lengthOf(text)
    return left < 0
  })
  return first < 0 ? kept.length : first
}

/** Characters of a text in a header, with what follows it. */
const lengthOf = (text: string) => text.length + 1

/** JSON text with other characters escaped. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What is in the headers of an answer: HTTP joins several of one name with commas. */
const Warnings = lazy(() =>
  z.array(
    z.array(z.looseObject({ code: z.string(), path: z.string(), message: z.string(), about: z.string().optional() })),
  ),
)

/** The warnings in a header, no more than a `WarningList` keeps; a header of another form is one warning without a code. */
export function warningsIn(header = ''): readonly Warning[] {
  if (header.trim() === '') return []
  const parsed = Warnings().safeParse(parseJson(`[${header}]`))
  return new WarningList(parsed.success ? parsed.data.flat() : [{ code: '', path: '', message: header }]).all()
}
