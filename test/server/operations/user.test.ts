import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { openService } from '../../../src/server/service.ts'
import { avatar, png, smallFile } from '../../fixtures/files.ts'
import { folderType } from '../../support/acting.ts'
import { assetFiles, newDatabase, newFolder } from '../../support/folders.ts'
import { doors, emitted, made, outbox, registration, testService } from '../../support/service.ts'
import { onMap, storedWorld } from '../../support/worlds.ts'

const trash = '00000000-0000-0000-0000-000000000000'

describe('another user', () => {
  test('is shown with the names and the avatar that they do not hide', async () => {
    const { register, publisher } = await testService()
    const ann = await register('ann@example.com')
    const seen = async () => (await publisher.call('GET', `/v1/users/${ann.id}`)).payload
    const properties = { first_name: '', last_name: '' }
    expect(await seen()).toEqual({ id: ann.id, properties })
    await ann.call('PATCH', '/v1/user', { body: { first_name: 'Ann', last_name: 'Lee', birthday: '2000-01-01' } })
    await ann.call('POST', '/v1/user/avatar', { files: [avatar()] })
    const { avatar_uri } = (await ann.call('GET', '/v1/user')).payload.properties
    const names = { first_name: 'Ann', last_name: 'Lee' }
    expect(await seen()).toEqual({ id: ann.id, properties: { ...names, avatar_uri } })
    await ann.call('PATCH', '/v1/user', { body: { name_public: false } })
    expect(await seen()).toEqual({ id: ann.id, properties: { ...properties, avatar_uri } })
    await ann.call('PATCH', '/v1/user', { body: { name_public: true, avatar_public: false } })
    expect(await seen()).toEqual({ id: ann.id, properties: names })
  })

  test('is shown to those who are signed in', async () => {
    const { send, publisher } = await testService()
    expect(await send('GET', `/v1/users/${publisher.id}`)).toMatchObject({ status: 403 })
    expect(await publisher.call('GET', `/v1/users/${trash}`)).toMatchObject({ status: 404, body: { error: 9007 } })
  })
})

test('asset providers are those of a session', async () => {
  const { publisher, send } = await testService()
  const { payload } = await send('POST', '/v1/users', { body: registration('ann@example.com') })
  const { asset_provider } = payload
  expect((await publisher.call('GET', '/v1/user/asset_providers')).payload).toEqual({ asset_provider })
  expect(asset_provider).toEqual([{ name: 'local', type: 'local', uri: 'http://127.0.0.1:4100', descriptor: {} }])
})

describe('deleting oneself', () => {
  test('ends tokens, sessions and logins, and frees the address', async () => {
    const { register, send, publisher } = await testService()
    const ann = await register('ann@example.com')
    const login = { body: { token: 'ann@example.com', token_type: 'email', auth_data: { password: 'secret' } } }
    const { payload } = await send('POST', '/v1/user/login', login)
    expect(await ann.call('DELETE', '/v1/user')).toMatchObject({
      status: 200,
      payload: { success_message: 'User deleted, with 1 user token and 2 sessions; 0 vAtoms trashed.' },
    })
    for (const token of [ann.token, payload.access_token.token])
      expect(await send('GET', '/v1/user', { headers: { authorization: `Bearer ${token}` } })).toMatchObject({
        status: 403,
        body: { error: 401 },
      })
    const headers = { authentication: payload.refresh_token.token }
    expect(await send('POST', '/v1/access_token', { headers })).toMatchObject({ status: 403, body: { error: 2049 } })
    expect(await send('POST', '/v1/user/login', login)).toMatchObject({ status: 403, body: { error: 2030 } })
    expect(await publisher.call('GET', `/v1/users/${ann.id}`)).toMatchObject({ status: 404 })
    expect((await register('ann@example.com')).id).not.toBe(ann.id)
  })

  test('gives the vAtoms to the trash user, and leaves those of others', async () => {
    const { clock, advance, ...world } = await testService({ publishers: ['local.vatom', 'other.example'] })
    const { payload } = await world.send('POST', '/v1/users', { body: registration('ann@example.com') })
    const kept = await emitted(world.publisher, 'local.vatom::Kept', 2)
    const { baseUrl } = await world.service.listen({ host: '127.0.0.1', port: 0 })
    await fetch(`${baseUrl}/__vatom/users/${payload.user.id}`, {
      method: 'PATCH',
      body: JSON.stringify({ is_admin: true, pub_fqdn: 'other.example' }),
    })
    const ann = world.as(payload.user.id, payload.access_token.token)
    const lost = await emitted(ann, 'other.example::Lost', 2, { visibility: { type: 'public' } })
    const seen = async (id = '') => (await world.publisher.call('GET', `/v1/vatoms/${id}`)).status
    expect(await seen(lost[0])).toBe(200)
    expect(await ann.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
    expect([await seen(lost[0]), await seen(lost[1]), await seen(kept[0])]).toEqual([403, 403, 200])
    const found = await world.publisher.call('POST', '/v1/vatom/discover', { body: {} })
    expect(found.payload.results.map(({ id }: { id: string }) => id).sort()).toEqual([...kept].sort())
    expect(await world.publisher.call('GET', '/v1/templates/other.example::Lost')).not.toMatchObject({ status: 404 })
  })

  test('takes all off the map and out of everybody’s sight, each changed once', async () => {
    const { publisher, bob, act, drop, store } = await storedWorld()
    const byContainer = { visibility: { type: 'container' } }
    const [box = ''] = await emitted(publisher, 'local.vatom::Box', 1, { root_type: folderType })
    const [leaf = ''] = await emitted(publisher, 'local.vatom::Leaf', 1, byContainer)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: box }])
    const [kept = ''] = await emitted(publisher, 'local.vatom::Kept', 1)
    await drop(box, 1, 2)
    await act((vatoms, now) => vatoms.give(box, bob.id, now))
    await drop(box, 1, 2)
    await drop(kept, 3, 4)
    expect((await onMap(publisher)).sort()).toEqual([box, kept].sort())
    const before = new Map([box, leaf].map((id) => [id, JSON.parse(store.vatoms.byId(id)?.json ?? '')]))
    expect(await bob.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
    expect(await onMap(publisher)).toEqual([kept])
    for (const [id, was] of before) {
      const row = store.vatoms.byId(id)
      const is = JSON.parse(row?.json ?? '')
      expect([row?.owner, row?.public, row?.parent_id]).toEqual([trash, 0, '.'])
      expect([is.sync, is['vAtom::vAtomType']]).toMatchObject([
        was.sync + 1,
        { owner: trash, dropped: false, visibility: { type: 'owner' }, parent_id: row?.parent_id },
      ])
    }
  })

  test('is refused to the publisher that the service began with', async () => {
    const { publisher } = await testService()
    expect(await publisher.call('DELETE', '/v1/user')).toMatchObject({ status: 400, body: { error: 9020 } })
    expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  // What is asked of vAtoms and actions: request/life.test.ts.
  test('what is asked at the same moment is done before it, or refused', async () => {
    const { register, service } = await testService()
    const ann = await register('ann@example.com')
    const files = [avatar()]
    const [deleted, ...others] = await Promise.all([
      ann.call('DELETE', '/v1/user'),
      ann.call('PATCH', '/v1/user', { body: { first_name: 'Ann' } }),
      ann.call('POST', '/v1/user/tokens', { body: { token: 'second@example.com', token_type: 'email' } }),
      ann.call('POST', '/v1/user/avatar', { files }),
      ann.call('DELETE', '/v1/user'),
    ])
    expect(deleted).toMatchObject({ status: 200 })
    for (const { status, body } of others) expect([status, body.error]).toEqual([403, 401])
    expect((await outbox(service)).map(({ to }) => to)).toEqual(['ann@example.com'])
  })

  test('a login that is under way is refused', async () => {
    const { register, send } = await testService()
    const ann = await register('ann@example.com')
    const login = { body: { token: 'ann@example.com', token_type: 'email', auth_data: { password: 'secret' } } }
    const [answer] = await Promise.all([send('POST', '/v1/user/login', login), ann.call('DELETE', '/v1/user')])
    expect(answer).toMatchObject({ status: 403, body: { error: 2032 } })
  })
})

test('a reset leaves the publisher the token that they began with', async () => {
  const { publisher, service, advance } = await testService()
  const tokens = async () => (await publisher.call('GET', '/v1/user/tokens')).payload
  const before = await tokens()
  expect(before).toMatchObject([{ properties: { confirmed: true, is_default: true } }])
  advance(60)
  const body = { token: 'own@example.com', token_type: 'email', is_primary: true }
  expect(await publisher.call('POST', '/v1/user/tokens', { body })).toMatchObject({ status: 200 })
  await service.reset()
  expect(await tokens()).toMatchObject([{ id: before[0].id, properties: before[0].properties }])
})

test('opening with another e-mail moves the publisher’s only one, and none that they added', async () => {
  const db = newDatabase()
  const open = async (email: string) => {
    const service = await openService({ db, email, scryptCost: 16 })
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = { 'app-id': 'local', authorization: `Bearer ${service.localToken()}` }
      const { body: text } = await service.inject({ method, path, headers, body: JSON.stringify(body) ?? '' })
      return JSON.parse(text).payload
    }
    const listed = await send('GET', '/v1/user/tokens')
    return { service, send, emails: listed.map((one: { properties: { token: string } }) => one.properties.token) }
  }
  const first = await open('a@local.vatom')
  await first.service.close()
  const second = await open('b@local.vatom')
  expect(second.emails).toEqual(['b@local.vatom'])
  await second.send('POST', '/v1/user/tokens', { token: 'own@example.com', token_type: 'email', is_primary: true })
  await second.service.close()
  const third = await open('c@local.vatom')
  expect(third.emails).toEqual(['own@example.com', 'b@local.vatom', 'c@local.vatom'])
  await third.service.close()
})

const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1])

const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')

const refused = { status: 400, body: { error: 2037, issues: [{ path: '' }] } }

/** A service on disk, whose folder of files is looked into. */
async function world(door: (typeof doors)[number]) {
  const db = newDatabase()
  const opened = await testService({ db }, door)
  const { baseUrl } = await opened.service.listen({ host: '127.0.0.1', port: 0 })
  const ann = await opened.register('ann@example.com')
  const upload = (...files: readonly ReturnType<typeof avatar>[]) => ann.call('POST', '/v1/user/avatar', { files })
  const uri = async (): Promise<string> => (await ann.call('GET', '/v1/user')).payload.properties.avatar_uri
  const load = async (address: string) => await fetch(baseUrl + new URL(address).pathname)
  return { ...opened, ann, upload, uri, load, files: () => assetFiles(`${db}.assets`) }
}

describe.each(doors)('%s', (door) => {
  test.each([
    ['image/png', png],
    ['image/gif', gif],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('an avatar of %s is read where avatar_uri says, without authorization', async (type, content) => {
    const { upload, uri, load, files } = await world(door)
    expect(await uri()).toBe('')
    expect(await upload(avatar(content))).toMatchObject({
      status: 200,
      payload: { success_message: expect.any(String) },
    })
    const address = await uri()
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/assets\/[0-9a-f-]{36}\/avatar$/)
    const response = await load(address)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    expect(files()).toHaveLength(1)
  })

  test('a new one replaces the earlier one, whose file is removed', async () => {
    const { upload, uri, load, files } = await world(door)
    await upload(avatar())
    const first = await uri()
    await upload(avatar(gif))
    const second = await uri()
    expect(second).not.toBe(first)
    expect((await load(first)).status).toBe(404)
    expect((await load(second)).headers.get('content-type')).toBe('image/gif')
    expect(files()).toHaveLength(1)
  })

  test.each([
    ['text', [avatar('no image')]],
    ['a drawing that could run a program', [avatar('<svg xmlns="http://www.w3.org/2000/svg"/>')]],
    ['nothing', [avatar('')]],
    ['no file', []],
    ['another field', [avatar(png, 'picture')]],
    ['no field', [smallFile('me.png', png)]],
  ])('%s is no avatar, and the one before stays', async (_what, sent) => {
    const { upload, uri, load, files } = await world(door)
    await upload(avatar())
    const before = await uri()
    expect(await upload(...sent)).toMatchObject(refused)
    expect(await uri()).toBe(before)
    expect((await load(before)).status).toBe(200)
    expect(files()).toHaveLength(1)
  })

  test('one that is too large is refused before it is stored', async () => {
    const { upload, files, uri } = await world(door)
    const large = (size: number) => avatar(Buffer.concat([png, Buffer.alloc(size - png.length)]))
    expect(await upload(large(limits.avatar + 1))).toMatchObject({ status: 413, body: { error: 9013 } })
    expect(await upload(avatar(), avatar())).toMatchObject({ status: 413, body: { error: 9013 } })
    expect([files(), await uri()]).toEqual([[], ''])
    expect(await upload(large(limits.avatar))).toMatchObject({ status: 200 })
  })

  test('goes with its user', async () => {
    const { upload, uri, load, ann, files } = await world(door)
    await upload(avatar())
    const address = await uri()
    expect(await ann.call('DELETE', '/v1/user')).toMatchObject({ status: 200 })
    expect((await load(address)).status).toBe(404)
    expect(files()).toEqual([])
  })

  test('uploads at once leave one', async () => {
    const { upload, uri, load, files } = await world(door)
    const answers = await Promise.all([png, gif, jpeg].map((content) => upload(avatar(content))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await load(await uri())).status).toBe(200)
    expect(files()).toHaveLength(1)
  })

  test('an avatar is no asset of a publisher', async () => {
    const { publisher, upload, uri } = await world(door)
    await upload(avatar())
    const id = (await uri()).split('/').at(-2)
    expect((await publisher.call('GET', '/v1/publisher/asset')).payload).toEqual([])
    expect(await publisher.call('DELETE', `/v1/publisher/asset/${id}`)).toMatchObject({ status: 403 })
  })
})

test('what is no form is refused as an avatar, too', async () => {
  const { ann } = await world('over HTTP')
  for (const headers of [{ accept: '*/*' }, { 'content-type': 'image/png' }] as readonly Record<string, string>[])
    expect(await ann.call('POST', '/v1/user/avatar', { raw: 'x', headers })).toMatchObject(refused)
})

test('a form that breaks off is refused as an avatar, too', async () => {
  const { ann, files } = await world('over HTTP')
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const raw = '--x\r\nContent-Disposition: form-data; name="avatar"; filename="avatar"\r\n\r\nGIF89a'
  expect(await ann.call('POST', '/v1/user/avatar', { raw, headers })).toMatchObject(refused)
  expect(files()).toEqual([])
})

test('an avatar is brought back with a snapshot', async () => {
  const home = newFolder()
  const db = join(home, 'service.db')
  const { service, publisher } = await testService({ db })
  await publisher.call('POST', '/v1/user/avatar', { files: [avatar()] })
  const uri = async () => (await publisher.call('GET', '/v1/user')).payload.properties.avatar_uri
  const before = await uri()
  const snapshots = await service.snapshots(join(home, 'snapshots'))
  await snapshots.save('a', { replace: false })
  await service.reset()
  expect([await uri(), assetFiles(`${db}.assets`)]).toEqual(['', []])
  await snapshots.load('a')
  expect(await uri()).toBe(before)
  expect(readFileSync(join(`${db}.assets`, before.split('/').at(-2) ?? ''))).toEqual(png)
})
