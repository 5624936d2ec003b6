import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine } from '../support/binary.ts'

const help = ['template', '--help']

/** A machine on which one command has run, with the folder and the one file of code it kept. */
async function warmMachine() {
  const machine = newMachine()
  const first = await machine.vatom(help)
  const folder = join(machine.home, '.cache/vatom/code')
  const [name] = readdirSync(folder)
  return { ...machine, first, folder, file: join(folder, String(name)) }
}

test('keeps compiled code for its user alone, and runs from it alike', async () => {
  const { vatom, first, folder, file } = await warmMachine()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const written = readFileSync(file)
  expect(await vatom(help)).toEqual(first)
  expect(readFileSync(file).equals(written)).toBe(true)
})

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['truncated', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
  ['of another V8', (whole: Buffer) => Buffer.concat([Buffer.alloc(16, 7), whole.subarray(16)])],
  ['text', () => Buffer.from('not code')],
  ['scattered with wrong bytes', (whole: Buffer) => whole.map((byte, at) => (at % 997 === 500 ? byte ^ 0x5a : byte))],
  ['half zero', (whole: Buffer) => Buffer.concat([whole.subarray(0, whole.length >> 1)], whole.length)],
  ['zero', (whole: Buffer) => Buffer.alloc(whole.length)],
])('runs the same when the file is %s, and replaces it', async (_, spoil) => {
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
  const { vatom, home } = newMachine()
  writeFileSync(join(home, 'occupied'), '')
  const run = await vatom(help, { env: { VATOM_CACHE_DIR: join(home, 'occupied') } })
  expect(run).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['VATOM_CODE_CACHE=off', { VATOM_CODE_CACHE: 'off' }],
  ['a pipeline', { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'a', VATOM_ACCESS_TOKEN: 't' }],
])('%s leaves nothing on disk', async (_, env) => {
  const { vatom, home } = newMachine()
  expect(await vatom(help, { env })).toMatchObject({ code: 0 })
  expect(readdirSync(home)).toEqual([])
})

test('takes the folder from VATOM_CACHE_DIR, else from XDG_CACHE_HOME', async () => {
  const { vatom, home } = newMachine()
  const xdg = join(home, 'xdg')
  await vatom(help, { env: { XDG_CACHE_HOME: xdg } })
  await vatom(help, { env: { XDG_CACHE_HOME: xdg, VATOM_CACHE_DIR: join(home, 'own') } })
  expect(readdirSync(home).sort()).toEqual(['own', 'xdg'])
})

test('a failed run keeps nothing', async () => {
  const { vatom, home } = newMachine()
  expect(await vatom(['template', 'nonsense'])).toMatchObject({ code: 2 })
  expect(readdirSync(home)).toEqual([])
})

test('removes what other versions left behind more than a day ago', async () => {
  const { vatom, home } = newMachine()
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
