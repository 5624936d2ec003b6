import { describe, expect, test } from 'vitest'
import { readActivity } from '../../../../src/cli/commands/thread/pages.ts'
import { limits } from '../../../../src/contract/limits.ts'
import { at } from '../../../../src/contract/schema/path.ts'
import { action, red, template, variation } from '../../../fixtures/yaml.ts'
import { facing, served, transports, watchedDesk } from '../../../support/desks.ts'
import { type Desk, publisher } from '../../../support/vatom.ts'

const idOf = async ({ json }: Desk, ...words: string[]) => String(at(await json(...words), 'id'))
const registered = (desk: Desk, name: string) =>
  idOf(desk, 'user', 'register', '--email', `${name.toLowerCase()}@example.com`, '--first-name', name)

describe.each(transports)('on the %s transport', (transport) => {
  test('thread send writes to a user; list and show print the messages', async () => {
    const desk = await publisher({ transport })
    const { vatom, json } = desk
    const ann = await registered(desk, 'Ann')
    expect(await vatom('thread', 'send', ann, 'Your coupon is on its way')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Sent a message to ${ann} on `),
    })
    expect((await vatom('thread', 'list')).out).toBe(`${ann}\tAnn\t2026-03-01T12:00:00Z\tYour coupon is on its way\n`)
    expect((await vatom('thread', 'show', ann)).out).toBe(
      '2026-03-01T12:00:00Z\tyou\tUser Message\tYour coupon is on its way\n',
    )
    expect(await vatom('thread', 'show', ann.slice(0, 8))).toMatchObject({
      out: expect.stringContaining('Your coupon is on its way'),
    })
    const me = await idOf(desk, 'whoami')
    expect(await json('thread', 'show', `${me}:${ann}`)).toMatchObject({
      name: `${me}:${ann}`,
      messages: [{ message: { msg: 'Your coupon is on its way' } }],
      has_more: false,
      next: null,
    })
  })

  test('what a user wrote is shown as it was written', async () => {
    const desk = await publisher({ transport })
    const ann = await registered(desk, 'Ann')
    const text = 'use <b> and </b> and <i>x</i> & &amp; tags'
    await desk.json('thread', 'send', ann, text)
    expect((await desk.vatom('thread', 'show', ann)).out).toContain(`\t${text}\n`)
    expect((await desk.vatom('thread', 'list')).out).toContain(`\t${text}\n`)
  })

  test('a long message is shown whole on a terminal, broken between words', async () => {
    const desk = await publisher({ transport })
    const ann = await registered(desk, 'Ann')
    const text = `Dear Ann,\n${'the summer campaign starts on Monday '.repeat(10).trim()}\n\u001b[31mred`
    await desk.json('thread', 'send', ann, text)
    const { out } = await desk.run(['thread', 'show', ann, '--no-color'], { tty: true, columns: 60 })
    const [head, greeting, ...lines] = out.trimEnd().split('\n')
    expect([head, greeting]).toEqual(['2026-03-01 12:00  you', '  Dear Ann,'])
    for (const line of lines) expect(line).toMatch(/^ {2}\S.{0,57}$/)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(
      `${'the summer campaign starts on Monday '.repeat(10)}\\u001b[31mred`,
    )
  })

  test('a message goes to the user whose id begins as given, of those who have a thread', async () => {
    const desk = await publisher({ transport })
    const ann = await registered(desk, 'Ann')
    await desk.json('thread', 'send', ann, 'one')
    expect(await desk.vatom('thread', 'send', ann.slice(0, 8), 'two')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Sent a message to ${ann} on `),
    })
  })

  test('messages to oneself are in a thread of their own, and a thread without messages is an error', async () => {
    const desk = await publisher({ transport })
    const { vatom, json } = desk
    expect(await vatom('thread', 'list')).toMatchObject({ code: 0, out: '', err: 'No threads.\n' })
    const me = await idOf(desk, 'whoami')
    await json('thread', 'send', me, 'Remember.')
    expect((await vatom('thread', 'list')).out).toContain(`${me}\t\t`)
    expect((await vatom('thread', 'show', me)).out).toContain('\tRemember.\n')
    for (const nobody of [await registered(desk, 'Ann'), 'nope', `${me}:nope`]) {
      expect(await vatom('thread', 'show', nobody)).toEqual({
        code: 1,
        out: '',
        err: `error: There is no thread ${nobody}\nhint: list what exists: vatom thread list\n`,
      })
      expect(await vatom('thread', 'show', nobody, '--all')).toMatchObject({ code: 1, out: '' })
    }
    expect(await vatom('thread', 'show', 'x:y')).toMatchObject({
      code: 4,
      err: expect.stringContaining('vatom thread list'),
    })
  })

  test('a page names the next one in a note and in JSON; --all shows every page, the newest first', async () => {
    const desk = await publisher({ transport })
    const { run, vatom, json } = desk
    const ann = await registered(desk, 'Ann')
    for (const text of ['one', 'two', 'three']) await json('thread', 'send', ann, text)
    const show = ['thread', 'show', ann]
    const page = await json(...show, '--limit', '2')
    expect(page).toMatchObject({
      messages: [{ message: { msg: 'three' } }, {}],
      has_more: true,
      next: expect.any(String),
    })
    expect((await vatom(...show, '--limit', '2')).err).toBe(`There are more: --cursor ${at(page, 'next')}, or --all\n`)
    const rest = await json(...show, '--limit', '2', '--cursor', String(at(page, 'next')))
    expect(rest).toMatchObject({ messages: [{ message: { msg: 'one' } }], has_more: false, next: null })
    expect(await json(...show, '--limit', '3')).toMatchObject({ has_more: false })
    const all = await run([...show, '--all'])
    expect([...all.out.matchAll(/\t(\w+)\n/g)].map(([, text]) => text)).toEqual(['three', 'two', 'one'])
    expect(await vatom(...show, '--all', '--cursor', '1')).toMatchObject({ code: 2 })
    await json('thread', 'send', await idOf(desk, 'whoami'), 'x')
    expect(await json('thread', 'list', '--limit', '1')).toMatchObject({ threads: [{}], has_more: true })
    expect(await json('thread', 'list', '--all')).toMatchObject({ threads: [{}, {}], has_more: false })
  })

  test.each([
    [['send', 'x', 'y'.repeat(limits.message + 1)], 2, 'must have at most'],
    [['send', 'x', ''], 2, 'must not be empty'],
    [
      ['send', 'nobody', 'Hello'],
      1,
      'hint: give the whole id of a user, or the beginning of one of: vatom thread list',
    ],
    [['list', '--limit', '0'], 2, 'it must be a whole number from 1'],
  ])('thread %j is refused', async (words, code, message) => {
    const { vatom, changes } = await watchedDesk(transport)
    expect(await vatom('thread', ...words)).toMatchObject({ code, err: expect.stringContaining(message) })
    if (code === 2) expect(changes()).toEqual([])
  })
})

test('a table of threads fits 80 columns, with whole ids', async () => {
  const desk = await publisher()
  const ann = await registered(desk, 'Ann')
  await desk.json('thread', 'send', ann, 'A message that is too long to be shown as a whole in a table')
  const { out } = await desk.run(['--no-color', 'thread', 'list'], { tty: true, columns: 80 })
  const [head, row = ''] = out.split('\n')
  expect(head).toMatch(/^USER +NAME +WHEN +LAST MESSAGE$/)
  expect(row).toContain(`${ann}  Ann   2026-03-01 12:00  A message`)
  expect(row.length).toBeLessThanOrEqual(80)
})

test('a narrower terminal shows the beginnings of ids, and the columns that there is no room for are named', async () => {
  const desk = await publisher()
  const ann = await registered(desk, 'Ann')
  await desk.json('thread', 'send', ann, 'A message')
  const { out, err } = await desk.run(['--no-color', 'thread', 'list'], { tty: true, columns: 40 })
  expect(out).toBe(`USER      NAME  WHEN\n${ann.slice(0, 8)}  Ann   2026-03-01 12:00\n`)
  expect(err).toBe('No room for LAST MESSAGE: use a wider\nterminal, or add --json\n')
})

test('a message of the service is shown without its marks, with names as they are', async () => {
  const { login, file, json, run, vatom } = await served()
  await login()
  file('tea.yaml', template())
  file('red.yaml', variation().replace(/title: .*/, 'title: Tea & <b>Co</b>'))
  file('transfer.yaml', action())
  for (const document of ['template create tea.yaml', 'variation create red.yaml', 'action register transfer.yaml'])
    await json(...document.split(' '))
  const email = ['--email', 'ann@example.com', '--password-stdin']
  await run(['user', 'register', ...email], { stdin: 'secret-of-ann' })
  const id = String(at(await json('emit', red), 'ids', 0))
  await json('act', 'Transfer', id, '-d', 'new.owner.email=ann@example.com')
  await login(['--context', 'ann', ...email], 'secret-of-ann')
  const { out } = await vatom('thread', 'list')
  expect(out.trimEnd().split('\t').at(-1)).toBe('Somebody sent you a Tea & <b>Co</b> vAtom.')
})

const written = {
  msg_id: 1,
  user_id: 'a',
  vatoms: [],
  templ_vars: null,
  msg: 'Hello',
  action_name: 'User Message',
  when_created: '2026-03-01T12:00:00Z',
  triggered_by: 'b',
  generic: null,
  geo_pos: null,
  to_data_lake: false,
  no_message: false,
}
const sender = { name: 'Ann', avatar_uri: '' }
const threadNamed = (name: string) => ({
  name,
  when_modified: 1,
  last_message: written,
  last_message_user_info: sender,
})

/** A service that answers every request with a cursor that is new, and what is to be in each page. */
async function endless(pageOf: (asked: number) => object) {
  let asked = 0
  const desk = await facing(({ url }, response) => {
    const payload = url?.startsWith('/v1/activity/') ? { cursor: String(++asked), ...pageOf(asked) } : { id: 'me' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ request_id: 'x', payload }))
  })
  return { ...desk, asked: () => asked }
}

test.each([
  [['list'], { threads: [threadNamed('me:b')] }, 'threads'],
  [['show', 'me:b'], { messages: [{ message: written, when_modified: 1 }] }, 'messages'],
])('thread %j --all reads what a service that ignores cursors answers once', async (words, page, key) => {
  const { run, env, asked } = await endless((count) => (count > 5 ? {} : page))
  const { code, out } = await run(['thread', ...words, '--all', '--json'], { env })
  expect([code, at(JSON.parse(out), key)]).toEqual([0, page[key as keyof typeof page]])
  expect(asked()).toBe(2)
})

test('threads without an end are given up, by their number and by their size', async () => {
  const most = (count: number, text = '') => {
    let last = 0
    const ask = async () => {
      const entries = Array.from({ length: count }, () => ({ name: ++last, text }))
      return { entries, cursor: String(last) }
    }
    return readActivity({ ask, keyOf: ({ name }) => name }, { all: true })
  }
  const failure = (after: string) => ({
    code: 'endless_list',
    message: `The service's list did not end after ${after}`,
    hint: 'narrow the search, or read some pages by themselves with --limit, and --page or --cursor',
  })
  await expect(most(limits.listed / 4)).rejects.toMatchObject(failure(`${limits.listed} records`))
  await expect(most(100, 'x'.repeat(1_000_000))).rejects.toMatchObject(failure(`${limits.listedCharacters} characters`))
})
