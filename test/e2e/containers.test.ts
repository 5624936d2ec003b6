import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { localPrefix, localRows } from '../../src/contract/api/local-routes.ts'
import { at } from '../../src/contract/schema/path.ts'
import { sqliteProvider } from '../../src/server/store/database/sqlite.ts'
import { template, variation } from '../fixtures/yaml.ts'
import { ended, newMachine, root } from '../support/binary.ts'
import { writeFiles } from '../support/folders.ts'
import { packInto } from '../support/installed.ts'

const deploy = (name: string) => readFileSync(join(root, 'src/deploy', name), 'utf8')

/** The instructions of the stages of the Dockerfile, each in their order; long lines are joined. */
const stages = () => {
  const lines = deploy('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const parts = lines
    .filter((line) => /^[A-Z]/.test(line))
    .join('\n')
    .split(/^FROM /m)
  return parts.slice(1).map((stage) => stage.split('\n').slice(1))
}
const lastStage = () => stages().at(-1) ?? []
const instruction = (name: string) =>
  lastStage()
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1) ?? ''
const words = (name: string): string[] => JSON.parse(/\[.*\]$/.exec(instruction(name))?.[0] ?? 'null')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return port
}

test('the image runs vatom itself, not as root, with its data in a volume', () => {
  expect(words('ENTRYPOINT')).toEqual(['vatom'])
  expect(instruction('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(instruction('VOLUME')).toBe('/data')
  expect(instruction('ENV')).toContain('VATOM_DATA_DIR=/data')
})

test('the first stage of the image packs what the last one installs, in an image that has nothing else', () => {
  const { home } = newMachine()
  const packed = join(home, 'packed')
  const [, pack = ''] = /^RUN npm run build +&& (.+)$/m.exec(stages()[0]?.join('\n') ?? '') ?? []
  execFileSync('sh', ['-ec', pack.replaceAll('/packed', packed)], { cwd: root, stdio: 'pipe' })
  expect(readdirSync(packed)).toEqual(['sbom.cdx.json', expect.stringMatching(/^vatom-[\d.]+\.tgz$/)])
  expect(JSON.parse(readFileSync(join(packed, 'sbom.cdx.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' })
  expect(lastStage().join('\n')).toMatch(
    /from=build,source=\/packed,target=\/packed .* \/packed\/\*\.tgz .* \/packed\/sbom\.cdx\.json /,
  )
}, 120_000)

test('what is installed in the image starts as another user, is healthy, ends with 0, and keeps its data', async () => {
  const { home } = newMachine()
  const [install = ''] = /npm install [^&]*?(?= \/packed)/.exec(lastStage().join('\n')) ?? []
  const prefix = join(home, 'usr')
  const sqlite = sqliteProvider() === 'node:sqlite' ? [] : ['@photostructure/sqlite@1']
  const options = [...install.split(' ').slice(1), '--prefer-offline', '--prefix', prefix]
  execFileSync('npm', [...options, packInto(home).tarball, ...sqlite], { stdio: 'pipe' })

  const data = join(home, 'data')
  mkdirSync(data)
  const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  chmodSync(home, 0o755)
  const port = await freePort()
  const variables = instruction('ENV').replaceAll('/data', data).replaceAll('/tmp/', `${data}/`)
  const env = {
    ...Object.fromEntries(variables.split(/\s+/).map((pair) => pair.split('='))),
    PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
    VATOM_SERVE_PASSWORD: 'of-my-own',
  }
  const run = ([file = '', ...args]: readonly string[]) => spawn(file, args, { cwd: data, env, ...user })
  const isHealthy = async () =>
    (await ended(run(words('HEALTHCHECK').map((word) => word.replace(':4100', `:${port}`))))).code === 0
  const start = async () => {
    const child = run([...words('ENTRYPOINT'), ...words('CMD'), '--port', String(port)])
    onTestFinished(() => void child.kill('SIGKILL'))
    const end = ended(child)
    while (!(await isHealthy())) await sleep(200)
    return { child, end }
  }

  expect(await isHealthy()).toBe(false)
  const first = await start()
  const example = join(prefix, 'lib/node_modules/vatom/templates-examples/coffee-coupon.yaml')
  expect(await ended(run(['vatom', 'template', 'create', example]))).toMatchObject({ code: 0 })
  first.child.kill('SIGTERM')
  const { code, err } = await first.end
  expect(code).toBe(0)
  const events = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event)
  expect([events[0], events.at(-1)]).toEqual(['start', 'stop'])

  const second = await start()
  expect(await ended(run(['vatom', 'template', 'list']))).toMatchObject({
    out: expect.stringContaining('CoffeeCoupon'),
  })
  second.child.kill('SIGTERM')
  expect(await second.end).toMatchObject({ code: 0 })
}, 120_000)

const nobody = { uid: 54_321, gid: 54_321 }

/** A machine on which a user runs what others own. */
function stranger() {
  const { home } = newMachine()
  chmodSync(home, 0o755)
  for (const folder of ['bin', 'dist']) cpSync(join(root, folder), join(home, folder), { recursive: true })
  cpSync(join(root, 'package.json'), join(home, 'package.json'))
  const vatom = (words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = '/') => {
    const all = { PATH: process.env.PATH, CI: 'true', ...env }
    return ended(spawn(process.execPath, [join(home, 'bin/vatom.js'), ...words], { ...nobody, cwd, env: all }))
  }
  return { home, vatom }
}

test.runIf(process.getuid?.() === 0)('a user of whom the machine knows no home can run it', async () => {
  const { home, vatom } = stranger()
  expect(await vatom(['doctor'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^ok +configuration +.+ does not exist yet/m),
  })
  const config = join(home, 'config')
  mkdirSync(config)
  chownSync(config, nobody.uid, nobody.gid)
  expect(await vatom(['context', 'use', 'local'], { VATOM_CONFIG_DIR: config })).toMatchObject({ code: 0 })
  mkdirSync(join(home, 'others'), { mode: 0o700 })
  const checked = await vatom(['doctor', '--json'], { HOME: join(home, 'others') })
  expect(checked).toMatchObject({
    code: 1,
    out: expect.stringMatching(/others\/\S+ cannot be read: plan, pull, apply/),
  })
  // A folder of another user is named, and not the one around it.
  mkdirSync(join(home, 'shop/sub'), { recursive: true })
  chmodSync(join(home, 'shop/sub'), 0o700)
  expect(await vatom(['validate', join(home, 'shop')])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/shop\/sub: cannot be read: permission denied$/m),
  })
})

test.runIf(process.getuid?.() === 0)(
  '--prune is refused where a folder of another catalog, or one that this one ignores, is closed to its user',
  async () => {
    const { home, vatom } = stranger()
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
    const own = join(home, 'own')
    mkdirSync(own)
    chownSync(own, nobody.uid, nobody.gid)
    const repo = join(home, 'repo')
    const written = {
      'a/vatom.yaml': 'catalog: a\n',
      'a/coupon.yaml': template(),
      'a/red.yaml': variation(),
      'b/vatom.yaml': 'catalog: b\n',
      'b/more/tea.yaml': template('$publisher::Tea::v1'),
    }
    writeFiles(repo, written)
    const run = (...words: string[]) => vatom(words, { HOME: own, VATOM_CONTEXT: 'local' }, repo)
    expect(await run('apply', 'a', '--yes')).toMatchObject({ code: 0 })
    renameSync(join(repo, 'a/red.yaml'), join(repo, 'b/more/red.yaml'))
    const refused = (folder: string) => ({
      code: 2,
      err: expect.stringContaining(
        `error: ${folder}, of another catalog, cannot be read: --prune may delete what it describes\nhint: let this user read it\n`,
      ),
    })
    chmodSync(join(repo, 'b/more'), 0o700)
    expect(await run('plan', 'a', '--prune')).toMatchObject(refused('b/more'))
    for (const words of [['init'], ['add', '.']]) execFileSync('git', words, { cwd: repo, stdio: 'ignore' })
    expect(await run('plan', 'a', '--prune')).toMatchObject(refused('b/more'))
    chmodSync(join(repo, 'b'), 0o700)
    expect(await run('apply', 'a', '--prune', '--yes')).toMatchObject(refused('b'))
    for (const folder of ['b', 'b/more']) chmodSync(join(repo, folder), 0o755)
    expect(await run('plan', 'a', '--prune')).toMatchObject({ code: 0, out: expect.stringContaining('also in b') })
    writeFiles(repo, { 'a/vatom.yaml': 'catalog: a\nignore: [t]\n', 'a/t/tea.yaml': written['b/more/tea.yaml'] })
    renameSync(join(repo, 'b/more/red.yaml'), join(repo, 'a/t/red.yaml'))
    expect(await run('plan', 'a', '--prune')).toMatchObject({ out: expect.stringContaining('Red: in a/t/red.yaml, ') })
    chmodSync(join(repo, 'a/t'), 0o700)
    expect(await run('plan', 'a', '--prune')).toMatchObject({
      code: 2,
      err: expect.stringContaining('error: a/t, which the catalog ignores, cannot be read: --prune may delete'),
    })
  },
)

describe('what the files for containers give serve', () => {
  const kubernetes = parseAllDocuments(deploy('kubernetes.yaml')).map((document): unknown => document.toJS())
  const container = at(kubernetes[1], 'spec', 'template', 'spec', 'containers', 0)
  test.each([
    ['Dockerfile', words('CMD')],
    ['compose.yaml', at(parse(deploy('compose.yaml')), 'services', 'vatom', 'command')],
    ['kubernetes.yaml', at(container, 'args')],
  ])('%s: options that it has', async (_, given) => {
    const { out: help } = await newMachine().vatom(['serve', '--help'])
    const [word, ...flags] = (given as string[]).map((text) => text.replace(/=.*/, ''))
    expect(word).toBe('serve')
    for (const flag of flags.filter((text) => text.startsWith('--'))) expect(help).toContain(flag)
    expect(flags).toEqual(expect.arrayContaining(['--host', '--log', '--no-console']))
  })

  test('probes ask for routes that answer by any host name', () => {
    const anywhere = Object.values(localRows)
      .filter(({ from }) => from === 'anywhere')
      .map(({ path }) => localPrefix + path)
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(anywhere).toContain(at(container, probe, 'httpGet', 'path'))
    expect(anywhere).toContain(/(\/__vatom\/\w+)'/.exec(words('HEALTHCHECK').join(' '))?.[1])
  })
})
