import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sqliteProvider } from '../../src/server/store/database/sqlite.ts'
import { ended, newMachine, root } from '../support/binary.ts'

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** Packs the package as it is built now. */
function pack(destination: string): Packed {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  return packed
}

test('the package holds what runs and nothing else', () => {
  const { files } = pack(newMachine().home)
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
  const folder = join(home, 'it is here')
  mkdirSync(folder)
  const tarball = join(home, pack(home).filename)
  npm('install', ...how, '--prefix', folder, tarball)
  const env = { PATH: `${join(folder, 'bin')}:${join(folder, 'node_modules/.bin')}:${process.env.PATH}`, HOME: home }
  return { home, folder, vatom: (...args: string[]) => ended(spawn('vatom', args, { cwd: home, env })) }
}

const npm = (...args: readonly string[]) =>
  execFileSync('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], { stdio: 'pipe' })

test('installed into an empty folder, vatom runs from PATH, and brings no package along', async () => {
  const { home, folder, vatom } = installed('--global')
  expect(readdirSync(join(folder, 'lib/node_modules'))).toEqual(['vatom'])
  expect(existsSync(join(folder, 'lib/node_modules/vatom/node_modules'))).toBe(false)
  if (!hasSqlite) npm('install', '--global', '--prefix', folder, '@photostructure/sqlite@1')

  const example = join(folder, 'lib/node_modules/vatom/templates-examples/coffee-coupon.yaml')
  expect(await vatom('template', 'create', example)).toMatchObject({
    code: 0,
    out: expect.stringContaining('CoffeeCoupon'),
  })
  expect(readdirSync(join(home, '.local/share/vatom'))).toContain('local.db')
  if (hasSqlite) return

  // Native code that was compiled here is left to the package's own search.
  mkdirSync(join(folder, 'lib/node_modules/@photostructure/sqlite/build'))
  expect(await vatom('template', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('CoffeeCoupon') })
}, 60_000)

describe.each([
  { where: 'for all folders', how: ['--global'] },
  { where: 'into a project', how: [] },
])('installed $where where Node has no SQLite', ({ how }) => {
  test('the error names the command that installs it', async ({ skip }) => {
    skip(hasSqlite, 'this Node has SQLite')
    const { vatom } = installed(...how)
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
    execFileSync('sh', ['-c', `${command} --prefer-offline --no-audit --no-fund`], { stdio: 'pipe' })
    expect(await vatom('template', 'list')).toMatchObject({ code: 0 })
  }, 60_000)
})
