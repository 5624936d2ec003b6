import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { avatar, png, smallFile } from '../../fixtures/files.ts'
import { assetFiles, newDatabase, newFolder } from '../../support/folders.ts'
import { doors, testService } from '../../support/service.ts'

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

  test('another takes the place of the one before, whose file is gone', async () => {
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

  test('one that is too large is refused before it is kept', async () => {
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
