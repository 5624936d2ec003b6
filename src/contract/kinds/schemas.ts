import type { Schema } from '../schema/lazy-schema.ts'
import type { KindName } from '../values.ts'
import { ActionDocument, ActionRecord, ActionUpdate } from './action-schemas.ts'
import { FaceDocument, FaceRecord, FaceUpdate } from './face-schemas.ts'
import { TemplateDocument, TemplateRecord, TemplateUpdate } from './template-schemas.ts'
import { VariationDocument, VariationRecord, VariationUpdate } from './variation-schemas.ts'

/** The schemas of a kind: of a document, of the fields to replace in a record, and of a stored record. */
export interface KindSchemas {
  readonly document: Schema
  readonly update: Schema
  readonly record: Schema
}

/** The schemas of each kind. They bring zod along: what may do without it imports them when it needs them. */
export const kindSchemas: Readonly<Record<KindName, KindSchemas>> = {
  template: { document: TemplateDocument, update: TemplateUpdate, record: TemplateRecord },
  variation: { document: VariationDocument, update: VariationUpdate, record: VariationRecord },
  face: { document: FaceDocument, update: FaceUpdate, record: FaceRecord },
  action: { document: ActionDocument, update: ActionUpdate, record: ActionRecord },
}
