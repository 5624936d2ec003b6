import { expect, test } from 'vitest'
import { template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { listening } from '../../support/worlds.ts'

test('GET /__vatom/emissions/TEMPLATE counts vAtoms of each variation: emitted by day, and still owned', async () => {
  const { service, publisher, advance, tool } = await listening()
  await publisher.call('POST', '/v1/templates', { body: template() })
  await publisher.call('POST', '/v1/template_variations', { body: variation() })
  const emit = (num: number, headers = {}) =>
    publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num }, headers })
  const { payload } = await emit(2)
  advance(86_400)
  const headers = { authorization: `Bearer ${service.localToken()}` }
  await emit(1, headers)
  await publisher.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': payload.ids[0] }, headers })
  const counts = async (name: string) => (await tool('GET', `/__vatom/emissions/${encodeURIComponent(name)}`)).payload
  expect(await counts(templateName)).toEqual([
    {
      template_variation: variationName,
      emitted: 3,
      owned: 2,
      days: [
        { day: '2027-03-01', count: 2 },
        { day: '2027-03-02', count: 1 },
      ],
    },
  ])
  expect(await counts('local.vatom::None::v1')).toEqual([])
})
