import type * as z from 'zod/v4'
import { ActionDocument, ActionUpdate } from '../../contract/kinds/action-schemas.ts'
import { FaceDocument, FaceUpdate } from '../../contract/kinds/face-schemas.ts'
import { TemplateDocument } from '../../contract/kinds/template-schemas.ts'
import { VariationDocument } from '../../contract/kinds/variation-schemas.ts'
import { ruleIssues } from '../../contract/rules/document-rules.ts'
import type { Facts } from '../../contract/rules/rule.ts'
import { type Issue, schemaIssues } from '../../contract/schema/issues.ts'
import type { Schema } from '../../contract/schema/lazy.ts'
import { isObject } from '../../contract/schema/path.ts'
import { sections } from '../../contract/schema/spec-sections.ts'
import type { Kind } from '../../contract/values.ts'

const schemas: Readonly<Record<Kind, Schema>> = {
  template: TemplateDocument,
  variation: VariationDocument,
  face: FaceDocument,
  action: ActionDocument,
}
/** Kinds whose records are changed field by field from the command line. */
const updates = { face: FaceUpdate, action: ActionUpdate } as const
export type PartKind = keyof typeof updates

/**
 * Every issue of one document that needs no state: its schema's and its rules'. `value` is what would be sent. The
 * service accepts a document, as far as the document itself goes, exactly if none of these is an error.
 */
export function documentIssues(kind: Kind, value: unknown, facts: Facts): Issue[] {
  return allIssues(schemas[kind](), kind, value, facts)
}

/** Every issue of fields that are to be replaced in a record, as far as they show it alone. */
export const partIssues = (kind: PartKind, value: unknown): Issue[] => allIssues(updates[kind](), kind, value, {})

function allIssues(schema: z.ZodType, kind: Kind, value: unknown, facts: Facts): Issue[] {
  const placed = valueIssues(schema, value).map((issue) => ({ ...issue, spec: sections[kind](issue.path) }))
  return [...placed, ...ruleIssues(kind, value, facts)]
}

/** Every issue that a schema has with a value. */
export function valueIssues(schema: z.ZodType, value: unknown): Issue[] {
  if (!isObject(value)) return [notAnObject(value)]
  const result = schema.safeParse(value)
  return result.success ? [] : schemaIssues(schema, value, result.error)
}

const notAnObject = (value: unknown): Issue => ({
  path: [],
  rule: 'type',
  severity: 'error',
  message: `a document is a set of "key: value" fields, not ${Array.isArray(value) ? 'a list' : 'a single value'}`,
})
