import { unlinkSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { Service } from '../../../src/server/service.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { face, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { newFolder } from '../../support/folders.ts'
import { serverOf } from '../../support/servers.ts'
import { type Caller, made, testService } from '../../support/service.ts'
import { type Desk, deskOf } from '../../support/vatom.ts'

/** What is done after a snapshot was saved, before the command that saves it does anything else. */
interface Door {
  afterSave: () => Promise<unknown>
}

/** Who replaces or deletes all data, and somebody else who writes to it. */
interface World {
  readonly run: Desk['run']
  readonly other: Caller
}

async function twoServices(door: Door): Promise<World> {
  const db = `${newFolder()}/local.db`
  const [{ publisher }, { service }] = [await testService({ db }), await testService({ db })]
  return { other: publisher, run: deskOf(withDoor(service, door)).run }
}

const withDoor = (service: Service, door: Door): Service => ({
  ...service,
  snapshots: async (folder) => {
    const snapshots = await service.snapshots(folder)
    return {
      ...snapshots,
      save: async (...given) => {
        const saved = await snapshots.save(...given)
        await door.afterSave()
        return saved
      },
    }
  },
})

async function temporaryService(door: Door): Promise<World> {
  const { publisher, service } = await testService({ temporary: newFolder() })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const { url } = await serverOf(async (request, response) => {
    const { method = '', url = '' } = request
    const headers = { 'app-id': service.appId, 'content-type': 'application/json' }
    const body = method === 'PUT' ? await text(request) : null
    const answer = await fetch(baseUrl + url, { method, body, headers })
    if (method === 'PUT' && url.startsWith('/__vatom/snapshots/')) await door.afterSave()
    response.writeHead(answer.status).end(await answer.text())
  })
  const { run } = deskOf(service)
  const there = ['--base-url', url, '--app-id', service.appId]
  return { other: publisher, run: (args, options) => run([...args, ...there], options) }
}

/** A world with a template, a variation and a vAtom, which a snapshot has, too. */
async function stocked(opened: (door: Door) => Promise<World>) {
  const door: Door = { afterSave: async () => {} }
  const { run, other } = await opened(door)
  const emit = () => made(other, ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }])
  await made(other, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  await emit()
  expect(await run(['snapshot', 'save', 'base'])).toMatchObject({ code: 0 })
  const ids = async (): Promise<string[]> => {
    const { vatoms } = await made(other, ['POST', '/v1/user/vatom/inventory', { parent_id: '.' }])
    return vatoms.map(({ id }: { id: string }) => id).sort()
  }
  /** All that changes below, as it is now. */
  const state = async () => ({
    template: await made(other, ['GET', `/v1/templates/${templateName}`]),
    faces: await made(other, ['GET', `/v1/publisher/face?template=${templateName}`]),
    ids: await ids(),
  })
  const names = async () => {
    const { out } = await run(['snapshot', 'list', '--json'])
    return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
  }
  return { run, other, door, emit, ids, state, names }
}
type Stocked = Awaited<ReturnType<typeof stocked>>

/** What changes data, and leaves as many records of each kind that is counted. */
const changes: readonly (readonly [string, (world: Stocked) => Promise<unknown>])[] = [
  [
    'a title was changed',
    ({ other }) =>
      made(other, ['PATCH', `/v1/templates/${templateName}`, { vatom: template({}, { title: 'Changed' }).vatom }]),
  ],
  ['a face was registered', ({ other }) => made(other, ['POST', '/v1/publisher/face', face()])],
  [
    'a vAtom was trashed and another emitted',
    async ({ other, ids, emit }) => {
      const [id] = await ids()
      await made(other, ['POST', '/v1/user/vatom/trash', { 'this.id': id }])
      await emit()
    },
  ],
]

const reset = { args: ['reset'], question: 'Delete all data', done: 'deleted' } as const
const load = { args: ['snapshot', 'load', 'base'], question: 'Replace all data', done: 'replaced' } as const

describe.each([
  ['reset of the data of two services on one file', reset, twoServices],
  ['reset of a temporary service', reset, temporaryService],
  ['snapshot load into the data of two services on one file', load, twoServices],
  ['snapshot load into a temporary service', load, temporaryService],
] as const)('%s', (_, { args, question, done }, opened) => {
  const offer = { 'Save a snapshot of': '' }

  test.each(changes)('does nothing if %s since its question', async (_, change) => {
    const world = await stocked(opened)
    let changed: unknown
    const changeIt = async () => {
      await change(world)
      changed = await world.state()
      return 'y'
    }
    const answers = { ...offer, [question]: changeIt }
    const { code, out, err } = await world.run(args, { tty: true, columns: 500, answers })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('Nothing was done: the data has changed since the question\n')
    expect(err).toMatch(
      / run the command again: .*; if apps change the data all the time, stop them first, or have nothing asked: --snapshot NAME --yes\n/,
    )
    expect(err).not.toContain('name another one')
    expect(changed).toBeDefined()
    expect(await world.state()).toEqual(changed)
    expect(await world.names()).toHaveLength(2)
  })

  test('says what to do where a snapshot was saved under the name of a flag before the question', async () => {
    const world = await stocked(opened)
    const writes = async () => {
      await made(world.other, ['PATCH', '/v1/user', { first_name: 'Ada' }])
      return 'y'
    }
    const named = [...args, '--snapshot', 'mine']
    const { code, err } = await world.run(named, { tty: true, columns: 500, answers: { [question]: writes } })
    expect(code).toBe(1)
    expect(err).toContain(' the snapshot mine stays: name another one, and run the command again: ')
    expect(err).toContain('have nothing asked: --snapshot NAME --yes\n')
  })

  test('goes on after its question if the data was only read', async () => {
    const world = await stocked(opened)
    const read = async () => {
      await world.state()
      return 'y'
    }
    expect(await world.run(args, { tty: true, answers: { ...offer, [question]: read } })).toMatchObject({ code: 0 })
  })

  test('with --yes has in its snapshot what was written after that was saved', async () => {
    const world = await stocked(opened)
    const [first] = await world.ids()
    let written = ['']
    world.door.afterSave = async () => {
      world.door.afterSave = async () => {}
      await world.emit()
      written = await world.ids()
    }
    const { code, out, err } = await world.run([...args, '--snapshot', 'mine', '--yes'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/ 1 template, 1 variation, 2 vAtoms/) })
    expect(err).toMatch(/^Saved mine: .* 1 vAtom\. To get it back: /m)
    expect(err).toMatch(/^Saved mine: .* 2 vAtoms, again: the data had changed\.$/m)
    expect(await world.ids()).toEqual(args === reset.args ? [] : [first])
    expect(await world.names()).toEqual(['base', 'mine'])
    expect(await world.run(['snapshot', 'load', 'mine', '--yes'])).toMatchObject({ code: 0 })
    expect(written).toHaveLength(2)
    expect(await world.ids()).toEqual(written)
  })

  test('with --yes and a snapshot gives up if somebody writes without end', async () => {
    const world = await stocked(opened)
    let saves = 0
    world.door.afterSave = async () => {
      saves++
      await world.emit()
    }
    const { code, out, err } = await world.run([...args, '--snapshot', 'mine', '--yes', '--json'])
    expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 1, error: 'changed_meanwhile' })
    expect(err).toContain(`Nothing was ${done}: the data changes faster than it can be saved in a snapshot`)
    expect(err).toMatch(/hint: stop what changes it, .* with another name than mine$/m)
    expect(saves).toBe(limits.snapshotSaves)
    expect(await world.ids()).toHaveLength(1 + saves)
    expect(await world.names()).toEqual(['base', 'mine'])
  })

  test('names what it has itself where the name of its snapshot is taken', async () => {
    const world = await stocked(opened)
    await world.emit()
    const { code, err } = await world.run([...args, '--snapshot', 'base', '--yes'])
    expect(code).toBe(1)
    expect(err).toMatch(/^error: A snapshot named base already exists$/m)
    expect(err).toMatch(/^hint: choose another name, or delete that snapshot: vatom .*snapshot delete base$/m)
    expect(err).not.toContain('--force')
    expect(await world.ids()).toHaveLength(2)
  })
})

test.each([reset, load])('$args with --yes alone counts what it takes, not what there was before', async ({ args }) => {
  const { service, publisher } = await testService()
  const create = () => made(publisher, ['POST', '/v1/templates', template()])
  const { run } = deskOf({
    ...service,
    reset: async (expected) => {
      await create()
      return await service.reset(expected)
    },
    snapshots: async (folder) => {
      const snapshots = await service.snapshots(folder)
      const load = async (name: string, expected?: string) => {
        await create()
        return await snapshots.load(name, expected)
      }
      return { ...snapshots, load }
    },
  })
  expect(await run(['snapshot', 'save', 'base'])).toMatchObject({ code: 0, out: 'Saved base\n' })
  expect(await run([...args, '--yes'])).toMatchObject({ code: 0, out: expect.stringMatching(/ 1 template\.?$/m) })
})

test('no version of the data is in what commands print', async () => {
  const { run } = await stocked(temporaryService)
  for (const args of [
    ['snapshot', 'save', 'one'],
    ['snapshot', 'list'],
    [...load.args, '--yes'],
    ['reset', '--yes'],
  ]) {
    const { code, out } = await run([...args, '--json'])
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('version') })
  }
})

test.each([
  ['reset', ['reset']],
  ['snapshot load', ['snapshot', 'load', 'base']],
])('%s on a service of an earlier version, which says no version of its data', async (_, args) => {
  const { publisher, service } = await testService({ temporary: newFolder() })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const { url } = await serverOf(async (request, response) => {
    const { method = '', url = '' } = request
    const headers = { 'app-id': service.appId, 'content-type': 'application/json' }
    const answer = await fetch(baseUrl + url, { method, body: method === 'PUT' ? await text(request) : null, headers })
    response.writeHead(answer.status).end((await answer.text()).replace(/"version":"[^"]*",/, ''))
  })
  const { run } = deskOf(service)
  const there = ['--base-url', url, '--app-id', service.appId]
  await made(publisher, ['POST', '/v1/templates', template()])
  await run(['snapshot', 'save', 'base', ...there])
  for (const flags of [['--snapshot', 'mine'], ['--snapshot', 'mine', '--yes'], []]) {
    const { code, err } = await run([...args, ...flags, ...there], { tty: true, columns: 300, answers: {} })
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('Nothing was done: the service is of an earlier version'),
    })
    expect(err).toContain('start it again with this version of vatom')
  }
  const { out } = await run(['snapshot', 'list', '--json', ...there])
  expect(JSON.parse(out)).toHaveLength(1)
  expect(await run([...args, '--yes', ...there])).toMatchObject({ code: 0 })
})

test.each([reset, load])('$args says that a newer version has upgraded the data since its question', async (one) => {
  const db = `${newFolder()}/local.db`
  const { service } = await testService({ db })
  const { run } = deskOf(service)
  await run(['snapshot', 'save', 'base'])
  const upgraded = async () => {
    const newer = await openSqlite(db)
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`)
    newer.close()
    return 'y'
  }
  const { code, err } = await run(one.args, { tty: true, columns: 300, answers: { [one.question]: upgraded } })
  expect(code).toBe(1)
  expect(err).toMatch(/local\.db was upgraded by a newer version of vatom meanwhile\n.*upgrade vatom\n$/)
  expect(err).not.toContain('in use')
})

test.each([reset, load])('$args says what to do where the file was removed since its question', async (one) => {
  const db = `${newFolder()}/local.db`
  const { service } = await testService({ db })
  const { run } = deskOf(service)
  await run(['snapshot', 'save', 'base'])
  const removed = async () => {
    unlinkSync(db)
    return 'y'
  }
  const { code, err } = await run(one.args, { tty: true, columns: 300, answers: { [one.question]: removed } })
  expect(code).toBe(1)
  expect(err).toContain('local.db cannot be used: local.db was deleted, moved or replaced meanwhile\n')
  expect(err).toMatch(/ put it back, or run the command again\n$/)
  expect(err).not.toContain('restart')
})
