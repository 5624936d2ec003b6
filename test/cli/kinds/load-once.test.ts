import { expect, test, vi } from 'vitest'
import { kindSchemas } from '../../../src/contract/kinds/schemas.ts'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

/** Commands, and how often each sends a document, dry runs included, which the service checks once more. */
const commands: [sent: number, ...words: string[]][] = [
  [1, 'plan', 'catalog'],
  [2, 'apply', 'catalog', '--yes'],
  [1, 'template', 'create', 'catalog'],
]

/** Counts how often the schema of templates checks a document, on either side. */
function countChecks() {
  const schema = kindSchemas.template.document()._zod
  const { run } = schema
  const spy = vi.spyOn(schema, 'run').mockImplementation((...given) => run(...given))
  return { times: () => spy.mock.calls.length, [Symbol.dispose]: () => spy.mockRestore() }
}

/** A catalog, and a service whose publisher only the service can name. */
async function unnamedPublisher() {
  const desk = await publisher()
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  desk.file('catalog/coffee.yaml', template('$publisher::Coffee::v1'))
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: desk.service.appId }
  return { ...desk, env, session: { VATOM_ACCESS_TOKEN: desk.service.localToken() } }
}

test.each(commands)(
  'sending %d, %s checks the documents once, for the publisher that the service names',
  async (sent, ...words) => {
    const { run, env, session } = await unnamedPublisher()
    using checks = countChecks()
    const { code, out } = await run(words, { env: { ...env, ...session } })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('local.vatom::Coffee::v1') })
    expect(checks.times()).toBe(1 + sent)
  },
)

test.each(commands)(
  'sending %d, %s reports invalid documents also where nobody is signed in',
  async (_sent, ...words) => {
    const { run, env, file } = await unnamedPublisher()
    file('catalog/broken.yaml', template('$publisher::Tea::v1').replace('vatom:', 'vatmo:'))
    using checks = countChecks()
    expect(await run(words, { env })).toMatchObject({ code: 3, err: expect.stringContaining('vatmo') })
    expect(checks.times()).toBe(2)
  },
)

test.each(commands)('sending %d, %s of valid documents fails where nobody is signed in', async (_sent, ...words) => {
  const { run, env } = await unnamedPublisher()
  expect(await run(words, { env })).toMatchObject({ code: 4, out: '' })
})
