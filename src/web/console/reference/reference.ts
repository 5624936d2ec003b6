import type { JsonSchema } from '../../../contract/derived/components.ts'
import { resolved } from '../../../contract/derived/schema-variants.ts'
import { at, isObject, listAt } from '../../../contract/schema/path.ts'
import { LocalFailure } from '../service/local.ts'

/** A value in the path or the query of an operation. */
export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly isRequired: boolean
  readonly schema: JsonSchema
  readonly description: string | undefined
}

/** What an operation answers with a status. */
export interface PossibleAnswer {
  readonly status: string
  readonly description: string
  readonly schema: JsonSchema
  /** Codes and titles of its errors. */
  readonly errors: readonly { readonly code: number; readonly title: string }[]
}

/** An operation as the OpenAPI document of the service has it. */
export interface ListedOperation {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly resource: string
  readonly summary: string
  readonly details: readonly string[]
  /** The section of the specification; undefined for what it does not name. */
  readonly spec: string | undefined
  readonly parameters: readonly Parameter[]
  readonly body: JsonSchema | undefined
  /** The form field that its files are in; undefined for one that takes none. */
  readonly fileField: string | undefined
  readonly takesDryRun: boolean
  readonly answers: readonly PossibleAnswer[]
}

/** The API of the service. */
export interface Reference {
  readonly operations: readonly ListedOperation[]
  /** What references of its schemas point into. */
  readonly root: JsonSchema
}

/** The path of the OpenAPI document of the service. */
export const documentPath = '/__vatom/openapi.json'

/** Loads the API of the service by its OpenAPI document. Throws `LocalFailure`. */
export async function loadReference(): Promise<Reference> {
  const response = await fetch(documentPath).catch(() => undefined)
  if (!response?.ok) throw new LocalFailure('The service does not answer with its API.', response?.status)
  const root: JsonSchema = await response.json()
  const resources = listAt(root, 'tags').map((tag) => String(at(tag, 'name')))
  const operations = entriesAt(root, 'paths').flatMap(([path, methods]) =>
    entriesAt(methods).map(([method, operation]) => operationOf(path, method.toUpperCase(), operation, root)),
  )
  return {
    root,
    operations: operations.sort((a, b) => resources.indexOf(a.resource) - resources.indexOf(b.resource)),
  }
}

const entriesAt = (value: unknown, ...path: readonly string[]): [string, JsonSchema][] => {
  const found = at(value, ...path)
  return isObject(found) ? Object.entries(found).flatMap(([key, one]) => (isObject(one) ? [[key, one]] : [])) : []
}

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

function operationOf(path: string, method: string, operation: unknown, root: JsonSchema): ListedOperation {
  const parameters = listAt(operation, 'parameters').map((one) => resolved(isObject(one) ? one : {}, root))
  const assumed = textAt(operation, 'x-assumed')
  const details = textAt(operation, 'description')?.split('\n') ?? []
  const files = schemaAt(operation, 'requestBody', 'content', 'multipart/form-data', 'schema')
  return {
    id: String(at(operation, 'operationId')),
    method,
    path,
    resource: String(listAt(operation, 'tags')[0]),
    summary: String(at(operation, 'summary')),
    details: [...(assumed === undefined ? [] : [assumed]), ...details.map((line) => line.replace(/^- /, ''))],
    spec: textAt(operation, 'x-spec-section'),
    parameters: parameters.flatMap(parameterOf),
    body: schemaAt(operation, 'requestBody', 'content', 'application/json', 'schema'),
    fileField: files && Object.keys(files.properties ?? {})[0],
    takesDryRun: parameters.some(({ name }) => name === 'Vatom-Dry-Run'),
    answers: entriesAt(operation, 'responses')
      .map(([status, answer]) => [status, resolved(answer, root)] as const)
      .map(([status, answer]) => ({
        status,
        description: answer.description ?? '',
        schema: schemaAt(answer, 'content', 'application/json', 'schema') ?? {},
        errors: entriesAt(answer, 'content', 'application/json', 'examples').map(([, example]) => ({
          code: Number(at(example, 'value', 'error')),
          title: String(at(example, 'summary')),
        })),
      })),
  }
}

function schemaAt(value: unknown, ...path: readonly string[]): JsonSchema | undefined {
  const found = at(value, ...path)
  return isObject(found) ? found : undefined
}

function parameterOf({ name, in: place, required, schema, description }: JsonSchema): Parameter[] {
  if (place !== 'path' && place !== 'query') return []
  return [
    {
      name: String(name),
      place,
      isRequired: Boolean(required),
      schema: isObject(schema) ? schema : {},
      description,
    },
  ]
}
