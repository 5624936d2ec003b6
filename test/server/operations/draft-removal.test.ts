import { afterEach, describe, expect, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { Connection } from '../../../src/server/store/query.ts'
import { template, variation } from '../../fixtures/bodies.ts'
import { folderType, grant } from '../../support/acting.ts'
import { during } from '../../support/during.ts'
import { newDatabase } from '../../support/folders.ts'
import { emitted, made, testService } from '../../support/service.ts'
import { deskOf } from '../../support/vatom.ts'

afterEach(() => void vi.restoreAllMocks())

const shelf = 'local.vatom::Shelf::v1'
const shelfOf = (letter: string) => `${shelf}::${letter}`
const crates = 'local.vatom::Crate'
const singles = 'local.vatom::Single'
const section = (type: object) => ({ 'vAtom::vAtomType': type })
const all = { type: 'public', value: '*' }
const asItsFolder = { visibility: { type: 'container', value: '*' } }

/** Each transaction of work in portions has one of them. */
function onePortionAtATime(): void {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 200
    return time
  })
}

/** A draft with one variation of which there is a vAtom. */
async function draft(db = newDatabase(), type: object = {}) {
  const { publisher, register, service } = await testService({ db })
  await made(
    publisher,
    ['POST', '/v1/templates', template({ template: shelf, vatom: section({ root_type: folderType, ...type }) })],
    ['POST', '/v1/template_variations', variation({ template: shelf, template_variation: shelfOf('A'), vatom: {} })],
  )
  const emit = async (name: string, num: number): Promise<string[]> =>
    (await made(publisher, ['POST', '/v1/vatoms', { template_variation: name, num }])).ids
  const [id = ''] = await emit(shelfOf('A'), 1)
  const put = async (ids: readonly string[], parent_id: string) => {
    for (let at = 0; at < ids.length; at += 100)
      await made(publisher, ['PATCH', '/v1/vatoms', { ids: ids.slice(at, at + 100), parent_id }])
  }
  const countIn = async (folder: string): Promise<number> => {
    const body = { scope: { key: 'vAtom::vAtomType.parent_id', value: folder }, return: { type: 'count' } }
    return (await publisher.call('POST', '/v1/vatom/discover', { body })).payload.count
  }
  const remove = (query = '') => publisher.call('DELETE', `/v1/templates/${shelf}${query}`)
  const removeVariation = (query = '') => publisher.call('DELETE', `/v1/template_variations/${shelfOf('A')}${query}`)
  const publish = (path: string) => made(publisher, ['PATCH', path, { unpublished: false }])
  const publishTemplate = () => publish(`/v1/templates/${shelf}`)
  const publishVariation = () => publish(`/v1/template_variations/${shelfOf('A')}`)
  const kinds = {
    template: { remove, publish: publishTemplate, path: `/v1/templates/${shelf}` },
    variation: {
      remove: removeVariation,
      publish: publishVariation,
      path: `/v1/template_variations/${shelfOf('A')}`,
    },
  }
  return { publisher, register, service, id, emit, put, countIn, publishTemplate, kinds }
}

/** The same with 300 vAtoms in that one, in portions of 25. */
async function fullDraft(db?: string) {
  const world = await draft(db)
  const inside = await emitted(world.publisher, singles, 300)
  await world.put(inside, world.id)
  return { ...world, inside }
}

/** Waits until some of what was in a vAtom has left it, and not all; returns how many are left. */
async function begun(countIn: () => Promise<number>, before = 300): Promise<number> {
  for (;;) {
    const left = await countIn()
    if (left < before) return left
  }
}

const kinds = ['template', 'variation'] as const
describe.each([
  ['in a file', newDatabase],
  ['in memory', () => ':memory:'],
])('%s', (_, db) => {
  test.each(kinds)('nothing more leaves the vAtoms of a draft %s once it is published', async (kind) => {
    const { kinds, id, countIn, publishTemplate } = await fullDraft(db())
    if (kind === 'variation') await publishTemplate()
    onePortionAtATime()
    const deletion = kinds[kind].remove()
    await begun(() => countIn(id))
    await kinds[kind].publish()
    const left = await countIn(id)
    expect(left).toBeGreaterThan(0)
    expect(await deletion).toMatchObject({ status: 400, body: { error: 9005 } })
    expect(await countIn(id)).toBe(left)
  })

  test.each(kinds)('others write while the vAtoms of a draft %s are emptied, and it is deleted then', async (kind) => {
    const { publisher, kinds, id, countIn } = await fullDraft(db())
    onePortionAtATime()
    const deletion = kinds[kind].remove()
    const left = await begun(() => countIn(id))
    await made(publisher, ['PATCH', '/v1/user', { last_name: 'meanwhile' }])
    expect(left).toBeGreaterThan(0)
    expect((await deletion).payload.success_message).toContain('1 vAtom')
    expect(await countIn('.')).toBe(300)
    expect(await publisher.call('GET', kinds[kind].path)).toMatchObject({ status: 404 })
  })
})

test.each(kinds)('nothing leaves the vAtoms of a draft %s that is to be deleted from another catalog', async (kind) => {
  const { publisher, kinds, id, countIn } = await fullDraft()
  const key = kind === 'template' ? shelf : shelfOf('A')
  await made(publisher, ['PATCH', '/v1/publisher/label', { catalog: 'mine', records: [{ kind, key }] }])
  expect(await kinds[kind].remove('?catalog=other')).toMatchObject({ status: 409 })
  expect(await countIn(id)).toBe(300)
})

test.each(kinds)('a draft %s of which there are more vAtoms than its deletion says stays as it is', async (kind) => {
  const { publisher, kinds, id, emit, countIn } = await fullDraft()
  const [trashed = ''] = await emit(shelfOf('A'), 1)
  await made(publisher, ['POST', '/v1/user/vatom/trash', { 'this.id': trashed }])
  for (const most of [0, 1])
    expect(await kinds[kind].remove(`?vatoms=${most}`)).toMatchObject({
      status: 409,
      body: {
        error: 9051,
        message: expect.stringMatching(
          `has 2 vAtoms, trashed and redeemed ones included, and at most ${most} may be deleted$`,
        ),
      },
    })
  for (const most of ['-1', '1.5', 'x', ''])
    expect(await kinds[kind].remove(`?vatoms=${most}`)).toMatchObject({ status: 400, body: { error: 516 } })
  expect(await countIn(id)).toBe(300)
  expect(await kinds[kind].remove('?vatoms=2')).toMatchObject({ status: 200 })
  expect(await publisher.call('GET', kinds[kind].path)).toMatchObject({ status: 404 })
})

test('the vAtoms of all variations count for the deletion of a draft template', async () => {
  const { publisher, emit, kinds } = await draft()
  await made(publisher, [
    'POST',
    '/v1/template_variations',
    variation({ template: shelf, template_variation: shelfOf('B'), vatom: {} }),
  ])
  await emit(shelfOf('B'), 2)
  expect(await kinds.template.remove('?vatoms=2')).toMatchObject({ status: 409, body: { error: 9051 } })
  expect(await publisher.call('GET', kinds.variation.path)).toMatchObject({
    status: 200,
    payload: { properties: { num_vatoms: 1 } },
  })
  expect(await kinds.template.remove('?vatoms=3')).toMatchObject({ status: 200 })
})

test.each(kinds)(
  'vAtoms that are emitted while a draft %s is emptied keep it, and nothing more leaves its vAtoms',
  async (kind) => {
    const { publisher, kinds, id, emit, countIn } = await fullDraft()
    onePortionAtATime()
    const deletion = kinds[kind].remove('?vatoms=1')
    await begun(() => countIn(id))
    await emit(shelfOf('A'), 1)
    const left = await countIn(id)
    expect(left).toBeGreaterThan(0)
    expect(await deletion).toMatchObject({
      status: 409,
      body: {
        error: 9051,
        message: expect.stringMatching(
          /at most 1 may be deleted; what was moved out of the vAtoms of the draft before stays at the root$/,
        ),
      },
    })
    expect(await countIn(id)).toBe(left)
    expect((await publisher.call('GET', kinds.variation.path)).payload.properties).toMatchObject({ num_vatoms: 2 })
  },
)

/** A full draft of a catalog that `apply` with some words is deleting, as its files do not have it any more. */
async function pruned(words: readonly string[]) {
  const world = await fullDraft()
  const { publisher, service, id, countIn } = world
  const records = [
    { kind: 'template', key: shelf },
    { kind: 'variation', key: shelfOf('A') },
  ]
  const label = (catalog: string) => made(publisher, ['PATCH', '/v1/publisher/label', { catalog, records }])
  await label('shop')
  const { run, file } = deskOf(service)
  file('shop/vatom.yaml', 'catalog: shop\n')
  file('shop/other.yaml', JSON.stringify(template({ template: 'local.vatom::Other::v1' })))
  expect(await run(['plan', 'shop', '--prune', '--out', 'the.plan'])).toMatchObject({ code: 0 })
  onePortionAtATime()
  const applied = run(words)
  await begun(() => countIn(id))
  return { ...world, label, applied }
}

function expectMoved(err: string): void {
  expect(err).toContain('; what was moved out of the vAtoms of the draft before stays at the root\n')
  expect(err).toContain('hint: it was not deleted; plan again')
  expect(err).not.toContain('left as it is')
}

test.each([
  ['plan', ['apply', 'the.plan']],
  ['catalog', ['apply', 'shop', '--prune', '--yes']],
])('apply of a %s says what it moved out of a draft that then got more vAtoms, and moves no more', async (_, words) => {
  const { id, emit, countIn, applied } = await pruned(words)
  await emit(shelfOf('A'), 1)
  const left = await countIn(id)
  expect(left).toBeGreaterThan(0)
  const { err } = await applied
  expect(err).toContain(`variation ${shelfOf('A')} had 1 vAtom when this run made its plan, and has 2 vAtoms now; the`)
  expectMoved(err)
  expect(await countIn(id)).toBe(left)
})

test('apply says what it moved out of a draft that another catalog then took over', async () => {
  const { label, applied } = await pruned(['apply', 'the.plan'])
  await label('other')
  expectMoved((await applied).err)
})

test('nothing more leaves the vAtoms of a draft once who deletes it is no administrator any more', async () => {
  const { register, service, id, countIn } = await fullDraft()
  const bob = await register('bob@example.com')
  await grant(service, bob, { is_admin: true, pub_fqdn: 'local.vatom' })
  onePortionAtATime()
  const deletion = bob.call('DELETE', `/v1/templates/${shelf}`)
  await begun(() => countIn(id))
  await grant(service, bob, { is_admin: false })
  const left = await countIn(id)
  expect(left).toBeGreaterThan(0)
  expect(await deletion).toMatchObject({ status: 403 })
  expect(await countIn(id)).toBe(left)
})

test.each([
  ['what leaves its vAtoms is put back', ({ inside }: Awaited<ReturnType<typeof fullDraft>>) => inside],
  ['new ones are put into its vAtoms', ({ emit }: Awaited<ReturnType<typeof fullDraft>>) => emit(`${singles}::V`, 100)],
])('a draft is deleted although %s over and over', async (_, some) => {
  const world = await fullDraft()
  const { kinds, id, put, countIn } = world
  onePortionAtATime()
  const deletion = kinds.template.remove()
  await during(deletion, async () => {
    // Fails once the draft is deleted.
    if ((await countIn(id)) < 200) await put(await some(world), id).catch(() => undefined)
  })
  expect(await deletion).toMatchObject({ status: 200 })
  expect(await countIn(id)).toBe(0)
})

test('a draft is not deleted if more is in the vAtoms of all its variations than may move with it at once', async () => {
  const { publisher, emit, put, id, kinds } = await draft()
  const most = vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(3)
  const other = variation({ template: shelf, template_variation: shelfOf('B'), vatom: {} })
  await made(publisher, ['POST', '/v1/template_variations', other])
  const inside = await emitted(publisher, singles, 4)
  await put(inside.slice(0, 2), id)
  for (const folder of await emit(shelfOf('B'), 1)) await put(inside.slice(2), folder)
  expect(await kinds.template.remove()).toMatchObject({ status: 400, body: { error: 516 } })
  most.mockReturnValue(4)
  expect(await kinds.template.remove()).toMatchObject({ status: 200 })
})

test.each([
  ['deleted with much deeper in its vAtoms, which stays where it is', {}, asItsFolder, 200],
  [
    'deleted with much in one in its vAtoms that all find wherever it is',
    { visibility: all },
    { visibility: all },
    200,
  ],
  ['not deleted with much deeper in its vAtoms that changes its visibility', { visibility: all }, asItsFolder, 400],
])('a draft is %s', async (_, type, visibility, status) => {
  const { publisher, put, id, kinds, countIn } = await draft(newDatabase(), type)
  const [box = ''] = await emitted(publisher, crates, 1, { root_type: folderType, ...visibility })
  await put(await emitted(publisher, singles, 4), box)
  await put([box], id)
  vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(3)
  expect(await kinds.template.remove()).toMatchObject({ status })
  expect(await countIn(box)).toBe(4)
})

/** A draft that all find, with a vAtom in which are 100, and then some that take their visibility from it, each with so many in it. */
async function deepDraft(folders: number, inEach: number) {
  const world = await draft(newDatabase(), { visibility: all })
  const { publisher, put, id } = world
  const before = await emitted(publisher, singles, 100)
  const outer = await emitted(publisher, crates, folders, { root_type: folderType, ...asItsFolder })
  const inner = await emitted(publisher, `${singles}Inside`, folders * inEach, asItsFolder)
  for (const [at, crate] of outer.entries()) await put(inner.slice(at * inEach, (at + 1) * inEach), crate)
  await put([...before, ...outer], id)
  return { ...world, outer, inner }
}

test('nothing leaves the vAtoms of a draft in which one takes along too much, which is named, until some is taken out of it', async () => {
  const { kinds, id, countIn, put, outer, inner } = await deepDraft(2, 21)
  vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(20)
  onePortionAtATime()
  const refused = await kinds.template.remove()
  expect(refused).toMatchObject({ status: 400, body: { error: 516 } })
  expect(refused.body.message).toContain(`the vAtom ${outer[0]} is in one that is to be deleted`)
  expect(refused.body.message).toContain('its owner has to take some out of it first')
  expect(await countIn(id)).toBe(102)
  await put(inner.slice(0, 1), '.')
  expect((await kinds.template.remove()).body.message).toContain(`the vAtom ${outer[1]} `)
  await put(inner.slice(-1), '.')
  expect(await kinds.template.remove()).toMatchObject({ status: 200 })
})

test('a vAtom in which too much is put while the vAtoms of a draft are emptied stays where it is', async () => {
  const { publisher, kinds, id, countIn, put, outer } = await deepDraft(1, 20)
  const more = await emitted(publisher, `${singles}More`, 1)
  vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(20)
  onePortionAtATime()
  const deletion = kinds.template.remove()
  await begun(() => countIn(id), 101)
  for (const crate of outer) await put(more, crate)
  expect((await deletion).body.message).toContain(`the vAtom ${outer[0]} `)
  expect(await countIn(id)).toBe(1)
})

test('others write between two vAtoms that take what is in them along as they leave those of a deleted draft', async () => {
  const { publisher, register, kinds, id, countIn, outer, inner } = await deepDraft(8, 60)
  const bob = await register('bob@example.com')
  onePortionAtATime()
  const deletion = kinds.variation.remove()
  const counts = await during(deletion, () => countIn(id))
  expect(await deletion).toMatchObject({ status: 200 })
  const between = new Set(counts.filter((count) => count > 0 && count < outer.length))
  expect(between.size).toBeGreaterThan(1)
  expect(await bob.call('GET', `/v1/vatoms/${inner.at(-1)}`)).toMatchObject({ status: 403 })
  expect(await publisher.call('GET', `/v1/vatoms/${inner.at(-1)}`)).toMatchObject({ status: 200 })
})

/** Each step takes a turn of the event loop; returns how often rows are read, at most, from one turn to the next one. */
async function mostReadInATurn(work: () => Promise<unknown>): Promise<number> {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 10
    return time
  })
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: time * 1000, system: 0 }))
  let [reads, most] = [0, 0]
  const { rows } = Connection.prototype
  vi.spyOn(Connection.prototype, 'rows').mockImplementation(function (this: Connection, ...given) {
    most = Math.max(most, ++reads)
    return rows.apply(this, given)
  })
  await during(work(), async () => {
    reads = 0
  })
  return most
}

test('others are answered while it is found what is in the vAtoms of a draft with many variations', async () => {
  const { publisher, service, emit, put, countIn, kinds } = await draft()
  await service.listen({ host: '127.0.0.1', port: 0 })
  const inside = await emitted(publisher, singles, 60)
  for (const [index, id] of inside.entries()) {
    const name = `${shelf}::V${index}`
    await made(publisher, ['POST', '/v1/template_variations', { template: shelf, template_variation: name }])
    for (const folder of await emit(name, 1)) await put([id], folder)
  }
  const most = await mostReadInATurn(async () => expect(await kinds.template.remove()).toMatchObject({ status: 200 }))
  expect(most).toBeLessThan(inside.length / 2)
  expect(await countIn('.')).toBe(inside.length)
})
