import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  const notices = readFileSync(join(root, 'dist/NOTICES.txt'), 'utf8')
  for (const name of ['commander', 'zod', 'yaml', 'fastify', 'undici', 'conf']) expect(notices).toContain(`\n${name} `)
  // What fastify has no use for here takes long to load.
  for (const name of ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'])
    expect(notices).not.toContain(`\n${name} `)
})

test('installed into an empty folder, vatom runs from PATH', async () => {
  const { home } = newMachine()
  const prefix = join(home, 'prefix')
  const tarball = join(home, pack(home).filename)
  execFileSync('npm', ['install', '--global', '--prefix', prefix, '--prefer-offline', tarball], { stdio: 'pipe' })

  const env = { PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, HOME: home }
  const example = join(prefix, 'lib/node_modules/vatom/templates-examples/coffee-coupon.yaml')
  const created = await ended(spawn('vatom', ['template', 'create', example], { cwd: home, env }))
  expect(created).toMatchObject({ code: 0, out: expect.stringContaining('CoffeeCoupon') })
  expect(readdirSync(join(home, '.local/share/vatom'))).toContain('local.db')

  // Native code that was compiled here is left to the package's own search.
  mkdirSync(join(prefix, 'lib/node_modules/vatom/node_modules/@photostructure/sqlite/build'))
  const listed = await ended(spawn('vatom', ['template', 'list'], { cwd: home, env }))
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('CoffeeCoupon') })
}, 60_000)
