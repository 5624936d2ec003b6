import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'
import { newFolder } from '../support/folders.ts'

const help = ['template', '--help']

/** The binary as another Node finds it: without the code that the build compiled. */
function otherBuild() {
  const folder = newFolder()
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: (name) => !name.endsWith('.v8') })
  return join(folder, 'bin/vatom.js')
}

/** A machine on which one command has run, with the folder and one of the files of code that it stored. */
async function warmMachine() {
  const machine = newMachine(otherBuild())
  const first = await machine.vatom(help)
  const folder = join(machine.home, '.cache/vatom/code')
  const [name] = readdirSync(folder)
  return { ...machine, first, folder, file: join(folder, String(name)) }
}

const manifest = () => JSON.parse(readFileSync(join(root, 'dist/manifest.json'), 'utf8'))
const packs = (): string[] => manifest().packs
const codeOf = (pack: string) => pack.replace(/js$/, 'v8')

/** Whether the Node that runs the tests is the one that compiled the build. */
function isBuilder(): boolean {
  return manifest().compiledFor === `${process.version}-${process.platform}-${process.arch}`
}

test('the code that the build compiled is used by the Node that built, which stores nothing', async () => {
  const { vatom, home } = newMachine()
  expect(await vatom(help)).toMatchObject({ code: 0, err: '' })
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

/** The binary with each file of the build's compiled code replaced. */
function withCompiledCode(replace: (file: string, whole: Buffer) => void) {
  const binary = otherBuild()
  const names = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.v8'))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) replace(join(binary, '../../dist', name), readFileSync(join(root, 'dist', name)))
  return binary
}

test.each(spoilers)('runs the same when the code of the build is %s', async (_, spoil) => {
  const binary = withCompiledCode((file, whole) => writeFileSync(file, spoil(whole)))
  expect(await newMachine(binary).vatom(help)).toEqual(await newMachine().vatom(help))
})

test.each([
  ['folders', (file: string) => mkdirSync(file)],
  ['links to themselves', (file: string) => symlinkSync(file, file)],
])('runs the same when the files of compiled code are %s', async (_, replace) => {
  const binary = withCompiledCode(replace)
  expect(await newMachine(binary).vatom(help)).toEqual(await newMachine().vatom(help))
})

test('stores compiled code for its user alone, and runs from it alike', async () => {
  const { vatom, first, folder, file } = await warmMachine()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const written = readFileSync(file)
  expect(await vatom(help)).toEqual(first)
  expect(readFileSync(file).equals(written)).toBe(true)
})

test.each(spoilers)('runs the same when the file is %s, and replaces it', async (_, spoil) => {
  const { vatom, first, file } = await warmMachine()
  const whole = readFileSync(file)
  const spoiled = spoil(whole)
  writeFileSync(file, spoiled)
  expect(await vatom(help)).toEqual(first)
  const replaced = readFileSync(file)
  expect(replaced.length).toBeGreaterThan(whole.length >> 1)
  expect(replaced.equals(spoiled)).toBe(false)
})

test('does not trust a file that others may write', async () => {
  const { vatom, first, file } = await warmMachine()
  chmodSync(file, 0o666)
  expect(await vatom(help)).toEqual(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('does not wait for a pipe in the place of a file', async () => {
  const { vatom, first, file } = await warmMachine()
  rmSync(file)
  execFileSync('mkfifo', [file])
  expect(await vatom(help)).toEqual(first)
  expect(statSync(file).isFile()).toBe(true)
})

test('a cache folder that cannot be written to changes nothing', async () => {
  const { vatom, home } = newMachine(otherBuild())
  writeFileSync(join(home, 'occupied'), '')
  const run = await vatom(help, { env: { VATOM_CACHE_DIR: join(home, 'occupied') } })
  expect(run).toMatchObject({ code: 0, err: '' })
})

test.runIf(existsSync('/proc/self'))('nor one that the system does not let be made', async () => {
  const { vatom } = newMachine(otherBuild())
  expect(await vatom(help, { env: { VATOM_CACHE_DIR: '/proc/none/cache' } })).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['VATOM_CODE_CACHE=off', { VATOM_CODE_CACHE: 'off' }],
  ['a pipeline', { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'a', VATOM_ACCESS_TOKEN: 't' }],
])('%s leaves nothing on disk', async (_, env) => {
  const { vatom, home } = newMachine(otherBuild())
  expect(await vatom(help, { env })).toMatchObject({ code: 0 })
  expect(readdirSync(home)).toEqual([])
})

test('takes the folder from VATOM_CACHE_DIR, else from XDG_CACHE_HOME', async () => {
  const { vatom, home } = newMachine(otherBuild())
  const xdg = join(home, 'xdg')
  await vatom(help, { env: { XDG_CACHE_HOME: xdg } })
  await vatom(help, { env: { XDG_CACHE_HOME: xdg, VATOM_CACHE_DIR: join(home, 'own') } })
  await vatom(help, { env: { XDG_CACHE_HOME: xdg, VATOM_CACHE_DIR: '~/below' } })
  expect(readdirSync(home).sort()).toEqual(['below', 'own', 'xdg'])
})

test('a failed run stores nothing', async () => {
  const { vatom, home } = newMachine(otherBuild())
  expect(await vatom(['template', 'nonsense'])).toMatchObject({ code: 2 })
  expect(readdirSync(home)).toEqual([])
})

test('removes what other builds left behind more than a day ago', async () => {
  const { vatom, home } = newMachine(otherBuild())
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
  const { vatom, home } = newMachine(otherBuild())
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
