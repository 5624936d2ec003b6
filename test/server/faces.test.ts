import { expect, test } from 'vitest'
import { platforms, qualities, viewModes } from '../../src/contract/values.ts'
import { emitted, face, made, resource, template, templateName, testService } from './service.ts'

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

test('§4.5 the template is there', async () => {
  const { face: register } = await world()
  expect(await register(face({ template: 'local.vatom::None' }))).toMatchObject({ status: 400, body: { error: 9006 } })
})

test('§2.6, §3 a face can be added after the template is published', async () => {
  const { publisher, face: register } = await world()
  await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
  expect(await register(face())).toMatchObject({ status: 200 })
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
