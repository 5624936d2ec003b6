import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { localRoutes } from '../../../src/contract/api/local-routes.ts'
import { api, operations } from '../../../src/contract/api/table.ts'
import { openApi, resourceOf } from '../../../src/contract/derived/openapi.ts'
import { namedSchemas } from '../../../src/contract/schema/lazy-schema.ts'
import { at, isObject } from '../../../src/contract/schema/path.ts'
import { bodies } from '../../fixtures/samples.ts'

type Json = Record<string, unknown>
const document = openApi()
const paths = document.paths as Record<string, Record<string, Json>>
const all = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

/** Every object in a JSON value. */
function objects(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objects)
  return isObject(value) ? [value, ...Object.values(value).flatMap(objects)] : []
}
const references = (value: unknown) => objects(value).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
const resolve = ($ref: string) => at(document, ...$ref.replace(/^#\//, '').split('/').map(decodeURIComponent))
const of = (key: string) => all.find(({ operation }) => operation.operationId === key)?.operation ?? {}

/** What needs no body though it takes one. */
const withoutBody: readonly string[] = [
  'discover',
  'getInventory',
  'getInventoryStats',
  'myThreads',
  'myThreadMessages',
]

describe('OpenAPI 3.1', () => {
  test('has the fields the standard asks for', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
    })
    expect(Object.keys(document)).toEqual(['openapi', 'info', 'servers', 'tags', 'paths', 'components'])
    for (const { operation } of all) {
      expect(Object.keys(operation.responses as Json).length).toBeGreaterThan(1)
      for (const [status, response] of Object.entries(operation.responses as Json)) {
        expect(status).toMatch(/^([2-5]\d\d|default)$/)
        expect(at(response, '$ref') ?? at(response, 'description')).toEqual(expect.any(String))
      }
    }
  })
  test('it says where the WebSocket is', () =>
    expect(at(document, 'info', 'description')).toContain('/ws?app_id=…&token=…'))
  test('it is JSON', () => expect(JSON.parse(JSON.stringify(document))).toEqual(document))
  test('its schemas are valid JSON Schemas of draft 2020-12 that compile', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'urn:vatom:document', components: document.components })
    for (const id of namedSchemas().keys()) {
      const schema = at(document, 'components', 'schemas', id)
      expect(ajv.validateSchema(schema as Json), id).toBe(true)
      expect(() => ajv.compile({ $ref: `urn:vatom:document#/components/schemas/${id}` })).not.toThrow()
    }
  })
  test('every row of the table appears exactly once', () => {
    expect(all.map(({ operation }) => operation.operationId).sort()).toEqual(
      [...operations, ...localRoutes].map(([key]) => key).sort(),
    )
    for (const [key, row] of operations) {
      const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
      expect(at(paths, path, row.method.toLowerCase(), 'operationId')).toBe(key)
    }
  })
  test('every reference leads somewhere', () => {
    const found = references(document)
    expect(found.length).toBeGreaterThan(operations.length)
    for (const $ref of found) expect(resolve($ref), $ref).toBeDefined()
  })
  test('components.schemas are the named schemas, without identities of their own', () => {
    const schemas = at(document, 'components', 'schemas') as Record<string, Json>
    expect(Object.keys(schemas)).toEqual([...namedSchemas().keys()])
    expect(objects(schemas).filter((schema) => '$schema' in schema || '$id' in schema)).toEqual([])
  })
  test('no named schema is written out twice', () => {
    const schemas = at(document, 'components', 'schemas') as Record<string, Json>
    const whole = (schema: Json) => JSON.stringify({ ...schema, description: undefined })
    const known = new Set(Object.values(schemas).map(whole))
    const inside = Object.values(schemas).flatMap((schema) => objects(schema).slice(1))
    expect(inside.filter((schema) => schema.type === 'object' && schema.required && known.has(whole(schema)))).toEqual(
      [],
    )
  })
  test.each(operations)('%s says who, what goes in and what comes out', (key, row) => {
    const operation = of(key)
    expect(operation).toMatchObject({ summary: row.summary, tags: [resourceOf(row.path)] })
    expect([operation['x-spec-section'], operation['x-unlisted']]).toEqual(
      row.spec === null ? [undefined, true] : [row.spec, undefined],
    )
    expect(operation['x-assumed']).toBe(row.assumed)
    const parameters = operation.parameters as Json[]
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    expect(inPath).toEqual([...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
    expect(parameters.some((parameter) => parameter.in === 'query')).toBe(row.query !== undefined)
    const takesNone = !row.body && !row.upload
    const isRequired = takesNone && row.method !== 'POST' ? undefined : !takesNone && !withoutBody.includes(key)
    expect(at(operation, 'requestBody', 'required')).toBe(isRequired)
    const success = at(operation, 'responses', '200', 'content', 'application/json', 'schema')
    expect(success).toMatchObject({ required: ['payload'], properties: { payload: expect.any(Object) } })
    expect(at(operation, 'responses', '200', 'headers', 'Vatom-Assumed') !== undefined).toBe(row.assumed !== undefined)
  })
  test('files are sent as parts of a form, as many and as large as the row says', () => {
    const { uploadAssets } = api
    const body = of('uploadAssets').requestBody
    expect(Object.keys(at(body, 'content') as Json)).toEqual(['multipart/form-data'])
    const files = {
      type: 'array',
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
      minItems: 1,
      maxItems: uploadAssets.upload.files,
    }
    expect(at(body, 'content', 'multipart/form-data', 'schema')).toEqual({
      type: 'object',
      properties: { file: files },
      additionalProperties: files,
      minProperties: 1,
    })
    expect(at(body, 'description')).toContain(`${uploadAssets.upload.bytes} bytes`)
  })
  test('a file of one field is a part of that name', () => {
    const body = of('uploadAvatar').requestBody
    expect(at(body, 'content', 'multipart/form-data', 'schema')).toEqual({
      type: 'object',
      properties: { avatar: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: ['avatar'],
    })
    expect(at(body, 'description')).toContain(`${api.uploadAvatar.upload.bytes} bytes`)
  })
  const ofTemplate = ['template!', 'limit', 'page']
  const queries: readonly [string, readonly string[]][] = [
    ['getInventoryIndex', ['limit', 'next_token']],
    ['listTemplates', ['fields', 'limit', 'page']],
    ['listVariations', ['template', 'fields', 'limit', 'page']],
    ['listFaces', ofTemplate],
    ['listActions', ofTemplate],
    ['listActionHandlers', ['limit', 'page']],
    ['listAssets', ['limit', 'page']],
    ['listLabels', ['limit', 'page']],
    ...['Template', 'Variation', 'Face', 'Action'].flatMap((kind): [string, string[]][] => [
      [`update${kind}`, ['catalog']],
      [`delete${kind}`, kind === 'Template' || kind === 'Variation' ? ['catalog', 'vatoms'] : ['catalog']],
    ]),
  ]
  test.each(queries)('the query of %s is %j, each described', (key, names) => {
    const parameters = (of(key).parameters as Json[]).filter((parameter) => parameter.in === 'query')
    expect(parameters.map(({ name, required }) => `${name}${required ? '!' : ''}`)).toEqual(names)
    for (const { name, description, schema } of parameters) {
      expect(description).toEqual(expect.any(String))
      const isNumber = ['limit', 'page', 'vatoms'].includes(String(name))
      expect(schema).toMatchObject({ type: isNumber ? 'integer' : 'string' })
      if (isNumber) expect(schema).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999 })
    }
  })
  test('every row with a query is one of these', () =>
    expect(operations.flatMap(([key, row]) => (row.query ? [key] : [])).sort()).toEqual(
      queries.map(([key]) => key).sort(),
    ))
  test.each([
    ['TemplateUpdate', ['eth', 'eos']],
    ['VariationUpdate', ['eth', 'eos', 'max_clones']],
  ])('what %s takes away is null: %j', (id, fields) => {
    const properties = at(document, 'components', 'schemas', id, 'properties') as Json
    const nullable = Object.keys(properties).filter((field) =>
      ((at(properties, field, 'anyOf') ?? []) as Json[]).some(({ type }) => type === 'null'),
    )
    expect(nullable.sort()).toEqual([...fields].sort())
  })
  test.each(operations)('%s tells its details', (key, { details }) => {
    const { description } = of(key)
    if (!details) return expect(description).toBeUndefined()
    expect(String(description).split('\n')).toEqual(details.map((detail) => `- ${detail}`))
  })
  test.each(operations)('%s names the headers of its answer', (key, row) => {
    const headers = Object.keys((at(of(key), 'responses', '200', 'headers') ?? {}) as Json)
    expect(headers).toContain('Vatom-Warning')
    expect(headers.includes('Vatom-Ignored')).toBe(row.unknownKeys === 'ignored')
  })
  test.each(operations)('%s shows every declared error with its code', (key, { errors }) => {
    for (const name of errors) {
      const { status, code, title } = errorCatalogue[name]
      const example = at(of(key), 'responses', status, 'content', 'application/json', 'examples', name)
      expect(example).toMatchObject({ summary: title, value: { error: code, message: title } })
    }
    const statuses = new Set(errors.map((name) => String(errorCatalogue[name].status)))
    expect(new Set(Object.keys(of(key).responses as Json))).toEqual(new Set(['200', 'default', ...statuses]))
  })
  test.each(operations)(
    '§5 %s has the App-Id as a header, and at most one security scheme at a time',
    (key, { auth }) => {
      expect(of(key).parameters).toContainEqual({ $ref: '#/components/parameters/AppId' })
      const schemes = { none: [], refresh: ['RefreshToken', 'RefreshBearer'], optional: ['AccessToken', undefined] }
      const security = of(key).security as Json[]
      for (const scheme of security) expect(Object.keys(scheme).length).toBeLessThan(2)
      expect(security.map((scheme) => Object.keys(scheme)[0])).toEqual(
        { ...schemes, user: ['AccessToken'], publisher: ['AccessToken'] }[auth],
      )
    },
  )
  test('§5 the App-Id is a header that is required, with the id of the service as an example', () => {
    const parameter = { name: 'App-Id', in: 'header', required: true, schema: { type: 'string' } }
    expect(at(document, 'components', 'parameters', 'AppId')).toEqual({ ...parameter, description: expect.any(String) })
    expect(at(openApi({ appId: 'mine' }), 'components', 'parameters', 'AppId')).toMatchObject({
      ...parameter,
      example: 'mine',
    })
    const schemes = at(document, 'components', 'securitySchemes') as Json
    expect(schemes).toMatchObject({
      RefreshToken: { in: 'header', name: 'Authentication' },
      AccessToken: { type: 'http', scheme: 'bearer' },
    })
    expect(Object.keys(schemes)).toEqual(['AccessToken', 'RefreshToken', 'RefreshBearer', 'MetricsToken'])
  })
  const schemaOf = (...path: string[]) => at(document, 'components', 'schemas', ...path)
  const refTo = (id: string) => ({ $ref: `#/components/schemas/${id}` })
  test.each([
    ['VatomsPage', 'vatoms', 'VatomRecord'],
    ['VatomsPage', 'faces', 'FaceRecord'],
    ['VatomsPage', 'actions', 'ActionRecord'],
    ['DiscoverPage', 'results', 'VatomRecord'],
    ['DiscoverPage', 'faces', 'FaceRecord'],
    ['DiscoverPage', 'actions', 'ActionRecord'],
  ])('a %s has %s that are each a %s', (id, field, record) =>
    expect(schemaOf(id, 'properties', field, 'items')).toEqual(refTo(record)),
  )
  test('§2.4 the built-in properties of a vAtom have types', () => {
    expect(schemaOf('VatomRecord', 'properties', 'vAtom::vAtomType')).toEqual(refTo('VatomProperties'))
    const properties = schemaOf('VatomProperties', 'properties') as Json
    expect(properties).toMatchObject({ title: { type: 'string' }, dropped: { type: 'boolean' } })
    for (const property of Object.values(properties)) expect(property).toHaveProperty('type')
  })
  test.each(['logout', 'createGuest', 'refreshAccessToken'])('%s may have a body, which is not read', (key) =>
    expect(of(key).requestBody).toMatchObject({ required: false, content: { 'application/json': {} } }),
  )
  test.each([
    [undefined, '/'],
    ['/', '/'],
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
    ['http://127.0.0.1:4100//', 'http://127.0.0.1:4100'],
    ['https://acme.example/base/', 'https://acme.example/base'],
  ])('the server of %s is %s', (serverUrl, url) =>
    expect(openApi(serverUrl === undefined ? {} : { serverUrl }).servers).toEqual([{ url }]),
  )
  test('a template that it describes is one that it accepts', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'urn:vatom:document', components: document.components })
    const validate = ajv.compile({ $ref: 'urn:vatom:document#/components/schemas/Template' })
    expect(validate(bodies.template())).toBe(true)
    expect(validate({ ...bodies.template(), template: '' })).toBe(false)
  })
})

test.each([
  ['/v1/user/vatom/action/:action', 'action'],
  ['/v1/user/vatom/inventory', 'vatom'],
  ['/v1/publisher/face', 'face'],
  ['/v1/template_variations/:name', 'variation'],
  ['/v1/templates', 'template'],
  ['/v1/users', 'user'],
  ['/v1/access_token', 'session'],
])('%s is about the resource %s', (path, resource) => expect(resourceOf(path)).toBe(resource))
