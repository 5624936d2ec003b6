import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

type How = 'static' | 'type' | 'dynamic'
interface Import {
  readonly from: string
  readonly to: string
  readonly how: How
}

const source = resolve(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

/** What a file imports: `to` is a path below `src` for files of ours, else the name of a package. */
function importsOf(from: string, text: string): Import[] {
  const code = text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
  const found = [
    ...[...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+\sfrom\s+)?['"]([^'"]+)['"]/gm)].map(
      ([, type, target = '']) => ({ target, how: type ? ('type' as const) : ('static' as const) }),
    ),
    ...[...code.matchAll(/(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, type, target = '']) => ({
      target,
      how: type ? ('type' as const) : ('dynamic' as const),
    })),
    ...[...code.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, target = '']) => ({
      target,
      how: 'static' as const,
    })),
  ]
  return found.map(({ target, how }) => ({ from, to: place(from, target), how }))
}
const place = (from: string, target: string) =>
  target.startsWith('.') ? relative(source, resolve(source, dirname(from), target)) : target

const rooms = ['cli', 'client', 'contract', 'documents', 'server', 'testing', 'web'] as const
const may: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  client: ['client', 'contract'],
  server: ['server', 'contract'],
  documents: ['documents', 'contract'],
  cli: ['cli', 'client', 'documents', 'contract'],
  testing: ['testing', 'client', 'server', 'documents', 'contract'],
  web: ['web', 'client', 'contract'],
}
const contractPackages = ['zod/v4', 'leven', 'iso-639-1', 'currency-codes']
const roomOf = (path: string) => rooms.find((room) => path.startsWith(`${room}/`))
const isPackage = (to: string) => roomOf(to) === undefined && !to.startsWith('..')

/** Rooms within the service that may import less than it may. */
const inner: Readonly<Record<string, readonly string[]>> = {
  'server/store': ['server/store', 'contract'],
  'server/domain': ['server/domain', 'server/store', 'contract'],
  'server/auth': ['server/auth', 'server/domain', 'server/store', 'contract'],
  'server/assets': ['server/assets', 'server/domain', 'server/store', 'contract'],
  'server/events': ['server/events', 'server/unread.ts', 'server/auth', 'server/domain', 'server/store', 'contract'],
  'server/actions': ['server/actions', 'server/domain', 'server/store', 'contract'],
  'server/snapshots': [
    ...['server/snapshots', 'server/service-failure.ts', 'server/assets', 'server/domain', 'server/store', 'contract'],
  ],
  'server/testing': [
    'server/testing',
    'server/auth',
    'server/valid-input.ts',
    'server/domain',
    'server/store',
    'contract',
  ],
  'server/operations': [
    ...['server/operations', 'server/environment.ts', 'server/actions', 'server/auth', 'server/assets'],
    ...['server/domain', 'server/store', 'contract'],
  ],
}

/** Why an import leaves an inner room for one it may not, or undefined where it does not. */
function innerFault({ from, to }: Import): string | undefined {
  const room = Object.keys(inner).find((one) => from.startsWith(`${one}/`))
  if (room === undefined || isPackage(to) || inner[room]?.some((one) => to === one || to.startsWith(`${one}/`)))
    return undefined
  return `${from}: ${room} imports ${to}`
}

/** Why an import is against the direction of the house, or undefined where it is not. */
function fault({ from, to, how }: Import): string | undefined {
  const room = roomOf(from)
  if (room === undefined) return undefined
  if (isPackage(to))
    return room === 'contract' && !contractPackages.includes(to) ? `${from}: contract imports ${to}` : undefined
  const target = roomOf(to)
  if (target !== undefined && may[room]?.includes(target)) return undefined
  if (room === 'cli' && target === 'server' && how !== 'static') return undefined
  if (target === undefined && room !== 'contract') return undefined
  return `${from}: ${room} imports ${to} (${how})`
}

describe('the direction of imports', () => {
  const imports = files.flatMap((file) => importsOf(file, readFileSync(join(source, file), 'utf8')))

  test('cli -> client -> contract <- server, documents -> contract, web -> client, testing -> all but cli and web', () =>
    expect(imports.map(fault).filter((found) => found !== undefined)).toEqual([]))
  test.each(Object.keys(inner))('%s imports nothing above it', () =>
    expect(imports.map(innerFault).filter((found) => found !== undefined)).toEqual([]),
  )
  test('every import of ours names a file that is there', () => {
    const ours = imports.filter(({ to }) => roomOf(to) !== undefined)
    expect(ours.length).toBeGreaterThan(0)
    const there = new Set(files)
    expect(ours.filter(({ to }) => /\.tsx?$/.test(to) && !there.has(to))).toEqual([])
  })
  test('no file of ours needs import.meta, which the bundles do not have', () =>
    expect(files.filter((file) => /\bimport\.meta\b/.test(readFileSync(join(source, file), 'utf8')))).toEqual([]))
  test('what runs in a browser needs nothing of Node', () =>
    expect(imports.filter(({ from, to }) => from.startsWith('web/') && to.startsWith('node:'))).toEqual([]))
  test('zod is zod/v4 everywhere', () =>
    expect(imports.filter(({ to }) => /^zod/.test(to) && !to.startsWith('zod/v4'))).toEqual([]))
  test('the help of no command evaluates zod, undici or the schemas', () => {
    const evaluated = (file: string, seen: Set<string>): Set<string> => {
      for (const { from, to, how } of imports)
        if (from === file && how === 'static' && !seen.has(to)) evaluated(to, seen.add(to))
      return seen
    }
    const commands = files.filter((file) => /^cli\/commands\/([\w-]+\.ts|[\w-]+\/index\.ts)$/.test(file))
    const costly = commands.flatMap((file) =>
      [...evaluated(file, new Set())].filter((to) => ['zod/v4', 'undici'].includes(to)).map((to) => `${file}: ${to}`),
    )
    expect(commands.length).toBeGreaterThan(20)
    expect(costly).toEqual([])
  })
  test('no text is asked whether it is a URL by URL.canParse, which errs in Node 20', () =>
    expect(files.filter((file) => /\bcanParse\(/.test(readFileSync(join(source, file), 'utf8')))).toEqual([]))
  test('no number is written by toLocaleString, which loads tables of all locales as a command starts', () =>
    expect(files.filter((file) => /\btoLocaleString\(/.test(readFileSync(join(source, file), 'utf8')))).toEqual([]))
  test('node’s own modules are named node:', () =>
    expect(imports.filter(({ to }) => builtinModules.includes(to))).toEqual([]))
})

describe('the reader of imports', () => {
  const found = (file: string, code: string) => importsOf(file, code).map(fault).filter(Boolean)
  test.each([
    ['client/a.ts', "import { x } from '../server/app.ts'"],
    ['client/a.ts', "import type { X } from '../server/app.ts'"],
    ['server/a.ts', "import {\n  x,\n  y,\n} from '../client/call.ts'"],
    ['server/a.ts', "export * from '../documents/load.ts'"],
    ['server/a.ts', "const x = await import('../cli/program.ts')"],
    ['documents/a.ts', "import '../client/call.ts'"],
    ['contract/a.ts', "import { x } from '../client/call.ts'"],
    ['contract/a.ts', "import fastify from 'fastify'"],
    ['contract/a.ts', "import { readFileSync } from 'node:fs'"],
    ['cli/a.ts', "import { x } from '../server/app.ts'"],
    ['cli/commands/face/a.ts', "export { x } from '../../../server/app.ts'"],
    ['cli/a.ts', "require('../server/app.ts')"],
    ['web/faces/a.ts', "import type { X } from '../../server/app.ts'"],
    ['client/a.ts', "import { x } from '../web/faces/a.ts'"],
    ['testing/a.ts', "import { x } from '../cli/program.ts'"],
    ['cli/a.ts', "import { x } from '../testing/a.ts'"],
    ['server/a.ts', "import('../testing/a.ts')"],
    ['cli/a.ts', "import('../web/faces/a.ts')"],
  ])('%s may not: %s', (file, code) => expect(found(file, code)).toHaveLength(1))
  test.each([
    ['cli/a.ts', "const serve = () => import('../server/service.ts')"],
    ['cli/a.ts', "import type { Service } from '../server/service.ts'"],
    ['cli/a.ts', "let x: typeof import('../server/service.ts')"],
    ['cli/a.ts', "import { x } from '../client/call.ts'\nimport y from '../documents/load.ts'"],
    ['client/a.ts', "import { api } from '../contract/api.ts'\nimport { request } from 'undici'"],
    ['web/faces/a.ts', "import { x } from '../../contract/values.ts'\nimport { y } from './b.ts'"],
    ['web/console/a.tsx', "import { createClient } from '../../client/client.ts'"],
    ['contract/a.ts', "import * as z from 'zod/v4'\nimport './b.ts'"],
    ['contract/a.ts', " * import { x } from '../client/call.ts'"],
  ])('%s may: %s', (file, code) => expect(found(file, code)).toEqual([]))
  test.each([
    ['server/store/a.ts', "import { x } from '../service-failure.ts'", 1],
    ['server/store/search/a.ts', "import type { X } from '../../domain/b.ts'", 1],
    ['server/store/search/a.ts', "import type { X } from '../table.ts'\nimport { y } from '../../../contract/c.ts'", 0],
    ['server/domain/a.ts', "import type { X } from '../store/b.ts'", 0],
    ['server/domain/records/a.ts', "import type { X } from '../../request/b.ts'", 1],
    ['server/actions/a.ts', "import { X } from '../store/turns.ts'", 0],
  ])('%s: %s leaves its inner room %d times', (file, code, times) =>
    expect(importsOf(file, code).map(innerFault).filter(Boolean)).toHaveLength(times),
  )
})
