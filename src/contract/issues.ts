import leven from 'leven'
import type * as z from 'zod/v4'
import { fieldsAt } from './fields.ts'
import { at, type Path, printPath } from './path.ts'

export type Severity = 'error' | 'warning'

/** One thing that is wrong with a document or a request, at a place. */
export interface Issue {
  readonly path: Path
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly hint?: string
  /** The specification's section. */
  readonly spec?: string
}

/** What to answer a misspelling with: the nearest candidate, if one is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)[0]
  return near?.candidate
}
const distance = (word: string, candidate: string) =>
  leven(word.toLowerCase().replaceAll('-', '_'), candidate.toLowerCase().replaceAll('-', '_'))

const didYouMean = (word: unknown, candidates: readonly string[]) => {
  const found = typeof word === 'string' ? suggest(word, candidates) : undefined
  return found === undefined ? undefined : `did you mean ${found}?`
}

/**
 * Every problem a schema found, in words. Unknown fields become one issue each, at the field, with the nearest
 * field the schema knows.
 */
export function schemaIssues(schema: z.ZodType, input: unknown, error: z.ZodError, spec?: string): Issue[] {
  return error.issues.flatMap((issue) => translate(schema, input, issue).map((one) => (spec ? { ...one, spec } : one)))
}

function translate(schema: z.ZodType, input: unknown, issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol')
  const found = at(input, ...path)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(schema, path, key))
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => [problem(path, 'format', inner.message)])
  if (found === undefined) return [problem(path, 'required', `${printPath(path) || 'a body'} is required`)]
  if (issue.code === 'invalid_type')
    return [problem(path, 'type', `must be ${article(issue.expected)}, not ${describe(found)}`)]
  if (issue.code === 'invalid_value') return [invalidValue(path, found, issue)]
  const hint = didYouMean(found, candidates(issue))
  return [problem(path, ruleOf(issue), wording(issue), hint)]
}

const problem = (path: Path, rule: string, message: string, hint?: string): Issue => ({
  path,
  rule,
  severity: 'error',
  message,
  ...(hint && { hint }),
})

function unknownField(schema: z.ZodType, path: Path, key: string): Issue {
  const known = fieldsAt(schema, path)
  const where = path.length ? `in ${printPath(path)}` : 'here'
  const hint = didYouMean(key, known) ?? (known.length ? `known fields: ${known.join(', ')}` : undefined)
  return problem([...path, key], 'unknown-field', `unknown field ${key} ${where}`, hint)
}

function invalidValue(path: Path, found: unknown, issue: z.core.$ZodIssueInvalidValue): Issue {
  const allowed = issue.values.map(String)
  const own = !issue.message.startsWith('Invalid ')
  const message = own ? issue.message : `must be one of ${allowed.join(', ')}; not ${describe(found)}`
  return problem(path, 'value', message, didYouMean(found, allowed))
}

const ruleNames: Partial<Record<z.core.$ZodIssue['code'], string>> = {
  too_big: 'length',
  too_small: 'length',
  invalid_format: 'format',
  invalid_union: 'value',
}
const param = (issue: z.core.$ZodIssue, name: string): unknown => at(issue, 'params', name)
const candidates = (issue: z.core.$ZodIssue) => {
  const found = param(issue, 'candidates')
  return Array.isArray(found) ? found.map(String) : []
}
const ruleOf = (issue: z.core.$ZodIssue) => String(param(issue, 'rule') ?? ruleNames[issue.code] ?? 'format')

function wording(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin !== 'array') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big' && issue.origin !== 'array')
    return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
  return issue.message
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

/** A value as a message names it: `the string "no"`, `a list`, `12`. */
export function describe(value: unknown): string {
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
