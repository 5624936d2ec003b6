import { describe, expect, test } from 'vitest'
import { type Caller, made, testService } from '../../support/service.ts'

const says = (caller: Caller, to: Caller, message: string) =>
  made(caller, ['POST', '/v1/user/message', { id: to.id, message }])
const threads = (caller: Caller, body: object = {}) => made(caller, ['POST', '/v1/activity/mythreads', body])
const messages = (caller: Caller, name: string, body: object = {}) =>
  made(caller, ['POST', '/v1/activity/mythreadmessages', { name, ...body }])
const texts = (page: { messages: { message: { msg: string } }[] }) => page.messages.map(({ message }) => message.msg)
const names = (page: { threads: { name: string }[] }) => page.threads.map(({ name }) => name)

async function pair() {
  const world = await testService()
  const [ann, bob] = [await world.register('ann@example.com'), await world.register('bob@example.com')]
  return { ...world, ann, bob }
}

describe('a message', () => {
  test('is in the thread of who it is for with every key that clients read, and in that of who wrote it', async () => {
    const { ann, bob } = await pair()
    expect(await says(ann, bob, 'Hello <Bob>')).toEqual({ success_message: expect.any(String) })
    const message = {
      msg_id: expect.any(Number),
      user_id: bob.id,
      vatoms: [],
      templ_vars: [],
      msg: 'Hello <Bob>',
      action_name: 'User Message',
      when_created: '2027-03-01T12:00:00Z',
      triggered_by: ann.id,
      generic: null,
      geo_pos: null,
      to_data_lake: false,
      no_message: false,
    }
    const thread = {
      name: `${bob.id}:${ann.id}`,
      when_modified: expect.any(Number),
      last_message: message,
      last_message_user_info: { name: '', avatar_uri: '' },
    }
    expect(await threads(bob)).toEqual({ cursor: expect.any(String), threads: [thread] })
    expect(await messages(bob, `${bob.id}:${ann.id}`)).toEqual({
      cursor: expect.any(String),
      messages: [{ message, when_modified: expect.any(Number) }],
    })
    expect(names(await threads(ann))).toEqual([`${ann.id}:${bob.id}`])
    expect(texts(await messages(ann, `${ann.id}:${bob.id}`))).toEqual(['Hello <Bob>'])
  })

  test('to oneself is there once, in the thread with nobody else', async () => {
    const { ann } = await pair()
    await says(ann, ann, 'Remember.')
    expect(names(await threads(ann))).toEqual([`${ann.id}:`])
    expect(texts(await messages(ann, `${ann.id}:`))).toEqual(['Remember.'])
  })

  test.each([[''], ['x'.repeat(4097)]])('of %j is refused', async (message) => {
    const { ann, bob } = await pair()
    expect(await ann.call('POST', '/v1/user/message', { body: { id: bob.id, message } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'message' }] },
    })
    expect(await threads(bob)).toEqual({ cursor: '0', threads: [] })
  })
})

describe('threads', () => {
  test('come with the newest first, whenever they began, a page at a time', async () => {
    const { ann, bob, register } = await pair()
    const cid = await register('cid@example.com')
    for (const [from, text] of [
      [bob, 'one'],
      [cid, 'two'],
      [bob, 'three'],
    ] as const)
      await says(from, ann, text)
    const [withBob, withCid] = [`${ann.id}:${bob.id}`, `${ann.id}:${cid.id}`]
    const all = await threads(ann)
    expect(names(all)).toEqual([withBob, withCid])
    expect(all.threads[0]).toMatchObject({ last_message: { msg: 'three' } })
    expect(all.threads[0].when_modified).toBeGreaterThan(all.threads[1].when_modified)
    const first = await threads(ann, { count: 1 })
    expect(names(first)).toEqual([withBob])
    const second = await threads(ann, { count: 1, cursor: first.cursor })
    expect(names(second)).toEqual([withCid])
    expect(await threads(ann, { count: 1, cursor: second.cursor })).toEqual({ cursor: second.cursor, threads: [] })
  })

  test('tell of the other what is public', async () => {
    const { ann, bob } = await pair()
    await made(ann, ['PATCH', '/v1/user', { first_name: 'Ann', last_name: 'Lee' }])
    await says(ann, bob, 'Hello')
    expect((await threads(bob)).threads[0].last_message_user_info).toEqual({ name: 'Ann Lee', avatar_uri: '' })
    await made(ann, ['PATCH', '/v1/user', { name_public: false }])
    expect((await threads(bob)).threads[0].last_message_user_info).toEqual({ name: '', avatar_uri: '' })
  })
})

describe('messages of a thread', () => {
  test('come with the newest first; a cursor hides what is newer, also what came meanwhile', async () => {
    const { ann, bob } = await pair()
    for (const text of ['1', '2', '3', '4', '5']) await says(ann, bob, text)
    const name = `${bob.id}:${ann.id}`
    for (const body of [{}, { count: 0 }, { cursor: '' }, { cursor: '1.5266534039843187e+18' }])
      expect(texts(await messages(bob, name, body))).toEqual(['5', '4', '3', '2', '1'])
    const first = await messages(bob, name, { count: 2 })
    await says(ann, bob, '6')
    const second = await messages(bob, name, { count: 2, cursor: first.cursor })
    const third = await messages(bob, name, { count: 2, cursor: second.cursor })
    expect([first, second, third].map(texts)).toEqual([['5', '4'], ['3', '2'], ['1']])
    expect(texts(await messages(bob, name, { cursor: third.cursor }))).toEqual([])
  })

  test('differ by their times, in nanoseconds', async () => {
    const { ann, bob, clock } = await pair()
    for (const text of ['1', '2']) await says(ann, bob, text)
    const times = (await messages(bob, `${bob.id}:${ann.id}`)).messages.map(
      (one: { when_modified: number }) => one.when_modified,
    )
    expect(times[0]).toBeGreaterThan(times[1])
    expect(Math.floor(times[1] / 1e9)).toBe(clock().getTime() / 1000)
  })

  test('of others are refused, and so is a request without a name', async () => {
    const { ann, bob } = await pair()
    await says(ann, bob, 'Hello')
    for (const body of [{}, { name: '' }, { name: `${bob.id}:${ann.id}` }, { name: ann.id }, { name: ':' }])
      expect(await ann.call('POST', '/v1/activity/mythreadmessages', { body })).toMatchObject({
        status: 403,
        body: { error: 9044 },
      })
    expect(texts(await messages(ann, `${ann.id}:nobody`))).toEqual([])
  })

  test.each([{ cursor: 'x' }, { cursor: 5 }, { count: -1 }, { count: 1.5 }, { count: '1' }])(
    'are refused for %j',
    async (body) => {
      const { ann } = await pair()
      const sent = { body: { name: `${ann.id}:`, ...body } }
      expect(await ann.call('POST', '/v1/activity/mythreadmessages', sent)).toMatchObject({ status: 400 })
      expect(await ann.call('POST', '/v1/activity/mythreads', { body })).toMatchObject({ status: 400 })
    },
  )
})

test('mobile clients learn from a 401 that they must renew their token', async () => {
  const { send } = await testService({ compat: 'sdk' })
  expect(await send('POST', '/v1/activity/mythreads', { body: {} })).toMatchObject({
    status: 401,
    body: { message: 'Unauthorized' },
  })
})
