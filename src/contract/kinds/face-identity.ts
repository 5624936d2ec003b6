import { at } from '../schema/path.ts'
import type { Section } from '../vatom/complete.ts'

/** What distinguishes a face of a template from its others: view mode, platform and quality. Spec 4.5. */
export const identityOf = (face: unknown): unknown[] =>
  ['view_mode', 'platform', 'quality'].map((key) => at(face, 'constraints', key))

/** Whether a record is the face that a document describes: for the same viewers of the same template. Spec 4.5. */
export function isFaceOf(document: Section, record: Section): boolean {
  const wanted = identityOf(document)
  return (
    record.template === document.template &&
    identityOf(record.properties).every((value, index) => value === wanted[index])
  )
}
