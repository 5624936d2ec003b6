import { at, isObject, type Path, printPath } from '../schema/path.ts'
import type { Section } from '../vatom/complete.ts'

/** What a record lacks of what its document says. */
export interface Changes {
  /** The fields to send: those that differ, whole; `null` removes one. Empty where nothing differs. */
  readonly body: Section
  /** All fields of the document that an update can replace, also those that do not differ. */
  readonly whole: Section
  readonly differences: readonly Difference[]
  /** The places among them that no update can change. */
  readonly fixed: readonly string[]
  /** Whether the record is published, which is final. Spec 3. */
  readonly final: boolean
  /** The stored `eth` section before and after. Spec 2.3. */
  readonly eth: { readonly before: unknown; readonly after: unknown }
}

/** A place where a record differs from its document; undefined where one of them has nothing there. */
export interface Difference {
  /** As people read it: `vatom.vAtom::vAtomType.title`. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** A field as the document and the record have it, both as they would be stored. */
interface Field {
  readonly name: string
  readonly wanted: unknown
  readonly stored: unknown
  /** What to send where they differ; a field without it cannot be changed. */
  readonly sent?: unknown
}

/** A field whose value is sent as it is stored. */
export const setting = (name: string, wanted: unknown, stored: unknown): Field => ({
  name,
  wanted,
  stored,
  sent: wanted,
})

/** An `eth` or `eos` section; one that the document does not have is removed. `complete` makes of it what is stored. */
export function chain(
  name: string,
  wanted: unknown,
  stored: unknown,
  complete: (section: Section) => Section,
): Field & { readonly sent: unknown } {
  const completed = (section: unknown) => (isObject(section) ? complete(section) : undefined)
  return { name, wanted: completed(wanted), stored: completed(stored), sent: wanted ?? null }
}

interface State {
  /** Whether the record is published. */
  readonly final?: boolean
  readonly eth?: Pick<Field, 'wanted' | 'stored'>
}

/** What differs between fields of a document and its record. */
export function changesOf(fields: readonly Field[], { final = false, eth }: State = {}): Changes {
  const differing = fields
    .map((field) => ({ ...field, found: differences(field.stored, field.wanted, [field.name]) }))
    .filter(({ found }) => found.length > 0)
  const open = differing.filter(isOpen)
  return {
    body: bodyOf(open),
    whole: bodyOf(fields.filter(isOpen)),
    differences: differing.flatMap(({ found }) => found),
    fixed: differing.filter((field) => !isOpen(field)).flatMap(({ found }) => found.map(({ path }) => path)),
    final,
    eth: { before: eth?.stored, after: eth?.wanted },
  }
}

const isOpen = (field: Field) => 'sent' in field

const bodyOf = (fields: readonly Field[]): Section => Object.fromEntries(fields.map(({ name, sent }) => [name, sent]))

/** The places where two JSON values differ, as deep as they have the same shape. */
export function differences(before: unknown, after: unknown, path: Path): Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)])
    return [...keys].flatMap((key) => differences(at(before, key), at(after, key), [...path, key]))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((entry: unknown, index) => differences(before[index], entry, [...path, index]))
  return before === after ? [] : [{ path: printPath(path), before, after }]
}
