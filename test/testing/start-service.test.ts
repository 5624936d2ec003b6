import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  CatalogError,
  connect,
  ServiceError,
  ServiceFailure,
  startService,
  UnreachableError,
} from '../../src/testing/library.ts'
import type { StartOptions } from '../../src/testing/service-types.ts'
import { folderWith } from '../support/folders.ts'

const tea = `
template: $publisher::Tea::v1
unpublished: false
vatom:
  vAtom::vAtomType:
    root_type: vAtom::vAtomType
    title: Tea
    transferable: true
---
template_variation: $publisher::Tea::v1::Green
template: $publisher::Tea::v1
unpublished: false
---
kind: action
name: $publisher::Tea::v1::Action::Transfer
reactor: blockv://v1/Transfer
`

async function started(options: StartOptions = {}) {
  const service = await startService(options)
  onTestFinished(() => service.close())
  return service
}

const withTea = (options: StartOptions = {}) => started({ catalog: folderWith({ 'tea.yaml': tea }), ...options })
const green = 'Tea::v1::Green'

describe('a service for tests', () => {
  test('works while a test has replaced the timers of the process', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const service = await withTea()
    const ann = await service.createUser()
    await service.emit(green, { to: ann })
    expect((await ann.client.getInventory({ body: {} })).vatoms).toHaveLength(1)
    // biome-ignore lint/suspicious/noThenProperty: the word of the format
    service.scenario.set([{ match: { path: '/v1/user' }, then: { latency_ms: 20 } }])
    const app = connect({ baseUrl: service.baseUrl, refreshToken: ann.refreshToken })
    expect((await app.getProfile({})).id).toBe(ann.id)
    await service.reset()
    await service.close()
  })

  test('refuses times that its clock cannot show, and goes on', async () => {
    const service = await withTea()
    const { clock } = service
    const before = clock.now().getFullYear()
    for (const wrong of [
      () => clock.advance({ days: Number.NaN }),
      () => clock.advance({ days: 1e9 }),
      () => clock.set('1950-01-01'),
      () => clock.freeze('10000-01-01'),
    ])
      expect(wrong).toThrow(/must show a time from 1970 to 9998|time/)
    expect(clock.now().getFullYear()).toBe(before)
    await service.emit(green)
    await service.reset()
  })

  test('answers over HTTP and to the clients of its users', async () => {
    const service = await started()
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const ann = await service.createUser({ first_name: 'Ann' })
    const remote = connect({ baseUrl: service.baseUrl, refreshToken: ann.refreshToken })
    expect((await remote.getProfile({})).properties.first_name).toBe('Ann')
    expect((await ann.client.getProfile({})).id).toBe(ann.id)
    const { token, tokenType: token_type, password } = ann
    const login = await remote.login({ body: { token, token_type, auth_data: { password } } })
    expect(login.user.id).toBe(ann.id)
    expect((await service.client.getProfile({})).id).toBe(service.publisher.id)
    await expect(connect({ baseUrl: service.baseUrl }).getProfile({})).rejects.toThrow('Nobody is signed in')
  })

  test('begins with a catalog and with users', async () => {
    const users = [{ first_name: 'Ann' }, { is_merchant: true }]
    const service = await withTea({ users, publisher: 'tea.example' })
    expect(service.publisher.fqdn).toBe('tea.example')
    expect(await service.client.listTemplates({})).toMatchObject([{ name: 'tea.example::Tea::v1' }])
    const [ann, merchant] = service.users
    expect((await ann?.client.getProfile({}))?.properties.first_name).toBe('Ann')
    expect((await merchant?.client.getProfile({}))?.system_properties.is_merchant).toBe(true)
    expect(service.journal.count({ operation: 'createTemplate' })).toBe(0)
  })

  test('refuses a catalog that is not valid, and shows where', async () => {
    const catalog = folderWith({ 'tea.yaml': tea.replace('title: Tea', 'titel: Tea') })
    const failed = await startService({ catalog }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(CatalogError)
    expect(failed).toMatchObject({
      message: expect.stringMatching(/tea\.yaml:7:\d+.*titel: Tea/s),
      problems: [expect.objectContaining({ severity: 'error', line: 7 })],
    })
  })

  test('emits vAtoms, gives them to users, and performs actions', async () => {
    const service = await withTea()
    const ann = await service.createUser()
    const ids = await service.emit(green, { num: 2, to: ann })
    expect(ids).toHaveLength(2)
    const { vatoms } = await ann.client.getInventory({ body: {} })
    expect(vatoms.map(({ id }) => id).sort()).toEqual([...ids].sort())
    const bob = await service.createUser()
    await service.act('Transfer', ids[0] ?? '', { as: ann, input: { 'new.owner.id': bob.id } })
    expect((await bob.client.getInventory({ body: {} })).vatoms).toHaveLength(1)
    expect(service.events({ type: 'inventory', user: bob })).toMatchObject([
      { payload: { id: ids[0], new_owner: bob.id, old_owner: ann.id } },
    ])
    const refused = await service.act('Transfer', ids[0] ?? '', { as: ann }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServiceError)
    expect(refused).toMatchObject({ kind: 'foreignVatom', status: 403 })
  })

  test('has a clock that is set, moved and frozen, and begins at the time that is given', async () => {
    const service = await started({ now: '2030-01-01T00:00:00Z' })
    service.clock.freeze('2030-01-02T00:00:00Z')
    service.clock.advance({ days: 1, minutes: 5 })
    expect(service.clock.now().toISOString()).toBe('2030-01-03T00:05:00.000Z')
    const remote = connect({ baseUrl: service.baseUrl, accessToken: service.publisher.accessToken })
    await expect(remote.getProfile({})).rejects.toThrow(ServiceError)
    service.clock.unfreeze()
    service.clock.set(new Date('2031-01-01T00:00:00Z'))
    expect(service.clock.now().getUTCFullYear()).toBe(2031)
    expect(() => service.clock.set('soon')).toThrow(RangeError)
    await service.reset()
    expect(service.clock.now().toISOString()).toMatch(/^2030-01-01T00:00:0/)
    expect((await service.client.getProfile({})).id).toBe(service.publisher.id)
  })

  test('has a journal that is searched by operation, user, path and status', async () => {
    const service = await started()
    const [ann, bob] = [await service.createUser(), await service.createUser()]
    await ann.client.getProfile({})
    await ann.client.getProfile({})
    await bob.client.getProfile({})
    await ann.client.getTemplate({ name: 'none' }).catch(() => {})
    expect(service.journal.count({ operation: 'getProfile' })).toBe(3)
    expect(service.journal.count({ operation: 'getProfile', user: ann })).toBe(2)
    expect(service.journal.count({ user: bob.id, method: 'GET' })).toBe(1)
    expect(service.journal.find({ path: '/v1/templates/*' })).toEqual([
      expect.objectContaining({ operation: 'getTemplate', user: ann.id, method: 'GET' }),
    ])
    expect(service.journal.find({ status: 200 })).toHaveLength(3)
    await ann.client.updateProfile({ body: { first_name: 'Ann', password: 'very-secret' } })
    const [update] = service.journal.find({ operation: 'updateProfile' })
    expect(JSON.parse(update?.sent ?? '')).toEqual({ first_name: 'Ann', password: '[redacted]' })
    expect(update?.answered).toContain('"first_name":"Ann"')
    service.journal.clear()
    expect(service.journal.find()).toEqual([])
  })

  test('waits for requests and events, and says what there was instead', async () => {
    const service = await withTea()
    const [ann, bob] = [await service.createUser(), await service.createUser()]
    const soon = service.journal.waitFor({ operation: 'getProfile', user: ann }, { count: 2 })
    const event = service.waitForEvent({ type: 'inventory', user: bob })
    await ann.client.getProfile({})
    await bob.client.getProfile({})
    const [id = ''] = await service.emit(green, { to: ann })
    await service.act('Transfer', id, { as: ann, input: { 'new.owner.id': bob.id } })
    await ann.client.getProfile({})
    expect(await soon).toMatchObject([{ user: ann.id }, { user: ann.id }])
    expect(await event).toMatchObject({ user: bob.id, payload: { id } })

    service.journal.verify({ operation: 'getProfile', user: ann }, 2)
    const wrong = () => service.journal.verify({ operation: 'getProfile' }, 1)
    expect(wrong).toThrow(
      /has 3 requests instead of 1 with {"operation":"getProfile"}\. It has \(all\):\n {2}GET \/v1\/user 200/,
    )
    await expect(service.journal.waitFor({ path: '/v1/discover' }, { timeout: 1 })).rejects.toThrow(
      /^after 1 ms: the journal has 0 requests instead of 1/,
    )
    await expect(service.waitForEvent({ type: 'map' }, { timeout: 1 })).rejects.toThrow(
      /those that there were: .*inventory/,
    )
    const left = service.waitForEvent({ type: 'map' })
    await Promise.all([service.reset(), expect(left).rejects.toThrow('the service was reset or closed')])
    const last = service.journal.waitFor({})
    await Promise.all([service.close(), expect(last).rejects.toThrow('It is empty.')])
  })

  test('takes names with $publisher, and refuses members that it does not know', async () => {
    const service = await withTea()
    expect(await service.emit(`$publisher::${green}`)).toHaveLength(1)
    // What JavaScript can pass, whatever the types say.
    const given = (text: string) => JSON.parse(text)
    expect(() => service.clock.advance(given('{"minute":1}'))).toThrow(
      'unknown minute in clock.advance: did you mean minutes?',
    )
    const misspelt = given('{"operaton":"getUser"}')
    expect(() => service.journal.count(misspelt)).toThrow('journal.count: did you mean operation?')
    expect(() => service.journal.find(misspelt)).toThrow('journal.find: did you mean operation?')
    expect(() => service.events(given('{"typ":"inventory"}'))).toThrow('did you mean type?')
    expect(() => connect(given('{"baseURL":"http://127.0.0.1"}'))).toThrow('connect: did you mean baseUrl?')
    expect(() => connect(given('{}'))).toThrow(/needs baseUrl/)
    await expect(startService(given('{"catalogue":"shop"}'))).rejects.toThrow('did you mean catalog?')
    await expect(startService(given('{"tempalte":"shop"}'))).rejects.toThrow(
      /unknown tempalte in startService.*catalog,/,
    )
    await expect(service.emit(green, given('{"number":2}'))).rejects.toThrow(
      'unknown number in emit: known are num, to',
    )
    await expect(service.act('Transfer', 'id', given('{"inputs":{}}'))).rejects.toThrow('did you mean input?')
    expect(service.journal.count({ operation: 'performAction' })).toBe(0)
  })

  test('refuses to look for what cannot be in the journal or among the events', async () => {
    const { journal, events, waitForEvent, createUser } = await started()
    const ann = await createUser()
    await ann.client.getProfile({})
    const none = (filter: object) => () => journal.verify(JSON.parse(JSON.stringify(filter)), 0)
    expect(none({ operation: 'getProfil' })).toThrow(/journal\.verify: operation: .*did you mean getProfile\?/)
    expect(none({ method: 'get' })).toThrow(/method: .*did you mean GET\?/)
    expect(none({ status: '200' })).toThrow(/status: must be a number/)
    expect(none({ status: 2000 })).toThrow(/status: must be a status such as 403/)
    expect(none({ user: 'bob@example.com' })).toThrow(/user: "bob@example\.com" is neither the id of a user nor/)
    for (const user of [{}, 1, null]) expect(none({ user })).toThrow(/takes a user as createUser answers one, or an id/)
    expect(none({ path: 'v1' })).toThrow(/path: must begin with/)
    expect(() => events({ type: 'inventry' })).toThrow(/type: .*did you mean inventory\?/)
    expect(() => events({ user: 'bob@example.com' })).toThrow(TypeError)
    await expect(waitForEvent({ type: 'inventry' })).rejects.toThrow(TypeError)
    await expect(waitForEvent({}, { timeout: -1 })).rejects.toThrow(/timeout/)
    await expect(journal.waitFor({ method: 'get' })).rejects.toThrow(TypeError)
  })

  test('takes a user by id, by address or as a whole, also one who deleted themselves', async () => {
    const { journal, events, emit, createUser } = await withTea()
    const ann = await createUser()
    await emit(green, { to: ann })
    await ann.client.getProfile({})
    for (const user of [ann, ann.id, ann.token, ann.token.toUpperCase()]) {
      expect(journal.count({ operation: 'getProfile', user })).toBe(1)
      expect(events({ type: 'inventory', user }).length).toBeGreaterThan(0)
    }
    await ann.client.deleteUser({})
    expect(journal.count({ operation: 'getProfile', user: ann })).toBe(1)
  })

  test.each([
    ['{"compat":"SDK"}', /compat: .*did you mean sdk\?/],
    ['{"strictSpec":"yes"}', /strictSpec: must be true or false/],
    ['{"callsPerMinute":-1}', /callsPerMinute: must be at least 0/],
    ['{"log":"x"}', /log: must be a function/],
    ['{"seed":{}}', /seed: must be a text or a number/],
    ['{"now":"1950-01-01"}', /now: must be a time from 1970 to 9998/],
    ['{"now":"soon"}', /now: must be a time/],
    ['{"users":{}}', /users: must be a list/],
    ['{"handlerHosts":"tea.example"}', /handlerHosts: must be a list/],
    ['{"catalog":1}', /catalog: must be a path, or a list of paths/],
    ['{"port":"4100"}', /port: must be a number/],
    ['{"publisher":1}', /publisher: must be a string/],
  ])('is not started with %s', async (options, message) => {
    const failed = await startService(JSON.parse(options)).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(TypeError)
    expect(failed).toMatchObject({ message: expect.stringMatching(message) })
  })

  test('refuses as the one who acts what is no user of it', async () => {
    const service = await started()
    for (const as of ['"ann@example.com"', '{"id":"1"}', 'null'])
      await expect(service.act('Transfer', 'id', JSON.parse(`{"as":${as}}`))).rejects.toThrow(
        /^act: as: must be a user, as createUser answers one/,
      )
    await expect(service.createUser(JSON.parse('"Ann"'))).rejects.toThrow(ServiceError)
  })

  test('says that it is closed whatever is asked of it then', async () => {
    const service = await withTea()
    const ann = await service.createUser()
    const copy = await service.snapshot()
    await service.close()
    for (const use of [
      () => service.createUser(),
      () => service.emit(green),
      () => service.act('Transfer', 'id'),
      () => service.snapshot(),
      () => service.restore(copy),
      () => service.reset(),
      () => service.settled(),
      () => service.waitForEvent(),
      () => service.journal.waitFor(),
      () => service.client.getProfile({}),
      () => ann.client.getProfile({}),
      async () => service.journal.count(),
      async () => service.events(),
      async () => service.outbox.messages(),
      async () => service.clock.now(),
      async () => service.scenario.clear(),
    ])
      await expect(use()).rejects.toThrow(/^the service is closed$/)
    await service.close()
  })

  test('refuses users as a client reports it, and what it cannot be started with', async () => {
    const service = await started()
    const user_tokens = [{ token: 'ann@example.com', token_type: 'email' as const }]
    await service.createUser({ user_tokens })
    const taken = await service.createUser({ user_tokens }).catch((error: unknown) => error)
    expect(taken).toBeInstanceOf(ServiceError)
    expect(taken).toMatchObject({ kind: 'tokenTaken', status: 409 })
    await expect(service.createUser(JSON.parse('{"frist_name":"Ann"}'))).rejects.toMatchObject({
      name: 'ServiceError',
      kind: 'invalid',
      issues: [{ path: 'frist_name', message: expect.stringContaining('first_name') }],
    })
    const port = Number(new URL(service.baseUrl).port)
    const failed = await startService({ port }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ServiceFailure)
    expect(failed).toMatchObject({ code: 'port_taken', hint: expect.any(String) })
  })

  test('refuses rules of a scenario that are none, and says which', async () => {
    // What JavaScript can pass, whatever the types say.
    const misspelt = JSON.parse('[{"then":{"drop":true}},{"match":{"operation":"getProfil"},"then":{"status":503}}]')
    const unknown = JSON.parse('[{"match":{"paht":"/v1"},"then":{"status":503}}]')
    await expect(started({ scenario: misspelt })).rejects.toThrow(
      /^The scenario is not valid: rule \S*operation.*getProfile/,
    )
    const service = await started()
    expect(() => service.scenario.set(unknown)).toThrow(/paht.*path/)
    const event = JSON.parse('[{"match":{"event":"inventry"},"then":{"omit":true}}]')
    expect(() => service.scenario.set(event)).toThrow(/match\.event.*did you mean inventory/)
    expect(service.scenario.rules()).toEqual([])
  })

  test('applies a scenario to requests over HTTP alone', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the word of the format
    const service = await started({ scenario: [{ times: 1, then: { status: 503 } }] })
    await service.client.getProfile({})
    const remote = connect({ baseUrl: service.baseUrl, refreshToken: service.publisher.refreshToken })
    await expect(remote.getProfile({})).rejects.toMatchObject({ status: 503 })
    expect(service.scenario.rules()).toMatchObject([{ remaining: 0 }])
    expect((await remote.getProfile({})).id).toBe(service.publisher.id)
    // biome-ignore lint/suspicious/noThenProperty: the word of the format
    service.scenario.set([{ then: { drop: true } }])
    await expect(remote.getProfile({})).rejects.toThrow(UnreachableError)
    service.scenario.clear()
    expect(service.journal.find().filter(({ injected }) => injected)).toHaveLength(2)
  })

  test('has an outbox with the codes that users were sent', async () => {
    const service = await started()
    const body = { password: 'secret', user_tokens: [{ token: 'ann@example.com', token_type: 'email' }] }
    await connect({ baseUrl: service.baseUrl }).registerUser({ body })
    expect(service.outbox.codeFor('ann@example.com')).toMatch(/^\d{6}$/)
    expect(service.outbox.messages('bob@example.com')).toEqual([])
    expect(service.outbox.messages()).toMatchObject([{ to: 'ann@example.com', tokenType: 'email' }])
  })

  test('after a reset it is as at the start, and makes the same ids', async () => {
    const service = await withTea({ users: [{}] })
    const first = [await service.emit(green), (await service.createUser()).id]
    await service.users[0]?.client.logout({})
    await service.reset()
    expect(service.events()).toEqual([])
    expect(service.journal.find()).toEqual([])
    expect((await service.client.getInventory({ body: {} })).vatoms).toEqual([])
    expect((await service.users[0]?.client.getProfile({}))?.id).toBe(service.users[0]?.id)
    expect([await service.emit(green), (await service.createUser()).id]).toEqual(first)
  })

  test('a user who deleted themselves is there again after a reset, and after a restore', async () => {
    const service = await startService({ users: [{}] })
    onTestFinished(() => service.close())
    const [{ client, id } = await service.createUser()] = service.users
    const away = async () => {
      await client.deleteUser({})
      await expect(client.getProfile({})).rejects.toThrow()
    }
    await away()
    await service.reset()
    expect(await client.getProfile({})).toMatchObject({ id })
    const snapshot = await service.snapshot()
    await away()
    await service.restore(snapshot)
    expect(await client.getProfile({})).toMatchObject({ id })
  })

  test('a snapshot of another service is not restored', async () => {
    const [one, other] = [await startService(), await startService()]
    onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined))
    await one.snapshot()
    await expect(one.restore(await other.snapshot())).rejects.toThrow('of other services')
  })

  test('a reset ends what nobody waited for', async () => {
    const service = await withTea({ users: [{}] })
    const left = service.emit(green, { num: 20, to: service.users[0]?.id ?? '' }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(service.journal.count({ operation: 'emit' })).toBe(1), { interval: 1 })
    await service.reset()
    const mine = await service.emit(green, { num: 20 })
    expect(await left).toBeInstanceOf(Error)
    expect((await service.client.getInventory({ body: {} })).vatoms).toHaveLength(mine.length)
    expect(service.journal.find({ operation: 'performAction' })).toEqual([])
  })

  test('returns to a snapshot, as often as wanted, until it is reset', async () => {
    const service = await withTea()
    await service.emit(green)
    const one = await service.snapshot()
    for (let time = 0; time < 2; time++) {
      await service.emit(green)
      await service.restore(one)
      expect((await service.client.getInventory({ body: {} })).vatoms).toHaveLength(1)
    }
    await service.reset()
    await expect(service.restore(one)).rejects.toThrow('no such snapshot')
  })

  test('two with the same seed make the same ids, others do not', async () => {
    const idIn = async (options: StartOptions) => (await (await started(options)).createUser()).id
    expect(await idIn({ seed: 7 })).toBe(await idIn({ seed: '7' }))
    expect(await idIn({})).toBe(await idIn({}))
    expect(await idIn({ seed: 7 })).not.toBe(await idIn({ seed: 8 }))
  })

  test('makes access tokens with the same ids for the same seed, and again after a reset', async () => {
    const claims = ({ accessToken }: { accessToken: string }) =>
      JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).jti
    const [one, same] = [await started({ seed: 1 }), await started({ seed: 1 })]
    const ids = async (service: typeof one) => [await service.createUser(), await service.createUser()].map(claims)
    const first = await ids(one)
    expect(new Set(first).size).toBe(2)
    expect(claims(one.publisher)).toBe(claims(same.publisher))
    expect(await ids(same)).toEqual(first)
    await one.reset()
    expect(await ids(one)).toEqual(first)
  })

  test('is closed at the end of a block', async () => {
    let address = ''
    {
      await using service = await startService()
      address = service.baseUrl
      expect((await fetch(`${address}/__vatom/health`)).status).toBe(200)
    }
    await expect(fetch(`${address}/__vatom/health`)).rejects.toThrow()
  })
})
