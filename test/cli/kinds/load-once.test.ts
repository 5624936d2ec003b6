import { expect, test, vi } from 'vitest'
import { checkFiles } from '../../../src/documents/load/check-files.ts'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

vi.mock(import('../../../src/documents/load/check-files.ts'), async (original) => {
  const actual = await original()
  return { ...actual, checkFiles: vi.fn(actual.checkFiles) }
})

const commands = [
  ['plan', 'catalog'],
  ['apply', 'catalog', '--yes'],
  ['template', 'create', 'catalog'],
]

/** A catalog, and a service whose publisher only the service can name. */
async function unnamedPublisher() {
  const desk = await publisher()
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  desk.file('catalog/coffee.yaml', template('$publisher::Coffee::v1'))
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: desk.service.appId }
  return { ...desk, env, session: { VATOM_ACCESS_TOKEN: desk.service.localToken() } }
}

test.each(commands)('%s %s checks the documents once, for the publisher that the service names', async (...words) => {
  const { run, env, session } = await unnamedPublisher()
  vi.mocked(checkFiles).mockClear()
  const { code, out } = await run(words, { env: { ...env, ...session } })
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('local.vatom::Coffee::v1') })
  expect(checkFiles).toHaveBeenCalledTimes(1)
})

test.each(commands)('%s %s reports invalid documents also where nobody is signed in', async (...words) => {
  const { run, env, file } = await unnamedPublisher()
  file('catalog/broken.yaml', template('$publisher::Tea::v1').replace('vatom:', 'vatmo:'))
  vi.mocked(checkFiles).mockClear()
  expect(await run(words, { env })).toMatchObject({ code: 3, err: expect.stringContaining('vatmo') })
  expect(checkFiles).toHaveBeenCalledTimes(1)
})

test.each(commands)('%s %s of valid documents fails where nobody is signed in', async (...words) => {
  const { run, env } = await unnamedPublisher()
  expect(await run(words, { env })).toMatchObject({ code: 4, out: '' })
})
