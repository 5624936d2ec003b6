import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shortestTemplate } from '../fixtures/yaml.ts'
import { ended, entry, newMachine } from '../support/binary.ts'
import { folderWith, newFolder } from '../support/folders.ts'
import { serverOf } from '../support/servers.ts'
import { dial } from '../support/sockets.ts'

/** The first line a process writes on stdout. */
function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return new Promise((resolve, reject) => {
    lines.once('line', resolve)
    child.once('close', (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })
}

/** The service as its own process on a free port. */
async function serve(env: Readonly<Record<string, string>> = {}) {
  const machine = newMachine()
  const child = machine.start(['serve', '--port', '0', '--memory', '--json'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = ended(child)
  return { ...machine, child, run, ready: JSON.parse(await firstLine(child)) }
}

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'serve says where it listens, answers, and ends with 0 on %s',
  async (signal) => {
    const { child, run, ready } = await serve()
    expect(ready).toMatchObject({ event: 'ready', app_id: 'local', db: null, publisher: { fqdn: 'local.vatom' } })
    expect((await fetch(`${ready.base_url}/__vatom/health`)).status).toBe(200)
    child.kill(signal)
    expect(await run).toMatchObject({ code: 0, signal: null })
  },
)

test('serve ends, and says so, where its record for other commands cannot be removed', async () => {
  const { start, home } = newMachine()
  const child = start(['serve', '--port', '0', '--json'], {})
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = ended(child)
  const { port } = new URL(JSON.parse(await firstLine(child)).base_url)
  const record = join(home, `.local/share/vatom/serving/${port}.json`)
  rmSync(record)
  mkdirSync(record)
  child.kill('SIGTERM')
  expect(await run).toMatchObject({
    code: 0,
    err: expect.stringMatching(/other commands see that this service has ended\n/),
  })
})

test('serve says goodbye to those who are connected, and ends with 0', async () => {
  const { child, run, ready } = await serve()
  const { email, password } = ready.publisher
  const login = { token: email, token_type: 'email', auth_data: { password } }
  const headers = { 'app-id': ready.app_id }
  const answer = await fetch(`${ready.base_url}/v1/user/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(login),
  })
  const { token } = Object(await answer.json()).payload.access_token
  const { next, closed } = dial(`${ready.ws_url}?app_id=${ready.app_id}&token=${token}`)
  expect(await next()).toMatchObject([{ msg_type: 'info' }])
  child.kill('SIGTERM')
  expect(await closed).toBe(1001)
  expect(await run).toMatchObject({ code: 0, signal: null })
})

test.skipIf(process.platform !== 'linux')(
  'the temporary folders of a service that was killed are removed by the next one',
  async () => {
    const { home, vatom } = newMachine()
    const env = { TMPDIR: newFolder() }
    const words = '"$0" "$1" asset upload bin && "$0" "$1" snapshot save one && kill -9 $PPID'
    writeFileSync(join(home, 'bin'), 'content')
    const killed = await vatom(['serve', '--', 'sh', '-c', words, process.execPath, entry], { env })
    expect(killed.signal).toBe('SIGKILL')
    expect(readdirSync(env.TMPDIR).map((name) => name.split('-')[1])).toEqual(['assets', 'snapshots'])
    expect(await vatom(['serve', '--', 'true'], { env })).toMatchObject({ code: 0 })
    expect(readdirSync(env.TMPDIR)).toEqual([])
  },
)

/** `sh` words that start a service whose log goes to somebody who does not read it. */
const unread = {
  'a socket': 'exec "$@"',
  'a pipe': 'mkfifo log; exec 3<>log; exec "$@" 2>log',
}
test.skipIf(process.platform !== 'linux').each(Object.entries(unread))(
  'serve answers although nobody reads its log from %s, says then how much is missing, and ends',
  async (_what, words) => {
    const { home } = newMachine()
    const args = [process.execPath, entry, 'serve', '--port', '0', '--memory', '--json', '--log', 'json']
    const child = spawn('sh', ['-c', words, 'sh', ...args], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ready = JSON.parse(await firstLine(child))
    const path = `/v1/${'x'.repeat(1200)}`
    for (let count = 0; count < 15; count++)
      await Promise.all(Array.from({ length: 100 }, async () => (await fetch(ready.base_url + path)).text()))
    child.kill('SIGTERM')
    const exited = once(child, 'exit')
    const log = words === unread['a pipe'] ? undefined : child.stderr.setEncoding('utf8').toArray()
    expect(await exited).toEqual([0, null])
    if (log) expect((await log).join('')).toMatch(/^\d+ lines of the log were left out: its reader was too slow$/m)
  },
)

test('login takes the password from stdin, and the session works over the network', async () => {
  const { vatom, ready } = await serve()
  const { email, password } = ready.publisher
  const flags = ['--base-url', ready.base_url, '--app-id', ready.app_id, '--email', email, '--password-stdin']
  expect(await vatom(['login', ...flags], { input: password })).toMatchObject({ code: 0 })
  const { code, out } = await vatom(['whoami', '--json'])
  expect(code).toBe(0)
  expect(JSON.stringify(JSON.parse(out))).toContain('local.vatom')
})

test('a port that is taken is named, with the way out', async () => {
  const { vatom, ready } = await serve()
  const { code, err } = await vatom(['serve', '--memory', '--port', new URL(ready.base_url).port])
  expect(code).toBe(1)
  expect(err).toContain('--port 0')
})

test.each([
  ['ends', ['--port', '0', '--memory', '--json']],
  ['ends its command', ['--', 'sh', '-c', 'echo begun; exec sleep 60']],
])('serve --exit-with-parent %s when the process that started it is killed', async (_, words) => {
  const { home } = newMachine()
  const args = JSON.stringify([entry, 'serve', '--exit-with-parent', ...words])
  const script = `require('child_process').spawn(process.execPath, ${args}, { stdio: 'inherit' })`
  const parent = spawn(process.execPath, ['-e', script], { env: { HOME: home, PATH: process.env.PATH ?? '' } })
  const run = ended(parent)
  await firstLine(parent)
  parent.kill('SIGKILL')
  // The service has the streams of its parent: they close when it ends.
  expect(await run).toMatchObject({ signal: 'SIGKILL', err: expect.not.stringContaining('error') })
})

test('serve ends soon although the collector of its traces never answers', async () => {
  const { url } = await serverOf()
  const { child, run, ready } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  await fetch(`${ready.base_url}/v1/user`, { headers: { 'app-id': 'local' } })
  const asked = performance.now()
  child.kill('SIGTERM')
  expect(await run).toMatchObject({ code: 0 })
  // The exporter's own patience would be ten seconds.
  expect(performance.now() - asked).toBeLessThan(7_000)
})

test('serve has metrics, and sends traces to the collector that the environment names', async () => {
  let sent = ''
  const { url } = await serverOf((request, response) => {
    request.setEncoding('utf8').on('data', (text) => {
      sent += text
    })
    request.on('end', () => response.end('{}'))
  })
  const { child, run, ready } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  await fetch(`${ready.base_url}/v1/user`, { headers: { 'app-id': 'local' } })
  expect(await (await fetch(`${ready.base_url}/__vatom/metrics`)).text()).toContain(
    'vatom_requests_total{operation="getProfile",status="403"} 1\n',
  )
  child.kill('SIGTERM')
  expect(await run).toMatchObject({ code: 0, err: expect.not.stringContaining('traces') })
  expect(JSON.parse(sent).resourceSpans[0].scopeSpans[0].spans).toMatchObject([{ name: 'getProfile' }])
})

test.skipIf(process.platform !== 'linux')(
  'serve that may have few files open goes on while strangers open more connections',
  async () => {
    const { home } = newMachine()
    const words = `ulimit -n 160 && exec ${process.execPath} ${entry} serve --port 0 --memory --json`
    const child = spawn('bash', ['-c', words], { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home } })
    onTestFinished(() => void child.kill('SIGKILL'))
    const run = ended(child)
    const { base_url } = JSON.parse(await firstLine(child))
    const { port, hostname } = new URL(base_url)
    for (let count = 0; count < 300; count++) {
      const socket = connect(Number(port), hostname).on('error', () => {})
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
    }
    for (let count = 0; count < 4; count++) {
      expect((await fetch(`${base_url}/__vatom/health`)).status).toBe(200)
      await setTimeout(300)
    }
    child.kill('SIGTERM')
    const { code, err } = await run
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^48 connections are open, the most: /m) })
    expect(err.match(/connections are open/g)).toHaveLength(1)
  },
)

test.skipIf(process.platform !== 'linux')(
  'the log goes on when there is room for it again, on a line of its own',
  async () => {
    const { home } = newMachine()
    const words = `ulimit -f 2 && exec ${process.execPath} ${entry} serve --port 0 --memory --json 2>> log`
    const child = spawn('bash', ['-c', words], { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home } })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { base_url } = JSON.parse(await firstLine(child))
    const file = join(home, 'log')
    const ask = async (count: number) => {
      for (let asked = 0; asked < count; asked++) expect((await fetch(`${base_url}/__vatom/health`)).status).toBe(200)
    }
    await ask(40)
    // A line is written after its answer.
    await vi.waitFor(() => expect(statSync(file).size).toBe(2048))
    expect(readFileSync(file, 'utf8')).not.toMatch(/\n$/)
    truncateSync(file, 0)
    await ask(2)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^\n(GET \/__vatom\/health 200 .*\n){2,3}$/))
  },
)

const templates = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${at}.yaml`, shortestTemplate().replace('::T::', `::T${at}::`)]),
  )

const broken = (folder: string) => writeFileSync(join(folder, 'package.json'), '{ <<<<<<<')

test.skipIf(process.platform === 'win32').each([
  ['was deleted', (folder: string) => rmSync(folder, { recursive: true })],
  ['has a package.json that is no JSON', broken],
])('serve checks long plans although the folder it was started in %s', async (_what, lose) => {
  const { start, vatom } = newMachine()
  const cwd = newFolder()
  const env = { VATOM_DATA_DIR: relative(cwd, newFolder()) }
  const child = start(['serve', '--port', '0', '--json'], { cwd, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { base_url, app_id, publisher } = JSON.parse(await firstLine(child))
  const login = ['login', '--context', 'served', '--base-url', base_url, '--app-id', app_id, '--email', publisher.email]
  const signedIn = await vatom([...login, '--password-stdin'], { input: publisher.password })
  expect(signedIn).toMatchObject({ code: 0 })
  lose(cwd)
  expect(await vatom(['apply', folderWith(templates(12)), '--yes'])).toMatchObject({ code: 0 })
})

test('the context of this machine checks long plans beside a package.json that is no JSON', async () => {
  const cwd = newFolder()
  broken(cwd)
  expect(await newMachine().vatom(['plan', folderWith(templates(12))], { cwd })).toMatchObject({ code: 0 })
})
