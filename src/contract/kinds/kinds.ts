import { isObject } from '../schema/path.ts'
import type { KindName } from '../values.ts'
import { action } from './action.ts'
import { face } from './face.ts'
import type { Kind } from './kind.ts'
import { template } from './template.ts'
import { variation } from './variation.ts'

const byName: Readonly<Record<KindName, Kind>> = { template, variation, face, action }

/** The kind of a name. */
export const kindOf = (name: KindName): Kind => byName[name]

/** Every kind, in an order in which a service takes documents: each names only what comes before it. */
export const creationOrder: readonly Kind[] = [template, variation, action, face]

/** Whether a value is the name of a kind. */
export const isKindName = (value: unknown): value is KindName =>
  typeof value === 'string' && Object.hasOwn(byName, value)

/** Kinds by how clearly the keys of a document show them: what is a variation may have a `vatom` section, too. */
const byKeys: readonly Kind[] = [variation, face, action, template]

/** The kind a document says it is by `kind:`, or shows by its keys; undefined where neither shows it. */
export function recognized(document: unknown): Kind | undefined {
  if (!isObject(document)) return undefined
  if (isKindName(document.kind)) return kindOf(document.kind)
  return byKeys.find((kind) => kind.showsIn(document))
}
