import { describe, expect, onTestFinished, test } from 'vitest'
import { ActionsChanges, FacesChanges } from '../../../src/contract/api/change-feeds.ts'
import { ActionRecord } from '../../../src/contract/kinds/action-schemas.ts'
import { FaceRecord } from '../../../src/contract/kinds/face-schemas.ts'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { face, resource, template, templateName } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Caller, doors, made, testService } from '../../support/service.ts'
import { storedWorld } from '../../support/worlds.ts'

const noon = Date.parse('2027-03-01T12:00:00Z')
const published = ['POST', '/v1/templates', template({ unpublished: false })] as const
const draft = ['POST', '/v1/templates', template()] as const
const dropName = `${templateName}::Action::Drop`
const dropAction = ['POST', '/v1/publisher/action', { name: dropName, reactor: 'blockv://v1/Drop' }] as const
const feed = (caller: Caller, noun: 'faces' | 'actions', body: object) =>
  caller.call('POST', `/v1/vatom/${noun}/changes`, { body: { templates: [templateName], ...body } })
const faces = async (caller: Caller, since?: number) =>
  (await feed(caller, 'faces', { since })).payload.faces_changes[templateName]
const actions = async (caller: Caller, since?: number) =>
  (await feed(caller, 'actions', { since })).payload.actions_changes[templateName]
/** Registers a face; answers its id. */
async function registered(caller: Caller, fields: object = {}): Promise<string> {
  const { success_message } = await made(caller, ['POST', '/v1/publisher/face', face(fields)])
  return String(success_message).split(' ')[1] ?? ''
}

describe.each(doors)('%s', (door) => {
  test('faces that were added, changed and removed since a time', async () => {
    const { publisher, advance } = await testService({}, door)
    await made(publisher, published)
    const [kept, gone] = [await registered(publisher), await registered(publisher, { package_url: '.' })]
    const { payload } = await feed(publisher, 'faces', {})
    expect(payload).toEqual({
      faces_changes: {
        [templateName]: [
          { operation: 'create', face: expect.objectContaining({ id: kept, template: templateName }) },
          { operation: 'create', face: expect.objectContaining({ id: gone }) },
        ],
      },
    })
    advance(60)
    await made(publisher, ['PATCH', `/v1/publisher/face/${kept}`, { display_url: 'native://layered-image' }])
    await made(publisher, ['DELETE', `/v1/publisher/face/${gone}`])
    advance(60)
    const added = await registered(publisher)
    const changes = await faces(publisher, noon + 60_000)
    expect(
      changes.map((one: { operation: string; face: { id: string } }) => [one.operation, one.face.id]).sort(),
    ).toEqual([
      ['create', added],
      ['delete', gone],
      ['update', kept],
    ])
    const list = await publisher.call('GET', `/v1/publisher/face?template=${encodeURIComponent(templateName)}`)
    const update = changes.find(({ operation }: { operation: string }) => operation === 'update')
    expect(list.payload).toContainEqual(update.face)
    expect(changes.find(({ operation }: { operation: string }) => operation === 'delete').face).toMatchObject({
      id: gone,
      template: templateName,
      properties: { package_url: '.' },
    })
    expect(await faces(publisher, noon + 60_001)).toHaveLength(1)
    expect((await feed(publisher, 'faces', { since: noon + 120_001 })).payload).toEqual({ faces_changes: {} })
  })

  test('actions that were added, changed and removed since a time', async () => {
    const { publisher, advance } = await testService({}, door)
    await made(publisher, published, dropAction)
    expect(await actions(publisher)).toEqual([
      { operation: 'create', action: expect.objectContaining({ name: dropName }) },
    ])
    advance(60)
    await made(publisher, ['PATCH', `/v1/publisher/action/${dropName}`, { timeout: 5000 }])
    expect(await actions(publisher, noon + 1)).toMatchObject([
      { operation: 'update', action: { name: dropName, properties: { timeout: 5000, reactor: 'blockv://v1/Drop' } } },
    ])
    await made(publisher, ['DELETE', `/v1/publisher/action/${dropName}`])
    expect(await actions(publisher, noon + 1)).toMatchObject([
      { operation: 'delete', action: { name: dropName, properties: { timeout: 5000 } } },
    ])
    advance(60)
    await made(publisher, dropAction)
    expect(await actions(publisher, noon + 60_001)).toMatchObject([{ operation: 'create', action: { name: dropName } }])
    expect(await actions(publisher)).toHaveLength(1)
  })
})

test('a template that is not there, or has no changes, is absent, and one named twice is there once', async () => {
  const { publisher } = await testService()
  await made(publisher, published)
  const templates = [templateName, 'local.vatom::None', templateName]
  expect((await feed(publisher, 'faces', { templates })).payload).toEqual({ faces_changes: {} })
  await registered(publisher)
  expect((await feed(publisher, 'faces', { templates })).text.match(/"operation"/g)).toHaveLength(1)
  expect((await feed(publisher, 'actions', { templates })).payload).toEqual({ actions_changes: {} })
})

test('a draft is there for its publisher, and for who owns a vAtom of it', async () => {
  const { publisher, other, bob, act } = await storedWorld()
  await made(publisher, draft, dropAction)
  await registered(publisher)
  expect([await faces(publisher), await actions(publisher)]).toEqual([[expect.anything()], [expect.anything()]])
  for (const caller of [other, bob])
    expect([await faces(caller), await actions(caller)]).toEqual([undefined, undefined])
  const variation = { template: templateName, template_variation: `${templateName}::V` }
  const { ids } = await made(
    publisher,
    ['POST', '/v1/template_variations', variation],
    ['POST', '/v1/vatoms', { template_variation: variation.template_variation, num: 1 }],
  )
  await act((vatoms, now) => vatoms.give(ids[0], bob.id, now))
  expect(await faces(bob)).toHaveLength(1)
})

test('faces and actions of a published template that is not public are seen by those who find a vAtom of it', async () => {
  const { publisher, other, bob, act, drop } = await storedWorld()
  await made(publisher, published, dropAction)
  await registered(publisher)
  const variation = { template: templateName, template_variation: `${templateName}::V`, unpublished: false }
  const { ids } = await made(
    publisher,
    ['POST', '/v1/template_variations', variation],
    ['POST', '/v1/vatoms', { template_variation: variation.template_variation, num: 2 }],
  )
  const seen = async (caller: Caller) => [await faces(caller), await actions(caller)]
  for (const stranger of [other, bob]) expect(await seen(stranger)).toEqual([undefined, undefined])
  await act((vatoms, now) => vatoms.give(ids[0], bob.id, now))
  expect(await seen(bob)).toEqual([[expect.anything()], [expect.anything()]])
  expect(await seen(other)).toEqual([undefined, undefined])
  await drop(ids[1], 8.5, 47.4)
  expect(await seen(other)).toEqual([[expect.anything()], [expect.anything()]])
})

test('of what was deleted, what is long is not listed, as there can be any number of deletions', async () => {
  const { publisher } = await testService()
  const config = { long: 'x'.repeat(2000) }
  const state_impact = Array.from({ length: 100 }, (_, index) => `private.property_${index}`)
  await made(publisher, published)
  const id = await registered(publisher, { config })
  const action = { name: dropName, reactor: 'blockv://v1/Drop', timeout: 5000, config, state_impact }
  await made(publisher, ['POST', '/v1/publisher/action', action], ['DELETE', `/v1/publisher/face/${id}`])
  await made(publisher, ['DELETE', `/v1/publisher/action/${dropName}`])
  const [face] = await faces(publisher)
  expect(face).toMatchObject({ operation: 'delete', face: { id, properties: { display_url: 'native://image' } } })
  const [lost] = await actions(publisher)
  const properties = { timeout: 5000, state_impact: [] }
  expect(lost).toMatchObject({ operation: 'delete', action: { name: dropName, properties } })
  for (const record of [face.face, lost.action]) expect(record.properties).not.toHaveProperty('config')
})

test('what is listed of deleted records with long values is what clients require of a record', async () => {
  const { publisher } = await testService()
  const long = 'x'.repeat(3000)
  const address = `https://x.example/?${'a'.repeat(1004)}\u{1f600}${long}`
  const names = Array.from({ length: 200 }, (_, index) => `resource_${index}`)
  await made(publisher, [
    'POST',
    '/v1/templates',
    template({ unpublished: false }, { resources: names.map((name) => resource(name)) }),
  ])
  const all = { display_url: address, package_url: address, resources: names, config: { long } }
  const ids = [await registered(publisher), await registered(publisher, all)]
  for (const id of ids) await made(publisher, ['DELETE', `/v1/publisher/face/${id}`])
  const behaviour = {
    config: { long },
    policy: { rule: long },
    state_impact: names,
    action_notification: { msg: long },
  }
  const action = { name: dropName, reactor: `acme://${'y'.repeat(240)}`, ...behaviour }
  await made(publisher, ['POST', '/v1/publisher/action', action], ['DELETE', `/v1/publisher/action/${dropName}`])
  const changes = FacesChanges().parse((await feed(publisher, 'faces', {})).payload).faces_changes[templateName] ?? []
  const listed = changes.map(({ face }) => FaceRecord().parse(face)).find(({ id }) => id === ids[1])
  const shown = `https://x.example/?${'a'.repeat(1004)}`
  expect(listed?.properties).toMatchObject({ display_url: shown, package_url: shown, resources: [] })
  const { actions_changes } = ActionsChanges().parse((await feed(publisher, 'actions', {})).payload)
  for (const { action } of actions_changes[templateName] ?? []) ActionRecord().parse(action)
  expect(actions_changes[templateName]).toHaveLength(1)
})

test('what is deleted with its template is forgotten with it', async () => {
  const { publisher } = await testService()
  await made(publisher, draft, dropAction)
  await registered(publisher)
  await made(publisher, ['DELETE', `/v1/templates/${templateName}`], published)
  expect([await faces(publisher), await actions(publisher)]).toEqual([undefined, undefined])
})

test('records from before changes were stored are reported as added at their time', async () => {
  const path = newDatabase()
  const step = migrations.findIndex(({ name }) => name.includes('changes of faces'))
  const before = await openDatabase(path, migrations.slice(0, step))
  const record = (fields: object) =>
    JSON.stringify({ ...fields, meta: { when_created: '2027-03-01T12:00:00Z', when_modified: '2027-03-01T12:00:05Z' } })
  const put = (table: string, values: readonly (string | number)[]) =>
    before.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  const meta = ['x', '2027-03-01T12:00:00Z', 'x', '2027-03-01T12:00:00Z']
  put(
    'templates (name, publisher_fqdn, unpublished, public, cloneable, vatom, created_by, when_created, modified_by, when_modified)',
    ['T', 'local.vatom', 0, 0, 0, '{}', ...meta],
  )
  put('faces (id, template, json)', ['F', 'T', record({ id: 'F' })])
  put('actions (name, template, json)', ['A', 'T', record({ name: 'A' })])
  before.close()
  const store = await openStore(path)
  onTestFinished(() => store.close())
  for (const noun of ['faces', 'actions'] as const) {
    const since = (time: number) => [...store[noun].changesSince('T', time)].map(({ operation }) => operation)
    expect([since(noon), since(noon + 5000), since(noon + 5001)]).toEqual([['create'], ['update'], []])
  }
})

test.each([
  [{ templates: 'x' }, 'templates'],
  [{ templates: Array.from({ length: 101 }, (_, n) => `local.vatom::${n}`) }, 'templates'],
  [{ since: -1 }, 'since'],
  [{ since: 'yesterday' }, 'since'],
])('a feed of %j is a 400', async (body, path) => {
  const { publisher } = await testService()
  for (const noun of ['faces', 'actions'] as const)
    expect(await feed(publisher, noun, body)).toMatchObject({ status: 400, body: { issues: [{ path }] } })
})
