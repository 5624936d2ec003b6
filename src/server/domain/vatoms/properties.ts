import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isObject, type Path, printPath } from '../../../contract/schema/path.ts'
import { didYouMean, nameList } from '../../../contract/schema/suggest.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import { builtIn, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { resolveVatom } from '../../../contract/vatom/overlay.ts'
import { bit } from '../../store/table.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { searchable } from './vatom.ts'

/** Custom properties in the text of a record. */
export const privateOf = ({ json }: Pick<VatomRow, 'json'>): Section => sectionOf(sectionOf(JSON.parse(json)).private)

/**
 * The custom properties of a vAtom with some changed, objects key by key. Only those that are there can be: throws
 * `invalid` for others, and for more than a vAtom holds. Spec 2.4.
 */
export function changedPrivate(before: Section, changes: Section): Section {
  checkKnown(changes, before, ['private'])
  const after = sectionOf(resolveVatom({ private: before }, { private: changes }).private)
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

function unknownField(path: Path, key: string, names: readonly string[]) {
  const hint = didYouMean(key, names) ?? `there: ${nameList(names)}`
  return errorAt(printPath(path), 'invalid', `the vAtom has no custom property ${printPath(path)}; ${hint}`)
}

/** Sections of a vAtom that are written anew; of the built-in properties, those alone that change. */
export interface Rewriting {
  readonly type?: Section
  readonly private?: Section
}

/** Writes properties of a vAtom that decide neither who has it, where it is nor who sees it. Call it inside a write. */
export function rewrite({ store, now }: Moment, { id, json }: VatomRow, changes: Rewriting): void {
  const record = sectionOf(JSON.parse(json))
  const changed = {
    ...record,
    sync: Number(record.sync) + 1,
    when_modified: timestamp(now),
    [vatomTypeKey]: { ...builtIn(record), ...changes.type },
    private: changes.private ?? record.private,
  }
  const { category, visibility_type, acquirable } = searchable(changed)
  store.vatoms.change({ id, category, visibility_type, acquirable: bit(acquirable), json: JSON.stringify(changed) })
}

/** Built-in properties in the text of a record. */
export const builtInOf = (vatom: Pick<VatomRow, 'json'>) => builtIn(sectionOf(JSON.parse(vatom.json)))
