import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isObject, isSameType, nestsDeeper, type Path, printPath } from '../../../contract/schema/path.ts'
import { didYouMean, nameList } from '../../../contract/schema/suggest.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import { builtIn, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { resolveVatom } from '../../../contract/vatom/overlay.ts'
import { memberOf } from '../../store/vatoms/record-text.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { searchable } from './vatom.ts'

/** Custom properties in the text of a record. */
export const privateOf = ({ json }: Pick<VatomRow, 'json'>): Section => sectionOf(memberOf(json, 'private'))

/**
 * The custom properties of a vAtom with some changed, objects key by key. Throws `invalid` for a property that
 * it does not have, for more bytes than a vAtom can have, and for more levels than a body: what is changed can nest in what
 * is there, and searches fail at a value that SQLite cannot read. Spec 2.4.
 */
export function changedPrivate(before: Section, changes: Section): Section {
  checkKnown(changes, before, ['private'])
  const after = sectionOf(resolveVatom({ private: before }, { private: changes }).private)
  if (nestsDeeper(after, limits.depth))
    throw errorAt('private', 'invalid', `the custom properties must not nest deeper than ${limits.depth} levels`)
  if (Buffer.byteLength(JSON.stringify(after)) > limits.section)
    throw errorAt('private', 'invalid', `the custom properties must have at most ${limits.section} bytes as JSON`)
  return after
}

function checkKnown(changes: Section, known: Section, path: Path): void {
  for (const [key, value] of Object.entries(changes)) {
    const here = [...path, key]
    if (!Object.hasOwn(known, key)) throw unknownField(here, key, Object.keys(known))
    const inner = known[key]
    if (isObject(value) && isObject(inner)) checkKnown(value, inner, here)
  }
}

/** Custom properties that changes set to another type: what they were, and what they become. */
export function typeChanges(changes: Section, before: Section): readonly TypeChange[] {
  const found: TypeChange[] = []
  collectTypeChanges(changes, before, { path: ['private'], found })
  return found
}

/** One list for all levels: thousands of changes are not copied from each to the next. */
function collectTypeChanges(
  changes: Section,
  before: Section,
  { path, found }: { readonly path: Path; readonly found: TypeChange[] },
): void {
  for (const [key, after] of Object.entries(changes)) {
    const old = before[key]
    if (isObject(after) && isObject(old)) collectTypeChanges(after, old, { path: [...path, key], found })
    else if (!isSameType(old, after)) found.push({ path: () => printPath([...path, key]), before: old, after })
  }
}

export interface TypeChange {
  /** Its path, which is long where it is deep: of thousands, few are printed. */
  readonly path: () => string
  readonly before: unknown
  readonly after: unknown
}

function unknownField(path: Path, key: string, names: readonly string[]) {
  const hint = didYouMean(key, names) ?? `custom properties: ${nameList(names)}`
  return errorAt(printPath(path), 'invalid', `the vAtom has no custom property ${printPath(path)}; ${hint}`)
}

/** What to write: `type` has the built-in properties that change, `private` all custom properties. */
interface Rewriting {
  readonly type?: Section
  readonly private?: Section
}

/** Writes properties of a vAtom other than its owner, place and visibility. Call it inside a write. */
export function rewrite({ store, now }: Moment, { id, json }: VatomRow, changes: Rewriting): void {
  const record = sectionOf(JSON.parse(json))
  const changed = {
    ...record,
    sync: Number(record.sync) + 1,
    when_modified: timestamp(now),
    [vatomTypeKey]: { ...builtIn(record), ...changes.type },
    private: changes.private ?? record.private,
  }
  store.vatoms.change({ id, ...searchable(changed), json: JSON.stringify(changed) })
}

/** Built-in properties in the text of a record. */
export const builtInOf = ({ json }: Pick<VatomRow, 'json'>): Section => sectionOf(memberOf(json, vatomTypeKey))
