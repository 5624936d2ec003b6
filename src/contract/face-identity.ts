import type { Section } from './complete.ts'
import type { FaceRecord } from './face.ts'
import { at } from './path.ts'

/** What tells a face of a template from its others. */
export const faceKeys = ['view_mode', 'platform', 'quality'] as const

/** Whether a record is the face that a document describes: for the same viewers of the same template. Spec 4.5. */
export const isFaceOf = (
  document: Section,
  { template, properties }: Pick<FaceRecord, 'template' | 'properties'>,
): boolean =>
  template === document.template &&
  faceKeys.every((key) => at(properties, 'constraints', key) === at(document, 'constraints', key))
