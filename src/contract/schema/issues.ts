import type * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { fieldsAt, schemasAt } from './fields.ts'
import { lazy, reasonAgainst } from './lazy-schema.ts'
import { at, type Path, printPath } from './path.ts'
import { certainMeaning, didYouMean, meantBy, nameList } from './suggest.ts'
import { describe, shortened } from './wording.ts'

export type Severity = 'error' | 'warning'

/** What would be right, where that is certain: another value at the place, or another name for the field there. */
export type Fix = { readonly value: string | number | boolean } | { readonly key: string }

/** One thing that is wrong with a document or a request, at a place. */
export interface Issue {
  readonly path: Path
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly hint?: string
  readonly fix?: Fix
  /** `key` where the field itself is wrong, whatever its value. */
  readonly part?: 'key'
  /** The file that the value names, by a path from the document's. */
  readonly names?: string
  /** JSON types that the value should have, where it has another. */
  readonly wanted?: readonly string[]
  /** The specification's section. */
  readonly spec?: string
}

/** A hint, or what makes it if it is shown: comparing names takes time. */
export type Advice = string | (() => string | undefined)

/** An issue before its hint is made. */
export type Draft = Omit<Issue, 'hint'> & { readonly hint?: Advice | undefined }

/**
 * What a schema found, in words: at most `limits.issues`, and one that counts the rest. Unknown fields become
 * one issue each, at the field, with the reason they are refused or the nearest field the schema knows.
 */
export function schemaIssues(schema: z.ZodType, input: unknown, error: z.ZodError, spec?: string): Issue[] {
  const all = error.issues.flatMap((issue) => findingsOf(schema, issue))
  return withoutMisspelt(capped(all, (finding) => ({ ...translate(schema, input, finding), ...(spec && { spec }) })))
}

/** Leaves out that a field is missing which is there and misspelt. */
function withoutMisspelt(issues: Issue[]): Issue[] {
  const meant = issues.flatMap(({ path, fix }) =>
    fix && 'key' in fix ? printPath([...path.slice(0, -1), fix.key]) : [],
  )
  return issues.filter(({ rule, path }) => rule !== 'required' || !meant.includes(printPath(path)))
}

/**
 * The issues of the first `limits.issues` findings, and one that counts the rest; errors must come before warnings. Where
 * only the first findings are given, `count` is that of all. Hints are made for the first `limits.hints`.
 */
export function capped<T>(found: readonly T[], draftOf: (one: T) => Draft, count = found.length): Issue[] {
  const issues = found.slice(0, limits.issues).map((one, index) => advised(draftOf(one), index))
  const rest = count - issues.length
  const severity = issues.at(-1)?.severity ?? 'error'
  return rest > 0 ? [...issues, { ...problem([], 'too-many', `and ${rest} more problems`), severity }] : issues
}

function advised({ hint: advice, ...issue }: Draft, index: number): Issue {
  const hint = typeof advice === 'string' || index >= limits.hints ? advice : advice?.()
  return typeof hint === 'string' ? { ...issue, hint } : issue
}

/** What a schema found; of several unknown fields, one. */
interface Finding {
  readonly issue: z.core.$ZodIssue
  readonly unknown?: Unknown
}
interface Unknown {
  readonly key: string
  /** What the unknown fields of the object certainly mean, by their names. */
  readonly meanings: () => ReadonlyMap<string, string | undefined>
}

/** One finding for each unknown field. */
function findingsOf(schema: z.ZodType, issue: z.core.$ZodIssue): readonly Finding[] {
  if (issue.code !== 'unrecognized_keys') return [{ issue }]
  const { keys } = issue
  const compared = keys.length > mostUnknown ? [] : keys
  const meanings = lazy(() => {
    const fields = fieldsAt(schema, placeOf(issue))
    return new Map(compared.map((key) => [key, certainMeaning(key, fields)]))
  })
  return keys.map((key) => ({ issue, unknown: { key, meanings } }))
}

const placeOf = (issue: z.core.$ZodIssue): Path => issue.path.filter((step) => typeof step !== 'symbol')

function translate(schema: z.ZodType, input: unknown, { issue, unknown }: Finding): Issue {
  const path = placeOf(issue)
  const found = at(input, ...path)
  if (unknown) return unknownField(schema, { input, path, holder: found, ...unknown })
  if (issue.code === 'invalid_key')
    return { ...problem(path, 'format', issue.issues[0]?.message ?? 'is not a valid name'), part: 'key' }
  const type = issue.code === 'invalid_type' && { wanted: [issue.expected] }
  if (found === undefined)
    return {
      ...problem(path, 'required', `${printPath(path) || 'a body'} is required`, writeHint(issue.message)),
      ...type,
    }
  if (issue.code === 'invalid_type')
    return {
      ...problem(path, 'type', `must be ${article(issue.expected)}, not ${describe(found)}`, writeHint(issue.message)),
      ...type,
    }
  if (issue.code === 'invalid_value') return invalidValue(path, found, issue)
  const heading = param(issue, 'candidates') ? 'one of' : undefined
  const types = typesOf(issue)
  return {
    ...problem(path, ruleOf(issue), issue.message, alternatives(found, candidates(issue), heading)),
    ...(types.length > 0 && { wanted: types }),
  }
}

/** Gives a schema the hint for a required field that is missing: `write …`. */
export const whenMissing = (hint: `write ${string}`) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? hint : undefined),
})

/** Gives a schema of objects the hint for a text in its place: `write …`. */
export const whenText = (hintFor: (text: string) => `write ${string}`) => ({
  error: ({ input }: { readonly input?: unknown }) => (typeof input === 'string' ? hintFor(input) : undefined),
})

/** Any other message of a schema is about a value. */
const writeHint = (message: string) => (message.startsWith('write ') ? message : undefined)

const problem = (path: Path, rule: string, message: string, hint?: string): Issue => ({
  path,
  rule,
  severity: 'error',
  message,
  ...(hint && { hint }),
})

interface UnknownField extends Unknown {
  /** What is checked. */
  readonly input: unknown
  readonly path: Path
  /** The object that has the field. */
  readonly holder: unknown
}

/** Where an unknown field is. */
type Placed = Pick<UnknownField, 'input' | 'path' | 'key'>

function unknownField(schema: z.ZodType, { input, path, holder, key, meanings }: UnknownField): Issue {
  const reason = reasonAgainst(schemasAt(schema, path), key)
  if (reason !== undefined)
    return { ...problem([...path, key], 'unknown-field', `${key} cannot be set here`, reason), part: 'key' }
  const message = `unknown field ${shortened(key)}${path.length ? ` in ${printPath(path)}` : ''}`
  const outer = outerPlace(schema, { input, path, key })
  if (outer !== undefined) return { ...problem([...path, key], 'unknown-field', message, outer), part: 'key' }
  const fields = fieldsAt(schema, path)
  const hint =
    alreadyThere(key, holder, fields) ??
    (meanings().get(key) === undefined ? innerPlace(schema, { input, path, key }) : undefined) ??
    alternatives(key, fields, 'known fields')
  return {
    ...problem([...path, key], 'unknown-field', message, hint),
    part: 'key',
    ...renaming(key, holder, meanings()),
  }
}

/** Where a field belongs that stands too deep: beside the nearest object around it that may have it as a neighbour. */
function outerPlace(schema: z.ZodType, { input, path, key }: Placed): string | undefined {
  const depth = path.findLastIndex((_, index) => fieldsAt(schema, path.slice(0, index)).includes(key))
  if (depth < 0) return undefined
  const levels = path.length - depth
  const place = `${levels === 1 ? 'one level' : `${levels} levels`} further out, beside ${printPath(path.slice(depth, depth + 1))}`
  const isThere = at(input, ...path.slice(0, depth), key) !== undefined
  return isThere ? `remove it: it belongs ${place}, and is there already` : `it belongs ${place}: indent it less`
}

/** Objects that stand in each other, among which a field is looked for that stands too far out. */
const innerLevels = 2

/** Where a field belongs that stands too far out: below the only object in the one that has it which may have it. */
function innerPlace(schema: z.ZodType, { input, path, key }: Placed): string | undefined {
  const [place, ...others] = innerObjects(schema, path, innerLevels).filter((one) =>
    fieldsAt(schema, one).includes(key),
  )
  if (place === undefined || others.length > 0) return undefined
  const below = `it belongs below ${printPath(place)}`
  const isThere = at(input, ...place, key) !== undefined
  const advice = isThere ? `remove it: ${below}, and is there already` : `${below}: move it there`
  return `${advice}; known fields here: ${nameList(fieldsAt(schema, path))}`
}

/** The places of the objects in one, and of those in them, so many levels deep. */
const innerObjects = (schema: z.ZodType, path: Path, levels: number): Path[] =>
  levels === 0
    ? []
    : fieldsAt(schema, path).flatMap((field) => {
        const inner = [...path, field]
        return [inner, ...innerObjects(schema, inner, levels - 1)]
      })

/** The hint for a key by which only fields can be meant that the object has. */
function alreadyThere(key: string, holder: unknown, fields: readonly string[]): string | undefined {
  const meant = meantBy(key, fields)
  if (meant.length === 0 || meant.some((field) => at(holder, field) === undefined)) return undefined
  return `${didYouMean(key, fields)} ${meant.length === 1 ? 'it is' : 'they are'} there already: remove this one`
}

/** Unknown fields of an object among which misspelt ones are recognized: each is compared with all others. */
export const mostUnknown = 100

/** The field that a key alone can mean, unless that is there or another key can mean it too. */
function renaming(key: string, holder: unknown, meanings: ReadonlyMap<string, string | undefined>): Pick<Issue, 'fix'> {
  const meant = meanings.get(key)
  if (meant === undefined || Object.hasOwn(Object(holder), meant)) return {}
  const rivals = [...meanings.values()].filter((other) => other === meant)
  return rivals.length === 1 ? { fix: { key: meant } } : {}
}

function invalidValue(path: Path, found: unknown, issue: z.core.$ZodIssueInvalidValue): Issue {
  const allowed = issue.values.map(String)
  const meant = typeof found === 'string' ? certainMeaning(found, allowed) : undefined
  return {
    ...problem(path, 'value', issue.message, Array.isArray(found) ? oneOnly : didYouMean(found, allowed)),
    ...(meant !== undefined && { fix: { value: meant } }),
    ...(isUnquoted(found, allowed) && { wanted: ['string'] }),
  }
}

const oneOnly = 'write one value; for several, write a document for each'

/** Whether a value would be allowed as a string: `true` where `"true"` is. */
const isUnquoted = (found: unknown, allowed: readonly string[]): boolean =>
  (typeof found === 'boolean' || typeof found === 'number') && allowed.includes(String(found))

const ruleNames: Partial<Record<z.core.$ZodIssue['code'], string>> = {
  too_big: 'length',
  too_small: 'length',
  invalid_format: 'format',
  invalid_union: 'value',
  not_multiple_of: 'value',
}
const param = (issue: z.core.$ZodIssue, name: string): unknown => at(issue, 'params', name)
function ruleOf(issue: z.core.$ZodIssue): string {
  const outOfRange = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'number'
  return String(param(issue, 'rule') ?? (outOfRange ? 'range' : ruleNames[issue.code]) ?? 'format')
}

/** What would have been right: said by the schema, or the values that the options of a union name. */
function candidates(issue: z.core.$ZodIssue): string[] {
  const said = param(issue, 'candidates')
  if (Array.isArray(said)) return said.map(String)
  if (issue.code !== 'invalid_union') return []
  return issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_value' ? inner.values.map(String) : []))
}

/** The types that a schema says it wants, or the options of a union. */
function typesOf(issue: z.core.$ZodIssue): string[] {
  const said = param(issue, 'wanted')
  if (Array.isArray(said)) return said.map(String)
  if (issue.code !== 'invalid_union') return []
  return issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []))
}

/** The nearest of the candidates, else a list of them where it has a heading. */
function alternatives(found: unknown, names: readonly string[], heading?: string): string | undefined {
  const near = didYouMean(found, names)
  return near ?? (heading && names.length ? `${heading}: ${nameList(names)}` : undefined)
}

const articles: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
}
const article = (expected: string) => articles[expected] ?? expected
