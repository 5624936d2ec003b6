import { isChange } from '../api/endpoint.ts'
import { errorNames } from '../api/errors.ts'
import type { localRows } from '../api/local-routes.ts'
import { operations } from '../api/table.ts'
import { isObject } from '../schema/path.ts'
import { componentSchemas, type JsonSchema } from './components.ts'

/**
 * The API as declarations of TypeScript that need no other package: `Schema` with every named schema, `Operations` with
 * what each operation takes and answers, `Client` with a method for each, and `ErrorName`.
 */
export function typeDeclarations(): string {
  const { schemas, unnamed } = componentSchemas()
  const typeOf = (use: string) => unionOf(unnamed.get(use) ?? {}, 'Schema.')
  const bodyOf = (name: keyof typeof localRows) => typeOf(`${name}.body`)
  const named = Object.entries(schemas).map(([name, schema]) => [name, unionOf(schema, '')] as const)
  return [
    '/** The documents and records of the API. */',
    'export declare namespace Schema {',
    ...named.map(([name, type]) => `${comment(schemas[name]?.description)}type ${name} = ${type}`),
    '}',
    '/** What each operation takes and answers. */',
    'export interface Operations {',
    ...operations.map(([name, row]) => {
      const parts = [
        ...[...row.path.matchAll(/:(\w+)/g)].map(([, parameter]) => `readonly ${parameter}: string`),
        ...(row.query
          ? [`readonly query${isOptional(unnamed.get(`${name}.query`)) ? '?' : ''}: ${typeOf(`${name}.query`)}`]
          : []),
        ...(row.body ? [`readonly body: ${typeOf(`${name}.body`)}`] : []),
        ...(row.upload ? ['readonly files: Files'] : []),
        ...(row.unlessThere ? ['readonly unlessThere?: boolean'] : []),
      ]
      return `readonly ${name}: { readonly input: ${objectOf(parts)}; readonly payload: ${typeOf(`${name}.payload`)} }`
    }),
    '}',
    '/** A method for each operation. Each throws ServiceError, UnreachableError, SessionError or UnexpectedAnswerError. */',
    'export interface Client {',
    ...operations.map(
      ([name, row]) =>
        `${comment(`${row.summary}.${isChange(row) ? '' : ' Changes nothing.'}`)}${name}(input: Input<'${name}'>): Promise<Payload<'${name}'>>`,
    ),
    '}',
    '/** The names of the errors that a service answers. */',
    `export type ErrorName = ${errorNames.map(quoted).join(' | ')}`,
    '/** Delays and failures of requests, for tests: the first rule that fits is applied. */',
    `export type Scenario = ${bodyOf('setScenario')}`,
    '/** The fields of a user who is made for a test. */',
    `export type TestUser = ${bodyOf('makeUser')}`,
    '',
  ].join('\n')
}

const quoted = (text: string) => `'${text}'`
const objectOf = (parts: readonly string[]) => (parts.length === 0 ? '{}' : `{ ${parts.join('\n')}\n}`)
const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`)
const isOptional = (query: JsonSchema | undefined) => (query?.required ?? []).length === 0

const words: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
}

const listed = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : [])

/** The type of what a JSON Schema accepts; `scope` stands before the names of others. */
function unionOf(schema: JsonSchema, scope: string): string {
  const { $ref, const: sole, enum: values, anyOf, oneOf, allOf, type } = schema
  const inner = (one: JsonSchema) => unionOf(one, scope)
  if (typeof $ref === 'string') return scope + ($ref.split('/').at(-1) ?? '')
  if (sole !== undefined) return JSON.stringify(sole)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf ?? oneOf) return [...new Set(listed(anyOf ?? oneOf).map(inner))].join(' | ')
  if (allOf)
    return listed(allOf)
      .map((one) => `(${inner(one)})`)
      .join(' & ')
  if (Array.isArray(type)) return type.map((one: unknown) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') return arrayOf(schema, scope)
  if (type === 'object') return fieldsOf(schema, scope)
  return words[String(type)] ?? 'unknown'
}

function arrayOf({ items, prefixItems }: JsonSchema, scope: string): string {
  if (prefixItems)
    return `[${listed(prefixItems)
      .map((one) => unionOf(one, scope))
      .join(', ')}]`
  return `Array<${isObject(items) ? unionOf(items, scope) : 'unknown'}>`
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: JsonSchema, scope: string): string {
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${comment(field.description)}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${unionOf(field, scope)}`,
  )
  if (fields.length === 0 && isObject(additionalProperties))
    return `Record<string, ${unionOf(additionalProperties, scope)}>`
  return objectOf([...fields, ...(additionalProperties === false ? [] : ['[key: string]: unknown'])])
}
