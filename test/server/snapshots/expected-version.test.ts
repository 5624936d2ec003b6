import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { limits } from '../../../src/contract/limits.ts'
import { openService } from '../../../src/server/service.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { emitted, made, testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const create = ['POST', '/v1/templates', template()] as const
const change = ['PATCH', `/v1/templates/${templateName}`, { vatom: template({}, { title: 'Changed' }).vatom }] as const

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
    await emitted(one.publisher, 'local.vatom::Many', 1)
    return { db, one, other, version: () => one.service.contents().version }
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
    const before = version()
    await write(world)
    expect(version()).not.toBe(before)
    const { version: _version, ...held } = one.service.contents()
    await expect(one.service.reset(before)).rejects.toMatchObject({ kind: 'dataChanged' })
    expect(one.service.contents()).toMatchObject(held)
  })

  test('is the same where data is only read, copied, or opened by another process', async () => {
    const { db, one, other, version } = await beside()
    const before = version()
    await made(one.publisher, ['GET', '/v1/templates'])
    await made(other.publisher, ['GET', '/v1/templates'])
    await (await one.service.snapshots(newFolder())).save('one', { replace: false })
    await (await openService({ db })).close()
    expect(version()).toBe(before)
    expect(await one.service.reset(before)).toMatchObject({ templates: 2, vatoms: 1 })
  })
})
