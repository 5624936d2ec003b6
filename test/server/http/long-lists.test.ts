import { expect, onTestFinished, test, vi } from 'vitest'
import { face, template, templateName, variation } from '../../fixtures/bodies.ts'
import { made } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const description = 'x'.repeat(40_000)

/** The answer to a request over HTTP: whether it came in parts, and its payload. */
async function listed(path: string, body?: object) {
  const { publisher, ask } = await listening()
  for (const name of ['A', 'B', 'C'])
    await made(
      publisher,
      ['POST', '/v1/templates', template({ template: `local.vatom::${name}`, unpublished: false }, { description })],
      [
        'POST',
        '/v1/template_variations',
        variation({ template: `local.vatom::${name}`, template_variation: `local.vatom::${name}::V`, vatom: {} }),
      ],
    )
  await made(publisher, ['POST', '/v1/templates', template()])
  for (const package_url of ['native://image', 'native://level-image', 'native://progress-image'])
    await made(publisher, [
      'POST',
      '/v1/publisher/face',
      face({ package_url, display_url: `https://x.y/${'z'.repeat(20_000)}` }),
    ])
  const { headers, payload } = await ask(body ? 'POST' : 'GET', path, body)
  return { isInParts: !('content-length' in headers), payload }
}

const names = ['A', 'B', 'C'].map((name) => `local.vatom::${name}`)
const described = { 'vAtom::vAtomType': expect.objectContaining({ description }) }

test('a long list of templates is sent in parts, in the order of their names', async () => {
  const { isInParts, payload } = await listed('/v1/templates?fields=name,properties(template)')
  expect(isInParts).toBe(true)
  expect(payload).toEqual([
    ...names.map((name) => ({ name, properties: { template: expect.objectContaining(described) } })),
    { name: templateName, properties: { template: expect.anything() } },
  ])
})

test('a long list of variations is sent in parts, in the order of their names', async () => {
  const { isInParts, payload } = await listed('/v1/template_variations?fields=name,properties(template_variation)')
  expect(isInParts).toBe(true)
  expect(payload).toEqual(
    names.map((name) => ({
      name: `${name}::V`,
      properties: { template_variation: expect.objectContaining(described) },
    })),
  )
})

test('a short list is sent whole', async () => {
  // A part ends after some milliseconds, which a busy machine may take for a short list.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await listed('/v1/templates')).toEqual({
    isInParts: false,
    payload: [...names, templateName].map((name) => ({ name })),
  })
})

test('a long list of faces is sent in parts, in the order of their registration', async () => {
  const { isInParts, payload } = await listed(`/v1/publisher/face?template=${templateName}`)
  expect(isInParts).toBe(true)
  expect(payload.map((one: { properties: object }) => one.properties)).toEqual(
    ['native://image', 'native://level-image', 'native://progress-image'].map((package_url) =>
      expect.objectContaining({ package_url }),
    ),
  )
  const second = await listed(`/v1/publisher/face?template=${templateName}&limit=1&page=2`)
  expect(second.payload).toMatchObject([{ properties: { package_url: 'native://level-image' } }])
})

test('long changes of faces are sent in parts', async () => {
  const { isInParts, payload } = await listed('/v1/vatom/faces/changes', {
    templates: [templateName, 'local.vatom::A'],
  })
  expect(isInParts).toBe(true)
  const change = { operation: 'create', face: expect.objectContaining({ template: templateName }) }
  expect(payload).toEqual({ faces_changes: { [templateName]: [change, change, change] } })
})
