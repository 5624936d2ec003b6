import { describe, expect, test } from 'vitest'
import * as z from 'zod/v4'
import { ErrorBody, successEnvelope } from '../../../src/contract/api/envelope.ts'
import { ApiError, type ErrorName, errorCatalogue, errorNamed } from '../../../src/contract/api/errors.ts'
import { operations } from '../../../src/contract/api/table.ts'
import { named, namedSchemas } from '../../../src/contract/schema/lazy-schema.ts'

const entries = Object.entries(errorCatalogue) as [ErrorName, { status: number; code: number; title: string }][]

describe('the table', () => {
  test.each(operations)('%s is complete', (key, row) => {
    expect(row.path).toMatch(/^\/v1(\/[a-z_]+|\/:[a-z]+)+$/)
    expect(row.spec ?? '4').toMatch(/^\d(\.\d)?$/)
    expect(row.summary).toMatch(/^[A-Z]\S.*[^.]$/)
    expect(new Set(row.errors).size).toBe(row.errors.length)
    expect(row.errors).toContain('appId')
    if (row.method === 'GET' || row.method === 'DELETE') expect(row.body).toBeUndefined()
    if (row.body || row.query) expect(row.errors).toContain('invalid')
    const missing = row.errors.filter((name) => errorCatalogue[name].status === 404)
    expect(missing).toHaveLength(row.path.includes(':') || key === 'requestRedemption' || key === 'trashVatom' ? 1 : 0)
  })
  test('no two rows share a method and path', () =>
    expect(new Set(operations.map(([, row]) => `${row.method} ${row.path}`)).size).toBe(operations.length))

  const specified: readonly [string, string, string, readonly number[]][] = [
    ['4.1', 'getProfile', 'GET /v1/user', [403]],
    ['4.2', 'updateProfile', 'PATCH /v1/user', [400, 403]],
    ['4.3', 'refreshAccessToken', 'POST /v1/access_token', [403]],
    ['4.4', 'discover', 'POST /v1/vatom/discover', [400, 403]],
    ['4.5', 'registerFace', 'POST /v1/publisher/face', [400, 403]],
    ['4.6', 'createTemplate', 'POST /v1/templates', [400, 403]],
  ]
  test.each(specified)('§%s %s is %s and fails with %j', (section, key, call, statuses) => {
    const row = operations.find(([name]) => name === key)?.[1]
    expect(row && `${row.method} ${row.path}`).toBe(call)
    expect(row?.spec).toBe(section)
    expect(row?.assumed).toBeUndefined()
    // The limit of calls (429) is the service's own.
    const own = row?.errors.filter((name) => name !== 'rateLimited')
    expect([...new Set(own?.map((name) => errorCatalogue[name].status))].sort()).toEqual(statuses)
  })
  test('§5 who may call: an administrator of a publisher writes what is the publisher’s', () => {
    const auth = Object.fromEntries(operations.map(([key, row]) => [key, row.auth]))
    expect(auth).toMatchObject({ getProfile: 'user', updateProfile: 'user', discover: 'user', logout: 'user' })
    expect(auth).toMatchObject({ createTemplate: 'publisher', registerFace: 'publisher', emit: 'publisher' })
    expect(auth).toMatchObject({ getVatom: 'optional', getVatoms: 'user', getInventory: 'user', trashVatom: 'user' })
    expect(auth).toMatchObject({ refreshAccessToken: 'refresh', login: 'none', registerUser: 'none' })
  })
  test.each(operations.filter(([, row]) => row.auth === 'user' || row.auth === 'publisher'))(
    '§5 %s without valid authorization is 403 Not Authorized',
    (_key, row) => {
      expect(row.errors.find((name) => errorCatalogue[name].status === 403)).toBe('unauthorized')
      expect(errorCatalogue.unauthorized).toMatchObject({
        status: 403,
        title: expect.stringMatching(/^Not Authorized/),
      })
    },
  )
  test('§4.3 an invalid refresh token is 403', () =>
    expect(errorCatalogue.refreshToken).toMatchObject({ status: 403, title: 'Invalid refresh token' }))
})

describe('errors', () => {
  test('every code is listed once', () => {
    expect(new Set(entries.map(([, { code }]) => code)).size).toBe(entries.length)
    expect(new Set(entries.map(([, { title }]) => title)).size).toBe(entries.length)
  })
  test('our own codes are one block', () => {
    const own = entries.filter(([, { code }]) => code >= 9000)
    expect(own.every(([, { code }]) => code <= 9099)).toBe(true)
  })
  test.each(operations)('%s: each declared error is found again by its answer', (_key, { errors }) => {
    for (const name of errors)
      expect(errorNamed(errorCatalogue[name].status, errorCatalogue[name].code, errors)).toBe(name)
  })
  test.each(operations)('%s: an answer without a code means the first of its status', (_key, { errors }) => {
    for (const status of new Set(errors.map((name) => errorCatalogue[name].status))) {
      const first = errors.find((name) => errorCatalogue[name].status === status)
      expect(errorNamed(status, undefined, errors)).toBe(first)
      expect(errorNamed(status, 123_456, errors)).toBe(first)
    }
    expect(errorNamed(403, errorCatalogue.notPublisher.code, ['unauthorized'])).toBe('notPublisher')
    expect(errorNamed(418, undefined, errors)).toBeUndefined()
  })
  test('an error carries its status, code and title', () => {
    expect(new ApiError('published')).toMatchObject({
      status: 400,
      code: 9005,
      message: 'A published record cannot be changed or deleted',
    })
    const issues = [{ path: 'vatom', message: 'is required' }]
    expect(new ApiError('invalid', 'no', issues)).toMatchObject({ status: 400, code: 516, message: 'no', issues })
  })
  test.each([{}, { error: 1, message: 'x' }, { request_id: 'x', error: 1, message: 'x', issues: [], more: 1 }])(
    'an error body may be %j',
    (body) => expect(ErrorBody().safeParse(body).success).toBe(true),
  )
  test('§7 an answer of success is an envelope with a payload', () => {
    const envelope = successEnvelope(z.string())
    expect(envelope.safeParse({ request_id: 'x', payload: 'y' }).success).toBe(true)
    expect(envelope.safeParse({ status: 'success', error: 0, payload: 'y' }).success).toBe(true)
    expect(envelope.safeParse({ request_id: 'x' }).success).toBe(false)
  })
})

describe('named schemas', () => {
  test('a name is given once', () => {
    const [taken = ''] = namedSchemas().keys()
    expect(() => named(taken, () => z.string())).toThrow(`two schemas are named ${taken}`)
  })
  test.each([...namedSchemas()])('%s has a JSON Schema', (_id, schema) =>
    expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow(),
  )
  test.each(operations)(
    '%s: what is sent is refused where it has unknown keys, unless the row says otherwise',
    (_key, row) => {
      if (!row.body) return
      const { additionalProperties } = z.toJSONSchema(row.body(), { io: 'input' })
      const told = { refused: false, ignored: undefined, taken: {} }
      expect(additionalProperties).toEqual(told[row.unknownKeys ?? 'refused'])
    },
  )
  test.each(operations)('%s: an answer of a newer service is taken', (_key, row) => {
    const schema = z.toJSONSchema(row.payload(), { io: 'output' })
    const answered = schema.type === 'array' ? schema.items : schema
    expect(answered).toMatchObject({ type: 'object', additionalProperties: {} })
  })
})
