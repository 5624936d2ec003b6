import { expect, test, vi } from 'vitest'
import { kindSchemas } from '../../../src/contract/kinds/schemas.ts'
import type { KindName } from '../../../src/contract/values.ts'
import { action, face, template, variation } from '../../fixtures/yaml.ts'
import { deskOf, publisher } from '../../support/vatom.ts'

/** A desk that counts how often the schema of a kind's documents parses one, on either side of the request. */
async function countingDesk(kind: KindName) {
  const parses = { client: 0, service: 0 }
  let side: keyof typeof parses = 'client'
  const { service } = await publisher()
  const desk = deskOf({
    ...service,
    inject: (request) => {
      side = 'service'
      return service.inject(request).finally(() => {
        side = 'client'
      })
    },
  })
  const schema = kindSchemas[kind].document()._zod
  const { run } = schema
  const spy = vi.spyOn(schema, 'run').mockImplementation((...given) => {
    parses[side] += 1
    return run(...given)
  })
  return { ...desk, parses, [Symbol.dispose]: () => spy.mockRestore() }
}

test.each<[KindName, string, string]>([
  ['template', 'create', template('$publisher::Coffee::v1')],
  ['variation', 'create', variation()],
  ['face', 'register', face()],
  ['action', 'register', action()],
])('a %s is parsed by its schema once on each side', async (kind, verb, document) => {
  using desk = await countingDesk(kind)
  if (kind !== 'template') {
    desk.file('coupon.yaml', template())
    await desk.json('template', 'create', 'coupon.yaml')
  }
  desk.file('document.yaml', document)
  await desk.json(kind, verb, 'document.yaml')
  expect(desk.parses).toEqual({ client: 1, service: 1 })
})
