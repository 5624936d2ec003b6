import type { VatomsPage } from '../../contract/api/vatom.ts'
import { at } from '../../contract/schema/path.ts'
import { unique } from '../service/every-page.ts'

/** Pages as one. */
export const merged = (pages: readonly VatomsPage[]): VatomsPage => ({
  vatoms: unique(pages.flatMap(({ vatoms }) => vatoms)),
  faces: unique(pages.flatMap(({ faces }) => faces)),
  actions: unique(pages.flatMap(({ actions }) => actions)),
})

/** A built-in property of a vAtom. */
export const builtInAt = (vatom: unknown, ...path: string[]): unknown => at(vatom, 'vAtom::vAtomType', ...path)
