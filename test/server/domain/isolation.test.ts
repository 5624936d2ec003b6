import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/contract/api/endpoint.ts'
import { type Operation, operations } from '../../../src/contract/api/table.ts'
import { definedFolder } from '../../../src/contract/values.ts'
import { good } from '../../conformance/good.ts'
import { action, actionName, face, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { type Caller, made, pathOf } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const refused = { status: 403, body: { error: 9002 } }
const foreignName = { status: 400, body: { error: 9003 } }
const notFound = { status: 404, body: { error: 9007 } }
const missing = { status: 400, body: { error: 9006 } }
const nothing = { status: 200, payload: [] }
const theirOwn = { status: 200 }

/**
 * What becomes of a good request of one publisher when another sends it, most of them for a draft; an operation that is
 * not here, such as a new one, is refused to them.
 */
const outcomes: Partial<Record<Operation, object>> = {
  createTemplate: foreignName,
  createVariation: foreignName,
  registerAction: foreignName,
  listTemplates: nothing,
  listVariations: nothing,
  listAssets: nothing,
  listActionHandlers: nothing,
  listLabels: nothing,
  labelRecords: { status: 200, payload: { success_message: '0 records labelled.' } },
  listApps: { status: 200, payload: [{ FQDN: 'other.example' }] },
  registerActionHandler: theirOwn,
  uploadAssets: theirOwn,
  deleteActionHandler: notFound,
  updateTemplate: notFound,
  deleteTemplate: notFound,
  getVariation: notFound,
  updateVariation: notFound,
  deleteVariation: notFound,
  updateFace: notFound,
  deleteFace: notFound,
  getAction: notFound,
  updateAction: notFound,
  deleteAction: notFound,
  registerFace: missing,
  listFaces: missing,
  listActions: missing,
  emit: missing,
}

const belongings = (kind: string) => `/v1/publisher/${kind}?template=${encodeURIComponent(templateName)}`
const everything = [
  '/v1/templates?fields=name,public,meta,properties',
  '/v1/template_variations?fields=name,public,meta,properties',
  belongings('face'),
  belongings('action'),
  '/v1/publisher/action_handler',
  '/v1/publisher/asset',
  '/v1/publisher/label',
]

/** All that a publisher can read of what is theirs. */
async function holdings({ call }: Caller) {
  const read = await Promise.all(everything.map((path) => call('GET', path)))
  return [...read, await call('POST', '/v1/vatom/discover', { body: {} })].map(({ status, payload }) => [
    status,
    payload,
  ])
}

const ofPublishers = operations.filter(([, { auth }]) => auth === 'publisher')

describe.each(ofPublishers)("another publisher's %s", (operation, row: Endpoint) => {
  test('neither reads nor changes what is not theirs', async () => {
    const world = await twoPublishers()
    const { name, query, ...sent } = await good[operation](world)
    const path = pathOf(operation, name) + (query ? `?${new URLSearchParams(query)}` : '')
    const before = await holdings(world.publisher)
    const answer = await world.other.call(row.method, path, sent)
    expect(answer).toMatchObject(outcomes[operation] ?? refused)
    expect(await holdings(world.publisher)).toEqual(before)
    expect(await world.publisher.call(row.method, path, sent)).toMatchObject({ status: 200 })
  })
})

const face_ = ['POST', '/v1/publisher/face', face()] as const
const action_ = ['POST', '/v1/publisher/action', action()] as const

/** A template, its variation, a face and an action, in a state in which others may read them or not. */
async function owned(state: { readonly public: boolean; readonly unpublished: boolean }) {
  const world = await twoPublishers()
  const { publisher } = world
  await made(publisher, ['POST', '/v1/templates', template(state)], face_, action_)
  await made(publisher, ['POST', '/v1/template_variations', variation(state)])
  const [{ id }] = (await publisher.call('GET', belongings('face'))).payload
  return { ...world, faceId: String(id) }
}

const lists = ['/v1/templates', '/v1/template_variations', `/v1/template_variations?template=${templateName}`]
const records = [
  `/v1/templates/${templateName}`,
  `/v1/template_variations/${variationName}`,
  belongings('face'),
  belongings('action'),
  `/v1/publisher/action/${actionName}`,
]

test('what is published and closed is seen by no other publisher', async () => {
  const { other, bob } = await owned({ public: false, unpublished: false })
  for (const path of lists) expect(await other.call('GET', path)).toMatchObject(nothing)
  for (const path of records) expect(await other.call('GET', path)).toMatchObject(refused)
  expect(await bob.call('GET', `/v1/templates/${templateName}`)).toMatchObject(refused)
})

test('a closed draft is for others as if it did not exist', async () => {
  const { publisher, other, bob, send, faceId } = await owned({ public: false, unpublished: true })
  for (const path of lists) expect(await other.call('GET', path)).toMatchObject(nothing)
  const requests = [
    ...records.map((path) => ['GET', path, undefined] as const),
    ...[`/v1/templates/${templateName}`, `/v1/template_variations/${variationName}`].map(
      (path) => ['PATCH', path, { unpublished: false }] as const,
    ),
    ['PATCH', `/v1/publisher/face/${faceId}`, { resources: [] }],
    ['PATCH', `/v1/publisher/action/${actionName}`, { wait: true }],
    ['DELETE', `/v1/templates/${templateName}`, undefined],
    ['DELETE', `/v1/template_variations/${variationName}`, undefined],
    ['DELETE', `/v1/publisher/face/${faceId}`, undefined],
    ['DELETE', `/v1/publisher/action/${actionName}`, undefined],
    ['POST', '/v1/template_variations', variation({ template_variation: 'other.example::V' })],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    face_,
    ['PATCH', '/v1/publisher/label', { catalog: 'x', records: [{ kind: 'template', key: templateName }] }],
  ] as const
  const answers = async ({ call }: Pick<Caller, 'call'>) => {
    const texts: string[] = []
    for (const [method, path, body] of requests) {
      const answer = await call(method, path, body && { body })
      texts.push(`${method} ${path} ${answer.status} ${answer.text.replace(/"request_id":"[^"]*"/, '')}`)
    }
    return texts
  }
  const [others, bobs] = [await answers(other), await answers(bob)]
  const nobody = await send('GET', `/v1/templates/${templateName}`)
  await made(publisher, ['DELETE', `/v1/templates/${templateName}`])
  expect(await answers(other)).toEqual(others)
  expect(await answers(bob)).toEqual(bobs)
  expect((await send('GET', `/v1/templates/${templateName}`)).body.message).toBe(nobody.body.message)
})

test('a closed draft that a child_policy of another publisher names is missing there', async () => {
  const { publisher, other } = await twoPublishers()
  const child_policy = [{ template_variation: variationName, count: 1 }]
  const folder = { template: 'other.example::Folder::v1', template_variation: 'other.example::Folder::v1::V' }
  const design = template({ template: folder.template, unpublished: false }, { root_type: definedFolder, child_policy })
  await made(other, ['POST', '/v1/templates', design], ['POST', '/v1/template_variations', folder])
  const path = `/v1/template_variations/${folder.template_variation}`
  const answers = async () => {
    const { headers } = await other.call('PATCH', path, { body: { vatom: {} } })
    const published = await other.call('PATCH', path, { body: { unpublished: false } })
    const body = { template_variation: folder.template_variation, num: 1 }
    return [
      headers['vatom-warning'],
      published.body.message,
      (await other.call('POST', '/v1/vatoms', { body })).body.message,
    ]
  }
  const before = await answers()
  expect(before[0]).toContain('missing-variation')
  await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  expect(await answers()).toEqual(before)
})

test('§2.2 a public draft is read by everybody who names it, and is in no list of theirs', async () => {
  const { publisher, other, bob } = await owned({ public: true, unpublished: true })
  for (const path of lists) expect(await other.call('GET', path)).toMatchObject(nothing)
  for (const path of records)
    expect((await other.call('GET', path)).payload).toEqual((await publisher.call('GET', path)).payload)
  expect(await bob.call('GET', `/v1/templates/${templateName}`)).toMatchObject({ status: 200 })
})

test('what is public and published is read by other publishers as by its own, and is not theirs to change', async () => {
  const { publisher, other, faceId } = await owned({ public: true, unpublished: false })
  for (const path of [...lists, ...records])
    expect((await other.call('GET', path)).payload).toEqual((await publisher.call('GET', path)).payload)
  const before = await holdings(publisher)
  for (const [method, path, body] of [
    ['PATCH', `/v1/templates/${templateName}`, { public: false }],
    ['DELETE', `/v1/templates/${templateName}`],
    ['POST', '/v1/template_variations', variation({ template_variation: 'other.example::V' })],
    ['PATCH', `/v1/template_variations/${variationName}`, { public: false }],
    ['DELETE', `/v1/template_variations/${variationName}`],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    face_,
    ['PATCH', `/v1/publisher/face/${faceId}`, { resources: [] }],
    ['DELETE', `/v1/publisher/face/${faceId}`],
    ['PATCH', `/v1/publisher/action/${actionName}`, { wait: true }],
    ['DELETE', `/v1/publisher/action/${actionName}`],
  ] as const)
    expect([path, await other.call(method, path, { body })]).toMatchObject([path, refused])
  expect(await holdings(publisher)).toEqual(before)
})

describe('the names of the actions of another publisher', () => {
  const names = `/v1/user/actions/${templateName}`
  const listed = { status: 200, payload: [{ name: actionName }] }

  test('are not told of a draft that is not public, nor that it is there', async () => {
    const { publisher, other, bob } = await owned({ public: false, unpublished: true })
    expect(await publisher.call('GET', names)).toMatchObject(listed)
    for (const { call } of [other, bob]) {
      const { status, body } = await call('GET', names)
      const unknown = await call('GET', '/v1/user/actions/local.vatom::None')
      expect([status, body.error]).toEqual([404, 9007])
      expect(body.message.replace(templateName, '')).toBe(unknown.body.message.replace('local.vatom::None', ''))
    }
  })

  test('§2.2 are told of a public draft', async () => {
    const { other, bob } = await owned({ public: true, unpublished: true })
    for (const { call } of [other, bob]) expect(await call('GET', names)).toMatchObject(listed)
  })

  test('are told of a draft to who owns a vAtom of it', async () => {
    const { other, bob, send, service } = await owned({ public: false, unpublished: true })
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    const rights = (body: object) =>
      fetch(`${baseUrl}/__vatom/users/${bob.id}`, { method: 'PATCH', body: JSON.stringify(body) })
    await rights({ pub_fqdn: 'local.vatom', is_admin: true })
    await made(bob, ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }])
    await rights({ pub_fqdn: '', is_admin: false })
    expect(await bob.call('GET', names)).toMatchObject(listed)
    expect(await other.call('GET', names)).toMatchObject({ status: 404 })
    expect(await send('GET', names)).toMatchObject({ status: 403 })
  })

  test('are told of a published template to everybody signed in', async () => {
    const { other, bob } = await owned({ public: false, unpublished: false })
    for (const { call } of [other, bob]) expect(await call('GET', names)).toMatchObject(listed)
  })
})

test('a defined folder is not made with the children of another publisher', async () => {
  const { publisher, other } = await owned({ public: true, unpublished: false })
  const child_policy = [{ template_variation: variationName, count: 1 }]
  const folder = { template: 'other.example::Folder::v1', template_variation: 'other.example::Folder::v1::V' }
  await made(
    other,
    ['POST', '/v1/templates', template({ template: folder.template }, { root_type: definedFolder, child_policy })],
    ['POST', '/v1/template_variations', folder],
  )
  const body = { template_variation: folder.template_variation, num: 1 }
  expect(await other.call('POST', '/v1/vatoms', { body })).toMatchObject(refused)
  for (const { call } of [publisher, other])
    expect((await call('POST', '/v1/vatom/discover', { body: {} })).payload.count).toBe(0)
})

test('a refusal names nothing that the caller may not read', async () => {
  const { other, faceId } = await owned({ public: false, unpublished: true })
  const { text } = await other.call('PATCH', `/v1/publisher/face/${faceId}`, { body: {} })
  expect(text).not.toMatch(/Coupon/)
})
