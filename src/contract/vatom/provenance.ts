import { at, isObject, isSame, type Path } from '../schema/path.ts'
import { vatomType } from '../values.ts'
import { type Section, sectionOf } from './complete.ts'
import { flatPrice, resolveChain, resolveVatom } from './overlay.ts'

/** Which document says a value. */
export type Origin = 'template' | 'variation'
/** A value of a resolved vAtom that holds no others. */
export interface Leaf {
  readonly path: Path
  readonly value: unknown
  readonly from: Origin
}
/** The vAtom that a variation makes, and where each of its values is from. */
export interface Resolved {
  readonly sections: Section
  readonly leaves: readonly Leaf[]
}

/**
 * The `vatom`, `eth` and `eos` sections of a variation's document over those of its template's. A value that both have is
 * the variation's, except the names of list entries. The variation must have passed `overlayIssues`. Spec 2.5.
 */
export function resolveWithOrigins(template: Section, variation: Section): Resolved {
  const sections = {
    vatom: resolveVatom(sectionOf(template.vatom), sectionOf(variation.vatom)),
    ...chains(template, variation),
  }
  const leaves = Object.entries(sections).flatMap(([name, resolved]) =>
    leavesOf({ resolved, base: template[name], over: variation[name], path: [name] }),
  )
  return { sections, leaves }
}

const chains = (template: Section, variation: Section) =>
  Object.fromEntries(
    (['eth', 'eos'] as const).flatMap((name) => {
      const base = template[name]
      return isObject(base) ? [[name, resolveChain(base, sectionOf(variation[name]))]] : []
    }),
  )

/** A value with what both documents say at its place. */
interface Place {
  readonly resolved: unknown
  readonly base: unknown
  readonly over: unknown
  readonly path: Path
}

function leavesOf(place: Place): Leaf[] {
  const { resolved, base, over, path } = unfolded(place)
  if (Array.isArray(resolved) && resolved.length > 0)
    return resolved.flatMap((entry: unknown, index) => leavesOf(entryAt({ resolved, base, over, path }, entry, index)))
  if (isObject(resolved) && Object.keys(resolved).length > 0)
    return Object.entries(resolved).flatMap(([key, value]) =>
      leavesOf({ resolved: value, base: at(base, key), over: at(over, key), path: [...path, key] }),
    )
  const kept = isObject(resolved) && isObject(base)
  return [{ path, value: resolved, from: over === undefined || kept ? 'template' : 'variation' }]
}

const isAt = (path: Path, ...rest: string[]) => isSame(path, [...vatomType, ...rest])

/** A price stands flat in the end, however the documents have it. */
function unfolded(place: Place): Place {
  if (!isAt(place.path, 'commerce', 'pricing', 'value')) return place
  return { ...place, base: flatPrice(place.base), over: flatPrice(place.over) }
}

/** An entry of a list: those of states and resources are identified by name and merged, other lists are replaced whole. */
function entryAt({ base, over, path }: Place, entry: unknown, index: number): Place {
  const here = { resolved: entry, path: [...path, index] }
  if (!isAt(path, 'states') && !isAt(path, 'resources'))
    return over === undefined ? { ...here, base: entry, over: undefined } : { ...here, base: undefined, over: entry }
  const name = at(entry, 'name')
  const known = named(base, name)
  const said = named(over, name)
  if (!isObject(said)) return { ...here, base: known, over: undefined }
  const { name: _, ...own } = said
  return { ...here, base: undefined, over: known === undefined ? said : own }
}

const named = (list: unknown, name: unknown): unknown =>
  Array.isArray(list) ? list.findLast((entry: unknown) => at(entry, 'name') === name) : undefined
