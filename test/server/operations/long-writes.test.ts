import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { packageContainer } from '../../../src/contract/values.ts'
import { LongWrites } from '../../../src/server/store/database/long-writes.ts'
import { Connection } from '../../../src/server/store/query.ts'
import type { Portions, Steps } from '../../../src/server/store/slices.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { face, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { action, folderType, grant, perform } from '../../support/acting.ts'
import { answering } from '../../support/action-handler.ts'
import { during } from '../../support/during.ts'
import { newDatabase } from '../../support/folders.ts'
import { openFiles } from '../../support/open-files.ts'
import { type Answer, type Caller, codeFor, emitted, made, testService } from '../../support/service.ts'
import { slowWork } from '../../support/slow-work.ts'

const many = 3000
const emission = { body: { template_variation: variationName, num: many } }
const emittedBy = async (caller: Caller) => (await caller.call('POST', '/v1/vatoms', emission)).payload
const countOf = async (caller: Caller): Promise<number> =>
  (await caller.call('POST', '/v1/user/vatom/inventorystats', { body: {} })).payload.stats[0]?.count ?? 0
const boxTemplate = 'local.vatom::Box::v1'
const inTemplate = { template: boxTemplate, vatom: {} }
const box = `${boxTemplate}::Big`
const shelf = 'local.vatom::Shelf::v1'
const section = (type: object) => ({ 'vAtom::vAtomType': type })
const folder = {
  root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
  child_policy: [{ template_variation: variationName, count: 400 }],
}
const title = async (caller: Caller, name: string) =>
  (await caller.call('GET', `/v1/template_variations/${name}`)).payload.properties.template_variation[
    'vAtom::vAtomType'
  ].title

async function world(db: string, listens = true) {
  const { publisher, service, register, send, as } = await testService({ db })
  if (listens) await service.listen({ host: '127.0.0.1', port: 0 })
  await made(
    publisher,
    ['POST', '/v1/templates', template({ unpublished: false })],
    ['POST', '/v1/template_variations', variation({ unpublished: false })],
  )
  return { publisher, service, register, send, as }
}

/** All answers are as before up to one, from which on all are alike: others may see a change before who made it is answered. */
function expectAtOnce(answers: readonly unknown[], before: unknown) {
  const change = answers.findIndex((answer) => answer !== before)
  const after = change < 0 ? [] : answers.slice(change)
  expect(answers.length - after.length).toBeGreaterThan(1)
  expect(new Set(after).size).toBeLessThan(2)
}

test('others are answered while many vAtoms are made, and find none of them before all are there', async () => {
  const { publisher } = await world(newDatabase())
  const made = publisher.call('POST', '/v1/vatoms', emission)
  const counts = await during(made, () => countOf(publisher))
  expect((await made).payload).toMatchObject({ num_created: many, num_errors: 0 })
  expect(counts.length).toBeGreaterThan(3)
  expectAtOnce(counts, 0)
  expect(await countOf(publisher)).toBe(many)
})

test.each(['true', 'many/0'])(
  'others are answered during a dry run (%s) of many vAtoms, and find none',
  async (place) => {
    const { publisher } = await world(newDatabase())
    const dry = publisher.call('POST', '/v1/vatoms', { ...emission, headers: { 'Vatom-Dry-Run': place } })
    const counts = await during(dry, () => countOf(publisher))
    expect((await dry).payload).toMatchObject({ num_created: many })
    expect(counts.length).toBeGreaterThan(3)
    expect(new Set(counts)).toEqual(new Set([0]))
    expect(await countOf(publisher)).toBe(0)
  },
)

test('others are answered during a dry run of many vAtoms after as many changes as need a copy, which has them then', async () => {
  const { publisher } = await world(newDatabase())
  const headers = (changes: number) => ({ 'Vatom-Dry-Run': `copied/${changes}` })
  const before = limits.dryRunRepeated + 1
  for (let change = 0; change < before; change++)
    await publisher.call('PATCH', '/v1/user', { body: { first_name: `Ada${change}` }, headers: headers(change) })
  const dry = publisher.call('POST', '/v1/vatoms', { ...emission, headers: headers(before) })
  const counts = await during(dry, () => countOf(publisher))
  expect((await dry).payload).toMatchObject({ num_created: many })
  expect(counts.length).toBeGreaterThan(3)
  expect(new Set(counts)).toEqual(new Set([0]))
  const stats = { body: {}, headers: headers(before + 1) }
  const after = await publisher.call('POST', '/v1/user/vatom/inventorystats', stats)
  expect(after).toMatchObject({ status: 200, payload: { stats: [{ count: many }] } })
})

test('others are answered while a user is deleted who has many vAtoms, and in a dry run of that, which leaves them', async () => {
  const { publisher, service, register } = await world(newDatabase())
  const bob = await register('bob@example.com')
  await grant(service, bob, { is_admin: true, pub_fqdn: 'local.vatom' })
  const { ids } = await emittedBy(bob)
  const dry = bob.call('DELETE', '/v1/user', { headers: { 'Vatom-Dry-Run': 'true' } })
  const counts = await during(dry, () => countOf(bob))
  expect((await dry).payload.success_message).toContain(`${many} vAtoms trashed`)
  expect(counts.length).toBeGreaterThan(3)
  expect(new Set(counts)).toEqual(new Set([many]))
  const deletion = bob.call('DELETE', '/v1/user')
  const found = await during(deletion, async () => (await publisher.call('GET', `/v1/users/${bob.id}`)).status)
  expect((await deletion).payload.success_message).toContain(`${many} vAtoms trashed`)
  expect(found.length).toBeGreaterThan(3)
  expectAtOnce(found, 200)
  expect((await bob.call('GET', '/v1/user')).status).toBe(403)
  expect((await publisher.call('GET', `/v1/vatoms/${ids.at(-1)}`)).status).toBe(403)
})

const inBox = 1000
const contentsOf = async (caller: Caller): Promise<number> =>
  (await caller.call('POST', '/v1/user/vatom/inventorystats', { body: { template_variations: [variationName] } }))
    .payload.stats[0].count
const ownerOf = async (caller: Caller, id: string) =>
  (await caller.call('GET', `/v1/vatoms/${id}`)).payload?.['vAtom::vAtomType'].owner

/** A folder with many vAtoms in it, of which it returns the last. */
async function folderOfMany({ publisher }: Awaited<ReturnType<typeof world>>) {
  const many = { ...folder, child_policy: [{ template_variation: variationName, count: inBox }] }
  const type = { ...many, redeemable: true, commerce: {}, transferable: true }
  await made(
    publisher,
    ['POST', '/v1/templates', template({ template: boxTemplate, unpublished: false, vatom: section(type) })],
    ['POST', '/v1/template_variations', variation({ ...inTemplate, template_variation: box, unpublished: false })],
  )
  for (const name of ['Transfer', 'Drop', 'Redeem']) await action(publisher, boxTemplate, name)
  const { ids } = (await publisher.call('POST', '/v1/vatoms', { body: { template_variation: box, num: 1 } })).payload
  const inside = { scope: { key: 'vAtom::vAtomType.parent_id', value: ids[0] }, limit: 1 }
  const { results } = (await publisher.call('POST', '/v1/vatom/discover', { body: inside })).payload
  return { id: String(ids[0]), last: String(results[0].id) }
}

test('others are answered while a folder with many vAtoms is transferred, and find all of them where they were before', async () => {
  const hall = await world(newDatabase())
  const { publisher, register } = hall
  const bob = await register('bob@example.com')
  const { id, last } = await folderOfMany(hall)
  const sent = perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id })
  const owners = await during(sent, () => ownerOf(publisher, last))
  expect((await sent).status).toBe(200)
  expect(owners.length).toBeGreaterThan(3)
  expectAtOnce(owners, publisher.id)
  expect(await ownerOf(bob, last)).toBe(bob.id)
  expect((await publisher.call('GET', `/v1/vatoms/${last}`)).status).toBe(403)
  expect(await contentsOf(bob)).toBe(inBox)
  expect(await contentsOf(publisher)).toBe(0)
})

test.each([
  ['dropped', 'Drop', { 'geo.pos': { lat: 47, lon: 8 } }, inBox],
  ['redeemed', 'Redeem', {}, 0],
] as const)('others are answered while a folder with many vAtoms is %s', async (_, name, input, left) => {
  const hall = await world(newDatabase())
  const { publisher } = hall
  const { id, last } = await folderOfMany(hall)
  const done = perform(publisher, name, id, input)
  const owners = await during(done, () => ownerOf(publisher, last))
  expect((await done).status).toBe(200)
  expect(owners.length).toBeGreaterThan(3)
  expectAtOnce(owners, publisher.id)
  expect((await publisher.call('GET', `/v1/vatoms/${last}`)).status).toBe(left === 0 ? 403 : 200)
  expect(await contentsOf(publisher)).toBe(left)
})

test('others are answered while a folder with many vAtoms is trashed; a dry run of that leaves it', async () => {
  const hall = await world(newDatabase())
  const { publisher } = hall
  const { id, last } = await folderOfMany(hall)
  const trash = { body: { 'this.id': id } }
  const dry = publisher.call('POST', '/v1/user/vatom/trash', { ...trash, headers: { 'Vatom-Dry-Run': 'true' } })
  const before = await during(dry, () => contentsOf(publisher))
  expect((await dry).status).toBe(200)
  expect(before.length).toBeGreaterThan(3)
  expect(new Set(before)).toEqual(new Set([inBox]))
  const trashed = publisher.call('POST', '/v1/user/vatom/trash', trash)
  const counts = await during(trashed, () => contentsOf(publisher))
  expect((await trashed).status).toBe(200)
  expect(counts.length).toBeGreaterThan(3)
  expect(await contentsOf(publisher)).toBe(0)
  expect((await publisher.call('GET', `/v1/vatoms/${last}`)).status).toBe(403)
})

test('a folder with more in it than one change may take along is refused, and left, until some is taken out', async () => {
  const hall = await world(newDatabase(), false)
  const { publisher, register } = hall
  const bob = await register('bob@example.com')
  const { id } = await folderOfMany(hall)
  const num = limits.contents / inBox - 1
  const { ids } = (await publisher.call('POST', '/v1/vatoms', { body: { template_variation: box, num } })).payload
  const outer = 'local.vatom::Outer'
  const type = { root_type: folderType, transferable: true, redeemable: true, commerce: {} }
  const [around = '', other = ''] = await emitted(publisher, outer, 2, type)
  const [parcel = ''] = await emitted(publisher, 'local.vatom::Parcel', 1, { root_type: packageContainer })
  for (const name of ['Transfer', 'Drop', 'Redeem', 'Combine', 'Uncombine', 'Split'])
    await action(publisher, outer, name)
  for (const name of ['Open', 'Split']) await action(publisher, 'local.vatom::Parcel', name)
  const move = (ids: readonly string[], parent_id: string) =>
    publisher.call('PATCH', '/v1/vatoms', { body: { ids, parent_id } })
  const drop = () => perform(publisher, 'Drop', around, { 'geo.pos': { lat: 47, lon: 8 } })
  expect((await move([around], parcel)).payload).toMatchObject({ num_updated: 1 })
  expect((await move([id, ...ids], around)).payload).toMatchObject({ num_updated: num + 1 })
  const refused = [
    await drop(),
    await perform(publisher, 'Transfer', around, { 'new.owner.id': bob.id }),
    await perform(publisher, 'Redeem', around),
    await publisher.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': around } }),
    await move([around], '.'),
    await perform(publisher, 'Combine', other, { 'child.id': around }),
    await perform(publisher, 'Split', parcel, { 'child.id': around }),
    await perform(publisher, 'Split', around),
    await perform(publisher, 'Uncombine', around),
    await perform(publisher, 'Open', parcel),
  ]
  for (const { status, body } of refused) {
    expect(status).toBe(400)
    expect(body.message).toContain(`more than ${limits.contents} vAtoms are in what is to be changed`)
  }
  expect(await contentsOf(publisher)).toBe(limits.contents)
  expect((await move([id], '.')).status).toBe(200)
  expect((await drop()).status).toBe(200)
})

test('others write while a draft is deleted that has more in its vAtoms than one change may take along', async () => {
  const hall = await world(newDatabase(), false)
  const { publisher } = hall
  await folderOfMany(hall)
  const boxes = { template_variation: box, num: limits.contents / inBox }
  const { ids } = (await publisher.call('POST', '/v1/vatoms', { body: boxes })).payload
  const single = { template_variation: variationName, num: 1000 }
  const singles: string[] = (await publisher.call('POST', '/v1/vatoms', { body: single })).payload.ids
  const variation = { template: shelf, template_variation: `${shelf}::A` }
  const { ids: shelves } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: shelf, vatom: section({ root_type: folderType }) })],
    ['POST', '/v1/template_variations', variation],
    ['POST', '/v1/vatoms', { template_variation: variation.template_variation, num: 1 }],
  )
  for (let from = 0; from < singles.length; from += 100) {
    const body = { ids: [...singles.slice(from, from + 90), ...(from === 0 ? ids : [])], parent_id: shelves[0] }
    expect(await publisher.call('PATCH', '/v1/vatoms', { body })).toMatchObject({ status: 200 })
  }
  const inside = { scope: { key: 'vAtom::vAtomType.parent_id', value: shelves[0] }, return: { type: 'count' } }
  const left = async () => {
    await made(publisher, ['PATCH', '/v1/user', { last_name: 'meanwhile' }])
    return (await publisher.call('POST', '/v1/vatom/discover', { body: inside })).payload.count
  }
  const all = await left()
  slowWork(3)
  const deleted = publisher.call('DELETE', `/v1/templates/${shelf}`)
  const counts = await during(deleted, left)
  expect(await deleted).toMatchObject({ status: 200 })
  expect(counts.some((count) => count > 0 && count < all)).toBe(true)
  expect(await contentsOf(publisher)).toBe(limits.contents + inBox + singles.length)
})

test.each([
  ['a draft', `template_variations/${shelf}::A`, 'A'],
  ['a draft with two variations', `templates/${shelf}`, 'B'],
] as const)(
  '%s is deleted though folders with more in them than one change may take along are put in just after it was emptied',
  async (_, path, other) => {
    const hall = await world(newDatabase())
    const { publisher } = hall
    await folderOfMany(hall)
    const make = async (template_variation: string, num: number): Promise<string[]> =>
      (await publisher.call('POST', '/v1/vatoms', { body: { template_variation, num } })).payload.ids
    const put = async (ids: readonly string[], parent_id = '') => {
      const moved = await publisher.call('PATCH', '/v1/vatoms', { body: { ids, parent_id } })
      expect(moved.payload).toMatchObject({ num_updated: ids.length })
    }
    const boxes = await make(box, limits.contents / inBox)
    await made(
      publisher,
      ['POST', '/v1/templates', template({ template: shelf, vatom: section({ root_type: folderType }) })],
      ['POST', '/v1/template_variations', { template: shelf, template_variation: `${shelf}::A` }],
      ['POST', '/v1/template_variations', { template: shelf, template_variation: `${shelf}::B` }],
    )
    const shelves = { A: await make(`${shelf}::A`, 1), B: await make(`${shelf}::B`, 1) }
    await put(boxes.slice(0, 1), shelves.A[0])
    const emptying = vi.spyOn(LongWrites.prototype, 'runInPortions')
    onTestFinished(() => emptying.mockRestore())
    emptying.mockImplementationOnce(async function (this: LongWrites<never>, ...work) {
      await this.runInPortions(...work)
      await put(boxes.slice(0, 3), shelves.A[0])
      await put(boxes.slice(3), shelves[other][0])
    })
    expect(await publisher.call('DELETE', `/v1/${path}`)).toMatchObject({ status: 200 })
    const [last] = boxes.slice(-1)
    expect((await publisher.call('GET', `/v1/vatoms/${last}`)).payload['vAtom::vAtomType'].parent_id).toBe('.')
    expect(await contentsOf(publisher)).toBe(limits.contents + inBox)
  },
)

test('others are answered while somebody acquires a folder with many vAtoms, and then has them', async () => {
  const { publisher, register } = await world(newDatabase())
  const bob = await register('bob@example.com')
  const large = { ...folder, child_policy: [{ template_variation: variationName, count: inBox }] }
  const open = { unpublished: false, public: true, auto_create_on_acquire: true }
  await made(
    publisher,
    ['POST', '/v1/templates', template({ template: boxTemplate, unpublished: false, vatom: section(large) })],
    ['POST', '/v1/template_variations', variation({ ...inTemplate, template_variation: box, ...open })],
  )
  await action(publisher, boxTemplate, 'AcquirePubVariation', { reactor: 'blockv://v1/AcquirePubVariationWithCoins' })
  const { ids } = (await publisher.call('POST', '/v1/vatoms', { body: { template_variation: box, num: 1 } })).payload
  const acquired = perform(bob, 'AcquirePubVariation', ids[0])
  const counts = await during(acquired, () => countOf(bob))
  expect((await acquired).status).toBe(200)
  expect(counts.length).toBeGreaterThan(3)
  expectAtOnce(counts, 0)
  expect(await contentsOf(bob)).toBe(inBox)
})

const inside = `${templateName}::Inside`
const hidden = { visibility: { type: 'container' } }
/** A draft with a vAtom that contains many others, and how others find the last of these. */
async function draftOfMany() {
  const { publisher, register } = await world(newDatabase())
  await made(
    publisher,
    ['POST', '/v1/templates', template({ template: boxTemplate, vatom: section({ root_type: folderType }) })],
    ['POST', '/v1/template_variations', variation({ ...inTemplate, template_variation: box })],
    ['POST', '/v1/template_variations', variation({ template_variation: inside, unpublished: false }, hidden)],
  )
  const emit = async (template_variation: string, num: number) =>
    (await publisher.call('POST', '/v1/vatoms', { body: { template_variation, num } })).payload.ids
  const [folder] = await emit(box, 1)
  const ids: string[] = await emit(inside, 300)
  for (let at = 0; at < ids.length; at += 100)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: ids.slice(at, at + 100), parent_id: folder }])
  const parentOf = async () =>
    (await publisher.call('GET', `/v1/vatoms/${ids.at(-1)}`)).payload?.['vAtom::vAtomType'].parent_id
  return { publisher, register, folder, last: ids.at(-1), parentOf }
}

test('others are answered while a draft is deleted whose vAtom contains many, and in a dry run of that', async () => {
  const { publisher, folder, parentOf } = await draftOfMany()
  const headers = { 'Vatom-Dry-Run': 'true' }
  const dry = publisher.call('DELETE', `/v1/template_variations/${box}`, { headers })
  const before = await during(dry, parentOf)
  expect((await dry).status).toBe(200)
  expect(before.length).toBeGreaterThan(3)
  expect(new Set(before)).toEqual(new Set([folder]))
  const deletion = publisher.call('DELETE', `/v1/template_variations/${box}`)
  const parents = await during(deletion, parentOf)
  expect((await deletion).payload.success_message).toContain('with 1 vAtom')
  expect(parents.length).toBeGreaterThan(3)
  expectAtOnce(parents, folder)
  expect(await parentOf()).toBe('.')
})

test('others are answered while a draft changes its visibility whose vAtom contains many, which all find then', async () => {
  const { publisher, register, last } = await draftOfMany()
  const bob = await register('bob@example.com')
  const found = async () => (await bob.call('GET', `/v1/vatoms/${last}`)).status
  const vatom = section({ visibility: { type: 'public' } })
  const change = publisher.call('PATCH', `/v1/template_variations/${box}`, { body: { vatom } })
  const answers = await during(change, found)
  expect((await change).status).toBe(200)
  expect(answers.length).toBeGreaterThan(3)
  expectAtOnce(answers, 403)
  expect(await found()).toBe(200)
  await made(publisher, ['PATCH', `/v1/template_variations/${box}`, { vatom: section({ title: 'Other' }) }])
  expect(await found()).toBe(403)
})

test('others are answered while a draft is deleted that has had many faces, and in a dry run of that', async () => {
  slowWork(3)
  const { publisher } = await world(newDatabase())
  await made(publisher, ['POST', '/v1/templates', template({ template: boxTemplate })])
  const body = { ...face({ template: boxTemplate }), config: { text: 'x'.repeat(60_000) } }
  for (let count = 0; count < 200; count++) {
    const registered = await made(publisher, ['POST', '/v1/publisher/face', body])
    const [, id] = /Face (\S+) /.exec(registered.success_message) ?? []
    await made(publisher, ['DELETE', `/v1/publisher/face/${id}`])
  }
  const at = `/v1/templates/${boxTemplate}`
  const deletions: Record<string, string>[] = [{ 'Vatom-Dry-Run': 'true' }, {}]
  for (const headers of deletions) {
    const deleted = publisher.call('DELETE', at, { headers })
    const answers = await during(deleted, async () => (await publisher.call('GET', at)).status)
    expect((await deleted).status).toBe(200)
    expect(answers.length).toBeGreaterThan(3)
    expectAtOnce(answers, 200)
  }
  expect((await publisher.call('GET', at)).status).toBe(404)
})

test('a draft template does not change its visibility if too much is in the vAtoms of all its variations', async () => {
  const { publisher } = await world(':memory:', false)
  const most = vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(3)
  onTestFinished(() => most.mockRestore())
  await made(publisher, [
    'POST',
    '/v1/templates',
    template({ template: boxTemplate, vatom: section({ root_type: folderType }) }),
  ])
  for (const name of ['A', 'B']) {
    const template_variation = `${boxTemplate}::${name}`
    await made(publisher, ['POST', '/v1/template_variations', variation({ ...inTemplate, template_variation })])
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation, num: 1 }])
    const inside = await made(publisher, ['POST', '/v1/vatoms', { template_variation: variationName, num: 2 }])
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: inside.ids, parent_id: ids[0] }])
  }
  const vatom = section({ root_type: folderType, visibility: { type: 'public', value: '*' } })
  const change = () => publisher.call('PATCH', `/v1/templates/${boxTemplate}`, { body: { vatom } })
  const refused = await change()
  expect([refused.status, refused.body.issues?.[0].path]).toEqual([400, 'vatom'])
  most.mockReturnValue(4)
  expect((await change()).status).toBe(200)
})

const claimedAddress = { token: 'claimed@example.com', token_type: 'email' }

/** A user to whom a folder with many vAtoms was sent at an address that they have not verified. */
async function holderOfMany() {
  const hall = await world(newDatabase())
  const { publisher, register } = hall
  const bob = await register('bob@example.com')
  const token = (await bob.call('POST', '/v1/user/tokens', { body: claimedAddress })).payload.id
  const { id, last } = await folderOfMany(hall)
  expect((await perform(publisher, 'Transfer', id, { 'new.owner.email': claimedAddress.token })).status).toBe(200)
  return { ...hall, bob, token, id, last }
}

test('what is held of a user is not read whole for each vAtom that they put into a folder, or trash', async () => {
  const { publisher, bob, id } = await holderOfMany()
  const bags = 'local.vatom::Bag'
  const ids = await emitted(publisher, bags, 11, { transferable: true, root_type: folderType })
  await action(publisher, bags, 'Transfer')
  for (const one of ids) await perform(publisher, 'Transfer', one, { 'new.owner.id': bob.id })
  const [parent_id, ...others] = ids
  const rows = vi.spyOn(Connection.prototype, 'rows')
  const moved = await bob.call('PATCH', '/v1/vatoms', { body: { ids: [...others, id], parent_id } })
  const trashed = await bob.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': others[0] } })
  const read = rows.mock.results.reduce((sum, { value }) => sum + value.length, 0)
  rows.mockRestore()
  expect(moved.payload).toMatchObject({ num_updated: 10, num_errors: 1, ids: others })
  expect(moved.payload.error_messages[id]).toContain('verify that address first')
  expect(trashed.status).toBe(200)
  expect(read).toBeLessThan(2 * inBox)
})

test('others are answered before a handler is asked about a folder with many vAtoms, whose owner has another held, and in a dry run', async () => {
  slowWork(3)
  const hall = await world(newDatabase())
  const { publisher, register } = hall
  const bob = await register('bob@example.com')
  await made(bob, ['POST', '/v1/user/tokens', claimedAddress])
  const { id, last } = await folderOfMany(hall)
  const [other = ''] = await emitted(publisher, 'local.vatom::Bag', 1, { transferable: true })
  await action(publisher, 'local.vatom::Bag', 'Transfer')
  await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id })
  await perform(publisher, 'Transfer', other, { 'new.owner.email': claimedAddress.token })
  const { asked, url } = await answering({ output: 'stamped' })
  const reactor = 'local.vatom://stamp'
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  await action(publisher, boxTemplate, 'Stamp', { reactor })
  const stamp = (headers: Record<string, string>) =>
    bob.call('POST', '/v1/user/vatom/action/Stamp', { body: { 'this.id': id }, headers })
  const answersUntilAsked = async (stamped: Promise<Answer>) => {
    const counts = await during(stamped, () => ownerOf(bob, last).then(() => asked.length))
    expect((await stamped).status).toBe(200)
    return counts.filter((count) => count === 0).length
  }
  expect(await answersUntilAsked(stamp({ 'Vatom-Dry-Run': 'true' }))).toBeGreaterThan(3)
  expect(asked).toEqual([])
  expect(await answersUntilAsked(stamp({}))).toBeGreaterThan(3)
  expect(asked).toHaveLength(1)
})

/** Whoever signs in with the pin that is sent to the address. */
async function signedInByPin({ service, send, as }: Awaited<ReturnType<typeof holderOfMany>>) {
  await send('POST', '/v1/user/reset_token', { body: claimedAddress })
  const password = await codeFor(service, claimedAddress.token)
  const body = { ...claimedAddress, auth_data: { password } }
  return send('POST', '/v1/user/login', { body }).then(({ payload }) => as(payload.user.id, payload.access_token.token))
}

test('others are answered while an address is removed for which many vAtoms are held, and in a dry run of that', async () => {
  const hall = await holderOfMany()
  const { bob, token, last } = hall
  const route = `/v1/user/tokens/${token}`
  const dry = bob.call('DELETE', route, { headers: { 'Vatom-Dry-Run': 'true' } })
  const before = await during(dry, () => ownerOf(bob, last))
  expect((await dry).status).toBe(200)
  expect(before.length).toBeGreaterThan(3)
  expect(new Set(before)).toEqual(new Set([bob.id]))
  const removal = bob.call('DELETE', route)
  const owners = await during(removal, () => ownerOf(bob, last))
  expect((await removal).status).toBe(200)
  expect(owners.length).toBeGreaterThan(3)
  expectAtOnce(owners, bob.id)
  expect(await contentsOf(bob)).toBe(0)
  const holder = await signedInByPin(hall)
  expect(await contentsOf(holder)).toBe(inBox)
  expect((await perform(holder, 'Redeem', hall.id)).status).toBe(200)
})

test('others are answered while the holder of an address signs in, who is given the many vAtoms that were held for it', async () => {
  const hall = await holderOfMany()
  const { bob, service, last } = hall
  const own = { token: 'bob@example.com', token_type: 'email' }
  const verify_code = await codeFor(service, own.token)
  await made(bob, ['POST', '/v1/user/verify_token', { ...own, verify_code }])
  const login = signedInByPin(hall)
  const owners = await during(login, () => ownerOf(bob, last))
  const holder = await login
  expect(owners.length).toBeGreaterThan(3)
  expectAtOnce(owners, bob.id)
  expect(holder.id).not.toBe(bob.id)
  expect(await ownerOf(holder, last)).toBe(holder.id)
  expect([await contentsOf(holder), await contentsOf(bob)]).toEqual([inBox, 0])
  expect((await holder.call('GET', '/v1/user')).status).toBe(200)
})

test('many vAtoms are their owner’s to give away once the address is verified that they were sent to', async () => {
  const { bob, service, id } = await holderOfMany()
  const redeem = () => perform(bob, 'Redeem', id)
  expect((await redeem()).status).toBe(403)
  const wrong = await bob.call('POST', '/v1/user/verify_token', { body: { ...claimedAddress, verify_code: '000' } })
  expect(wrong.status).toBe(400)
  expect((await redeem()).status).toBe(403)
  const verify_code = await codeFor(service, claimedAddress.token)
  await made(bob, ['POST', '/v1/user/verify_token', { ...claimedAddress, verify_code }])
  expect((await redeem()).status).toBe(200)
})

test.runIf(process.platform === 'linux').each([
  ['that does not listen', false, 1],
  ['that listens', true, 2],
])('many vAtoms are made by a service %s', async (_, listens, connections) => {
  const db = newDatabase()
  const { publisher } = await world(db, listens)
  expect((await publisher.call('POST', '/v1/vatoms', emission)).payload).toMatchObject({ num_created: many })
  const open = openFiles().filter((file) => file === db)
  // Once more to see what others have done to it.
  expect(open).toHaveLength(connections + 1)
})

describe.each([
  ['in a file', newDatabase],
  ['in memory', () => ':memory:'],
])('%s', (_, db) => {
  test('an emission that is refused in the end leaves nothing, and what others wrote meanwhile stays', async () => {
    const { publisher } = await world(db())
    await made(
      publisher,
      ['POST', '/v1/templates', template({ template: 'local.vatom::Box::v1', vatom: section(folder) })],
      [
        'POST',
        '/v1/template_variations',
        variation({ template: 'local.vatom::Box::v1', template_variation: box, vatom: {} }),
      ],
      ['PATCH', '/v1/templates/local.vatom::Box::v1', { unpublished: false }],
      ['PATCH', `/v1/template_variations/${box}`, { unpublished: false }],
    )
    const body = { template_variation: box, num: 30 }
    const [refused, renamed] = await Promise.all([
      publisher.call('POST', '/v1/vatoms', { body }),
      publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ada' } }),
    ])
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body.message).toContain(`at most ${limits.emit}`)
    expect(renamed.status).toBe(200)
    expect(await countOf(publisher)).toBe(0)
    expect((await publisher.call('GET', '/v1/user')).payload.properties.first_name).toBe('Ada')
  })

  test('a dry run of many vAtoms leaves nothing', async () => {
    const { publisher } = await world(db())
    const headers = { 'Vatom-Dry-Run': 'true' }
    const dry = await publisher.call('POST', '/v1/vatoms', { ...emission, headers })
    expect(dry.payload).toMatchObject({ num_created: many })
    expect(await countOf(publisher)).toBe(0)
  })
})

test('what was answered is in the file, and the rest of the service goes on writing after it', async () => {
  const db = newDatabase()
  const { publisher, service } = await world(db)
  const { payload } = await publisher.call('POST', '/v1/vatoms', emission)
  const after = await publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num: 1 } })
  await service.close()
  const store = await openStore(db)
  const known = [...payload.ids, ...after.payload.ids].filter((id: string) => store.vatoms.byId(id))
  await store.close()
  expect(known.length).toBe(many + 1)
})

test('a draft with many variations changes, is found unchanged meanwhile, and is deleted with them', async () => {
  const { publisher, service } = await testService({ db: newDatabase() })
  await service.listen({ host: '127.0.0.1', port: 0 })
  await made(publisher, ['POST', '/v1/templates', template()])
  const names = Array.from({ length: 300 }, (_, index) => `${templateName}::V${index}`)
  for (const name of names)
    await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation: name, vatom: {} })])
  const last = names.at(-1) ?? ''
  const before = await title(publisher, last)
  const changed = publisher.call('PATCH', `/v1/templates/${templateName}`, {
    body: { vatom: { 'vAtom::vAtomType': { title: 'Other', root_type: 'vAtom::vAtomType' } } },
  })
  const titles = await during(changed, () => title(publisher, last))
  expect((await changed).status).toBe(200)
  expect(titles.length).toBeGreaterThan(3)
  expectAtOnce(titles, before)
  expect(await title(publisher, last)).toBe('Other')
  const removed = await publisher.call('DELETE', `/v1/templates/${templateName}`)
  expect(removed.payload.success_message).toContain('300 variations')
  expect((await publisher.call('GET', `/v1/template_variations/${last}`)).status).toBe(404)
})

test('little work in portions is carried out at a time, as each has a thread of its own', async () => {
  const store = await openStore(newDatabase())
  store.serveOthers()
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 200
    return time
  })
  onTestFinished(() => clock.mockRestore())
  let [begun, most] = [0, 0]
  const work = function* (): Portions<void> {
    most = Math.max(most, ++begun)
    for (let portion = 0; portion < 3; portion++) yield nothing()
    begun--
  }
  await Promise.all(Array.from({ length: 6 }, () => store.writeInPortions(many, work)))
  expect(most).toBe(2)
  await store.close()
})
function* nothing(): Steps<void> {}
