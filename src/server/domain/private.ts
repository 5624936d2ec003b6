import { errorAt } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { isObject, type Path, printPath } from '../../contract/schema/path.ts'
import { didYouMean, nameList } from '../../contract/schema/suggest.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { resolveVatom } from '../../contract/vatom/overlay.ts'
import type { VatomRow } from '../store/vatoms.ts'

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
