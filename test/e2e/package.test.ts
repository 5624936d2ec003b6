import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteProvider } from '../../src/server/store/database/sqlite.ts'
import { ended, newMachine, root } from '../support/binary.ts'
import { packInto } from '../support/installed.ts'

/** The package as it is built now, and what is in it. */
const folder = mkdtempSync(join(tmpdir(), 'vatom-test-'))
let tarball = ''
let files: readonly { readonly path: string; readonly mode: number }[] = []
beforeAll(() => {
  const packed = packInto(folder)
  tarball = packed.tarball
  files = packed.files
  return () => rmSync(folder, { recursive: true, force: true })
}, 60_000)

test('the package holds what runs and nothing else', () => {
  const tops = new Set(files.map(({ path }) => path.split('/')[0]))
  expect([...tops].sort()).toEqual(['README.md', 'bin', 'dist', 'package.json', 'templates-examples'])
  expect(files.find(({ path }) => path === 'bin/vatom.js')).toMatchObject({ mode: 0o755 })
  expect(files.map(({ path }) => path)).toContain('dist/web/manifest.json')
  const notices = readFileSync(join(root, 'dist/NOTICES.txt'), 'utf8')
  for (const name of ['commander', 'zod', 'yaml', 'fastify', 'undici', 'conf', 'three'])
    expect(notices).toContain(`\n${name} `)
  // What fastify has no use for here takes long to load.
  for (const name of ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'])
    expect(notices).not.toContain(`\n${name} `)
})

test('the package has none of the scripts that npm warns of where it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(script)
})

const hasSqlite = sqliteProvider() === 'node:sqlite'

/** Installs the package into an empty folder, and returns how its commands run there. */
function installed(...how: readonly string[]) {
  const { home } = newMachine()
  const place = join(home, 'it is here')
  mkdirSync(place)
  execFileSync('npm', ['install', ...how, '--prefix', place, tarball, ...quietly], { stdio: 'pipe' })
  const env = { PATH: `${join(place, 'bin')}:${join(place, 'node_modules/.bin')}:${process.env.PATH}`, HOME: home }
  return { home, place, vatom: (...args: string[]) => ended(spawn('vatom', args, { cwd: home, env })) }
}

const quietly = ['--prefer-offline', '--no-audit', '--no-fund']

/** Where Node has no SQLite, the error names the command that installs it, which is run. */
async function installSqlite({ vatom }: ReturnType<typeof installed>): Promise<void> {
  expect(await vatom('schema', 'face')).toMatchObject({ code: 0 })
  const failed = await vatom('template', 'list', '--json')
  expect(failed.code).toBe(1)
  const { code, message, hint } = JSON.parse(failed.out).error
  expect({ code, message }).toEqual({
    code: 'sqlite_missing',
    message: expect.stringContaining(`Node ${process.version}`),
  })
  expect((await vatom('doctor')).out).not.toContain('Unexpected')
  const [, command = ''] = /^install it beside vatom: (npm install [^;]+);/.exec(hint) ?? []
  execFileSync('sh', ['-c', `${command} ${quietly.join(' ')}`], { stdio: 'pipe' })
  expect(await vatom('template', 'list')).toMatchObject({ code: 0 })
}

test('installed into an empty folder, vatom runs from PATH, and brings no package along', async () => {
  const machine = installed('--global')
  const { home, place, vatom } = machine
  expect(readdirSync(join(place, 'lib/node_modules'))).toEqual(['vatom'])
  expect(existsSync(join(place, 'lib/node_modules/vatom/node_modules'))).toBe(false)
  if (!hasSqlite) await installSqlite(machine)

  const example = join(place, 'lib/node_modules/vatom/templates-examples/coffee-coupon.yaml')
  expect(await vatom('template', 'create', example)).toMatchObject({
    code: 0,
    out: expect.stringContaining('CoffeeCoupon'),
  })
  expect(readdirSync(join(home, '.local/share/vatom'))).toContain('local.db')
  if (hasSqlite) return

  // Native code that was compiled here is left to the package's own search.
  mkdirSync(join(place, 'lib/node_modules/@photostructure/sqlite/build'))
  expect(await vatom('template', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('CoffeeCoupon') })
}, 60_000)

test('installed into a project where Node has no SQLite, the error names the command that installs it there', async ({
  skip,
}) => {
  skip(hasSqlite, 'this Node has SQLite')
  await installSqlite(installed())
}, 60_000)
