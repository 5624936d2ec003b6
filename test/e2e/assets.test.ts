import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { copyOfFile } from '../../src/contract/lasting-data.ts'
import { ended, newMachine } from '../support/binary.ts'
import { assetFiles } from '../support/folders.ts'
import { pageText } from '../support/pages.ts'
import { serverOf } from '../support/servers.ts'

type Machine = ReturnType<typeof newMachine>

/** The service as its own process over a database, and what names it and its publisher to commands. */
async function serving({ start, home }: Machine, db = join(home, 'vatom.db')) {
  const child = start(['serve', '--port', '0', '--db', db, '--json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = ended(child)
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  const { base_url, app_id, publisher } = JSON.parse(line)
  const login = await fetch(`${base_url}/v1/user/login`, {
    method: 'POST',
    headers: { 'app-id': app_id },
    body: JSON.stringify({
      token: publisher.email,
      token_type: 'email',
      auth_data: { password: publisher.password },
    }),
  })
  const { payload } = (await login.json()) as { payload: { access_token: { token: string } } }
  const env = { VATOM_BASE_URL: base_url, VATOM_APP_ID: app_id, VATOM_ACCESS_TOKEN: payload.access_token.token }
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return await run
  }
  return { env, stop, folder: `${db}.assets` }
}

test('a file goes up to the service and comes down as it was', async () => {
  const machine = newMachine()
  const { env, stop } = await serving(machine)
  const content = randomBytes(3 * 2 ** 20)
  writeFileSync(join(machine.home, 'noise.bin'), content)
  const { code, out } = await machine.vatom(['asset', 'upload', 'noise.bin', '--json'], { env })
  expect(code).toBe(0)
  const { asset } = JSON.parse(out).results[0]
  expect(asset).toMatchObject({ size: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  const response = await fetch(asset.url)
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), content)).toBe(0)
  expect(await stop('SIGTERM')).toMatchObject({ code: 0 })
})

test('the local context keeps files, which serve answers under their addresses', async () => {
  const machine = newMachine()
  writeFileSync(join(machine.home, 'note.txt'), 'a note')
  const { out } = await machine.vatom(['asset', 'upload', 'note.txt'])
  const db = join(machine.home, '.local/share/vatom/local.db')
  const { env } = await serving(machine, db)
  const response = await fetch(env.VATOM_BASE_URL + new URL(out.trim()).pathname)
  expect([response.status, await response.text()]).toEqual([200, 'a note'])
})

/** Sends half a file, and waits until the service has begun to write it. */
async function halfUploaded({ env, folder }: Awaited<ReturnType<typeof serving>>) {
  const watcher = watch(folder)
  const begun = once(watcher, 'change')
  const sending = request(`${env.VATOM_BASE_URL}/v1/publisher/asset`, {
    method: 'POST',
    headers: {
      'app-id': env.VATOM_APP_ID,
      authorization: `Bearer ${env.VATOM_ACCESS_TOKEN}`,
      'content-type': 'multipart/form-data; boundary=X',
    },
  }).on('error', () => {})
  sending.write('--X\r\nContent-Disposition: form-data; name="f"; filename="half"\r\n\r\n')
  sending.write(Buffer.alloc(2 ** 20))
  await begun
  watcher.close()
}

test('a service that is killed in the middle of an upload leaves nothing of it once it is started again', async () => {
  const machine = newMachine()
  const first = await serving(machine)
  writeFileSync(join(machine.home, 'note.txt'), 'a note')
  await machine.vatom(['asset', 'upload', 'note.txt'], { env: first.env })
  const [id] = assetFiles(first.folder)
  await halfUploaded(first)
  await first.stop('SIGKILL')
  expect(assetFiles(first.folder).filter((name) => name !== id)).toEqual([expect.stringMatching(/\.part$/)])
  const second = await serving(machine)
  expect(assetFiles(second.folder)).toEqual([id])
  const { out } = await machine.vatom(['asset', 'list', '--json'], { env: second.env })
  expect(JSON.parse(out)).toMatchObject([{ id, name: 'note.txt' }])
  expect(readFileSync(join(second.folder, String(id)), 'utf8')).toBe('a note')
})

test('what is copied of a service that was killed, as the manual says, has all that it had written', async () => {
  const machine = newMachine()
  const first = await serving(machine)
  writeFileSync(join(machine.home, 'note.txt'), 'a note')
  await machine.vatom(['asset', 'upload', 'note.txt'], { env: first.env })
  await first.stop('SIGKILL')
  const [, written = ''] = /has none: to copy\s+or reset it, (.*?)\. In/s.exec(pageText('src/docs/service.md')) ?? []
  expect(written.replaceAll('`', '').replaceAll(/\s+/g, ' ')).toBe(copyOfFile)
  const named = copyOfFile.match(/FILE[\w.-]*/g) ?? []
  const [from, to] = [join(machine.home, 'vatom.db'), join(machine.home, 'copy.db')]
  for (const name of named) cpSync(name.replace('FILE', from), name.replace('FILE', to), { recursive: true })
  const second = await serving(machine, to)
  const { out } = await machine.vatom(['asset', 'list', '--json'], { env: second.env })
  expect(JSON.parse(out)).toMatchObject([{ name: 'note.txt' }])
  expect(await second.stop('SIGTERM')).toMatchObject({ code: 0 })
  expect(existsSync(`${to}-wal`)).toBe(false)
})

test('a service that is ended in the middle of an upload takes it back', async () => {
  const machine = newMachine()
  const service = await serving(machine)
  writeFileSync(join(machine.home, 'note.txt'), 'a note')
  await machine.vatom(['asset', 'upload', 'note.txt'], { env: service.env })
  await halfUploaded(service)
  expect(await service.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
  expect(assetFiles(service.folder)).toEqual([expect.not.stringMatching(/part/)])
})

test('processes beside each other on one database keep every asset and lose none', async () => {
  const { home, vatom } = newMachine()
  for (let n = 0; n < 3; n++) writeFileSync(join(home, `${n}.txt`), String(n))
  const runs = await Promise.all([
    ...[1, 2, 3].map(() => vatom(['asset', 'upload', '0.txt', '1.txt', '2.txt'])),
    vatom(['asset', 'list']),
  ])
  expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(({ err }) => [0, err]))
  const assets: { id: string }[] = JSON.parse((await vatom(['asset', 'list', '--json'])).out)
  const folder = join(home, '.local/share/vatom/local.db.assets')
  expect(assetFiles(folder).sort()).toEqual(assets.map(({ id }) => id).sort())
  expect(assets).toHaveLength(9)
})

test('Ctrl-C in the middle of an upload ends it at once, with 130 and no stack', async () => {
  const { home, start } = newMachine()
  const { server, url } = await serverOf()
  const env = {
    VATOM_BASE_URL: url,
    VATOM_APP_ID: 'app',
    VATOM_ACCESS_TOKEN: 'token',
  }
  writeFileSync(join(home, 'noise.bin'), randomBytes(2 ** 24))
  const child = start(['asset', 'upload', 'noise.bin'], { env })
  const run = ended(child)
  const [incoming] = await once(server, 'request')
  await once(incoming, 'data')
  child.kill('SIGINT')
  const { code, signal, out, err } = await run
  expect({ code, signal, out }).toEqual({ code: 130, signal: null, out: '' })
  expect(err).toContain('interrupted')
  expect(err).not.toMatch(/^\s+at /m)
})
