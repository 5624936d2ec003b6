import type * as z from 'zod/v4'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { kindSchemas } from '../../contract/kinds/schemas.ts'
import { ruleIssues } from '../../contract/rules/document-rules.ts'
import { publisherText } from '../../contract/rules/publisher-text.ts'
import type { Facts } from '../../contract/rules/rule.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { type Issue, schemaIssues } from '../../contract/schema/issues.ts'
import { isAtOrBelow, isObject, printPath } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'

/**
 * Every issue of one document by itself, from its schema and its rules; `value` is the body to send. The service refuses
 * a document because of its own content exactly if one of these is an error.
 */
export const documentIssues = (kind: KindName, value: unknown, facts: Facts): Issue[] =>
  allIssues(kindSchemas[kind].document(), kind, value, facts)

/** Every issue of fields that are to replace those of a record, without knowing the record. */
export const partIssues = (kind: KindName, value: unknown, facts: Pick<Facts, 'localPorts'> = {}): Issue[] =>
  allIssues(kindSchemas[kind].update(), kind, value, facts)

/**
 * The issues of a document of which some values could not be read: what its schema finds in the others. What is missing may be
 * in those, and a rule may need them.
 */
export const remainingIssues = (kind: KindName, value: unknown): Issue[] =>
  placedIssues(kindSchemas[kind].document(), kind, value).filter(({ rule }) => rule !== 'required')

function allIssues(schema: z.ZodType, kind: KindName, value: unknown, facts: Facts): Issue[] {
  const placed = placedIssues(schema, kind, value)
  return [...placed, ...withoutRefused(ruleIssues(kind, value, facts), placed)]
}

/** What a schema finds in a document, with the section of the specification. */
function placedIssues(schema: z.ZodType, kind: KindName, value: unknown): Issue[] {
  const { specAt } = kindOf(kind)
  return withoutRepetition(valueIssues(schema, value)).map((issue) => ({ ...issue, spec: specAt(issue.path) }))
}

/** Issues without texts that are not published, because they are in unknown fields. */
function withoutRefused(issues: readonly Issue[], placed: readonly Issue[]): readonly Issue[] {
  const unknown = placed.filter(({ rule }) => rule === 'unknown-field')
  return issues.filter(
    (issue) => issue.rule !== publisherText.name || !unknown.some(({ path }) => isAtOrBelow(issue.path, path)),
  )
}

/** Issues with one for all booleans that an object lacks; those that documents need are usually false. */
function withoutRepetition(issues: readonly Issue[]): Issue[] {
  const holderOf = ({ path }: Issue) => path.slice(0, -1)
  const lacking = groupBy(issues.filter(isLackingBoolean), (issue) => printPath(holderOf(issue)))
  return issues.flatMap((issue) => {
    const path = holderOf(issue)
    const alike = isLackingBoolean(issue) ? (lacking.get(printPath(path)) ?? []) : []
    if (alike.length < 2) return [issue]
    if (alike[0] !== issue) return []
    const names = alike.map(({ path }) => path.at(-1)).join(', ')
    return [
      {
        ...issue,
        path,
        message: `${printPath(path)} lacks ${names}`,
        hint: 'write false for each that it does not need',
      },
    ]
  })
}

const isLackingBoolean = ({ rule, wanted }: Issue) => rule === 'required' && wanted?.includes('boolean') === true

/** Every issue that a schema finds in a value. */
export function valueIssues(schema: z.ZodType, value: unknown): Issue[] {
  if (!isObject(value)) return [notAnObject(value)]
  const result = schema.safeParse(value)
  return result.success ? [] : schemaIssues(schema, value, result.error)
}

function notAnObject(value: unknown): Issue {
  const hint = hintFor(value)
  return {
    path: [],
    rule: 'type',
    severity: 'error',
    message: `a document is a set of "key: value" fields, not ${Array.isArray(value) ? 'a list' : 'a single value'}`,
    ...(hint !== undefined && { hint }),
  }
}

function hintFor(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'write the fields of each document without "- ", and a line --- between documents'
  const isFileName = typeof value === 'string' && /^\S+\.(ya?ml|json)$/i.test(value)
  return isFileName
    ? `if it is a link to ${value}, which git has written as a text (core.symlinks): put the file itself in its place`
    : undefined
}
