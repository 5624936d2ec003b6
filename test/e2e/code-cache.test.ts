import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ended, newMachine, root } from '../support/binary.ts'

const help = ['template', '--help']

/** The binary as another Node finds it: without the code that the build compiled. */
function copyWithoutCode(binary: string) {
  cpSync(join(root, 'bin'), join(binary, '..'), { recursive: true })
  const target = join(binary, '../../dist')
  cpSync(join(root, 'dist'), target, { recursive: true, filter: (name) => !name.endsWith('.v8') })
}

const shared = mkdtempSync(join(tmpdir(), 'vatom-test-'))
/** That binary, one whose compiled code tests replace, and a machine on which a command has run with the former. */
const other = join(shared, 'other/bin/vatom.js')
const spoilt = join(shared, 'spoilt/bin/vatom.js')
const warm = { ...newMachine(other, join(shared, 'home')), code: join(shared, 'home/.cache/vatom/code') }
/** What that command said, and a file of code that it stored. */
let first: Ended
let file = ''
let mode = 0
let whole = Buffer.alloc(0)
beforeAll(async () => {
  for (const binary of [other, spoilt]) copyWithoutCode(binary)
  mkdirSync(warm.home)
  first = await warm.vatom(help)
  expect(first).toMatchObject({ code: 0, err: '' })
  file = join(warm.code, String(readdirSync(warm.code)[0]))
  mode = statSync(file).mode
  whole = readFileSync(file)
  return () => rmSync(shared, { recursive: true, force: true })
})
/** Puts that file back as it was. */
beforeEach(() => {
  rmSync(file, { recursive: true, force: true })
  writeFileSync(file, whole, { mode: 0o600 })
})

const manifest = () => JSON.parse(readFileSync(join(root, 'dist/manifest.json'), 'utf8'))
const packs = (): string[] => manifest().packs
const codeOf = (pack: string) => pack.replace(/js$/, 'v8')

/** Whether the Node that runs the tests is the one that compiled the build. */
function isBuilder(): boolean {
  return manifest().compiledFor === `${process.version}-${process.platform}-${process.arch}`
}

test('the code that the build compiled is used by the Node that built, which stores nothing', async () => {
  const { vatom, home } = newMachine()
  expect(await vatom(help)).toEqual(first)
  expect(readdirSync(home)).toEqual(isBuilder() ? [] : ['.cache'])
})

test('the code that the build compiled names its scripts without a folder of the machine that built', () => {
  // A build that others may use meanwhile leaves the packs of the one before.
  const compiled = packs().filter((pack) => existsSync(join(root, 'dist', codeOf(pack))))
  expect(compiled.length).toBeGreaterThan(0)
  for (const pack of compiled) {
    const code = readFileSync(join(root, 'dist', codeOf(pack)), 'latin1')
    expect(code.includes(root), pack).toBe(false)
    expect(code).toContain(`vatom/dist/${pack}`)
  }
})

const spoilers: [string, (whole: Buffer) => Uint8Array][] = [
  ['empty', () => Buffer.alloc(0)],
  ['a few bytes', () => Buffer.alloc(3)],
  ['truncated', (whole) => whole.subarray(0, whole.length >> 1)],
  ['of another V8', (whole) => Buffer.concat([Buffer.alloc(16, 7), whole.subarray(16)])],
  ['text', () => Buffer.from('not code')],
  ['wrong in one bit', (whole) => whole.map((byte, at) => (at === Math.floor(whole.length * 0.4) ? byte ^ 1 : byte))],
  ['scattered with wrong bytes', (whole) => whole.map((byte, at) => (at % 997 === 500 ? byte ^ 0x5a : byte))],
  ['half zero', (whole) => Buffer.concat([whole.subarray(0, whole.length >> 1)], whole.length)],
  ['zero', (whole) => Buffer.alloc(whole.length)],
]

/** Answers what the binary does with each file of the build's compiled code replaced. */
function runWithCompiledCode(replace: (file: string, whole: Buffer) => void): Promise<Ended> {
  const names = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.v8'))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const copy = join(spoilt, '../../dist', name)
    rmSync(copy, { recursive: true, force: true })
    replace(copy, readFileSync(join(root, 'dist', name)))
  }
  return newMachine(spoilt).vatom(help)
}

test.each(spoilers)('runs the same when the code of the build is %s', async (_, spoil) => {
  expect(await runWithCompiledCode((copy, code) => writeFileSync(copy, spoil(code)))).toEqual(first)
})

test.each([
  ['folders', (file: string) => mkdirSync(file)],
  ['links to themselves', (file: string) => symlinkSync(file, file)],
])('runs the same when the files of compiled code are %s', async (_, replace) => {
  expect(await runWithCompiledCode(replace)).toEqual(first)
})

test('stores compiled code for its user alone, and runs from it alike', async () => {
  expect(statSync(warm.code).mode & 0o777).toBe(0o700)
  expect(mode & 0o777).toBe(0o600)
  expect(await warm.vatom(help)).toEqual(first)
  expect(readFileSync(file).equals(whole)).toBe(true)
})

test.each(spoilers)('runs the same when the file is %s, and replaces it', async (_, spoil) => {
  const spoiled = spoil(whole)
  writeFileSync(file, spoiled)
  expect(await warm.vatom(help)).toEqual(first)
  const replaced = readFileSync(file)
  expect(replaced.length).toBeGreaterThan(whole.length >> 1)
  expect(replaced.equals(spoiled)).toBe(false)
})

test('does not trust a file that others may write', async () => {
  chmodSync(file, 0o666)
  expect(await warm.vatom(help)).toEqual(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  ['that folder', '.'],
  ['the folder above', '..'],
])('neither uses nor stores code where others may write to %s', async (_, open) => {
  const folder = join(warm.code, open)
  const useless = Buffer.from('not code')
  writeFileSync(file, useless)
  chmodSync(folder, 0o777)
  expect(await warm.vatom(help)).toEqual(first)
  expect(readFileSync(file)).toEqual(useless)
  chmodSync(folder, 0o700)
})

test.runIf(process.getuid?.() === 0)('root stores nothing in the home of another user', async () => {
  const { vatom, home } = newMachine(other)
  chownSync(home, 65_534, 65_534)
  expect(await vatom(help)).toEqual(first)
  expect(readdirSync(home)).toEqual([])
})

test.runIf(process.getuid?.() === 0).each<[string, number, boolean]>([
  ['neither uses nor stores code where a group of several may write to the folder above', 100, false],
  ['uses and stores code where a group of this user alone may', 0, true],
])('%s', (_, group, isStored) => {
  const { home } = newMachine()
  chownSync(home, 0, group)
  chmodSync(home, 0o770)
  execFileSync(process.execPath, [other, ...help], { env: { HOME: home }, gid: group, stdio: 'ignore' })
  expect(readdirSync(home).length > 0).toBe(isStored)
})

test('does not wait for a pipe in the place of a file', async () => {
  rmSync(file)
  execFileSync('mkfifo', [file])
  expect(await warm.vatom(help)).toEqual(first)
  expect(statSync(file).isFile()).toBe(true)
})

test('a cache folder that cannot be written to changes nothing', async () => {
  const { vatom, home } = newMachine(other)
  writeFileSync(join(home, 'occupied'), '')
  const run = await vatom(help, { env: { VATOM_CACHE_DIR: join(home, 'occupied') } })
  expect(run).toMatchObject({ code: 0, err: '' })
})

test.runIf(existsSync('/proc/self'))('nor one that the system does not let be made', async () => {
  const { vatom } = newMachine(other)
  expect(await vatom(help, { env: { VATOM_CACHE_DIR: '/proc/none/cache' } })).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['VATOM_CODE_CACHE=off', { VATOM_CODE_CACHE: 'off' }],
  ['a pipeline', { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'a', VATOM_ACCESS_TOKEN: 't' }],
])('%s leaves nothing on disk', async (_, env) => {
  const { vatom, home } = newMachine(other)
  expect(await vatom(help, { env })).toMatchObject({ code: 0 })
  expect(readdirSync(home)).toEqual([])
})

test('takes the folder from VATOM_CACHE_DIR, else from XDG_CACHE_HOME', async () => {
  const { vatom, home } = newMachine(other)
  const xdg = join(home, 'xdg')
  await vatom(help, { env: { XDG_CACHE_HOME: xdg } })
  await vatom(help, { env: { XDG_CACHE_HOME: xdg, VATOM_CACHE_DIR: join(home, 'own') } })
  await vatom(help, { env: { XDG_CACHE_HOME: xdg, VATOM_CACHE_DIR: '~/below' } })
  expect(readdirSync(home).sort()).toEqual(['below', 'own', 'xdg'])
})

test('a failed run stores nothing', async () => {
  const { vatom, home } = newMachine(other)
  expect(await vatom(['template', 'nonsense'])).toMatchObject({ code: 2 })
  expect(readdirSync(home)).toEqual([])
})

test('removes what other builds left behind more than a day ago', async () => {
  const { vatom, home } = newMachine(other)
  const folder = join(home, '.cache/vatom/code')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of ['old.v8', 'recent.v8', 'notes.txt']) writeFileSync(join(folder, name), '')
  const past = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000)
  for (const name of ['old.v8', 'notes.txt']) utimesSync(join(folder, name), past, past)
  await vatom(help)
  const names = readdirSync(folder)
  expect(names).toContain('recent.v8')
  expect(names).toContain('notes.txt')
  expect(names).not.toContain('old.v8')
})

test.each([
  ['files', 120, 1],
  ['bytes', 6, 10 * 1024 * 1024],
])('removes the oldest where there are too many %s', async (_, count, size) => {
  const { vatom, home } = newMachine(other)
  const folder = join(home, '.cache/vatom/code')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let index = 0; index < count; index++) {
    const file = join(folder, `${index}.v8`)
    writeFileSync(file, Buffer.alloc(size))
    const minutesAgo = new Date(Date.now() - (count - index) * 60_000)
    utimesSync(file, minutesAgo, minutesAgo)
  }
  await vatom(help)
  const names = readdirSync(folder)
  expect(names.length).toBeLessThanOrEqual(100)
  expect(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThanOrEqual(40 * 1024 * 1024)
  expect(names).toContain(`${count - 1}.v8`)
  expect(names).not.toContain('0.v8')
})
