import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { limits } from '../../../src/contract/limits.ts'
import { openService } from '../../../src/server/service.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { action, nobody, perform } from '../../support/acting.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { emitted, made, testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const create = ['POST', '/v1/templates', template()] as const
const change = ['PATCH', `/v1/templates/${templateName}`, { vatom: template({}, { title: 'Changed' }).vatom }] as const

const twice = ['POST', '/v1/templates', { body: template() }] as const

describe('over HTTP', () => {
  /** A temporary service with a template, a snapshot of that, and the version of its data. */
  async function temporary() {
    const shelf = join(newFolder(), 'snapshots')
    const { tool, publisher } = await listening({ temporary: shelf })
    await made(publisher, create)
    const { version } = (await tool('GET', '/__vatom/data')).payload
    expect((await tool('PUT', '/__vatom/snapshots/one')).status).toBe(200)
    /** The template as it is stored; undefined if it is not. */
    const stored = async () => (await publisher.call('GET', `/v1/templates/${templateName}`)).payload
    return { tool, publisher, shelf, stored, version: encodeURIComponent(version) }
  }

  test.each([
    ['DELETE', undefined, 'removed', false],
    ['PUT', { snapshot: 'one' }, 'replaced', true],
  ] as const)(
    '%s of all data is refused if it has another version than is expected',
    async (method, body, count, isSaved) => {
      const { tool, publisher, stored, version } = await temporary()
      const saved = await stored()
      await made(publisher, change)
      const before = await stored()
      expect(JSON.stringify(before)).toContain('Changed')
      const refused = await tool(method, `/__vatom/data?version=${version}`, body)
      expect([refused.status, refused.body.error]).toEqual([409, errorCatalogue.dataChanged.code])
      expect(await stored()).toEqual(before)
      const { version: present, ...held } = (await tool('GET', '/__vatom/data')).payload
      const { status, payload } = await tool(method, `/__vatom/data?version=${encodeURIComponent(present)}`, body)
      expect([status, payload[count]]).toEqual([200, held])
      expect(await stored()).toEqual(isSaved ? saved : undefined)
    },
  )

  test('without one it is done as before, and a snapshot has no version', async () => {
    const { tool, shelf, stored } = await temporary()
    const manifest = readdirSync(shelf).find((name) => name.endsWith('.json')) ?? ''
    expect(readFileSync(join(shelf, manifest), 'utf8')).not.toContain('version')
    expect((await tool('PUT', '/__vatom/data', { snapshot: 'one' })).status).toBe(200)
    expect((await tool('DELETE', '/__vatom/data')).status).toBe(200)
    expect(await stored()).toBeUndefined()
  })

  test('the version of another service is none of this one', async () => {
    const [one, other] = [await temporary(), await temporary()]
    expect((await one.tool('DELETE', `/__vatom/data?version=${other.version}`)).status).toBe(409)
    expect((await one.tool('DELETE', `/__vatom/data?version=${one.version}`)).status).toBe(200)
  })
})

describe('the version of the data in a file', () => {
  /** A service on a file that is listening, and another one beside it; with a published variation. */
  async function beside() {
    const db = newDatabase()
    const [one, other] = [await testService({ db }), await testService({ db })]
    await one.service.listen({ host: '127.0.0.1', port: 0 })
    await made(one.publisher, create)
    const [id = ''] = await emitted(one.publisher, 'local.vatom::Many', 1)
    const users = { one: await one.register('ann@example.com'), other: await other.register('bob@example.com') }
    return { db, one, other, users, id, version: async () => (await one.service.held()).version }
  }
  type Beside = Awaited<ReturnType<typeof beside>>

  test.each<[string, (world: Beside) => Promise<unknown>]>([
    ['a change by this service', ({ one }) => made(one.publisher, change)],
    ['a change by another', ({ other }) => made(other.publisher, change)],
    ['a deletion of all by this service', ({ one }) => one.service.reset()],
    ['a deletion of all by another', ({ other }) => other.service.reset()],
    [
      'one that takes many turns',
      ({ one: { publisher } }) =>
        made(publisher, [
          'POST',
          '/v1/vatoms',
          { template_variation: 'local.vatom::Many::V', num: limits.fewRows + 1 },
        ]),
    ],
  ])('is another one after %s, and what expects the first does nothing', async (_, write) => {
    const world = await beside()
    const { one, version } = world
    const before = await version()
    await write(world)
    expect(await version()).not.toBe(before)
    const held = one.service.contents()
    await expect(one.service.reset(before)).rejects.toMatchObject({ kind: 'dataChanged' })
    expect(one.service.contents()).toEqual(held)
  })

  test.each<[string, (world: Beside, by: 'one' | 'other') => Promise<unknown>]>([
    [
      'a dry run',
      (world, by) =>
        world[by].publisher.call('PATCH', change[1], { body: change[2], headers: { 'Vatom-Dry-Run': 'true' } }),
    ],
    ['a refused change', (world, by) => world[by].publisher.call(...twice)],
    [
      'a run of a limited action that was reserved and given back',
      async (world, by) => {
        const answer = await perform(world[by].publisher, 'Transfer', world.id, { 'new.owner.id': nobody })
        expect(answer).toMatchObject({ status: 400, body: { error: errorCatalogue.unknownRecipient.code } })
      },
    ],
    ['a logout', ({ users }, by) => made(users[by], ['POST', '/v1/user/logout', {}])],
  ])('is the same after %s, by this service or another', async (_, work) => {
    const world = await beside()
    await action(world.one.publisher, 'local.vatom::Many', 'Transfer', { limit_per_user: 5 })
    for (const by of ['one', 'other'] as const) {
      const before = await world.version()
      await work(world, by)
      expect(await world.version()).toBe(before)
    }
    expect(await world.other.service.reset(await world.version())).toMatchObject({ templates: 2, vatoms: 1 })
  })

  test('is another one where a dry run and a change are under way at once', async () => {
    const { one, version } = await beside()
    const before = await version()
    const dry = { body: change[2], headers: { 'Vatom-Dry-Run': 'true' } }
    await Promise.all([one.publisher.call('PATCH', change[1], dry), made(one.publisher, change)])
    expect(await version()).not.toBe(before)
  })

  test('is the same where data is only read, copied, or opened by another process', async () => {
    const { db, one, other, version } = await beside()
    const before = await version()
    await made(one.publisher, ['GET', '/v1/templates'])
    await made(other.publisher, ['GET', '/v1/templates'])
    await (await one.service.snapshots(newFolder())).save('one', { replace: false })
    await (await openService({ db })).close()
    expect(await version()).toBe(before)
    expect(await one.service.reset(before)).toMatchObject({ templates: 2, vatoms: 1 })
  })
})
