import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { processorTime } from '../../../src/server/store/slices.ts'
import { action, actionName, face, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { made, testService } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const path = '/v1/publisher/label'

/** A template with a variation, a face and an action, all labelled. */
async function labelled() {
  const { publisher, other } = await twoPublishers()
  const { call } = publisher
  await made(
    publisher,
    ['POST', '/v1/templates', template()],
    ['POST', '/v1/template_variations', variation()],
    ['POST', '/v1/publisher/face', face()],
    ['POST', '/v1/publisher/action', action()],
  )
  const { payload: faces } = await call('GET', `/v1/publisher/face?template=${encodeURIComponent(templateName)}`)
  const records = [
    { kind: 'action', key: actionName },
    { kind: 'face', key: faces[0].id },
    { kind: 'template', key: templateName },
    { kind: 'variation', key: variationName },
  ]
  const label = (catalog: unknown, some: readonly unknown[] = records) =>
    call('PATCH', path, { body: { catalog, records: some } })
  const revised = async (query = '') => (await call('GET', `${path}${query}`)).payload
  const labels = async (query = '') =>
    (await revised(query)).map(({ revision, ...label }: Record<string, unknown>) => label)
  const revisions = async () => (await revised()).map(({ revision }: Record<string, unknown>) => revision)
  expect((await label('shop')).payload).toEqual({ success_message: '4 records labelled.' })
  return { other, call, records, label, labels, revisions }
}

test('labels are listed by kind and key, page by page; the last label counts, and null removes it', async () => {
  const { label, labels, records } = await labelled()
  const ofFace = { template: templateName }
  expect(await labels()).toEqual(
    records.map((record) => ({ ...record, catalog: 'shop', ...(record.kind === 'face' && ofFace) })),
  )
  expect(await labels('?limit=3&page=2')).toEqual([{ ...records[3], catalog: 'shop' }])
  await label('bar', records.slice(0, 1))
  await label(null, records.slice(1, 3))
  expect(await labels()).toEqual([
    { ...records[0], catalog: 'bar' },
    { ...records[3], catalog: 'shop' },
  ])
})

test('a label has another revision after each change of its catalog, there and back, and the same if nothing changes', async () => {
  // The clock stands still.
  const { label, records, revisions } = await labelled()
  const before = await revisions()
  await label('shop')
  expect(await revisions()).toEqual(before)
  await label('bar', records.slice(0, 1))
  const [between] = await revisions()
  await label('shop')
  const [first, ...others] = await revisions()
  expect(others).toEqual(before.slice(1))
  expect([...before, between]).not.toContain(first)
  expect(before).not.toContain(between)
})

test('a label is deleted with its record, also where that is deleted with its template', async () => {
  const { call, labels, records } = await labelled()
  await call('DELETE', `/v1/publisher/face/${records[1]?.key}`)
  expect(await labels()).toHaveLength(3)
  await call('DELETE', `/v1/templates/${encodeURIComponent(templateName)}`)
  expect(await labels()).toEqual([])
})

test('no record shows its label', async () => {
  const { call, records } = await labelled()
  for (const list of ['/v1/templates', '/v1/template_variations', `/v1/publisher/face?template=${templateName}`])
    expect((await call('GET', list)).text).not.toContain('shop')
  expect((await call('GET', `/v1/templates/${records[2]?.key}`)).text).not.toContain('shop')
})

test('what does not exist, or is of another publisher, is skipped; others see no labels', async () => {
  const { label, labels, other } = await labelled()
  const records = [{ kind: 'template', key: templateName }]
  const { payload } = await other.call('PATCH', path, { body: { catalog: 'mine', records } })
  expect(payload.success_message).toBe('0 records labelled.')
  expect((await other.call('GET', path)).payload).toEqual([])
  expect((await label('shop', [{ kind: 'face', key: 'none' }])).payload.success_message).toBe('0 records labelled.')
  expect(await labels()).toHaveLength(4)
})

test('to label a record its text is not read', async () => {
  const db = newDatabase()
  const { publisher } = await testService({ db })
  await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  const sqlite = await openSqlite(db)
  sqlite.exec(`UPDATE variations SET resolved = '"' || printf('%.*c', 4000000, 'x') || '"'`)
  sqlite.close()
  const records = Array.from({ length: 1000 }, () => ({ kind: 'variation', key: variationName }))
  const began = processorTime()
  await made(publisher, ['PATCH', path, { catalog: 'shop', records }])
  expect(processorTime() - began).toBeLessThan(1000)
})

test.each([
  [{ catalog: 'a/b', records: [] }, 'catalog'],
  [{ catalog: 'a', records: [{ kind: 'folder', key: 'x' }] }, 'records[0].kind'],
  [{ records: [] }, 'catalog'],
])('%j is refused', async (body, at) => {
  const { publisher } = await testService()
  expect(await publisher.call('PATCH', path, { body })).toMatchObject({ status: 400, body: { issues: [{ path: at }] } })
})

const addressOf = {
  action: '/v1/publisher/action/',
  face: '/v1/publisher/face/',
  template: '/v1/templates/',
  variation: '/v1/template_variations/',
}
test.each(['action', 'face', 'variation', 'template'] as const)(
  'a deletion that says which catalog a %s is of is refused where it is of another one',
  async (kind) => {
    const { call, records, labels } = await labelled()
    const key = records.find((record) => record.kind === kind)?.key
    const remove = (query: string) => call('DELETE', `${addressOf[kind]}${encodeURIComponent(key)}${query}`)
    for (const query of ['?catalog=bar', '?catalog=', '?catalog=SHOP'])
      expect(await remove(query)).toMatchObject({
        status: 409,
        body: { error: 9050, message: expect.stringContaining(`${kind} ${key} belongs to the catalog shop`) },
      })
    expect(await remove('?catalog=%00')).toMatchObject({ status: 400, body: { error: 516 } })
    expect(await labels()).toHaveLength(4)
    expect(await remove('?catalog=shop')).toMatchObject({ status: 200 })
    expect((await labels()).some((one: { readonly kind: string }) => one.kind === kind)).toBe(false)
  },
)

test.each(['', '?catalog=bar', '?catalog='])('what is of no catalog is deleted with %j', async (query) => {
  const { call, records, label } = await labelled()
  await label(null)
  expect(await call('DELETE', `/v1/publisher/face/${records[1]?.key}${query}`)).toMatchObject({ status: 200 })
})
