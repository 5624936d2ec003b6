import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { DryRuns } from '../../../src/server/request/dry-runs.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import {
  action as actionBody,
  actionName,
  face,
  template,
  templateName,
  variation,
  variationName,
} from '../../fixtures/bodies.ts'
import { avatar, smallFile } from '../../fixtures/files.ts'
import { action, perform } from '../../support/acting.ts'
import { answering } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import {
  type Answer,
  type Caller,
  doors,
  emitted,
  made,
  overHttp,
  registration,
  type Sent,
  send,
} from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

type Options = NonNullable<Parameters<typeof twoPublishers>[0]>

/** A service on disk, and all that its database holds. */
async function dryWorld(options: Options = {}, door: (typeof doors)[number] = 'in process') {
  const db = newDatabase()
  const world = await twoPublishers({ db, ...options }, door)
  const sqlite = await openSqlite(db)
  onTestFinished(() => sqlite.close())
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all()
    .map((row) => String(Object(row).name))
  const dump = () => Object.fromEntries(tables.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()]))
  return { ...world, sqlite, dump }
}

const dry = (sent: Sent = {}, value = 'true'): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'vatom-dry-run': value },
})

/** What an answer tells, but for ids and tokens, which are made up anew each time. */
const told = ({ status, headers, text }: Answer) => ({
  status,
  warning: headers['vatom-warning'] && normal(headers['vatom-warning']),
  ignored: headers['vatom-ignored'],
  assumed: headers['vatom-assumed'],
  text: normal(text),
})
const normal = (text: string) =>
  text.replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')

type Request = readonly [method: string, path: string, body?: unknown]

const encoded = encodeURIComponent
const chain = (network = 'mainnet') => ({
  network,
  fields: { serial: { type: 'uint', value: 7 }, label: { type: 'string', value: 'x' } },
})
const mine = 'local.vatom::Chain::v1'

/** Requests of a publisher, one after the other, done and refused. */
const story: readonly Request[] = [
  ['POST', '/v1/templates', template()],
  ['POST', '/v1/templates', template()],
  ['POST', '/v1/templates', template({ template: 'other.example::X::v1' })],
  ['POST', '/v1/templates', { template: templateName }],
  ['POST', '/v1/templates', template({ template: mine, eth: chain() })],
  ['POST', '/v1/template_variations', variation()],
  ['POST', '/v1/template_variations', variation({ unpublished: false })],
  ['POST', '/v1/template_variations', variation({ template: 'local.vatom::None::v1' })],
  ['POST', '/v1/template_variations', variation({ template_variation: `${mine}::V`, template: mine })],
  ['POST', '/v1/publisher/face', face()],
  ['POST', '/v1/publisher/face', face({ resources: ['None'] })],
  ['POST', '/v1/publisher/action', actionBody()],
  ['POST', '/v1/publisher/action', actionBody()],
  ['PATCH', `/v1/publisher/action/${encoded(actionName)}`, { wait: true }],
  ['POST', '/v1/publisher/action_handler', { reactor: 'acme://stamp', url: 'http://127.0.0.1:9/' }],
  ['POST', '/v1/publisher/action_handler', { reactor: 'acme://stamp', url: 'http://127.0.0.1:9/' }],
  ['POST', '/v1/vatoms', { template_variation: variationName, num: 3 }],
  ['POST', '/v1/vatoms', { template_variation: variationName, num: 11 }],
  ['POST', '/v1/vatoms', { template_variation: 'local.vatom::None::v1::V', num: 1 }],
  ['POST', '/v1/vatoms', { template_variation: `${mine}::V`, num: 1 }],
  ['PATCH', `/v1/templates/${encoded(templateName)}`, { public: true }],
  ['PATCH', `/v1/templates/${encoded(templateName)}`, { unpublished: false }],
  ['PATCH', `/v1/templates/${encoded(templateName)}`, { public: true }],
  ['DELETE', `/v1/templates/${encoded(templateName)}`],
  ['DELETE', `/v1/templates/${encoded(mine)}`],
  ['DELETE', `/v1/template_variations/${encoded(variationName)}`],
  ['PATCH', '/v1/user', { first_name: 'Ada', password: 'new secret' }],
  ['PATCH', '/v1/user', { first_name: 'Ada', password: '' }],
  ['PATCH', '/v1/user', { nickname: 'Ada' }],
  ['POST', '/v1/user/tokens', { token: 'ada@example.com', token_type: 'email' }],
  ['POST', '/v1/user/tokens', { token: 'bob@example.com', token_type: 'email' }],
  ['POST', '/v1/user/reset_token', { token: 'bob@example.com', token_type: 'email' }],
  ['POST', '/v1/users', registration('eve@example.com')],
  ['POST', '/v1/users', registration('bob@example.com')],
  ['DELETE', '/v1/publisher/action_handler/acme%3A%2F%2Fstamp'],
  ['DELETE', `/v1/publisher/action/${encoded(actionName)}`],
  ['DELETE', '/v1/publisher/asset/00000000-0000-4000-8000-000000000000'],
  ['GET', '/v1/user'],
  ['DELETE', '/v1/user'],
]

/** Sends a request as a dry run, which changes nothing, and then in earnest: the answers are alike. */
async function predicted({ dump }: Awaited<ReturnType<typeof dryWorld>>, caller: Caller, request: Request) {
  const [method, path, body] = request
  const before = dump()
  const dryAnswer = await caller.call(method, path, dry({ body }))
  expect(dryAnswer.headers['vatom-dry-run']).toBe('true')
  expect(dump()).toEqual(before)
  const real = await caller.call(method, path, { body })
  expect(real.headers['vatom-dry-run']).toBe('supported')
  expect({ request, ...told(dryAnswer) }).toEqual({ request, ...told(real) })
  return real
}

describe.each(doors)('%s', (door) => {
  test('passwords and codes cannot be tried in a dry run, which would not count them', async () => {
    const { publisher, send } = await dryWorld({}, door)
    const login = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'wrong' } }
    const code = { token: 'bob@example.com', token_type: 'email', verify_code: '000000' }
    const refused = { status: 400, body: { error: 9045 } }
    expect(await send('POST', '/v1/user/login', dry({ body: login }))).toMatchObject(refused)
    expect(await publisher.call('POST', '/v1/user/verify_token', dry({ body: code }))).toMatchObject(refused)
  })
  test('a dry run is answered as the request then is, and changes nothing', async () => {
    const world = await dryWorld({ balance: 250 }, door)
    const statuses = new Set<number>()
    for (const request of story) statuses.add((await predicted(world, world.publisher, request)).status)
    const foreign = ['DELETE', `/v1/templates/${encoded(mine)}`] as const
    statuses.add((await predicted(world, world.bob, foreign)).status)
    expect([...statuses].sort()).toEqual([200, 400, 403, 404, 409])
  })

  test('actions of users are predicted with what they change', async () => {
    const world = await dryWorld({}, door)
    const { publisher, bob } = world
    const name = 'local.vatom::Act::v1'
    const [one = '', two = ''] = await emitted(publisher, name, 2, { transferable: true, acquirable: true })
    for (const short of ['Transfer', 'Drop', 'Pickup']) await action(publisher, name, short)
    const act = (caller: Caller, short: string, id: string, input: object = {}) =>
      predicted(world, caller, ['POST', `/v1/user/vatom/action/${short}`, { 'this.id': id, ...input }])
    const statuses = [
      await act(publisher, 'Drop', one, { 'geo.pos': { lat: 47, lon: 8 } }),
      await act(publisher, 'Drop', one, { 'geo.pos': { lat: 47, lon: 8 } }),
      await act(bob, 'Pickup', one),
      await act(bob, 'Transfer', two, { 'new.owner.id': bob.id }),
      await act(publisher, 'Transfer', two, { 'new.owner.id': bob.id }),
      await act(publisher, 'Transfer', two, { 'new.owner.id': bob.id }),
      await predicted(world, bob, ['POST', '/v1/user/vatom/trash', { 'this.id': one }]),
      await predicted(world, bob, ['PATCH', '/v1/vatoms', { ids: [one, two], parent_id: '.' }]),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 400, 200, 403, 200, 403, 200, 200])
  })

  test('an upload is refused before a file of it is read', async () => {
    const { publisher, dump } = await dryWorld({}, door)
    const before = dump()
    for (const [method, path, file] of [
      ['POST', '/v1/publisher/asset', smallFile()],
      ['POST', '/v1/user/avatar', avatar()],
    ] as const)
      expect(await publisher.call(method, path, dry({ files: [file] }))).toMatchObject({
        status: 400,
        headers: { 'vatom-dry-run': 'true' },
        body: { error: 9045 },
      })
    expect(dump()).toEqual(before)
  })

  test('what waits for another thread is refused, and nothing of it happens later', async () => {
    const { send, publisher, dump } = await dryWorld({}, door)
    const before = dump()
    const login = (password: string) => ({
      body: { token: 'bob@example.com', token_type: 'email', auth_data: { password } },
    })
    for (const password of ['secret', 'wrong'])
      expect(await send('POST', '/v1/user/login', dry(login(password)))).toMatchObject({
        status: 400,
        body: { error: 9045 },
      })
    expect(await send('POST', '/v1/user/login', login('secret'))).toMatchObject({ status: 200 })
    const after = dump()
    expect({ ...after, sessions: [], users: [] }).toEqual({ ...before, sessions: [], users: [] })
    expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('logging out ends no session', async () => {
    const { publisher, bob } = await dryWorld({}, door)
    for (const caller of [publisher, bob]) {
      expect(await caller.call('POST', '/v1/user/logout', dry())).toMatchObject({ status: 200 })
      expect(await caller.call('GET', '/v1/user')).toMatchObject({ status: 200 })
    }
  })

  test.each(['', 'yes', 'TRUE', 'a/', '/1', 'a/-1', 'a b/1', 'a/123456', 'offered'])(
    'any other value (%j) is refused, and nothing done',
    async (value) => {
      const { publisher, dump } = await dryWorld({}, door)
      const before = dump()
      const { status, body } = await publisher.call('POST', '/v1/templates', dry({ body: template() }, value))
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining('Vatom-Dry-Run'),
      })
      expect(dump()).toEqual(before)
    },
  )
})

test('no handler of a publisher is called, which the answer warns of', async () => {
  const { publisher, dump } = await dryWorld()
  const { asked, url } = await answering({ output: { stamped: true }, private: { stamps: 1 } })
  const name = 'local.vatom::Stamp::v1'
  const [id = ''] = await emitted(publisher, name, 1, {}, { stamps: 0 })
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: 'acme://stamp', url }])
  await action(publisher, name, 'Stamp', { reactor: 'acme://stamp', wait: true, limit_per_user: 1 })
  await action(publisher, name, 'Later', { reactor: 'acme://stamp', wait: false })
  const before = dump()
  const path = (short: string) => `/v1/user/vatom/action/${short}`
  const body = { 'this.id': id }
  expect(await publisher.call('POST', path('Stamp'), dry({ body }))).toMatchObject({
    status: 200,
    headers: { 'vatom-warning': expect.stringMatching(/the handler of .*Stamp is not called in a dry run/) },
    payload: { main: { output: '{}' } },
  })
  await publisher.call('POST', path('Later'), dry({ body }))
  expect(asked).toEqual([])
  expect(dump()).toEqual(before)
  expect(await perform(publisher, 'Stamp', id)).toMatchObject({ status: 200 })
  expect(asked).toHaveLength(1)
})

describe('a dry run of several requests', () => {
  const coupon: Request = ['POST', '/v1/templates', template()]
  const gold: Request = ['POST', '/v1/template_variations', variation()]
  const emission: Request = ['POST', '/v1/vatoms', { template_variation: variationName, num: 2 }]
  const sent = (caller: Caller, [method, path, body]: Request, place: string) =>
    caller.call(method, path, dry({ body }, place))

  test('each is carried out after the changes before it, of which nothing stays', async () => {
    const { publisher, dump } = await dryWorld()
    const before = dump()
    expect(await sent(publisher, gold, 'true')).toMatchObject({ status: 400, body: { error: 9006 } })
    for (const [index, request] of [coupon, gold, emission].entries())
      expect(await sent(publisher, request, `a/${index}`)).toMatchObject({ status: 200 })
    const seen = await sent(publisher, ['GET', `/v1/template_variations/${encoded(variationName)}`], 'a/3')
    expect(seen).toMatchObject({ status: 200, payload: { name: variationName } })
    expect(await sent(publisher, coupon, 'a/3')).toMatchObject({ status: 400, body: { error: 9004 } })
    expect(dump()).toEqual(before)
    expect(await publisher.call('GET', `/v1/templates/${encoded(templateName)}`)).toMatchObject({ status: 404 })
  })

  test('charges add up until the balance no longer covers them', async () => {
    const { publisher } = await dryWorld({ balance: 250 })
    const charged = (name: string): Request => ['POST', '/v1/templates', template({ template: name, eth: chain() })]
    const statuses = []
    for (const [index, name] of ['A', 'B', 'C'].entries())
      statuses.push((await sent(publisher, charged(`local.vatom::${name}::v1`), `c/${index}`)).status)
    expect(statuses).toEqual([200, 200, 400])
  })

  test('a read is answered in parts, as ever, before changes, and up to so many bytes after them', async () => {
    const { publisher } = await dryWorld({}, 'over HTTP')
    const description = 'x'.repeat(40_000)
    const many = Math.ceil(limits.dryRunAnswer / description.length)
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false }, { description })],
      ['POST', '/v1/template_variations', variation({ unpublished: false, vatom: {} })],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: many }],
    )
    const search = (limit: number): Request => ['POST', '/v1/vatom/discover', { limit }]
    const before = await sent(publisher, search(many), 'r/0')
    expect(before).toMatchObject({ status: 200, payload: { count: many }, headers: { 'vatom-dry-run': 'true' } })
    expect(before.headers).not.toHaveProperty('content-length')
    expect(await sent(publisher, ['PATCH', '/v1/user', {}], 'r/0')).toMatchObject({ status: 200 })
    const refused = await sent(publisher, search(many), 'r/1')
    expect(refused).toMatchObject({ status: 400, body: { error: 9047, message: expect.stringContaining('too long') } })
    expect(await sent(publisher, search(9), 'r/1')).toMatchObject({ status: 200, payload: { count: 9 } })
  })

  test('one that is sent again takes its own place, and drops what came after', async () => {
    const { publisher } = await dryWorld()
    await sent(publisher, coupon, 'a/0')
    await sent(publisher, gold, 'a/1')
    expect(await sent(publisher, gold, 'a/1')).toMatchObject({ status: 200 })
    expect(await sent(publisher, coupon, 'a/0')).toMatchObject({ status: 200 })
    expect(await sent(publisher, emission, 'a/2')).toMatchObject({ status: 409, body: { error: 9046 } })
  })

  const lost = { status: 409, body: { error: 9046 } }
  const taken = { status: 409, body: { error: 521 } }

  test('is one user’s own, and lost once it rests and they have too many others', async () => {
    const { publisher, other } = await dryWorld()
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    await sent(publisher, coupon, 'a/0')
    expect(await sent(other, gold, 'a/1')).toMatchObject(lost)
    await sent(other, ['PATCH', '/v1/user', {}], 'a/0')
    const last = limits.dryRunsOfCaller - 1
    for (let index = 0; index < last; index++) await sent(publisher, coupon, `b${index}/0`)
    const busy = {
      status: 503,
      body: { error: 9016, message: expect.stringContaining('until some of yours have ended') },
    }
    expect(await sent(publisher, coupon, `b${last}/0`)).toMatchObject(busy)
    expect(await sent(publisher, gold, 'a/1')).toMatchObject({ status: 200 })
    vi.advanceTimersByTime(limits.dryRunResting - 1)
    expect(await sent(publisher, coupon, `b${last}/0`)).toMatchObject(busy)
    for (let index = 0; index < last; index++) await sent(publisher, coupon, `b${index}/0`)
    vi.advanceTimersByTime(1)
    expect(await sent(publisher, coupon, `b${last}/0`)).toMatchObject({ status: 200 })
    expect(await sent(publisher, gold, 'a/1')).toMatchObject(lost)
    expect(await sent(publisher, gold, 'b1/1')).toMatchObject({ status: 200 })
    expect(await sent(other, ['PATCH', '/v1/user', {}], 'a/1')).toMatchObject({ status: 200 })
  })

  test('is of one address where nobody is signed in, and where all places are taken, whoever has most gives one up', async () => {
    const { service, publisher } = await dryWorld()
    const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
    const join = (address: number, place: string) =>
      send(
        { appId: 'local', inject: (request) => overHttp(port, request, `127.0.0.${address}`) },
        'POST',
        '/v1/users',
        {
          ...dry({ body: registration('eve@example.com') }, place),
        },
      )
    expect(await join(1, 'a/0')).toMatchObject({ status: 200 })
    expect(await join(2, 'a/1')).toMatchObject(lost)
    expect(await join(1, 'a/1')).toMatchObject(taken)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const [share, all] = [limits.dryRunsOfCaller, limits.dryRuns]
    for (let index = 1; index < all; index++)
      expect(await join(2 + Math.floor(index / share), `b${index}/0`)).toMatchObject({ status: 200 })
    expect(await sent(publisher, coupon, 'p/0')).toMatchObject({ status: 200 })
    expect(await join(3, `b${share}/1`)).toMatchObject(lost)
    expect(await join(2, 'c/0')).toMatchObject({ status: 200 })
    expect(await join(1, 'a/1')).toMatchObject(taken)
    vi.advanceTimersByTime(limits.dryRunIdle)
    expect(await join(2, 'c/1')).toMatchObject(taken)
    expect(await sent(publisher, coupon, 'q/0')).toMatchObject({ status: 200 })
    expect(await join(1, 'a/1')).toMatchObject(lost)
    expect(await join(2, 'c/1')).toMatchObject(taken)
  })

  test('the bodies that all remember are bounded by the memory: the largest are forgotten, and small ones go on', async () => {
    const { publisher, register } = await dryWorld({ maxMemory: 64 })
    const others = await Promise.all(['b', 'c', 'd'].map((name) => register(`${name}@example.com`)))
    const raw = `{"first_name":"Ada"${' '.repeat(900_000)}}`
    const large = (user: Caller, place: string) => user.call('PATCH', '/v1/user', dry({ raw }, place))
    const fill = async (user: Caller) => {
      const answers = []
      for (let index = 0; index < 4; index++) answers.push(await large(user, `l/${index}`))
      return answers.map(({ status }) => status)
    }
    expect(await sent(publisher, coupon, 'p/0')).toMatchObject({ status: 200 })
    expect(await fill(others[0] ?? publisher)).toEqual([200, 200, 200, 200])
    expect(await fill(others[1] ?? publisher)).toEqual([200, 200, 200, 200])
    expect(await fill(others[2] ?? publisher)).toEqual([200, 200, 200, 200])
    expect(await sent(publisher, gold, 'p/1')).toMatchObject({ status: 200 })
    const left = []
    for (const user of others) left.push((await large(user, 'l/4')).status)
    expect(left.sort()).toEqual([200, 200, 409])
  })

  describe('of more changes than are repeated', () => {
    const count = limits.dryRunRepeated + 20
    const nameOf = (index: number) => `local.vatom::T${index}::v1`
    const creation = (index: number): Request => ['POST', '/v1/templates', template({ template: nameOf(index) })]
    const full = { status: 400, body: { error: 9047 } }

    async function longRun(requests = count) {
      const world = await dryWorld()
      const statuses = new Set<number>()
      for (let index = 0; index < requests; index++)
        statuses.add((await sent(world.publisher, creation(index), `a/${index}`)).status)
      return { ...world, statuses: [...statuses] }
    }

    test('each is answered as after all before it, of which nothing stays', async () => {
      const { publisher, dump, statuses } = await longRun()
      const { templates, ledger } = dump()
      expect({ statuses, templates }).toEqual({ statuses: [200], templates: [] })
      for (const index of [0, limits.dryRunRepeated, count - 1])
        expect(await sent(publisher, creation(index), `a/${count}`)).toMatchObject({
          status: 400,
          body: { error: 9004 },
        })
      const listed = await sent(publisher, ['GET', '/v1/templates?limit=0'], `a/${count}`)
      expect(listed.payload).toHaveLength(count)
      const held = variation({ template: nameOf(3), template_variation: `${nameOf(3)}::V` })
      expect(await sent(publisher, ['POST', '/v1/template_variations', held], `a/${count}`)).toMatchObject({
        status: 200,
      })
      expect(await sent(publisher, ['DELETE', `/v1/templates/${encoded(nameOf(3))}`], `a/${count + 1}`)).toMatchObject({
        status: 200,
        payload: { success_message: `Template ${nameOf(3)} deleted with 1 variation.` },
      })
      expect(dump()).toMatchObject({ templates: [], ledger })
    })

    test('one that is sent again takes its own place, and drops what came after', async () => {
      const { publisher } = await longRun()
      const place = limits.dryRunRepeated + 5
      expect(await sent(publisher, creation(place), `a/${place}`)).toMatchObject({ status: 200 })
      expect(await sent(publisher, creation(count - 1), `a/${place + 1}`)).toMatchObject({ status: 200 })
      expect(await sent(publisher, creation(1), `a/${place + 2}`)).toMatchObject({ status: 400, body: { error: 9004 } })
      expect(await sent(publisher, coupon, `a/${count}`)).toMatchObject({ status: 409, body: { error: 9046 } })
    })

    /** Holds the clock that goes only forward; `later` moves it. */
    function heldClock() {
      let now = Math.ceil(performance.now())
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
      onTestFinished(() => clock.mockRestore())
      return {
        later: (milliseconds: number) => {
          now += milliseconds
        },
      }
    }

    /** How often the database of a world was copied. */
    async function copiesOf(caller: Caller) {
      const alone = vi.spyOn(DryRuns.prototype, 'alone')
      onTestFinished(() => alone.mockRestore())
      await sent(caller, creation(0), 'true')
      const [environment] = alone.mock.calls[0] ?? []
      if (!environment) throw new Error('no dry run was carried out')
      const copied = vi.spyOn(environment.store, 'copyAside')
      return () => copied.mock.calls.length
    }

    test('one that begins again at the same place, over and over, has one copy', async () => {
      const { publisher } = await dryWorld()
      const copies = await copiesOf(publisher)
      const place = limits.dryRunRepeated + 1
      for (let index = 0; index < place; index++) await sent(publisher, creation(index), `a/${index}`)
      for (let time = 0; time < 20; time++)
        expect(await sent(publisher, creation(place), `a/${place}`)).toMatchObject({ status: 200 })
      expect(copies()).toBe(1)
    })

    test('what many rows were before a change is not held: one that begins again before that has a new copy', async () => {
      const { publisher } = await dryWorld()
      await made(
        publisher,
        ['POST', '/v1/templates', template({ unpublished: false })],
        ['POST', '/v1/template_variations', variation({ unpublished: false, vatom: {} })],
      )
      const copies = await copiesOf(publisher)
      expect(await copied(publisher, 'a')).toMatchObject({ status: 200 })
      const many: Request = ['POST', '/v1/vatoms', { template_variation: variationName, num: limits.dryRunPlaceRows }]
      for (const number of [1, 2]) {
        expect(await sent(publisher, many, `a/${first}`)).toMatchObject({ status: 200 })
        expect(copies()).toBe(number)
      }
    })

    /** Begins a dry run, whose next request needs a copy. */
    async function begun(caller: Caller, id: string) {
      for (let index = 0; index < first; index++) await sent(caller, renamed, `${id}/${index}`)
      return { next: () => sent(caller, renamed, `${id}/${first}`) }
    }
    const copied = async (caller: Caller, id: string) => (await begun(caller, id)).next()
    /** Lets so much time pass that nobody still waits, while others use their copies. */
    async function waitedFor(later: (milliseconds: number) => void, use: () => Promise<unknown>) {
      for (let time = 0; time < limits.dryRunWait; time += limits.dryRunResting - 1) {
        await use()
        later(limits.dryRunResting - 1)
      }
    }
    const first = limits.dryRunRepeated + 1
    const renamed: Request = ['PATCH', '/v1/user', { first_name: 'Ada' }]
    const waited = { status: 503, headers: { 'retry-after': '1' }, body: { error: 9016 } }

    test('some of a user go on side by side, each in its copy; others wait until those are no longer used', async () => {
      const { publisher } = await dryWorld()
      const copies = await copiesOf(publisher)
      const { later } = heldClock()
      const ids = ['a', 'b', 'c', 'd'].slice(0, limits.dryRunCopies)
      const read = (id: string) => sent(publisher, ['GET', '/v1/user'], `${id}/${first}`)
      for (const id of ids) expect(await copied(publisher, id)).toMatchObject({ status: 200 })
      const { next } = await begun(publisher, 'e')
      const vain = next()
      await waitedFor(later, async () => {
        for (const id of ids) expect(await read(id)).toMatchObject({ status: 200 })
      })
      expect(await vain).toMatchObject(waited)
      expect(copies()).toBe(ids.length)
      const last = next()
      later(1)
      expect(await last).toMatchObject({ status: 200 })
      expect(copies()).toBe(ids.length + 1)
    })

    test('the database is not copied more often than some times, and then once a second', async () => {
      const { publisher } = await dryWorld()
      const copies = await copiesOf(publisher)
      const { later } = heldClock()
      for (const id of ['a', 'b', 'c', 'd', 'e'].slice(0, limits.dryRunCopies)) await copied(publisher, id)
      later(2000)
      for (const id of ['v', 'w']) expect(await copied(publisher, id)).toMatchObject({ status: 200 })
      const waiting = (await begun(publisher, 'x')).next()
      expect(await sent(publisher, ['GET', '/v1/user'], `w/${first}`)).toMatchObject({ status: 200 })
      expect(copies()).toBe(limits.dryRunCopies + 2)
      later(1000)
      expect(await waiting).toMatchObject({ status: 200 })
      expect(copies()).toBe(limits.dryRunCopies + 3)
    })

    test('all that are not signed in have as many copies together as a user', async () => {
      const { service, publisher } = await dryWorld()
      const copies = await copiesOf(publisher)
      const { later } = heldClock()
      const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
      const guest = async (address: number) => {
        const at = (changes: number) =>
          send(
            { appId: 'local', inject: (request) => overHttp(port, request, `127.0.0.${address}`) },
            'POST',
            '/v1/user/guest',
            dry({}, `g/${changes}`),
          )
        for (let index = 0; index < first; index++) expect((await at(index)).status).toBe(200)
        return at(first)
      }
      for (let address = 1; address <= limits.dryRunCopies; address++) expect((await guest(address)).status).toBe(200)
      const waiting = guest(limits.dryRunCopies + 1)
      expect(await copied(publisher, 'a')).toMatchObject({ status: 200 })
      expect(copies()).toBe(limits.dryRunCopies + 1)
      later(limits.dryRunResting)
      expect((await waiting).status).toBe(200)
    })

    test('one whose connection is closed no longer waits for a copy', async () => {
      const { service, publisher, lines } = await dryWorld()
      heldClock()
      const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
      for (const id of ['a', 'b', 'c', 'd', 'e'].slice(0, limits.dryRunCopies)) await copied(publisher, id)
      await begun(publisher, 'z')
      const asked = vi.spyOn(DryRuns.prototype, 'following')
      onTestFinished(() => asked.mockRestore())
      const [method, path, body] = renamed
      const requests = [{ method, path, body: JSON.stringify(body) }]
      const killed = new AbortController()
      const answered = fetch(`${baseUrl}/__vatom/dry-run`, {
        method: 'POST',
        headers: { 'app-id': 'local', authorization: `Bearer ${service.localToken()}` },
        body: JSON.stringify({ id: 'z', changes: first, requests }),
        signal: killed.signal,
      })
      await vi.waitFor(() => expect(asked).toHaveBeenCalled())
      killed.abort()
      await expect(answered).rejects.toThrow('aborted')
      await vi.waitFor(() => expect(lines).toContainEqual(expect.stringMatching(/^PATCH \/v1\/user 503 .* dry run$/)))
    })

    test('what waits for another thread is refused, and takes no place', async () => {
      const { send } = await dryWorld()
      const join = (index: number) =>
        send('POST', '/v1/users', dry({ body: registration(`user${index}@example.com`) }, `a/${index}`))
      for (let index = 0; index < count; index++) expect(await join(index)).toMatchObject({ status: 200 })
      const body = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }
      expect(await send('POST', '/v1/user/login', dry({ body }, `a/${count}`))).toMatchObject({
        status: 400,
        body: { error: 9045 },
      })
      expect(await join(count)).toMatchObject({ status: 200 })
    })

    test.each([
      ['the database has more than 32 MiB, and is not copied for a longer dry run', limits.dryRunCopy, {}],
      [
        'a copy of the database for a longer dry run would take more than a quarter of --max-memory',
        2 ** 24,
        { maxMemory: 64 },
      ],
    ])('is not predicted, and the answer says why: %s', async (message, bytes, options) => {
      const { publisher, sqlite } = await dryWorld(options)
      sqlite.exec(`CREATE TABLE filler AS SELECT zeroblob(${bytes}) AS bytes`)
      expect(await copied(publisher, 'a')).toMatchObject({ ...full, body: { error: 9047, message } })
      expect(await sent(publisher, coupon, `a/${limits.dryRunRepeated}`)).toMatchObject({ status: 200 })
    })

    test('has a copy once there is room for it in a quarter of the memory; whoever has one takes no other half', async () => {
      const { register, sqlite } = await dryWorld()
      sqlite.exec('CREATE TABLE filler AS SELECT zeroblob(25000000) AS bytes')
      const [ada, bob, eve] = await Promise.all(['a', 'b', 'c'].map((name) => register(`${name}@example.com`)))
      if (!ada || !bob || !eve) throw new Error('three users')
      const { later } = heldClock()
      expect(await copied(ada, 'a')).toMatchObject({ status: 200 })
      expect(await copied(bob, 'a')).toMatchObject({ status: 200 })
      const others = [await begun(ada, 'b'), await begun(eve, 'a')]
      const vain = Promise.all(others.map(({ next }) => next()))
      await waitedFor(later, async () => {
        for (const user of [ada, bob]) await sent(user, ['GET', '/v1/user'], `a/${first}`)
      })
      expect(await vain).toMatchObject([waited, waited])
      later(1)
      expect(await others[1]?.next()).toMatchObject({ status: 200 })
    })

    test('a change that the room for copies is too small for has the room of one that rests, or is not predicted', async () => {
      const { publisher, register, sqlite } = await dryWorld({ maxMemory: 64 })
      const { later } = heldClock()
      const description = 'x'.repeat(50_000)
      await made(
        publisher,
        ['POST', '/v1/templates', template({ unpublished: false }, { description })],
        ['POST', '/v1/template_variations', variation({ unpublished: false, vatom: {} })],
      )
      sqlite.exec('CREATE TABLE filler AS SELECT zeroblob(4000000) AS bytes')
      expect(await copied(await register('ada@example.com'), 'a')).toMatchObject({ status: 200 })
      later(limits.dryRunResting)
      expect(await copied(publisher, 'b')).toMatchObject({ status: 200 })
      const emission = (num: number): Request => ['POST', '/v1/vatoms', { template_variation: variationName, num }]
      expect(await sent(publisher, emission(100), `b/${first + 1}`)).toMatchObject({ status: 200 })
      later(limits.dryRunResting)
      const tooMany = await sent(publisher, emission(1000), `b/${first + 2}`)
      expect(tooMany).toMatchObject({
        ...full,
        body: { message: expect.stringContaining('a quarter of --max-memory') },
      })
      expect(await sent(publisher, renamed, `b/${first + 2}`)).toMatchObject({ status: 200 })
    })

    test('is not predicted after changes that the room for copies is too small for', async () => {
      const { publisher, sqlite } = await dryWorld({ maxMemory: 64 })
      await made(
        publisher,
        ['POST', '/v1/templates', template({ unpublished: false }, { description: 'x'.repeat(50_000) })],
        ['POST', '/v1/template_variations', variation({ unpublished: false, vatom: {} })],
      )
      sqlite.exec('CREATE TABLE filler AS SELECT zeroblob(10000000) AS bytes')
      const emission: Request = ['POST', '/v1/vatoms', { template_variation: variationName, num: 100 }]
      const changes = [emission, ...Array.from({ length: limits.dryRunRepeated }, () => renamed)]
      for (const [index, change] of changes.entries())
        expect(await sent(publisher, change, `a/${index}`)).toMatchObject({ status: 200 })
      expect(await sent(publisher, renamed, `a/${changes.length}`)).toMatchObject({
        ...full,
        body: { message: expect.stringContaining('a quarter of --max-memory') },
      })
    })

    test('is not predicted beyond so many bytes', async () => {
      const { publisher } = await dryWorld()
      const body = `{"first_name": "Ada"${' '.repeat(1_000_000)}}`
      const statuses = []
      for (let index = 0; index < 17; index++) {
        const { status } = await publisher.call('PATCH', '/v1/user', dry({ raw: body }, `a/${index}`))
        statuses.push(status)
      }
      expect(statuses).toEqual([...Array(16).fill(200), 400])
    })
  })
})

test('others read and write at the same time, and nothing of a dry run is theirs', async () => {
  const { publisher, bob, dump } = await dryWorld()
  await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  const names = Array.from({ length: 40 }, (_, index) => `local.vatom::T${index}::v1`)
  const answers = await Promise.all(
    names.flatMap((name) => [
      publisher.call('POST', '/v1/templates', dry({ body: template({ template: name }) })),
      publisher.call('GET', `/v1/templates/${encoded(name)}`),
      publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num: 0 } }),
      bob.call('PATCH', '/v1/user', { body: { first_name: name } }),
    ]),
  )
  const statuses = (offset: number) =>
    new Set(answers.filter((_, index) => index % 4 === offset).map((one) => one.status))
  expect([0, 1, 3].map((offset) => [...statuses(offset)])).toEqual([[200], [404], [200]])
  expect(dump().templates).toHaveLength(1)
})

test('is marked in the journal and in the log, and refused by the routes of the service itself', async () => {
  const { service, publisher, lines } = await dryWorld()
  await publisher.call('POST', '/v1/templates', dry({ body: template() }))
  expect(lines.at(-1)).toMatch(/^POST \/v1\/templates 200 .* dry run$/)
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const journal = await fetch(`${baseUrl}/__vatom/journal`)
  const { payload } = (await journal.json()) as { payload: readonly object[] }
  expect(payload.at(-1)).toMatchObject({ operation: 'createTemplate', dry_run: true })
  expect(journal.headers.get('vatom-dry-run')).toBe('supported')
  expect(await publisher.call('GET', '/v1/user', dry())).toMatchObject({ headers: { 'vatom-dry-run': 'true' } })
  expect(lines.at(-1)).toMatch(/^GET \/v1\/user 200 .* \S+$/)
  expect(lines.at(-1)).not.toContain('dry run')
  const headers = { 'vatom-dry-run': 'true' }
  const refused = await fetch(`${baseUrl}/__vatom/clock`, { method: 'PUT', headers, body: '{"advance_seconds": 9}' })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 9045 }])
})

test('one dry run of everything a publisher does predicts each answer', async () => {
  const names = ['A', 'B'].map((name) => `local.vatom::${name}::v1`)
  const name = fc.constantFrom(...names)
  const request = fc.oneof(
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/v1/templates'),
      fc.record({
        template: name,
        unpublished: fc.boolean(),
        vatom: fc.constant(template().vatom),
        eth: fc.constantFrom(chain(), chain('testnet')),
      }),
    ),
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/v1/template_variations'),
      name.map((one) => ({
        template: one,
        template_variation: `${one}::V`,
      })),
    ),
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/v1/vatoms'),
      fc.record({
        template_variation: name.map((one) => `${one}::V`),
        num: fc.integer({ min: 0, max: 6 }),
      }),
    ),
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/v1/publisher/face'),
      name.map((one) => face({ template: one })),
    ),
    fc.tuple(
      fc.constantFrom('PATCH', 'DELETE'),
      fc
        .tuple(fc.constantFrom('templates', 'template_variations'), name)
        .map(([noun, one]) => `/v1/${noun}/${encoded(noun === 'templates' ? one : `${one}::V`)}`),
      fc.constantFrom({ public: true }, { unpublished: false }, {}),
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 14 }), async (requests) => {
      const world = await dryWorld({ balance: 300 })
      let changes = 0
      const dryAnswers = []
      for (const [method, path, body] of requests) {
        const answer = await world.publisher.call(method, path, dry({ body }, `run/${changes}`))
        if (answer.status === 200) changes++
        dryAnswers.push(told(answer))
      }
      const real = []
      for (const [method, path, body] of requests) real.push(told(await world.publisher.call(method, path, { body })))
      expect(dryAnswers).toEqual(real)
    }),
    { numRuns: 12 },
  )
})
