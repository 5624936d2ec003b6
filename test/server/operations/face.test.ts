import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { platforms, qualities, viewModes } from '../../../src/contract/values.ts'
import { face, resource, template, templateName } from '../../fixtures/bodies.ts'
import { emitted, made, testService, warningsOf } from '../../support/service.ts'

const path = '/v1/publisher/face'

async function world() {
  const opened = await testService()
  await made(opened.publisher, ['POST', '/v1/templates', template({}, { resources: [resource('Icon')] })])
  const register = (body: object) => opened.publisher.call('POST', path, { body })
  return { ...opened, face: register }
}

test('§4.5 the answer names the template and the new face', async () => {
  const { face: register } = await world()
  const { status, payload } = await register(face())
  expect(status).toBe(200)
  expect(payload.success_message).toMatch(/^Face [0-9a-f-]{36} registered for template local\.vatom::Coupon::v1\.$/)
})

test('§4.5 every field is required', async () => {
  const { face: register } = await world()
  for (const field of Object.keys(face()))
    expect(await register(face({ [field]: undefined }))).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: field }] },
    })
  for (const field of Object.keys(face().constraints))
    expect(await register(face({}, { [field]: undefined }))).toMatchObject({
      status: 400,
      body: { issues: [{ path: `constraints.${field}` }] },
    })
})

test('§4.5 view_mode, platform and quality are known ones', async () => {
  const { face: register } = await world()
  const choices = { view_mode: viewModes, platform: platforms, quality: qualities }
  for (const [field, values] of Object.entries(choices)) {
    for (const value of values) expect(await register(face({}, { [field]: value }))).toMatchObject({ status: 200 })
    expect(await register(face({}, { [field]: 'other' }))).toMatchObject({ status: 400 })
  }
})

test('§4.5 display_url is native:// or https://', async () => {
  const { face: register } = await world()
  for (const display_url of ['native://image', 'native://own-view', 'https://faces.example/x?y=z'])
    expect(await register(face({ display_url }))).toMatchObject({ status: 200 })
  for (const display_url of ['http://faces.example', 'native://', 'https://', 'image', ''])
    expect(await register(face({ display_url }))).toMatchObject({ status: 400 })
})

test('§4.5 resources are names from the template', async () => {
  const { face: register } = await world()
  expect(await register(face({ resources: ['Icon'] }))).toMatchObject({ status: 200 })
  expect(await register(face({ resources: ['Icon', 'Other'] }))).toMatchObject({
    status: 400,
    body: { error: 9006, issues: [{ path: 'resources[1]' }] },
  })
})

test('§4.5 of many resources that the template does not have, the first are named, and the nearest only to a few of these', async () => {
  const { face: register } = await world()
  const resources = Array.from({ length: 130 }, () => 'Ikon')
  const { status, body } = await register(face({ resources }))
  expect([status, body.issues.length]).toEqual([400, limits.issues + 1])
  const hinted = body.issues.filter(({ message }: { message: string }) => message.endsWith('; did you mean Icon?'))
  expect(hinted).toEqual(body.issues.slice(0, limits.hints))
  expect(body.issues.at(-1).message).toBe('and 30 more problems')
})

test('§4.5 a change of the template that leaves a face without a resource is made, with a warning', async () => {
  const { face: register, publisher } = await world()
  await register(face({ resources: ['Icon'], config: { image: 'Icon' } }))
  const { vatom } = template({}, { resources: [resource('Card')] })
  const update = (body: object) =>
    publisher.call('PATCH', `/v1/templates/${encodeURIComponent(templateName)}`, { body })
  const answer = await update({ vatom })
  expect(answer.status).toBe(200)
  expect(warningsOf(answer)).toEqual([
    {
      code: 'face-resource',
      path: '',
      message: `face ${templateName} icon, generic, high, native://image: the template has no resource Icon`,
      about: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
  expect((await update({ vatom: template({}, { resources: [resource('Icon')] }).vatom })).headers).not.toHaveProperty(
    'vatom-warning',
  )
})

test('§4.5 the template is there', async () => {
  const { face: register } = await world()
  expect(await register(face({ template: 'local.vatom::None' }))).toMatchObject({ status: 400, body: { error: 9006 } })
})

test('§2.6, §3 a face can be added after the template is published', async () => {
  const { publisher, face: register } = await world()
  await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
  expect(await register(face())).toMatchObject({ status: 200 })
})

test('§4.5 a template is not published without a resource that a face names, in the same request or a later one', async () => {
  const { publisher, face: register } = await world()
  await register(face({ resources: ['Icon'], config: { image: 'Other' } }))
  const own = `/v1/templates/${templateName}`
  const without = template({}, { resources: [resource('Card')] }).vatom
  const refused = { status: 400, body: { error: 9006, issues: [{ path: 'unpublished' }] } }
  expect(await publisher.call('PATCH', own, { body: { vatom: without, unpublished: false } })).toMatchObject(refused)
  await made(publisher, ['PATCH', own, { vatom: without }])
  const answer = await publisher.call('PATCH', own, { body: { unpublished: false } })
  expect(answer).toMatchObject(refused)
  expect(answer.body.message).toContain(
    `face ${templateName} icon, generic, high, native://image: the template has no resource Icon; change or delete the face first`,
  )
  expect(answer.body.issues).toHaveLength(1)
  await made(publisher, ['PATCH', own, { vatom: template({}, { resources: [resource('Icon')] }).vatom }])
  const published = await publisher.call('PATCH', own, { body: { unpublished: false } })
  expect(published.status).toBe(200)
  expect(warningsOf(published)).toMatchObject([{ code: 'face-config-resource' }])
})

test('config and a package_url of "." are fine; with compat sdk resources may be left out', async () => {
  const { face: register } = await world()
  expect(await register(face({ package_url: '.', config: { scale: 'fit' } }))).toMatchObject({ status: 200 })
  const { publisher } = await testService({ compat: 'sdk' })
  await made(publisher, ['POST', '/v1/templates', template()])
  expect(await publisher.call('POST', path, { body: face({ resources: undefined }) })).toMatchObject({ status: 200 })
})

test('a face that only some viewers show is accepted with a warning', async () => {
  const { face: register } = await world()
  const { headers } = await register(face({ display_url: 'native://own-view' }))
  expect(headers['vatom-warning']).toMatch(/native:\/\/own-view/)
})

test('faces come with the vAtoms of their template', async () => {
  const { publisher } = await testService()
  await emitted(publisher, 'local.vatom::A', 2)
  await emitted(publisher, 'local.vatom::B', 1)
  for (const name of ['local.vatom::A', 'local.vatom::B', 'local.vatom::A'])
    await made(publisher, ['POST', path, face({ template: name })])
  const discover = async (value: string) =>
    (
      await publisher.call('POST', '/v1/vatom/discover', {
        body: { scope: { key: 'vAtom::vAtomType.template', value } },
      })
    ).payload
  const { faces, actions } = await discover('local.vatom::A')
  expect(actions).toEqual([])
  expect(faces).toHaveLength(2)
  expect(faces[0]).toEqual({
    id: expect.any(String),
    template: 'local.vatom::A',
    meta: {
      created_by: publisher.id,
      when_created: '2027-03-01T12:00:00Z',
      modified_by: publisher.id,
      when_modified: '2027-03-01T12:00:00Z',
      data_type: 'v1::FaceType',
    },
    properties: {
      display_url: 'native://image',
      package_url: 'native://image',
      constraints: face().constraints,
      resources: [],
    },
  })
  expect((await discover('local.vatom::None')).faces).toEqual([])
})

describe('list', () => {
  const list = (query: object) => `${path}?${new URLSearchParams({ template: templateName, ...query })}`

  test('§2.6 the faces of a template, in order of registration, by pages', async () => {
    const { publisher } = await world()
    await made(publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Other::v1' })])
    await made(publisher, ['POST', path, face({ template: 'local.vatom::Other::v1' })])
    for (const view_mode of viewModes) await made(publisher, ['POST', path, face({}, { view_mode })])
    const modes = async (query: object) =>
      (await publisher.call('GET', list(query))).payload.map((one: Shown) => one.properties.constraints.view_mode)
    expect(await modes({})).toEqual(viewModes)
    expect(await modes({ limit: '3', page: '2' })).toEqual(viewModes.slice(3))
    expect(await modes({ limit: '0' })).toEqual(viewModes)
    expect(await modes({ page: '2' })).toEqual([])
  })

  test('a template that is not named, or not there, is refused', async () => {
    const { publisher } = await world()
    expect(await publisher.call('GET', path)).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: 'template' }] },
    })
    expect(await publisher.call('GET', list({ template: 'local.vatom::None' }))).toMatchObject({
      status: 400,
      body: { error: 9006, issues: [{ path: 'template' }] },
    })
  })
})

describe.each(['draft', 'published'])('§2.6 a face of a %s template', (state) => {
  async function registered(fields: object = {}) {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', path, face({ package_url: '.', resources: ['Icon'], ...fields }, { gps: true })])
    if (state === 'published') await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
    const list = async () => (await publisher.call('GET', `${path}?template=${templateName}`)).payload
    const [{ id }] = await list()
    return { ...opened, id, list, update: (body: object) => publisher.call('PATCH', `${path}/${id}`, { body }) }
  }

  test('is changed: what is sent replaces what it had, constraints one by one', async () => {
    const { publisher, id, list, update, advance } = await registered({ config: { image: 'Icon', scale: 'fit' } })
    const [before] = await list()
    advance(60)
    expect(
      await update({ constraints: { view_mode: 'card', quality: 'low' }, config: { scale: 'fill' } }),
    ).toMatchObject({ status: 200, payload: { success_message: `Face ${id} updated.` } })
    const after = {
      ...before,
      meta: { ...before.meta, when_modified: '2027-03-01T12:01:00Z' },
      properties: {
        ...before.properties,
        constraints: { ...before.properties.constraints, view_mode: 'card', quality: 'low' },
        config: { scale: 'fill' },
      },
    }
    expect(await list()).toEqual([after])
    await made(publisher, ['PATCH', `${path}/${id}`, { display_url: 'https://faces.example', resources: [] }])
    expect(await list()).toMatchObject([
      {
        properties: {
          display_url: 'https://faces.example',
          package_url: '.',
          resources: [],
          config: { scale: 'fill' },
        },
      },
    ])
  })

  test('the result of a change is checked as a new face is; if a rule is broken, nothing changes', async () => {
    const { id, list, update } = await registered()
    const before = await list()
    for (const [body, error, at] of [
      [{ resources: ['Icon', 'None'] }, 9006, 'resources[1]'],
      [{ display_url: 'image' }, 516, 'display_url'],
      [{ constraints: { view_mode: 'huge' } }, 516, 'constraints.view_mode'],
      [{ constraints: { colour: 'red' } }, 516, 'constraints.colour'],
      [{ config: { text: 'x'.repeat(limits.section) } }, 516, ''],
      [{ template: 'local.vatom::B' }, 516, 'template'],
      [{ id }, 516, 'id'],
    ] as const)
      expect(await update(body)).toMatchObject({ status: 400, body: { error, issues: [{ path: at }] } })
    expect(await list()).toEqual(before)
    expect((await update({ display_url: 'native://own-view' })).headers['vatom-warning']).toMatch(/own-view/)
  })

  test('is removed, and no longer found', async () => {
    const { publisher, id, list, update } = await registered()
    await made(publisher, ['POST', path, face({ package_url: 'second' })])
    expect(await publisher.call('DELETE', `${path}/${id}`)).toMatchObject({
      status: 200,
      payload: { success_message: `Face ${id} deleted.` },
    })
    expect(await list()).toMatchObject([{ properties: { package_url: 'second' } }])
    for (const answer of [await update({}), await publisher.call('DELETE', `${path}/${id}`)])
      expect(answer).toMatchObject({ status: 404, body: { error: 9007 } })
  })
})

test('simultaneous changes of one face are all stored', async () => {
  const { publisher, face: register } = await world()
  await register(face())
  const read = async () => (await publisher.call('GET', `${path}?template=${templateName}`)).payload[0]
  const { id } = await read()
  const flags = ['bluetooth_le', 'contact_list', 'gps', 'three_d']
  const change = (flag: string) => publisher.call('PATCH', `${path}/${id}`, { body: { constraints: { [flag]: true } } })
  for (const { status } of await Promise.all(flags.map(change))) expect(status).toBe(200)
  expect((await read()).properties.constraints).toMatchObject(Object.fromEntries(flags.map((flag) => [flag, true])))
})

test('the faces of a template have a bounded size together, and room again once one is shorter', async () => {
  const { publisher, face: register } = await world()
  const long = (length: number) => face({ config: { note: 'é'.repeat(length / 2) } })
  const each = 60_000
  for (let n = 0; n < 4; n++) expect(await register(long(each))).toMatchObject({ status: 200 })
  const message = `the faces of ${templateName} would have \\d+ bytes of JSON together, and can have 262144; shorten or delete some`
  const refused = {
    status: 400,
    body: { error: 516, issues: [{ path: '', message: expect.stringMatching(`^${message}$`) }] },
  }
  expect(await register(long(each))).toMatchObject(refused)
  expect(await register(long(10_000))).toMatchObject({ status: 200 })
  const { payload } = await publisher.call('GET', `${path}?template=${templateName}&limit=0`)
  const change = (length: number) =>
    publisher.call('PATCH', `${path}/${payload[4].id}`, { body: { config: { note: 'x'.repeat(length) } } })
  expect(await change(each)).toMatchObject(refused)
  expect(await change(100)).toMatchObject({ status: 200 })
  expect(await register(long(10_000))).toMatchObject({ status: 200 })
})

test('a template has a bounded number of faces, however they race, and room again once one is deleted', async () => {
  const { publisher, face: register } = await world()
  await Promise.all(Array.from({ length: limits.faces - 1 }, () => register(face())))
  const race = await Promise.all([register(face()), register(face())])
  const message = `${templateName} has 100 faces, the most a template can have; delete one first`
  expect(race).toMatchObject([
    { status: 200 },
    { status: 400, body: { error: 516, issues: [{ path: 'template', message }] } },
  ])
  const { payload } = await publisher.call('GET', `${path}?template=${templateName}&limit=0`)
  expect(payload).toHaveLength(limits.faces)
  await made(publisher, ['DELETE', `${path}/${payload[0].id}`], ['POST', path, face()])
  await made(publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Other::v1' })])
  await made(publisher, ['POST', path, face({ template: 'local.vatom::Other::v1' })])
})

test('a face that goes while it is changed is not there, nor one that is registered while its template goes', async () => {
  const { publisher, face: register } = await world()
  await register(face())
  const [{ id }] = (await publisher.call('GET', `${path}?template=${templateName}`)).payload
  const change = [publisher.call('DELETE', `${path}/${id}`), publisher.call('PATCH', `${path}/${id}`, { body: {} })]
  expect(await Promise.all(change)).toMatchObject([{ status: 200 }, { status: 404, body: { error: 9007 } }])
  // What is loaded for the first of its kind takes time, in which the other would come before it.
  const other = 'local.vatom::Other::v1'
  await made(publisher, ['POST', '/v1/templates', template({ template: other })], ['DELETE', `/v1/templates/${other}`])
  const registration = [publisher.call('DELETE', `/v1/templates/${templateName}`), register(face())]
  expect(await Promise.all(registration)).toMatchObject([{ status: 200 }, { status: 400, body: { error: 9006 } }])
})

/** What a listed face shows of where it stands. */
interface Shown {
  readonly properties: { readonly constraints: { readonly view_mode: string } }
}
