import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { definedFolder } from '../../../src/contract/values.ts'
import { Connection } from '../../../src/server/store/query.ts'
import { draftQueries } from '../../../src/server/store/variations.ts'
import { template, templateName, variation } from '../../fixtures/bodies.ts'
import { folderType } from '../../support/acting.ts'
import { mostInATurn } from '../../support/during.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Answer, made, testService, warningsOf } from '../../support/service.ts'
import { slowWork } from '../../support/slow-work.ts'

afterEach(() => void vi.restoreAllMocks())

const path = `/v1/templates/${templateName}`
const nameOf = (index: number) => `${templateName}::V${index}`
const chain = (names: readonly string[], value: number) => ({
  network: 'testnet',
  fields: Object.fromEntries(names.map((name) => [name, { type: 'uint', value }])),
})

interface Draft {
  /** Of the template, and of each variation. */
  readonly body?: object
  readonly variation?: object
  readonly variations?: number
  readonly vatoms?: number
  readonly db?: string
}

/** A draft template with variations and vAtoms; with it may change, or be deleted, as many records as is said. */
async function draft({ body = template(), variation: own = {}, variations = 2, vatoms = 0, db = ':memory:' }: Draft) {
  const { publisher, service } = await testService({ db })
  await made(publisher, ['POST', '/v1/templates', body])
  for (let index = 0; index < variations; index++) {
    const template_variation = nameOf(index)
    await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation, vatom: {}, ...own })])
    if (vatoms > 0) await made(publisher, ['POST', '/v1/vatoms', { template_variation, num: vatoms }])
  }
  const most = vi.spyOn<{ draftChange: number }, 'draftChange'>(limits, 'draftChange', 'get')
  const change = (sent: object) => publisher.call('PATCH', path, { body: sent })
  const remove = () => publisher.call('DELETE', path)
  const title = async (index = 0) =>
    (await publisher.call('GET', `/v1/template_variations/${nameOf(index)}`)).payload.properties.template_variation[
      'vAtom::vAtomType'
    ].title
  return { publisher, service, change, remove, title, allow: (records: number) => most.mockReturnValue(records) }
}

const titled = (title: string, custom: object = {}) => ({ vatom: template({}, { title }, custom).vatom })

function expectRefused({ status, body }: Answer, message: string, at: string) {
  expect({ status, error: body.error, message: body.message, path: body.issues?.[0].path }).toEqual({
    status: 400,
    error: 516,
    message: expect.stringContaining(message),
    path: at,
  })
}

test('a draft changes, and is deleted, with as many variations and vAtoms as may change at once, and no more', async () => {
  const { publisher, change, remove, title, allow } = await draft({ vatoms: 3 })
  const before = await title()
  allow(10)
  expectRefused(await change(titled('Other')), `too much would change with ${templateName}`, 'vatom')
  expectRefused(await remove(), `too much would be deleted with ${templateName}`, '')
  expect(await title()).toBe(before)
  allow(13)
  expect((await change(titled('Other'))).status).toBe(200)
  expect(await title()).toBe('Other')
  allow(10)
  await made(publisher, ['DELETE', `/v1/template_variations/${nameOf(0)}`])
  expect((await remove()).status).toBe(200)
})

test('a record counts once more for each 12 KB of its JSON: what is stored, and what is sent', async () => {
  const large = { text: 'x'.repeat(60_000) }
  const stored = await draft({ body: template({}, {}, large), vatoms: 3 })
  stored.allow(30)
  expectRefused(await stored.change(titled('Other', { text: '' })), 'once more for each 12 KB', 'vatom')
  expectRefused(await stored.remove(), 'once more for each 12 KB', '')
  stored.allow(60)
  expect((await stored.change(titled('Other', { text: '' }))).status).toBe(200)
  stored.allow(30)
  expectRefused(await stored.change(titled('Other', large)), 'once more for each 12 KB', 'vatom')
  expect((await stored.change(titled('Small', { text: '' }))).status).toBe(200)
})

const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 0]))
/** As many bytes as those values, with commas and brackets as JSON, CSV, drawings and sentences have them. */
const oneText = { text: '{"a":[1,-2,"\\\\"]},tea, '.repeat(JSON.stringify(many).length / 25) }

test('a record that changes counts once more for each 25 of its values beyond 100: those that are stored, and those that are sent', async () => {
  const stored = await draft({ body: template({}, {}, many), vatoms: 3 })
  stored.allow(500)
  expectRefused(await stored.change(titled('Other', oneText)), 'and for each 25 of its values beyond 100', 'vatom')
  stored.allow(800)
  expect((await stored.change(titled('Other', oneText))).status).toBe(200)
  stored.allow(500)
  expectRefused(await stored.change(titled('More', many)), 'and for each 25 of its values beyond 100', 'vatom')
  expect(await stored.title()).toBe('Other')
  stored.allow(800)
  expect((await stored.change(titled('More', many))).status).toBe(200)
})

test('a text of as many bytes counts as no more values, nor do the values of what is deleted', async () => {
  const text = await draft({ body: template({}, {}, oneText), vatoms: 3 })
  text.allow(50)
  expect((await text.change(titled('Other', oneText))).status).toBe(200)
  const values = await draft({ body: template({}, {}, many), vatoms: 3 })
  values.allow(50)
  expect((await values.remove()).status).toBe(200)
})

const inLists = (depth: number): object => (depth === 0 ? [] : [inLists(depth - 1)])
const inObjects = (depth: number): object => (depth === 0 ? {} : { n: inObjects(depth - 1) })

test.each([
  ['lists', inLists],
  ['objects', inObjects],
])('%s in one another count as one value each', async (_, nested) => {
  const own = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, nested(50)]))
  const { change, allow } = await draft({ body: template({}, {}, own), vatoms: 3 })
  for (const custom of [{}, own]) {
    allow(500)
    expectRefused(await change(titled('Other', custom)), 'and for each 25 of its values beyond 100', 'vatom')
    allow(1000)
    expect((await change(titled('Other', custom))).status).toBe(200)
  }
})

test('values that variations overwrite, and the first 100 of each record, count as said', async () => {
  const own = await draft({ body: template({}, {}, { k0: 1, ...many }), variation: { vatom: { private: many } } })
  own.allow(200)
  expectRefused(await own.change(titled('Other', many)), 'and for each 25 of its values', 'vatom')
  const usual = await draft({ vatoms: 10, variations: 3 })
  usual.allow(42)
  expect((await usual.change(titled('Other'))).status).toBe(200)
})

test('others are answered while the values of a draft with many variations are counted', async () => {
  const { service, change, allow } = await draft({ variations: 60, db: newDatabase() })
  await service.listen({ host: '127.0.0.1', port: 0 })
  // As many as all but the last.
  allow(120)
  // Each step takes a turn of the event loop.
  slowWork(1000)
  const first = vi.spyOn(Connection.prototype, 'first')
  const counted = () => first.mock.calls.filter(([query]) => query === draftQueries.values)
  const changed = change(titled('Other'))
  expect(await mostInATurn(changed, counted)).toBeLessThan(10)
  expect(counted().length).toBeGreaterThan(50)
  expectRefused(await changed, 'too much would change', 'vatom')
})

test('what variations overwrite counts, too', async () => {
  const { change, allow } = await draft({
    body: template({}, {}, { text: '' }),
    variation: { vatom: { private: { text: 'x'.repeat(60_000) } } },
  })
  allow(15)
  expectRefused(await change(titled('Other', { text: '' })), 'too much would change', 'vatom')
  allow(30)
  expect((await change(titled('Other', { text: '' }))).status).toBe(200)
})

test('writes to the contracts of variations count, but only of those that have one', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `field_${index}`)
  const body = template({ eth: chain(names, 1) })
  const own = await draft({ body, variation: { eth: chain(names.slice(0, 1), 5) } })
  own.allow(20)
  expectRefused(await own.change({ eth: chain(names, 2) }), 'two writes to a chain', 'vatom')
  expect((await own.change({ eth: { ...chain(names, 1), fields: { ...chain(names, 1).fields } } })).status).toBe(200)
  own.allow(60)
  expect((await own.change({ eth: chain(names, 2) })).status).toBe(200)
  const without = await draft({ body })
  without.allow(20)
  expect((await without.change({ eth: chain(names, 2) })).status).toBe(200)
})

test('names in the child_policy count, those of before and those that come', async () => {
  const children = Array.from({ length: 40 }, (_, index) => ({
    template_variation: `local.vatom::C${index}`,
    count: 1,
  }))
  const folder = (child_policy: object) => template({}, { root_type: definedFolder, child_policy }).vatom
  const { change, allow } = await draft({ body: template({ vatom: folder([]) }) })
  allow(20)
  expectRefused(await change({ vatom: folder(children) }), 'two names in a child_policy', 'vatom')
  allow(60)
  expect((await change({ vatom: folder(children) })).status).toBe(200)
  allow(20)
  expectRefused(await change({ vatom: folder([]) }), 'two names in a child_policy', 'vatom')
})

test('nobody keeps a draft from being deleted by naming its variations', async () => {
  const { publisher, remove, allow } = await draft({ variations: 1 })
  const namers = 'local.vatom::Namers'
  const child_policy = [{ template_variation: nameOf(0), count: 1 }]
  const type = { root_type: definedFolder, child_policy }
  await made(publisher, ['POST', '/v1/templates', template({ template: namers }, type)])
  for (let index = 0; index < 160; index++)
    await made(publisher, [
      'POST',
      '/v1/template_variations',
      { template: namers, template_variation: `${namers}::${index}`, vatom: {} },
    ])
  allow(3)
  const deletion = remove()
  expect(await longestListOf(deletion, 200)).toBeLessThanOrEqual(100)
  const deleted = await deletion
  const named = [0, 1, 10].map((index) => `${namers}::${index}`).join(', ')
  expect(warningsOf(deleted)).toMatchObject([
    { message: expect.stringContaining(`child_policy of ${named} and others, which no longer emit`) },
  ])
})

test('what concerns the template alone is not refused, however many variations it has: it rewrites none', async () => {
  const { publisher, change, allow } = await draft({ vatoms: 3 })
  const discover = () => publisher.call('POST', '/v1/vatom/discover', { body: {} })
  const { vatom } = template()
  const before = (await discover()).payload.results
  allow(1)
  expect((await change({ public: true })).status).toBe(200)
  expect((await change({ vatom, unpublished: false })).payload.success_message).toContain('published')
  expect((await discover()).payload.results).toEqual(before)
})

test('a variation of a draft that is too large to change can be changed by itself', async () => {
  const { publisher, change, title, allow } = await draft({ vatoms: 3 })
  allow(1)
  expect((await change(titled('Other'))).status).toBe(400)
  await made(publisher, ['PATCH', `/v1/template_variations/${nameOf(1)}`, titled('Other')])
  expect(await title(1)).toBe('Other')
})

/** The longest list that is read from the database at once until a request is answered as expected. */
async function longestListOf(request: Promise<Answer>, status: number): Promise<number> {
  const rows = vi.spyOn(Connection.prototype, 'rows')
  expect((await request).status).toBe(status)
  const lengths = rows.mock.results.map(({ value }) => value.length)
  rows.mockRestore()
  return Math.max(...lengths)
}

test('the many variations of a draft are read some at a time, whether it changes, is deleted, or neither is allowed', async () => {
  const { change, remove, title, allow } = await draft({ variations: 250 })
  allow(10)
  expect(await longestListOf(change({ public: true }), 200)).toBeLessThanOrEqual(100)
  expect(await longestListOf(change(titled('Other')), 400)).toBeLessThanOrEqual(100)
  expect(await longestListOf(remove(), 400)).toBeLessThanOrEqual(100)
  allow(1000)
  expect(await longestListOf(change(titled('Other')), 200)).toBeLessThanOrEqual(100)
  expect(await Promise.all(Array.from({ length: 250 }, (_, index) => title(index)))).toEqual(Array(250).fill('Other'))
  const deletion = remove()
  expect(await longestListOf(deletion, 200)).toBeLessThanOrEqual(100)
  expect((await deletion).payload.success_message).toContain('with 250 variations')
})

test('others are answered while a draft is deleted with many vAtoms in which nothing is', async () => {
  const { service, remove } = await draft({
    body: template({}, { root_type: folderType }),
    variations: 60,
    vatoms: 3,
    db: newDatabase(),
  })
  await service.listen({ host: '127.0.0.1', port: 0 })
  // Each step takes a turn of the event loop.
  slowWork(1000)
  const rows = vi.spyOn(Connection.prototype, 'rows')
  const removed = remove()
  expect(await mostInATurn(removed, () => rows.mock.calls)).toBeLessThan(60)
  expect((await removed).status).toBe(200)
})
