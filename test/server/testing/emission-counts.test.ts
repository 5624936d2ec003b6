import { expect, onTestFinished, test, vi } from 'vitest'
import { Connection } from '../../../src/server/store/query.ts'
import { action, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { mostInATurn } from '../../support/during.ts'
import { emitted, made } from '../../support/service.ts'
import { slowWork } from '../../support/slow-work.ts'
import { listening } from '../../support/worlds.ts'

test('GET /__vatom/emissions/TEMPLATE counts vAtoms of each variation: emitted and redeemed by day, owned, and left', async () => {
  const { service, publisher, advance, tool } = await listening()
  await publisher.call('POST', '/v1/templates', {
    body: template({ unpublished: false }, { redeemable: true, commerce: {} }),
  })
  await publisher.call('POST', '/v1/template_variations', { body: variation({ unpublished: false }) })
  await publisher.call('POST', '/v1/publisher/action', {
    body: action({ reactor: 'blockv://v1/Redeem', wait: true }, 'Redeem'),
  })
  const emit = (num: number, headers = {}) =>
    publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num }, headers })
  const { payload } = await emit(2)
  advance(86_400)
  const headers = { authorization: `Bearer ${service.localToken()}` }
  await emit(1, headers)
  await publisher.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': payload.ids[0] }, headers })
  const redeem = (id: string) =>
    publisher.call('POST', '/v1/user/vatom/action/Redeem', { body: { 'this.id': id }, headers })
  expect(await redeem(payload.ids[1])).toMatchObject({ status: 200 })
  expect(await redeem(payload.ids[1])).not.toMatchObject({ status: 200 })
  const counts = async (name: string) => (await tool('GET', `/__vatom/emissions/${encodeURIComponent(name)}`)).payload
  expect(await counts(templateName)).toEqual([
    {
      template_variation: variationName,
      emitted: 3,
      redeemed: 1,
      owned: 1,
      left: 1,
      days: [
        { day: '2027-03-01', count: 2, redeemed: 0, trashed: 0 },
        { day: '2027-03-02', count: 1, redeemed: 1, trashed: 1 },
      ],
    },
  ])
  expect(await counts('local.vatom::None::v1')).toEqual([])
  advance(86_400)
  const later = { authorization: `Bearer ${service.localToken()}` }
  await emit(2000, later)
  advance(1)
  await emit(1, later)
  expect(await counts(templateName)).toMatchObject([
    { emitted: 2004, redeemed: 1, owned: 2002, left: 2002, days: [{}, {}, { day: '2027-03-03', count: 2001 }] },
  ])
})

test('those of many variations are sent in parts', async () => {
  const { publisher, tool } = await listening()
  await made(publisher, ['POST', '/v1/templates', template()])
  const names = Array.from({ length: 150 }, (_, index) => `${templateName}::${'x'.repeat(200)}${100 + index}`)
  for (const name of names)
    await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation: name })])
  const { headers, payload } = await tool('GET', `/__vatom/emissions/${encodeURIComponent(templateName)}`)
  expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' })
  expect(payload).toEqual(
    names.map((name) => ({ template_variation: name, emitted: 0, redeemed: 0, owned: 0, left: 0, days: [] })),
  )
})

test('others have turns while many of a variation are counted', async () => {
  const { publisher, tool } = await listening()
  await emitted(publisher, 'local.vatom::Coin', 9000)
  const rows = vi.spyOn(Connection.prototype, 'rows')
  onTestFinished(() => rows.mockRestore())
  slowWork(1000)
  const asked = tool('GET', `/__vatom/emissions/${encodeURIComponent('local.vatom::Coin')}`)
  expect(await mostInATurn(asked, () => rows.mock.calls)).toBeLessThan(4)
  expect((await asked).payload).toMatchObject([{ emitted: 9000, left: 9000 }])
})
