import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WireFile } from '../../../src/contract/api/wire.ts'
import { limits } from '../../../src/contract/limits.ts'
import { smallFile } from '../../fixtures/files.ts'
import { interruptedFile, onDisk, assetPath as path, uploaded } from '../../support/assets.ts'
import { type Caller, doors, testService } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

const listed = async ({ call }: Caller) => (await call('GET', `${path}?limit=0`)).payload

/** A file of so many bytes, made as it is read. */
const largeFile = (size: number, name = 'large.bin'): WireFile => ({
  name,
  content: async function* () {
    const block = Buffer.alloc(2 ** 20, 7)
    for (let left = size; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
  },
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const glb = Buffer.concat([Buffer.from('glTF\x02\0\0\0\x14\0\0\0', 'latin1'), Buffer.alloc(8)])

describe.each(doors)('%s', (door) => {
  test('files are stored in their order, with name, type, size and hash', async () => {
    const { db, folder } = onDisk()
    const { publisher } = await testService({ db }, door)
    const found = await uploaded(publisher, smallFile('card.png', png), smallFile('note.txt', 'hello'))
    expect(found).toEqual([
      {
        id: expect.stringMatching(uuid),
        name: 'card.png',
        content_type: 'image/png',
        size: png.length,
        sha256: sha256(png),
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/assets\/[0-9a-f-]{36}\/card\.png$/),
        when_created: '2027-03-01T12:00:00Z',
        created_by: publisher.id,
      },
      expect.objectContaining({ name: 'note.txt', content_type: 'text/plain', size: 5, sha256: sha256('hello') }),
    ])
    expect(found[0].url).toContain(found[0].id)
    expect(await listed(publisher)).toEqual(found)
    expect(readFileSync(join(folder, found[0].id))).toEqual(png)
    expect(readFileSync(join(folder, found[1].id), 'utf8')).toBe('hello')
  })

  test('only their owner may read the folder and the files', async () => {
    const { db, folder, files } = onDisk()
    const { publisher } = await testService({ db }, door)
    await uploaded(publisher, smallFile())
    const modes = [folder, ...files().map((name) => join(folder, name))].map((one) => statSync(one).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600])
  })

  test.each([
    ['photo.png', 'photo.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\card.png', 'card.png'],
    ['a/b\\c.png', 'c.png'],
    ['..', 'asset'],
    ['.', 'asset'],
    ['', 'asset'],
    ['folder/', 'asset'],
    ['\0\u0007', 'asset'],
    ['  ', 'asset'],
    ['a\r\nb\tc\0d"e.txt', 'abcd"e.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['Kaffee ☕ für 2.svg', 'Kaffee ☕ für 2.svg'],
    ['100%25 "x".png', '100%25 "x".png'],
    ['x'.repeat(300), 'x'.repeat(256)],
    [`${'x'.repeat(255)}💥`, 'x'.repeat(255)],
  ])('a file called %j becomes %j, and never a path', async (given, name) => {
    const { db, folder, files } = onDisk()
    const { publisher } = await testService({ db }, door)
    const [asset] = await uploaded(publisher, smallFile(given))
    expect(asset.name).toBe(name)
    expect(asset.url.endsWith(`/assets/${asset.id}/${encodeURIComponent(name)}`)).toBe(true)
    expect(new URL(asset.url).pathname.split('/')).toHaveLength(4)
    expect(files()).toEqual([asset.id])
    expect(readdirSync(join(folder, '..')).filter((one) => !one.startsWith('service.db'))).toEqual([])
  })

  test.each<[string, string | Uint8Array, string]>([
    ['claims.txt', png, 'image/png'],
    ['model.glb', glb, 'model/gltf-binary'],
    ['model', glb, 'model/gltf-binary'],
    ['model.gltf', '{"asset":{"version":"2.0"}}', 'model/gltf+json'],
    ['shape.obj', 'v 0 0 0\n', 'model/obj'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    [
      'drawing.txt',
      '\ufeff<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg [<!ENTITY x "y">]>\n<svg:svg/>',
      'image/svg+xml',
    ],
    ['feed.xml', '<?xml version="1.0"?><rss/>', 'application/xml'],
    ['comments', `${'<!---->'.repeat(500)}<p>`, 'text/plain'],
    ['page.html', '<!doctype html><p>', 'text/html'],
    ['page.png', '<!doctype html><script>alert(1)</script>', 'text/plain'],
    ['style.css', 'p { color: red }', 'text/css'],
    ['data.json', '{}', 'application/json'],
    ['clip.ts', 'const x = 1', 'text/plain'],
    ['note', 'hello', 'text/plain'],
    ['umlaut.txt', `${'x'.repeat(4099)}ü`, 'text/plain'],
    ['latin.txt', Buffer.from('f\xfcr', 'latin1'), 'application/octet-stream'],
    ['zeros.txt', Buffer.alloc(20), 'application/octet-stream'],
    ['noise.html', Buffer.from([0x80, 1, 2, 3, 0xff]), 'application/octet-stream'],
    ['empty.png', '', 'text/plain'],
  ])('%s is what its content says', async (name, content, type) => {
    const { publisher } = await testService({}, door)
    expect(await uploaded(publisher, smallFile(name, content))).toMatchObject([{ content_type: type }])
  })

  test('an upload without a file is a 400 that says what to send', async () => {
    const { publisher } = await testService({}, door)
    expect(await publisher.call('POST', path, { files: [] })).toMatchObject({
      status: 400,
      body: { error: 516, message: expect.stringContaining('multipart/form-data') },
    })
  })

  test('more files than an upload may have are a 413 that names the limit, and none is stored', async () => {
    const { db, files } = onDisk()
    const { publisher } = await testService({ db }, door)
    const many = Array.from({ length: limits.assets + 1 }, (_, index) => smallFile(`${index}.txt`))
    const refused = await publisher.call('POST', path, { files: many })
    expect(refused).toMatchObject({ status: 413, body: { error: 9013, message: expect.stringContaining('20') } })
    expect([files(), await listed(publisher)]).toEqual([[], []])
    expect(await uploaded(publisher, ...many.slice(1))).toHaveLength(limits.assets)
  })

  test('a file of more bytes than the limit is refused, and nothing of the upload is stored', async () => {
    const { db, files } = onDisk()
    const { publisher } = await testService({ db }, door)
    const refused = await publisher.call('POST', path, { files: [smallFile(), largeFile(limits.asset + 1, 'big.bin')] })
    expect(refused).toMatchObject({ status: 413, body: { error: 9013 } })
    expect(refused.body.message).toMatch(/^big\.bin .*67108864/)
    expect([files(), await listed(publisher)]).toEqual([[], []])
    expect(await uploaded(publisher, largeFile(limits.asset))).toMatchObject([{ size: limits.asset }])
  })

  test('assets are listed page by page in order of upload', async () => {
    const { publisher } = await testService({}, door)
    const names = ['e', 'd', 'c', 'b', 'a']
    for (const name of names) await uploaded(publisher, smallFile(name))
    const page = async (query: string) =>
      (await publisher.call('GET', `${path}?${query}`)).payload.map(({ name }: { name: string }) => name)
    expect(await page('limit=2')).toEqual(['e', 'd'])
    expect(await page('limit=2&page=3')).toEqual(['a'])
    expect(await page('limit=2&page=4')).toEqual([])
    expect(await page('')).toEqual(names)
  })

  test('a deleted asset and its file no longer exist', async () => {
    const { db, files } = onDisk()
    const { publisher } = await testService({ db }, door)
    const [one, two] = await uploaded(publisher, smallFile('one'), smallFile('two'))
    expect(await publisher.call('DELETE', `${path}/${one.id}`)).toMatchObject({
      status: 200,
      payload: { success_message: `Asset ${one.id} deleted.` },
    })
    expect(await listed(publisher)).toEqual([two])
    expect(files()).toEqual([two.id])
    expect(await publisher.call('DELETE', `${path}/${one.id}`)).toMatchObject({ status: 404, body: { error: 9007 } })
  })

  test.each(['../service.db', '..%2Fvatom.db', '..\\vatom.db', '%00', 'x'])(
    'deleting %j deletes no file',
    async (id) => {
      const { db, files } = onDisk()
      const { publisher } = await testService({ db }, door)
      await uploaded(publisher, smallFile())
      expect((await publisher.call('DELETE', `${path}/${id}`)).status).toBe(404)
      expect(existsSync(db)).toBe(true)
      expect(files()).toHaveLength(1)
    },
  )

  test('what the file system refuses is a 503, and the service lives', async () => {
    const { db, folder } = onDisk()
    const { publisher, lines } = await testService({ db }, door)
    writeFileSync(folder, 'no folder')
    const refused = await publisher.call('POST', path, { files: [smallFile()] })
    expect(refused).toMatchObject({ status: 503, body: { error: 9017 } })
    expect(refused.text).not.toContain(folder)
    expect(lines.join()).toMatch(/storage: .*\((EEXIST|ENOTDIR)\)/)
    rmSync(folder)
    expect(await uploaded(publisher, smallFile())).toHaveLength(1)
  })
})

describe('in process', () => {
  test.each([0, 1])('all files of an upload become assets or none: a part that is lost (%i)', async (lost) => {
    const { db, folder, files } = onDisk()
    const { publisher } = await testService({ db })
    const holding = (text: string) => files().find((name) => readFileSync(join(folder, name), 'utf8') === text) ?? ''
    const losing = interruptedFile(() => unlinkSync(join(folder, holding(['hello', 'one half, '][lost] ?? ''))))
    const refused = await publisher.call('POST', path, { files: [smallFile(), losing] })
    expect(refused).toMatchObject({ status: 503, body: { error: 9017 } })
    expect([files(), await listed(publisher)]).toEqual([[], []])
  })

  test('a file that cannot be read to its end is a 400 that says why, and nothing is stored', async () => {
    const { db, files } = onDisk()
    const { publisher } = await testService({ db })
    const broken = interruptedFile(() => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
    })
    const refused = await publisher.call('POST', path, { files: [smallFile(), broken] })
    expect(refused).toMatchObject({ status: 400, body: { error: 516, message: expect.stringContaining('half.txt') } })
    expect([files(), await listed(publisher)]).toEqual([[], []])
  })

  test('an asset belongs to its publisher', async () => {
    const { publisher, other } = await twoPublishers()
    const [asset] = await uploaded(publisher, smallFile())
    expect(await listed(other)).toEqual([])
    expect(await other.call('DELETE', `${path}/${asset.id}`)).toMatchObject({ status: 403, body: { error: 9002 } })
    expect(await listed(publisher)).toEqual([asset])
  })

  test('uploads and deletions beside each other leave the list and the folder alike', async () => {
    const { db, files } = onDisk()
    const { publisher } = await testService({ db })
    const rounds = Array.from({ length: 20 }, async (_, index) => {
      const [kept, gone] = await uploaded(publisher, smallFile(`${index}`), smallFile('gone'))
      expect((await publisher.call('DELETE', `${path}/${gone.id}`)).status).toBe(200)
      return kept.id
    })
    const kept = await Promise.all(rounds)
    expect(files().sort()).toEqual(kept.sort())
    expect((await listed(publisher)).map(({ id }: { id: string }) => id).sort()).toEqual(kept)
  })

  test('two deletions of one asset: one is done, the other finds nothing', async () => {
    const { publisher } = await testService()
    const [{ id }] = await uploaded(publisher, smallFile())
    const both = await Promise.all([1, 2].map(() => publisher.call('DELETE', `${path}/${id}`)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('a service that takes no asset makes no folder', async () => {
    const { db, folder } = onDisk()
    const { publisher } = await testService({ db })
    expect(await listed(publisher)).toEqual([])
    await publisher.call('POST', path, { files: [] })
    expect(existsSync(folder)).toBe(false)
  })

  test('a service in memory without a folder for temporary files refuses assets, and names the variable', async () => {
    vi.stubEnv('TMPDIR', '/proc/none')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { publisher } = await testService()
    const refused = await publisher.call('POST', path, { files: [smallFile()] })
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringMatching(/\/proc\/none.*TMPDIR=/) } })
  })

  test('the files of a service in memory are removed with it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vatom-assets-test-'))
    const { TMPDIR } = process.env
    onTestFinished(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
      rmSync(dir, { recursive: true, force: true })
    })
    process.env.TMPDIR = dir
    const { service, publisher } = await testService()
    expect(readdirSync(dir)).toEqual([])
    const [{ id }] = await uploaded(publisher, smallFile())
    const [made = ''] = readdirSync(dir)
    expect(readdirSync(join(dir, made))).toEqual([id])
    expect(statSync(join(dir, made)).mode & 0o777).toBe(0o700)
    await service.close()
    expect(readdirSync(dir)).toEqual([])
  })
})
