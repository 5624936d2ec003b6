import { afterEach, expect, test, vi } from 'vitest'
import { Connection } from '../../../src/server/store/query.ts'
import type * as slices from '../../../src/server/store/slices.ts'
import { resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { action, folderType, outputOf, owned, perform, seen } from '../../support/acting.ts'
import { type Answer, type Caller, emitted, made, testService } from '../../support/service.ts'

/** What a step of a write did: how many large texts it parsed, and how many statements it ran for how many vAtoms. */
interface Step {
  parsed: number
  statements: number
  named: number
}

const counted = vi.hoisted(() => ({ steps: [] as Step[] }))

vi.mock('../../../src/server/store/slices.ts', async (original) => ({
  ...(await original<typeof slices>()),
  atOnce: <T>(steps: slices.Steps<T>): T => {
    for (;;) {
      counted.steps.push({ parsed: 0, statements: 0, named: 0 })
      const { done, value } = steps.next()
      if (done) return value
    }
  },
}))

afterEach(() => void vi.restoreAllMocks())

const large = 20_000
const text = 'x'.repeat(60_000)

/** The most that a step of a request did, and what all did. */
async function stepsOf(request: () => Promise<Answer>) {
  counted.steps = []
  let parsed = 0
  const count = (counts: Partial<Step>) => {
    const step = counted.steps.at(-1)
    for (const key of ['parsed', 'statements', 'named'] as const) if (step) step[key] += counts[key] ?? 0
  }
  const { parse } = JSON
  const { run } = Connection.prototype
  vi.spyOn(JSON, 'parse').mockImplementation((json, reviver) => {
    if (String(json).length > large) {
      parsed++
      count({ parsed: 1 })
    }
    return parse(json, reviver)
  })
  vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, ...given) {
    const ids: unknown = Object(given[1]).ids
    count({ statements: 1, named: typeof ids === 'string' ? parse(ids).length : 0 })
    return run.apply(this, given)
  })
  const answer = await request()
  vi.restoreAllMocks()
  const of = (key: keyof Step) => counted.steps.map((step) => step[key])
  const most = (key: keyof Step) => Math.max(...of(key))
  return {
    answer,
    parsed,
    most: { parsed: most('parsed'), statements: most('statements'), named: most('named') },
  }
}

const leaf = 'local.vatom::Leaf'
const box = 'local.vatom::Box'
const leaves = Array.from({ length: 12 }, (_, index) => `${leaf}::V${index}`)
const emit = (caller: Caller, name: string, num = 1) =>
  caller.call('POST', '/v1/vatoms', { body: { template_variation: name, num } })
const none = (names: readonly string[]) => names.map((name) => ({ template_variation: name, count: 0 }))

/** A folder whose vAtoms are created with what a `child_policy` says. */
async function defined(publisher: Caller, name: string, child_policy: readonly object[]): Promise<string> {
  const type = { root_type: 'vAtom::vAtomType::DefinedFolderContainerType', child_policy }
  const more = { template: name, unpublished: false }
  await made(
    publisher,
    ['POST', '/v1/templates', template(more, type)],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished: false }],
  )
  return `${name}::V`
}

/** A publisher with published variations that are large. */
async function withLeaves() {
  const world = await testService()
  await made(
    world.publisher,
    ['POST', '/v1/templates', template({ template: leaf, unpublished: false }, {}, { text })],
    ...leaves.map((name) => {
      const body = { template: leaf, template_variation: name, unpublished: false }
      return ['POST', '/v1/template_variations', body] as const
    }),
  )
  return world
}

test('an emission parses no variation of which it makes none, but refuses one that does not exist', async () => {
  const { publisher } = await withLeaves()
  const name = await defined(publisher, box, none(leaves))
  const { answer, parsed } = await stepsOf(() => emit(publisher, name))
  expect(answer).toMatchObject({ status: 200, payload: { num_created: 1, num_contents: 0 } })
  expect(parsed).toBe(0)
  await made(publisher, ['POST', '/v1/templates', template({ template: `${leaf}2`, unpublished: true })])
  const gone = { template: `${leaf}2`, template_variation: `${leaf}2::V` }
  await made(publisher, ['POST', '/v1/template_variations', gone])
  const other = await defined(publisher, 'local.vatom::Other', none([`${leaf}2::V`]))
  expect((await publisher.call('DELETE', `/v1/template_variations/${encodeURIComponent(`${leaf}2::V`)}`)).status).toBe(
    200,
  )
  expect((await emit(publisher, other)).body.message).toContain(`that does not exist: ${leaf}2::V`)
})

test('an emission beyond what a draft may have parses none of the variations that it names besides', async () => {
  const { publisher } = await withLeaves()
  await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })])
  await made(publisher, ['POST', '/v1/template_variations', variation()])
  const inner = await defined(publisher, 'local.vatom::Inner', none(leaves))
  const name = await defined(publisher, box, [{ template_variation: variationName, count: 11 }, ...none([inner])])
  const { answer, parsed } = await stepsOf(() => emit(publisher, name))
  expect(answer).toMatchObject({ status: 400, body: { error: 9008 } })
  expect(answer.body.message).toBe(
    `${variationName} is a draft, which can have at most 10 vAtoms: it has 0, so 10 more can be emitted; ${name} contains it: what is to be emitted needs at least 11`,
  )
  expect(parsed).toBe(0)
})

test('the large vAtoms of a draft change one by one', async () => {
  const { publisher } = await testService()
  await made(
    publisher,
    ['POST', '/v1/templates', template({}, {}, { text })],
    ['POST', '/v1/template_variations', variation()],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 10 }],
  )
  const body = { vatom: { private: { text: `${text}y` } } }
  const change = () => publisher.call('PATCH', `/v1/template_variations/${variationName}`, { body })
  const { answer, most } = await stepsOf(change)
  expect(answer.status).toBe(200)
  expect(most.parsed).toBeLessThanOrEqual(3)
})

test.each([
  [1, 1],
  [4, 3],
])(
  'what %i variations of a draft with %i vAtoms each have alike is parsed a few times only, and what an action changed once more',
  async (count, num) => {
    const { publisher } = await testService()
    const names = Array.from({ length: count }, (_, index) => `${templateName}::V${index}`)
    await made(
      publisher,
      ['POST', '/v1/templates', template({}, {}, { text, note: 'a' })],
      ...names.flatMap((name) => [
        ['POST', '/v1/template_variations', { template: templateName, template_variation: name }] as const,
        ['POST', '/v1/vatoms', { template_variation: name, num }] as const,
      ]),
    )
    await action(publisher, templateName, 'Stamp', { reactor: 'blockv://custom/privateproperties' })
    const ids = await owned(publisher)
    const stamped = ids.at(-1)
    const change = (note: string) => {
      const { vatom } = template({}, {}, { text, note })
      return stepsOf(() => publisher.call('PATCH', `/v1/templates/${templateName}`, { body: { vatom } }))
    }
    const alike = await change('b')
    outputOf(await perform(publisher, 'Stamp', stamped, { private: { text: `${text}y` } }))
    const different = await change('c')
    const customs = await Promise.all(ids.map(async (id) => (await seen(publisher, id)).private))
    expect(customs).toEqual(ids.map((id) => ({ text: id === stamped ? `${text}y` : text, note: 'c' })))
    expect([alike.answer.status, different.answer.status]).toEqual([200, 200])
    expect(alike.parsed).toBeLessThanOrEqual(9)
    expect(different.parsed).toBeLessThanOrEqual(11)
  },
)

test('chain writes of the variations of a draft are recorded one variation after the other', async () => {
  const { publisher } = await testService()
  const fields = (value: number) => ({ a: { type: 'uint', value }, b: { type: 'uint', value } })
  const eth = (value: number) => ({ network: 'testnet', fields: fields(value) })
  const names = Array.from({ length: 8 }, (_, index) => `${templateName}::V${index}`)
  await made(publisher, ['POST', '/v1/templates', template({ eth: eth(1) })])
  const own = { eth: { network: 'testnet', fields: {} } }
  for (const name of names)
    await made(publisher, [
      'POST',
      '/v1/template_variations',
      { template: templateName, template_variation: name, ...own },
    ])
  const change = () => publisher.call('PATCH', `/v1/templates/${templateName}`, { body: { eth: eth(2) } })
  const { answer, most } = await stepsOf(change)
  expect(answer.status).toBe(200)
  expect(most.statements).toBeLessThanOrEqual(4)
})

const bags = 'local.vatom::Bag'
const coins = 'local.vatom::Coin'

/** A user with large vAtoms in a folder. */
async function bagOf(count: number) {
  const { publisher, register } = await testService()
  const [bag = ''] = await emitted(publisher, bags, 1, { transferable: true, root_type: folderType })
  for (const name of ['Transfer', 'Drop']) await action(publisher, bags, name)
  const ids = await emitted(publisher, coins, count, { transferable: true }, { text })
  await publisher.call('PATCH', '/v1/vatoms', { body: { ids, parent_id: bag } })
  const bob = await register('bob@example.com')
  const transfer = () => perform(publisher, 'Transfer', bag, { 'new.owner.id': bob.id })
  return { publisher, bag, bob, transfer }
}

test('a folder with large vAtoms changes hands some at a time', async () => {
  const { transfer } = await bagOf(8)
  const { answer, most } = await stepsOf(transfer)
  expect(answer.status).toBe(200)
  expect(most.parsed).toBeLessThanOrEqual(2)
  expect(most.named).toBeLessThanOrEqual(2)
})

test('nothing of large vAtoms but built-in properties is parsed when their folder changes hands, or is emptied', async () => {
  const { publisher, bag, bob, transfer } = await bagOf(4)
  await action(publisher, bags, 'Uncombine')
  const given = await stepsOf(transfer)
  const emptied = await stepsOf(() => perform(bob, 'Uncombine', bag))
  expect([given.answer.status, emptied.answer.status]).toEqual([200, 200])
  expect(outputOf(emptied.answer).ids).toHaveLength(4)
  expect([given.parsed, emptied.parsed]).toEqual([0, 0])
})

test.each([2, 9])(
  'a large folder is parsed a few times only while %i vAtoms are taken out of it, and put back',
  async (count) => {
    const { publisher } = await testService()
    const resources = Array.from({ length: 150 }, (_, index) => resource(`${'x'.repeat(60)}${index}`))
    const [bag = ''] = await emitted(publisher, bags, 1, { root_type: folderType, resources })
    await action(publisher, bags, 'Uncombine')
    const ids = await emitted(publisher, coins, count, {})
    const put = (parent_id: string) => publisher.call('PATCH', '/v1/vatoms', { body: { ids, parent_id } })
    await put(bag)
    const emptied = await stepsOf(() => perform(publisher, 'Uncombine', bag))
    expect(outputOf(emptied.answer).ids).toHaveLength(count)
    expect(emptied.parsed).toBeGreaterThan(0)
    expect(emptied.parsed).toBeLessThanOrEqual(3)
    for (const to of [bag, '.']) {
      const { answer, parsed } = await stepsOf(() => put(to))
      expect(answer.payload).toMatchObject({ num_updated: count })
      expect(parsed).toBeLessThanOrEqual(3)
    }
  },
)

test('the large vAtoms of a deleted user are trashed some at a time', async () => {
  const { bob, transfer } = await bagOf(8)
  await transfer()
  const { answer, most } = await stepsOf(() => bob.call('DELETE', '/v1/user'))
  expect(answer.status).toBe(200)
  expect(most.named).toBeLessThanOrEqual(4)
})
