import { at } from '../../../contract/path.ts'
import type { VatomsPage } from '../../../contract/vatom.ts'

/** Pages as one: each vAtom, face and action once, as one may move between pages while they are read. */
export const merged = (pages: readonly VatomsPage[]): VatomsPage => ({
  vatoms: unique(pages.flatMap(({ vatoms }) => vatoms)),
  faces: unique(pages.flatMap(({ faces }) => faces)),
  actions: unique(pages.flatMap(({ actions }) => actions)),
})

const unique = <R extends object>(records: readonly R[]): R[] => [
  ...new Map(records.map((record) => [at(record, 'id') ?? at(record, 'name'), record])).values(),
]

/** A built-in property of a vAtom. */
export const builtInAt = (vatom: unknown, ...path: string[]): unknown => at(vatom, 'vAtom::vAtomType', ...path)
