import { dryRunPattern } from '../api/dry-run.ts'
import { type Auth, type Endpoint, isChange, needsBody, type Upload } from '../api/endpoint.ts'
import { type ErrorName, errorCatalogue } from '../api/errors.ts'
import { type LocalOperation, type LocalRow, localPrefix, localRoutes } from '../api/local-routes.ts'
import { socketNote } from '../api/socket.ts'
import type { Operation } from '../api/table.ts'
import { operations } from '../api/table.ts'
import { componentRef, componentSchemas, type JsonSchema } from './components.ts'

type Json = Record<string, unknown>
const sampleId = '00000000-0000-4000-8000-000000000000'

/**
 * The API as an OpenAPI 3.1 document, derived from the table: `servers` names `serverUrl`, `/` without one.
 * `appId` is an example of the App-Id, which is a parameter because tools that import the document keep one security
 * scheme of a request. What no source specifies is marked `x-assumed`; `x-spec-section` names the section of the specification. A row's
 * details are its operation's description.
 */
export function openApi({ serverUrl = '/', appId }: { serverUrl?: string; appId?: string } = {}): Json {
  const { schemas, unnamed } = componentSchemas()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Digital Object (vAtom) Service API',
      version: '1',
      description: `Templates, variations, faces and vAtoms of publishers, and the profiles of users.\n\n${socketNote}`,
    },
    servers: [{ url: serverUrl.replace(/(.)\/+$/, '$1') }],
    tags: [...new Set(operations.map(([, row]) => resourceOf(row.path))), localTag].map((name) => ({ name })),
    paths: pathsOf([
      ...operations.map(([key, row]) => ({ ...row, operation: operation(key, row, partsOf(unnamed, key)) })),
      ...localRoutes.map(([key, row]) => ({
        method: row.method,
        path: localPrefix + row.path,
        operation: localOperation(key, row, partsOf(unnamed, key)),
      })),
    ]),
    components: {
      securitySchemes,
      schemas,
      parameters: { AppId: appIdParameter(appId) },
      responses: { Error: answer('Any other error.', componentRef('Error')) },
    },
  }
}

/** Operations by their path and method. */
function pathsOf(rows: readonly { readonly method: string; readonly path: string; readonly operation: Json }[]): Json {
  const found: Record<string, Json> = {}
  for (const { method, path, operation } of rows) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    found[template] = { ...found[template], [method.toLowerCase()]: operation }
  }
  return found
}

/** The schema of a part of an operation. */
type SchemaOf = (part: 'body' | 'payload' | 'query') => JsonSchema
const partsOf =
  (unnamed: ReadonlyMap<string, JsonSchema>, key: Operation | LocalOperation): SchemaOf =>
  (part) =>
    unnamed.get(`${key}.${part}`) ?? {}

function operation(key: Operation, row: Endpoint, schemaOf: SchemaOf): Json {
  return {
    operationId: key,
    tags: [resourceOf(row.path)],
    summary: row.summary,
    ...(row.details && { description: row.details.map((detail) => `- ${detail}`).join('\n') }),
    security: security[row.auth],
    parameters: [
      { $ref: '#/components/parameters/AppId' },
      ...pathParameters(row.path),
      ...(row.query ? queryParameters(schemaOf('query')) : []),
      ...(isChange(row) && !row.upload ? [dryRunParameter] : []),
    ],
    ...(row.body && { requestBody: { required: needsBody(row), content: json(schemaOf('body')) } }),
    ...(row.upload && { requestBody: uploadBody(row.upload) }),
    ...(!row.body && !row.upload && row.method === 'POST' && { requestBody: noBody }),
    responses: { 200: success(row, schemaOf('payload')), ...refusals(row.errors), default: errorRef },
    ...(row.spec === null ? { 'x-unlisted': true } : { 'x-spec-section': row.spec }),
    ...(row.assumed && { 'x-assumed': row.assumed }),
  }
}

const localTag = 'local service'

/** A route beyond the API, which a local service has. */
function localOperation(key: LocalOperation, row: LocalRow, schemaOf: SchemaOf): Json {
  const errors: ErrorName[] = [
    ...(row.query || row.body ? (['invalid'] as const) : []),
    ...(row.from === 'anywhere' ? [] : (['otherMachine'] as const)),
  ]
  return {
    operationId: key,
    tags: [localTag],
    summary: row.summary,
    security: row.from === 'own-machine-or-token' ? [{}, { MetricsToken: [] }] : [],
    parameters: [...pathParameters(row.path), ...(row.query ? queryParameters(schemaOf('query')) : [])],
    ...(row.body && { requestBody: { required: true, content: json(schemaOf('body')) } }),
    responses: {
      200: row.isText
        ? { description: 'Everything is OK.', content: { 'text/plain': { schema: schemaOf('payload') } } }
        : answer('Everything is OK.', envelopeOf(schemaOf('payload'))),
      ...refusals(errors),
      default: errorRef,
    },
    'x-unlisted': true,
  }
}

const pathParameters = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const appIdParameter = (example?: string) => ({
  name: 'App-Id',
  in: 'header',
  required: true,
  description: 'The application identifier. Spec 5.',
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
})

const dryRunParameter = {
  name: 'Vatom-Dry-Run',
  in: 'header',
  required: false,
  description: 'Makes the request a dry run: `true`, or `ID/N` to continue the dry run ID after its first N changes.',
  schema: { type: 'string', pattern: dryRunPattern.source },
}

const queryParameters = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))

const uploadBody = ({ files, bytes, field }: Upload): Json => ({
  required: true,
  description:
    field === undefined
      ? `From 1 to ${files} files of at most ${bytes} bytes each; the names of the fields do not matter.`
      : `A file of at most ${bytes} bytes.`,
  content: {
    'multipart/form-data': {
      schema:
        field === undefined
          ? {
              type: 'object',
              properties: { file: fileList(files) },
              additionalProperties: fileList(files),
              minProperties: 1,
            }
          : { type: 'object', properties: { [field]: anyFile }, required: [field] },
    },
  },
})
/** Clients send nothing, or an empty object. */
const noBody = {
  required: false,
  description: 'It is not read.',
  content: { 'application/json': { schema: { type: 'object' } } },
}
const anyFile = { type: 'string', contentMediaType: 'application/octet-stream' } as const
const fileList = (most: number): JsonSchema => ({
  type: 'array',
  items: anyFile,
  minItems: 1,
  maxItems: most,
})

function success(row: Endpoint, payload: JsonSchema): Json {
  const headers = {
    'Vatom-Warning': header('Warnings, if there are any: a JSON array of {code, path, message}.'),
    ...(row.assumed && { 'Vatom-Assumed': header('Which part of this answer is assumed.') }),
    ...(row.unknownKeys === 'ignored' && { 'Vatom-Ignored': header('Keys of the body that were ignored.') }),
  }
  return { ...answer('Everything is OK.', envelopeOf(payload)), headers }
}

const envelopeOf = (payload: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { request_id: { type: 'string' }, payload },
  required: ['payload'],
})

function refusals(errors: readonly ErrorName[]): Json {
  const found: Record<string, Json> = {}
  for (const status of new Set(errors.map((name) => errorCatalogue[name].status))) {
    const names = errors.filter((name) => errorCatalogue[name].status === status)
    const titles = names.map((name) => errorCatalogue[name].title)
    const examples = Object.fromEntries(names.map((name) => [name, errorExample(name)]))
    found[status] = answer(`${titles.join('. ')}.`, componentRef('Error'), examples)
  }
  return found
}

function errorExample(name: ErrorName): Json {
  const { code, title } = errorCatalogue[name]
  return { summary: title, value: { request_id: sampleId, error: code, message: title } }
}

const json = (schema: JsonSchema, examples?: Json) => ({
  'application/json': { schema, ...(examples && { examples }) },
})
const answer = (description: string, schema: JsonSchema, examples?: Json): Json => ({
  description,
  content: json(schema, examples),
})
const header = (description: string) => ({ description, schema: { type: 'string' } })
const errorRef = { $ref: '#/components/responses/Error' }

const securitySchemes = {
  AccessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Valid for 5 minutes. Spec 5.' },
  RefreshToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authentication',
    description: 'The refresh token of login; answers the access token as a string. Spec 4.3.',
  },
  RefreshBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The refresh token of login, as clients send it; answers the access token as an object.',
  },
  MetricsToken: { type: 'http', scheme: 'bearer', description: 'The token of VATOM_METRICS_TOKEN.' },
}
const security: Record<Auth, readonly Json[]> = {
  none: [],
  refresh: [{ RefreshToken: [] }, { RefreshBearer: [] }],
  optional: [{ AccessToken: [] }, {}],
  user: [{ AccessToken: [] }],
  publisher: [{ AccessToken: [] }],
}

/** The more specific word of a path comes first: `/v1/user/vatom/action/:action` is about actions. */
const resources = [
  'action_handler',
  'action',
  'face',
  'asset',
  'template_variation',
  'template',
  'vatom',
  'activity',
  'user',
  'app',
] as const
const resourceNames: Readonly<Record<string, string>> = { template_variation: 'variation', action_handler: 'action' }

/** The resource an operation's path is about, in the field's word. */
export function resourceOf(path: string): string {
  const found = resources.find((word) => path.split('/').some((step) => step === word || step === `${word}s`))
  return found === undefined ? 'session' : (resourceNames[found] ?? found)
}
