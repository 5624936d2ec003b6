import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { openApi } from '../../../src/contract/derived/openapi.ts'
import { at, isObject } from '../../../src/contract/schema/path.ts'

type Json = Record<string, unknown>
/** The document as a client reads it, new on every call. */
const served = (): Json => JSON.parse(JSON.stringify(openApi({ serverUrl: 'http://127.0.0.1:4100' })))

/** What is wrong with an OpenAPI document, by a validator that is not ours, then by what the standard says in prose. */
async function problems(document: Json): Promise<unknown[]> {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  return [...(valid ? [] : [errors]), ...prose(document)]
}

/** Every object in a JSON value. */
function objects(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objects)
  return isObject(value) ? [value, ...Object.values(value).flatMap(objects)] : []
}
const texts = (values: readonly unknown[]) => values.filter((value) => typeof value === 'string')
const twice = (names: readonly unknown[]) => names.filter((name, index) => names.indexOf(name) !== index)

/** What the standard asks for and its schema cannot say. */
function prose(document: Json): string[] {
  const paths = Object.entries(document.paths ?? {}) as [string, Record<string, Json>][]
  const all = paths.flatMap(([path, item]) => Object.values(item).map((operation) => ({ path, operation })))
  const references = texts(objects(document).map(({ $ref }) => $ref))
  const schemas = Object.keys((at(document, 'components', 'schemas') ?? {}) as Json)
  return [
    ...references.filter((ref) => resolved(document, ref) === undefined).map((ref) => `${ref} leads nowhere`),
    ...twice(all.map(({ operation }) => operation.operationId)).map((id) => `operationId ${id} is there twice`),
    ...all.flatMap(({ path, operation }) => parameterProblems(path, operation)),
    ...schemas.filter((id) => !references.includes(`#/components/schemas/${id}`)).map((id) => `${id} is not used`),
    ...objects(document).flatMap(({ nullable }) => (nullable === undefined ? [] : ['nullable is of OpenAPI 3.0'])),
    ...inlineSchemas(document),
  ]
}

const resolved = (document: Json, ref: string) =>
  at(document, ...ref.replace(/^#\//, '').split('/').map(decodeURIComponent))

function parameterProblems(path: string, operation: Json): string[] {
  const parameters = (operation.parameters ?? []) as Json[]
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
  return [
    ...inPath.filter((name) => !declared.includes(name)).map((name) => `${path} does not declare ${name}`),
    ...declared.filter((name) => !inPath.includes(String(name))).map((name) => `${path} has no ${name}`),
    ...twice(places).map((place) => `${path} has two parameters ${place}`),
  ]
}

/** Schemas anywhere in the document are JSON Schemas of draft 2020-12. */
function inlineSchemas(document: Json): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const inline = objects(document).flatMap(({ schema }) => (isObject(schema) ? [schema] : []))
  const named = Object.values((at(document, 'components', 'schemas') ?? {}) as Json)
  return [...inline, ...named].flatMap((schema) =>
    ajv.validateSchema(schema as Json) ? [] : [`${JSON.stringify(schema).slice(0, 80)}: ${ajv.errorsText()}`],
  )
}

test('the document is valid', async () => expect(await problems(served())).toEqual([]))

const broken: readonly [what: string, spoil: (document: Json) => unknown, words: RegExp][] = [
  ['a version of another standard', (document) => Object.assign(document, { openapi: '4.0.0' }), /version/i],
  ['no info', (document) => Reflect.deleteProperty(document, 'info'), /info/],
  ['an unknown field', (document) => Object.assign(document, { colour: 'red' }), /unevaluated|additional/],
  [
    'an answer without a description',
    (document) => spoilt(document, 'login', 'responses', '200').delete('description'),
    /description/,
  ],
  [
    'a body without content',
    (document) => spoilt(document, 'uploadAssets', 'requestBody').delete('content'),
    /content/,
  ],
  [
    'an optional path parameter',
    (document) => spoilt(document, 'getAction', 'parameters', 1).set('required', false),
    /required/,
  ],
  [
    'a path parameter that is not declared',
    (document) => spoilt(document, 'getAction').set('parameters', []),
    /does not declare name/,
  ],
  [
    'a path parameter that is not there',
    (document) => spoilt(document, 'getAction', 'parameters', 1).set('name', 'x'),
    /has no x/,
  ],
  [
    'one operationId twice',
    (document) => spoilt(document, 'login').set('operationId', 'logout'),
    /operationId logout is there twice/,
  ],
  [
    'a reference that leads nowhere',
    (document) => bodySchema(document).set('$ref', '#/components/schemas/None'),
    /None leads nowhere/,
  ],
  [
    'a schema nobody uses',
    (document) => Object.assign(at(document, 'components', 'schemas') as Json, { None: {} }),
    /None is not used/,
  ],
  ['a type that is none', (document) => bodySchema(document).set('type', 'file'), /data\/type must be equal/],
  ['a nullable of old', (document) => bodySchema(document).set('nullable', true), /nullable is of OpenAPI 3.0/],
]

function operationOf(document: Json, id: string): Json {
  const found = objects(document.paths).find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}
function spoilt(document: Json, id: string, ...path: (string | number)[]) {
  const place = at(operationOf(document, id), ...path) as Json
  return {
    set: (key: string, value: unknown) => Object.assign(place, { [key]: value }),
    delete: (key: string) => Reflect.deleteProperty(place, key),
  }
}
const bodySchema = (document: Json) =>
  spoilt(document, 'createTemplate', 'requestBody', 'content', 'application/json', 'schema')

test.each(broken)('a document with %s is not', async (_what, spoil, words) => {
  const document = served()
  spoil(document)
  expect(JSON.stringify(await problems(document))).toMatch(words)
})
