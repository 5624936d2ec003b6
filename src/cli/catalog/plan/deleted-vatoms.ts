import { emittedByAll, emittedText } from '../../kinds/draft-contents.ts'
import type { Plan } from './plan.ts'

/** The vAtoms that are deleted with all records that a plan deletes: `12 vAtoms (3 of somebody else)`. */
export const deletedVatoms = (deletions: Plan['deletions']): readonly string[] =>
  emittedText(emittedByAll(deletions.flatMap(({ emitted }) => emitted ?? [])))
