import { appendFileSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendFile } from '../../../../src/cli/service/upload.ts'
import { createClient } from '../../../../src/client/client.ts'
import type { Transport } from '../../../../src/client/transport.ts'
import type { Files, WireFile } from '../../../../src/contract/api/wire.ts'
import { limits } from '../../../../src/contract/limits.ts'
import { coupon, template } from '../../../fixtures/yaml.ts'
import { transports, watchedDesk } from '../../../support/desks.ts'
import { type Desk, deskOf, publisher } from '../../../support/vatom.ts'

const upload = 'POST /v1/publisher/asset'

const url = /^http:\/\/127\.0\.0\.1:\d+\/assets\/[0-9a-f-]{36}\/[^/\n]+$/

const ids = async ({ json }: Desk) => ((await json('asset', 'list')) as { id: string }[]).map(({ id }) => id)

/** A desk whose service tells when it has answered an upload. */
async function listeningDesk(transport: (typeof transports)[number], answered: (desk: Desk) => void) {
  const desk = await publisher({
    transport,
    service: { log: (line) => line.startsWith(`${upload} `) && answered(desk) },
  })
  return desk
}

describe.each(transports)('on the %s transport', (transport) => {
  describe('asset upload', () => {
    test('prints the address of each file on stdout, and notes on stderr', async () => {
      const desk = await watchedDesk(transport)
      desk.file('images/card.svg', '<svg/>')
      desk.file('note.txt', 'a note')
      const { code, out, err } = await desk.vatom('asset', 'upload', 'images/card.svg', 'note.txt')
      expect(code).toBe(0)
      const [card, note, end] = out.split('\n')
      expect([card, note, end]).toEqual([expect.stringMatching(url), expect.stringMatching(url), ''])
      expect(card).toMatch(/\/card\.svg$/)
      expect(err).toContain('Uploaded card.svg (image/svg+xml, 6 B)')
      expect(err).toMatch(/this machine only|127\.0\.0\.1/)
      expect(desk.changes()).toEqual([upload, upload])
    })

    test.each([
      ['ticket.png', 'no picture', true],
      ['TICKET.PNG', 'no picture', true],
      ['ticket.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), false],
      ['ticket.svg', '<svg/>', false],
      ['ticket.txt', 'a note', false],
      ['ticket', 'a note', false],
    ])('warns where the name %s says something else than the content', async (name, content, isWarned) => {
      const { file, vatom, json } = await publisher({ transport })
      const { code, err } = await vatom('asset', 'upload', file(name, content))
      const [{ id }] = (await json('asset', 'list')) as [{ id: string }]
      const warning = `warning: ${name} ends with ${name.slice(6).toLowerCase()}, but its content is text/plain: viewers may not show it; to delete it: vatom asset delete ${id}\n`
      expect({ code, isWarned: err.includes(warning) }).toEqual({ code: 0, isWarned })
      expect(err.includes('warning')).toBe(isWarned)
    })

    test('has the warning about a name and its content under --json, too', async () => {
      const { file, json } = await publisher({ transport })
      const { results } = (await json(
        'asset',
        'upload',
        file('ticket.png', 'no picture'),
        file('note.txt', 'a note'),
      )) as {
        results: { asset: { id: string }; problems: unknown[] }[]
      }
      expect(results.map(({ problems }) => problems)).toEqual([
        [
          expect.objectContaining({
            file: 'ticket.png',
            rule: 'asset-content',
            severity: 'warning',
            message: 'ticket.png ends with .png, but its content is text/plain: viewers may not show it',
            hint: `to delete it: vatom asset delete ${results[0]?.asset.id}`,
          }),
        ],
        [],
      ])
    })

    test('prints a row a file under --json, with the asset', async () => {
      const desk = await publisher({ transport })
      desk.file('note.txt', 'a note')
      expect(await desk.json('asset', 'upload', 'note.txt')).toEqual({
        results: [
          {
            file: 'note.txt',
            kind: 'asset',
            name: 'note.txt',
            status: 'created',
            message: expect.stringContaining('note.txt'),
            problems: [],
            asset: expect.objectContaining({ name: 'note.txt', size: 6, url: expect.stringMatching(url) }),
          },
        ],
        summary: { total: 1, ok: 1, failed: 0 },
      })
    })

    test('prints addresses alone with --quiet', async () => {
      const { file, vatom } = await publisher({ transport })
      file('note.txt', 'a note')
      expect(await vatom('asset', 'upload', '--quiet', 'note.txt')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^http:.*\/note\.txt\n$/),
        err: '',
      })
    })

    test('shows no control character of a file’s name, on a terminal or not', async () => {
      const { file, run } = await publisher({ transport })
      file('a\u001b[31m\u0007.txt', 'a note')
      for (const tty of [true, false]) {
        const { code, out, err } = await run(['--no-color', 'asset', 'upload', 'a\u001b[31m\u0007.txt'], { tty })
        expect([code, out]).toEqual([0, expect.stringMatching(/\/a%5B31m\.txt\n$/)])
        expect(err).toContain('a\\u001b[31m\\u0007.txt')
        for (const raw of ['\u001b[31m', '\u0007']) expect(err).not.toContain(raw)
      }
    })

    test('names every file that cannot be sent, and sends none: exit 3', async () => {
      const desk = await watchedDesk(transport)
      desk.file('note.txt', 'a note')
      desk.file('folder/inner.txt', '')
      desk.file('large.bin', '')
      truncateSync(join(desk.home, 'large.bin'), limits.asset + 1)
      const given = ['missing.png', 'note.txt', 'folder', 'large.bin']
      const { code, out, err } = await desk.vatom('asset', 'upload', ...given)
      expect([code, out]).toEqual([3, ''])
      expect(err).toContain('3 of 4 files cannot be uploaded; nothing was sent')
      expect(err).toMatch(/missing\.png: no such file\n.*folder: it is a folder.*\n.*large\.bin: it has 67108865 bytes/)
      const json = await desk.vatom('asset', 'upload', ...given, '--json')
      expect(JSON.parse(json.out)).toMatchObject({
        results: [
          { file: 'missing.png', status: 'invalid' },
          { file: 'note.txt', status: 'not_sent' },
          { file: 'folder', status: 'invalid' },
          { file: 'large.bin', status: 'invalid' },
        ],
        summary: { total: 4, ok: 0, failed: 4 },
        error: { code: 'invalid_files', issues: [{ path: 'missing.png' }, { path: 'folder' }, { path: 'large.bin' }] },
      })
      expect(desk.changes()).toEqual([])
    })

    test('a single file that is not there is named in a line', async () => {
      const { vatom } = await publisher({ transport })
      const { code, err } = await vatom('asset', 'upload', 'missing.png')
      expect([code, err]).toEqual([3, 'error: missing.png: no such file\n'])
    })

    test('says what was uploaded where a file fails: exit 6', async () => {
      const desk: Desk = await listeningDesk(transport, ({ home }) => rmSync(join(home, 'two.txt'), { force: true }))
      for (const name of ['one.txt', 'two.txt', 'three.txt']) desk.file(name, name)
      const { code, out, err } = await desk.vatom('asset', 'upload', 'one.txt', 'two.txt', 'three.txt')
      expect(code).toBe(6)
      expect(out).toMatch(/^http.*\/one\.txt\nhttp.*\/three\.txt\n$/)
      expect(err).toContain('two.txt cannot be read: ENOENT')
      expect(err).toContain('1 of 3 files were not done')
      expect(await ids(desk)).toHaveLength(2)
    })

    test('Ctrl-C stops, and says what was done: exit 130', async () => {
      const interrupted = new AbortController()
      const desk: Desk = await listeningDesk(transport, () => interrupted.abort())
      for (const name of ['one.txt', 'two.txt']) desk.file(name, name)
      const args = ['asset', 'upload', 'one.txt', 'two.txt', '--json']
      const { code, out } = await desk.run(args, { signal: interrupted.signal })
      expect(code).toBe(130)
      const { results, error } = JSON.parse(out)
      expect(error.code).toBe('interrupted')
      expect(results.at(-1)).toMatchObject({ file: 'two.txt', status: 'not_sent' })
      expect(await ids(desk)).toHaveLength(1)
    })

    test('Ctrl-C before the first file sends nothing: exit 130', async () => {
      const { file, run, json } = await publisher({ transport })
      file('note.txt', 'a note')
      const interrupted = new AbortController()
      interrupted.abort()
      expect(await run(['asset', 'upload', 'note.txt'], { signal: interrupted.signal })).toMatchObject({ code: 130 })
      expect(await json('asset', 'list')).toEqual([])
    })

    test('wants a file', async () => {
      const { vatom } = await publisher({ transport })
      expect(await vatom('asset', 'upload')).toMatchObject({ code: 2, err: expect.stringContaining("'file'") })
    })
  })

  describe('asset list', () => {
    test('prints one asset a line, its fields between tabs', async () => {
      const { file, vatom } = await publisher({ transport })
      file('one.txt', 'x'.repeat(2000))
      file('two.txt', 'two')
      await vatom('asset', 'upload', 'one.txt', 'two.txt')
      const { code, out } = await vatom('asset', 'list')
      const [one = '', two = ''] = out.split('\n')
      expect([code, out.split('\n')]).toEqual([0, [one, two, '']])
      expect(one.split('\t').slice(1)).toEqual(['one.txt', 'text/plain', '2000', expect.stringMatching(url)])
      expect(two.split('\t')[1]).toBe('two.txt')
    })

    test('fits the terminal, under a head, with addresses below', async () => {
      const { file, vatom, run } = await publisher({ transport })
      file(`${'long'.repeat(20)}.txt`, 'x'.repeat(2048))
      await vatom('asset', 'upload', `${'long'.repeat(20)}.txt`)
      const { out } = await run(['--no-color', 'asset', 'list'], { tty: true, columns: 100 })
      const [head = '', line = '', address = ''] = out.split('\n')
      expect(head).toMatch(/^ID +NAME +TYPE +SIZE$/)
      expect(line).toMatch(/^[0-9a-f]{8} +long.*… +text\/plain +2 KiB$/)
      expect(address.trim()).toMatch(url)
      expect(line.length).toBeLessThanOrEqual(100)
      expect(await vatom('asset', 'delete', line.slice(0, 8), '--yes')).toMatchObject({ code: 0 })
    })

    test('says that there are none', async () => {
      const desk = await publisher({ transport })
      expect(await desk.vatom('asset', 'list')).toMatchObject({ code: 0, out: '', err: 'No assets.\n' })
      expect(await desk.json('asset', 'list')).toEqual([])
    })
  })

  describe('asset delete', () => {
    test('deletes several assets', async () => {
      const desk = await publisher({ transport })
      for (const name of ['one.txt', 'two.txt', 'three.txt']) desk.file(name, name)
      await desk.vatom('asset', 'upload', 'one.txt', 'two.txt', 'three.txt')
      const [one = '', two = '', three = ''] = await ids(desk)
      expect(await desk.json('asset', 'delete', one, three, '--yes')).toMatchObject({
        results: [
          { file: null, kind: 'asset', name: one, status: 'deleted' },
          { name: three, status: 'deleted' },
        ],
        summary: { total: 2, ok: 2, failed: 0 },
      })
      expect(await ids(desk)).toEqual([two])
    })

    test('takes the name of a file that one asset alone has', async () => {
      const desk = await publisher({ transport })
      for (const name of ['card.png', 'icon.png', 'cafe']) desk.file(name, name)
      await desk.vatom('asset', 'upload', 'card.png', 'icon.png', 'icon.png', 'cafe')
      const [card = '', ...others] = await ids(desk)
      const several = await desk.vatom('asset', 'delete', 'card.png', 'icon.png', '--yes')
      expect(several).toMatchObject({ code: 2, out: '' })
      expect(several.err).toContain(`error: 2 assets have the name icon.png\n`)
      for (const id of others.slice(0, 2)) expect(several.err).toContain(id)
      for (const unmeant of ['icon', 'card', 'Card.png'])
        expect(await desk.vatom('asset', 'delete', unmeant, '--yes')).toMatchObject({
          code: 1,
          err: expect.stringContaining(`no asset has the id ${unmeant}\n`),
        })
      expect(await desk.json('asset', 'delete', 'card.png', card, '--yes')).toMatchObject({
        results: [{ name: card, status: 'deleted' }],
        summary: { total: 1 },
      })
      expect(await ids(desk)).toEqual(others)
    })

    test('takes a name that could be the beginning of an id, unless it is that of another asset', async () => {
      const desk = await publisher({ transport })
      const upload = async (name: string) => {
        desk.file(name, name)
        const { results } = (await desk.json('asset', 'upload', name)) as { results: { asset: { id: string } }[] }
        return results[0]?.asset.id ?? ''
      }
      const one = await upload('one.txt')
      const beginning = one.slice(0, 8)
      const named = await upload(beginning)
      const refused = await desk.vatom('asset', 'delete', beginning, '--yes')
      expect(refused).toEqual({
        code: 2,
        out: '',
        err: expect.stringContaining(`error: 2 assets have the name ${beginning}, or an id that begins with it\n`),
      })
      expect(refused.err).toContain('hint: give the whole id of one\n')
      for (const [id, name] of [
        [named, beginning],
        [one, 'one.txt'],
      ])
        expect(refused.err).toMatch(new RegExp(`${id}.*${name}`))
      expect((await ids(desk)).sort()).toEqual([one, named].sort())
      expect(await desk.vatom('asset', 'delete', one, '--yes')).toMatchObject({ code: 0 })
      expect(await desk.vatom('asset', 'delete', beginning, '--yes')).toMatchObject({ code: 0 })
      expect(await ids(desk)).toEqual([])
    })

    test('takes a whole id for that, whatever the files are called', async () => {
      const desk = await publisher({ transport })
      desk.file('one.txt', 'one')
      await desk.vatom('asset', 'upload', 'one.txt')
      const [one = ''] = await ids(desk)
      desk.file(one, 'two')
      await desk.vatom('asset', 'upload', one)
      expect(await desk.json('asset', 'delete', one, '--yes')).toMatchObject({ results: [{ name: one }] })
      expect((await desk.json('asset', 'list')) as unknown[]).toMatchObject([{ name: one }])
    })

    test('asks with the name of the file, and with what uses it', async () => {
      const desk = await publisher({ transport })
      desk.file('one.txt', 'one')
      await desk.vatom('asset', 'upload', 'one.txt')
      const [{ id, url }] = (await desk.json('asset', 'list')) as [{ id: string; url: string }]
      const ask = () => desk.run(['asset', 'delete', id], { tty: true, columns: 400, answers: { Delete: 'n' } })
      expect((await ask()).err).toContain(`Delete asset ${id} with the file one.txt?`)
      desk.file('coupon.yaml', template().replace('https://example.com/card.png', url))
      await desk.json('template', 'create', 'coupon.yaml')
      const { code, err } = await ask()
      expect({ code, err }).toEqual({
        code: expect.any(Number),
        err: expect.stringContaining(`one.txt (used by template ${coupon})?`),
      })
      expect(await ids(desk)).toEqual([id])
    })

    test('wants --yes where nobody can be asked: exit 2', async () => {
      const desk = await watchedDesk(transport)
      desk.file('one.txt', 'one')
      await desk.vatom('asset', 'upload', 'one.txt')
      const [one = ''] = await ids(desk)
      desk.changes()
      const { code, err } = await desk.vatom('asset', 'delete', one)
      expect([code, err]).toEqual([2, expect.stringContaining('--yes')])
      expect(desk.changes()).toEqual([])
    })

    test('says which were not there: exit 6, or 1 where all failed', async () => {
      const desk = await publisher({ transport })
      desk.file('one.txt', 'one')
      await desk.vatom('asset', 'upload', 'one.txt')
      const [one = ''] = await ids(desk)
      const some = await desk.vatom('asset', 'delete', one, 'gone', '--yes')
      expect([some.code, some.err]).toEqual([6, expect.stringContaining('no asset has the id gone')])
      const none = await desk.vatom('asset', 'delete', one, '--yes')
      expect([none.code, none.err]).toEqual([1, expect.stringContaining('vatom asset list')])
    })
  })
})

test('an upload that nobody is signed in for is told for each file: exit 4', async () => {
  const { service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const desk = deskOf(service)
  desk.file('one.txt', 'one')
  const { code, out } = await desk.vatom(
    'asset',
    'upload',
    'one.txt',
    '--base-url',
    baseUrl,
    '--app-id',
    'local',
    '--json',
  )
  expect([code, JSON.parse(out)]).toEqual([
    4,
    expect.objectContaining({ results: [expect.objectContaining({ file: 'one.txt', status: 'failed' })] }),
  ])
})

test.each([
  ['grows', (path: string) => appendFileSync(path, 'more')],
  ['shrinks', (path: string) => truncateSync(path, 100_000)],
  ['is written anew', (path: string) => utimesSync(path, 1, 1)],
])('a file that %s while it is sent fails, and nothing of it is kept: exit 1', async (_, change) => {
  const desk = await publisher()
  desk.file('note.txt', 'x'.repeat(300_000))
  const path = join(desk.home, 'note.txt')
  const inject = desk.service.inject.bind(desk.service)
  Object.assign(desk.service, {
    inject: (request: Parameters<typeof inject>[0]) =>
      inject({ ...request, ...(request.files && { files: withFirstChunk(request.files, () => change(path)) }) }),
  })
  const { code, out } = await desk.vatom('asset', 'upload', 'note.txt', '--json')
  expect([code, JSON.parse(out)]).toMatchObject([
    1,
    { results: [{ status: 'failed', message: 'note.txt changed while it was being sent' }] },
  ])
  expect(await ids(desk)).toEqual([])
})

/** Files that something happens to after the first chunk of each. */
async function* withFirstChunk(files: Files, happen: () => void): AsyncGenerator<WireFile> {
  for await (const { name, content } of files)
    yield {
      name,
      content: async function* () {
        let isFirst = true
        for await (const chunk of content()) {
          yield chunk
          if (isFirst) happen()
          isFirst = false
        }
      },
    }
}

test('a terminal of unknown width shows no progress', async () => {
  const { file, run } = await publisher()
  file('one.txt', 'one')
  file('two.txt', 'two')
  const { code, err } = await run(['asset', 'upload', 'one.txt', 'two.txt', '--no-color'], { tty: true, columns: 0 })
  expect([code, err]).toEqual([0, expect.not.stringContaining('%')])
})

test('bytes that must be sent again are counted once', async () => {
  const { home, file } = await publisher()
  file('note.txt', 'a note')
  let attempts = 0
  const send: Transport = async ({ files = [] }) => {
    for await (const { content } of files) for await (const _ of content());
    const asset = { id: '', name: '', content_type: '', size: 6, sha256: '', url: 'u', when_created: '' }
    return { status: attempts++ === 0 ? 401 : 200, headers: {}, body: JSON.stringify({ payload: [asset] }) }
  }
  const session = { accessToken: async () => 'old', renew: async () => 'new' }
  const client = createClient({ appId: 'app', send, session })
  const counts: number[] = []
  const local = { file: 'note.txt', path: join(home, 'note.txt'), name: 'note.txt', size: 6 }
  const { url } = await sendFile(client, local, new AbortController().signal, (bytes) => void counts.push(bytes))
  expect([url, attempts, counts.reduce((sum, one) => sum + one, 0)]).toEqual(['u', 2, 6])
})
