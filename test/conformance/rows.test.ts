import { afterAll, describe, expect, test } from 'vitest'
import { type Endpoint, needsBody } from '../../src/contract/api/endpoint.ts'
import { ErrorBody, successEnvelope } from '../../src/contract/api/envelope.ts'
import { errorCatalogue } from '../../src/contract/api/errors.ts'
import { notOffered } from '../../src/contract/api/not-offered.ts'
import { type Operation, operations } from '../../src/contract/api/table.ts'
import { face, resource, template, templateName, variation, variationName } from '../fixtures/bodies.ts'
import { type Answer, doors, made, pathOf, testService, type WhenFinished } from '../support/service.ts'
import { good } from './good.ts'

const isKnown = (method: string, path: string) => notOffered.some((one) => one.method === method && one.path === path)

/** The operations that the index of the specification names, in its order, and those that it describes. Spec 4. */
const named: readonly Operation[] = [
  ...(['registerUser', 'login', 'logout', 'refreshAccessToken', 'getProfile', 'updateProfile'] as const),
  ...(['uploadAvatar', 'deleteUser', 'resetPassword', 'resetPasswordById'] as const),
  ...(['listUserTokens', 'addUserToken', 'setDefaultUserToken', 'deleteUserToken', 'verifyUserToken'] as const),
  ...(['resetVerificationCode', 'getVatom', 'getVatoms', 'getInventory', 'discover'] as const),
  ...(['geoDiscoverGroups', 'geoDiscover', 'updateVatoms', 'performAction', 'trashVatom'] as const),
  ...(['myThreads', 'myThreadMessages'] as const),
  ...(['listTemplates', 'createTemplate', 'getTemplate', 'updateTemplate', 'deleteTemplate'] as const),
  ...(['listVariations', 'createVariation', 'getVariation', 'updateVariation', 'deleteVariation'] as const),
  ...(['emit', 'registerAction', 'listActions', 'getAction', 'updateAction', 'deleteAction'] as const),
  ...(['registerActionHandler', 'listActionHandlers', 'deleteActionHandler', 'listTemplateActions'] as const),
  ...(['registerFace', 'listFaces', 'updateFace', 'deleteFace'] as const),
  ...(['uploadAssets', 'listAssets', 'deleteAsset'] as const),
]

test('§4 an operation has a section exactly if the specification names it', () =>
  expect(operations.flatMap(([operation, { spec }]) => (spec === null ? [] : [operation])).sort()).toEqual(
    [...named].sort(),
  ))

/** A declared failure: its status and code are one the row lists, and nothing in it looks like a success. */
function expectDeclared(row: Endpoint, answer: Answer, status: number) {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
  const { error, message, request_id } = ErrorBody().parse(answer.body)
  const declared = row.errors.map((name) => errorCatalogue[name]).filter((entry) => entry.status === status)
  expect(declared.map(({ code }) => code)).toContain(error)
  expect([typeof message, typeof request_id]).toEqual(['string', 'string'])
  if (status === 400) expectIssues(answer)
  expect(answer.body).not.toHaveProperty('payload')
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
}

/** A 400 says where: at least one place, each with what is wrong there. */
function expectIssues({ body }: Answer) {
  expect(body.issues.length).toBeGreaterThan(0)
  for (const issue of body.issues) expect(issue).toEqual({ path: expect.any(String), message: expect.any(String) })
}

type Door = (typeof doors)[number]

async function world(operation: Operation, row: Endpoint, door: Door, whenFinished?: WhenFinished) {
  const opened = await testService({}, door, whenFinished)
  const { name, query, ...sent } = await good[operation](opened)
  const path = pathOf(operation, name) + (query ? `?${new URLSearchParams(query)}` : '')
  const caller = row.auth === 'none' || row.auth === 'refresh' ? opened.send : opened.publisher.call
  return { ...opened, path, sent, call: caller }
}

/** One for all tests of a group whose requests are refused, and change nothing. */
function sharedWorld(operation: Operation, row: Endpoint, door: Door) {
  let close = async () => {}
  let opened: ReturnType<typeof world> | undefined
  afterAll(() => close())
  return () => {
    opened ??= world(operation, row, door, (closing) => {
      close = closing
    })
    return opened
  }
}

const everywhere = doors.flatMap((door) => operations.map(([operation, row]) => [door, operation, row] as const))

describe.each(everywhere)('%s, %s', (door, operation, row) => {
  const unchanged = sharedWorld(operation, row, door)

  test('the good answer is the declared payload', async () => {
    const { call, path, sent } = await world(operation, row, door)
    const answer = await call(row.method, path, sent)
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    expect(() => successEnvelope(row.payload()).parse(answer.body)).not.toThrow()
    expect(answer.body).toMatchObject({ request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(Object.keys(answer.body).sort()).toEqual(['payload', 'request_id'])
    expect('vatom-assumed' in answer.headers).toBe(row.assumed !== undefined)
  })

  test('without App-Id it is a declared 403', async () => {
    const { call, path, sent } = await unchanged()
    const answer = await call(row.method, path, { ...sent, headers: { ...sent.headers, 'app-id': '' } })
    expectDeclared(row, answer, 403)
    expect(answer.body.error).toBe(errorCatalogue.appId.code)
  })

  if (row.auth !== 'none')
    test('without credentials it is a declared 403, whatever else is wrong', async () => {
      const { send, path, sent } = await unchanged()
      for (const raw of [undefined, '{']) {
        const { headers: _, ...rest } = sent
        expectDeclared(row, await send(row.method, path, { ...rest, ...(raw && { raw }) }), 403)
      }
    })

  if (row.auth === 'publisher')
    test('for a user who is no publisher it is a declared 403', async () => {
      const { register, path, sent } = await unchanged()
      const bob = await register('bob@example.com')
      expectDeclared(row, await bob.call(row.method, path, sent), 403)
    })

  if (row.body)
    test('a malformed body is a declared 400', async () => {
      const { call, path, sent } = await unchanged()
      for (const raw of ['{', ...(needsBody(row) ? [''] : []), '[]', 'null', '"x"', '{"__proto__":{}}'])
        expectDeclared(row, await call(row.method, path, { ...sent, raw }), 400)
    })

  if (row.body && row.unknownKeys === undefined)
    test('an unknown key is a declared 400 that names it', async () => {
      const { call, path, sent } = await unchanged()
      const answer = await call(row.method, path, { ...sent, body: { ...Object(sent.body), colour: 'red' } })
      expectDeclared(row, answer, 400)
      expect(answer.body.issues).toMatchObject([{ path: 'colour' }])
    })

  if (row.body && row.unknownKeys === 'ignored')
    test('an unknown key is ignored and named', async () => {
      const { call, path, sent } = await world(operation, row, door)
      const answer = await call(row.method, path, { ...sent, body: { ...Object(sent.body), colour: 'red' } })
      expect([answer.status, answer.headers['vatom-ignored']]).toEqual([200, 'colour'])
    })

  if (row.body && row.unknownKeys === 'taken')
    test('an unknown key is taken', async () => {
      const { call, path, sent } = await world(operation, row, door)
      const answer = await call(row.method, path, { ...sent, body: { ...Object(sent.body), colour: 'red' } })
      expect([answer.status, 'vatom-ignored' in answer.headers]).toEqual([200, false])
    })

  if (row.query)
    test('a malformed query is a declared 400', async () => {
      const { call, path, sent } = await unchanged()
      const malformed =
        row.method === 'GET' ? ['limit=x', 'page=-1', 'limit=1&limit=2'] : ['catalog=%00', 'catalog=a&catalog=b']
      for (const query of malformed) expectDeclared(row, await call(row.method, `${path}?${query}`, sent), 400)
    })

  // An action is no record of its own: which one is meant depends on the vAtom in the body.
  if (/:(?!action$)/.test(row.path))
    test('a record that is not there is a declared 404, before the body is read', async () => {
      const { call } = await unchanged()
      for (const name of ['nothing', 'local.vatom::No::v1', '%00', '💥', '..%2F..', "'--"])
        expectDeclared(row, await call(row.method, pathOf(operation, name), { raw: '{' }), 404)
    })

  test('with another method its path is a 400 that names its methods, or a 501 where that is known and not offered', async () => {
    const { call, path } = await unchanged()
    const served = operations.filter(([, other]) => other.path === row.path).map(([, { method }]) => String(method))
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'].filter(
      (one) => !served.includes(one),
    )) {
      const { status, body } = await call(method, path)
      const isOffered = !isKnown(method, row.path)
      expect([method, status]).toEqual([method, isOffered ? 400 : 501])
      if (!isOffered || method === 'HEAD') continue
      expect(body).toMatchObject({ error: errorCatalogue.wrongMethod.code, request_id: expect.any(String) })
      expect(body.message).toMatch(new RegExp(`^No such method: /.* has .*, not ${method}$`))
      expect(body.message).toContain(row.method)
    }
  })

  test('with strict spec it is served if the specification names it', async () => {
    const { service, send } = await testService({ strictSpec: true }, door)
    const headers = { authorization: `Bearer ${service.localToken()}` }
    const { status, body } = await send(row.method, pathOf(operation), { headers })
    expect(status === 501).toBe(!named.includes(operation))
    if (status === 501) {
      expect(body.error).toBe(errorCatalogue.assumedOff.code)
      expect(body.message).toBe(
        `The specification does not name ${operation}, ${row.method} ${row.path} (--strict-spec)`,
      )
    }
    const refused = await send(row.method, pathOf(operation), { headers: { ...headers, 'app-id': '' } })
    expect(refused).toMatchObject({ status: 403, body: { error: errorCatalogue.appId.code } })
    if (row.auth !== 'none') expect(await send(row.method, pathOf(operation))).toMatchObject({ status: 403 })
  })
})

test('the specification’s samples of names and spellings are answered', async () => {
  const { publisher } = await testService()
  const name = 'local.vatom::v1::vAtom::HelloWorld'
  expect(await publisher.call('POST', '/v1/templates', { body: template({ template: name }) })).toMatchObject({
    status: 200,
  })
  expect(await publisher.call('GET', `/v1/templates/${name}`)).toMatchObject({ status: 200 })
})

test.each([
  ['POST', '/v1/templates', template(), 9004, 'template'],
  ['POST', '/v1/templates', template({ template: 'other::A' }), 9003, 'template'],
  ['POST', '/v1/template_variations', variation(), 9004, 'template_variation'],
  [
    'POST',
    '/v1/template_variations',
    variation({ template_variation: 'local.vatom::B', unpublished: false }),
    9010,
    'unpublished',
  ],
  ['PATCH', `/v1/template_variations/${variationName}`, { unpublished: false }, 9010, 'unpublished'],
  ['POST', '/v1/vatoms', { template_variation: variationName, num: 11 }, 9008, 'num'],
  ['POST', '/v1/vatoms', { template_variation: 'local.vatom::B', num: 1 }, 9006, 'template_variation'],
])('what the state of the service refuses names its field: %s %s', async (method, path, body, error, field) => {
  const { publisher } = await testService()
  await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  const answer = await publisher.call(method, path, { body })
  expect(answer).toMatchObject({ status: 400, body: { error, issues: [{ path: field }] } })
  expectIssues(answer)
})

describe.each(doors)('with strict spec, %s', (door) => {
  const json = { 'content-type': 'application/json' }
  /** A client that knows the specification alone. */
  async function strictClient() {
    const { send } = await testService({ strictSpec: true }, door)
    const body = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'vatom-local' } }
    const { payload } = await send('POST', '/v1/user/login', { headers: json, body })
    const authentication = payload.refresh_token.token
    const renewed = await send('POST', '/v1/access_token', { headers: { ...json, authentication } })
    const headers = { ...json, authorization: `Bearer ${renewed.payload.access_token}` }
    return (method: string, path: string, body?: unknown) => send(method, path, { headers, ...(body ? { body } : {}) })
  }
  const done = async (answer: Promise<Answer>) => {
    const { status, text, payload } = await answer
    expect([status, text]).toEqual([200, expect.any(String)])
    return payload
  }
  const published = { unpublished: false }
  const faceBody = face({ template: templateName, resources: [] })

  test('§4.1 to §4.6 what the specification describes works from signing in to signing out', async () => {
    const call = await strictClient()
    expect((await done(call('GET', '/v1/user'))).system_properties.is_admin).toBe(true)
    const profile = { first_name: 'Ada', language: 'en', birthday: '2000-02-29', name_public: false }
    expect((await done(call('PATCH', '/v1/user', profile))).properties).toMatchObject(profile)
    const price = { pricing: { pricingType: 'Fixed', value: { currency: 'EUR', price: 4.5, valid_from: '*' } } }
    await done(call('POST', '/v1/templates', template({}, { redeemable: true, commerce: price, resources: [image] })))
    await done(call('POST', '/v1/publisher/face', faceBody))
    await done(call('POST', '/v1/template_variations', variation()))
    for (const path of [`/v1/templates/${templateName}`, `/v1/template_variations/${variationName}`])
      await done(call('PATCH', path, published))
    const { ids } = await done(call('POST', '/v1/vatoms', { template_variation: variationName, num: 2 }))
    const query = {
      scope: { key: 'vAtom::vAtomType.owner', value: '$currentuser' },
      filters: [{ filter_elems: [{ field: 'vAtom::vAtomType.template', filter_op: 'Eq', value: templateName }] }],
      limit: 10,
      page: 1,
      return: { type: '*' },
    }
    const { results, faces } = await done(call('POST', '/v1/vatom/discover', query))
    expect(results.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
    expect(faces).toHaveLength(1)
    await done(call('POST', '/v1/user/logout'))
    expect(await call('GET', '/v1/user')).toMatchObject({ status: 403 })
  })

  const image = resource('ActivatedImage')
  const chain = { network: 'veos-test', fields: {} }
  const named = { path: 'private.colour', value: 'red' }
  const element = (field: string) => [{ filter_elems: [{ field, filter_op: 'Eq', value: 'x' }] }]
  const container = (query: object) => template({}, { root_type: 'vAtom::vAtomType::DiscoverContainerType', query })
  const at = 'vatom.vAtom::vAtomType'
  const refused: readonly [method: string, path: string, body: object, ...places: string[]][] = [
    ['PATCH', '/v1/user', { nonpush_notification: true, user_consent: 1 }, 'nonpush_notification', 'user_consent'],
    ['PATCH', '/v1/user', { birthday: '', language: '' }, 'birthday', 'language'],
    ['POST', '/v1/templates', template({ eos: chain }), 'eos'],
    [
      'POST',
      '/v1/templates',
      template({}, { commerce: { pricing: { value: { price: '4.5' } } } }),
      `${at}.commerce.pricing.value.price`,
    ],
    [
      'POST',
      '/v1/templates',
      template({}, { resources: [image, { ...image, name: 'B', resourceType: 'ResourceTypes::Image::PNG' }] }),
      `${at}.resources[1].resourceType`,
    ],
    [
      'POST',
      '/v1/templates',
      container({ scope: { key: 'id', value: 'x' }, filters: element('id') }),
      `${at}.query.scope.key`,
      `${at}.query.filters[0].filter_elems[0].field`,
    ],
    ['POST', '/v1/publisher/face', { ...faceBody, config: { image: 'A' } }, 'config'],
    ['POST', '/v1/vatom/discover', { scope: { key: named.path, value: named.value } }, 'scope.key'],
    [
      'POST',
      '/v1/vatom/discover',
      { filters: element('vAtom::vAtomType.acquirable') },
      'filters[0].filter_elems[0].field',
    ],
    ['POST', '/v1/vatom/discover', { return: { type: 'count' } }, 'return.type'],
    ['POST', '/v1/vatom/discover', { return: { type: '*', fields: [] } }, 'return.fields'],
  ]
  test.each(refused)(
    '%s %s refuses what the specification does not list: %j',
    async (method, path, body, ...places) => {
      const call = await strictClient()
      const answer = await call(method, path, body)
      expect([answer.status, answer.body.error]).toEqual([400, errorCatalogue.invalid.code])
      expect(answer.body.issues).toEqual(
        places.map((place) => ({
          path: place,
          message: expect.stringMatching(/^it is not in the specification, .*--strict-spec/),
        })),
      )
      const { publisher } = await testService({}, door)
      if (path === '/v1/publisher/face') await made(publisher, ['POST', '/v1/templates', template()])
      expect(await publisher.call(method, path, { body })).toMatchObject({ status: 200 })
    },
  )
})
