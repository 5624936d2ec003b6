import { spawnSync } from 'node:child_process'
import fs, {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { uptime } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { machineName, ownTag, startOf } from '../src/processes.ts'
import { putInPlace, stage, writeWhole, writeWithin } from '../src/whole-file.ts'
import { onNextFlush, replaceCall, swapOnNextFile } from './support/file-calls.ts'
import { newFolder } from './support/folders.ts'

const left = (pid: number, start = '', host = machineName()) => `.vatom-${pid}_${start}_${host}-0.tmp`
/** As earlier versions named it. */
const leftEarlier = (pid: number, start = '', host = machineName()) => `.vatom-${host}-${pid}-${start}-0.tmp`

test('a file is written with its mode, a link is followed, and nothing else is left', () => {
  const folder = newFolder()
  const file = join(folder, 'a')
  writeWhole(file, 'one', { mode: 0o640 })
  symlinkSync('a', join(folder, 'b'))
  writeWhole(join(folder, 'b'), 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(lstatSync(join(folder, 'b')).isSymbolicLink()).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['a', 'b'])
})

test('a new file that is to be private is so before it has its content', () => {
  const folder = newFolder()
  const modes: number[] = []
  replaceCall('writeFileSync', () => (file, content) => {
    const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('.vatom-'))
    modes.push(statSync(join(folder, name)).mode & 0o777)
    fs.writeSync(Number(file), String(content))
  })
  writeWhole(join(folder, 'a'), 'one', { mode: 0o600 })
  writeWhole(join(folder, 'b'), 'two', { mode: 0o640 })
  expect([modes, statSync(join(folder, 'b')).mode & 0o777]).toEqual([[0o600, 0o600], 0o640])
})

test('within a folder, a link is followed as long as it stays there', () => {
  const [around, at] = [newFolder(), newFolder()]
  const folder = join(around, 'in')
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(join(at, 'precious'), 'precious')
  symlinkSync('sub/real', join(folder, 'inner'))
  symlinkSync(join(at, 'precious'), join(folder, 'outer'))
  writeWithin(folder, join(folder, 'inner'), 'one')
  writeWithin(folder, join(folder, 'inner'), 'two')
  expect(readFileSync(join(folder, 'sub/real'), 'utf8')).toBe('two')
  expect(lstatSync(join(folder, 'inner')).isSymbolicLink()).toBe(true)
  const { mtimeMs } = statSync(at)
  expect(() => writeWithin(folder, join(folder, 'outer'), 'x')).toThrow('a link leads out of the folder')
  // Nothing was written beside it either.
  expect(statSync(at).mtimeMs).toBe(mtimeMs)
  swapOnNextFile(folder, join(folder, 'sub'), at)
  expect(() => writeWithin(folder, join(folder, 'sub/precious'), 'x')).toThrow('a link leads out of the folder')
  expect([readFileSync(join(at, 'precious'), 'utf8'), readdirSync(at)]).toEqual(['precious', ['precious']])
})

test('a device is written to', () => {
  expect(() => writeWhole('/dev/null', 'x')).not.toThrow()
  expect(statSync('/dev/null').isFile()).toBe(false)
})

test('where a file cannot be put in place, no temporary file is left', () => {
  const folder = newFolder()
  const { fresh } = stage(join(folder, 'a'), 'a')
  expect(fresh).toContain('.vatom-')
  expect(() => putInPlace({ fresh, path: join(folder, 'none/a') })).toThrow(/ENOENT/)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['', left],
  [' under the name of an earlier version', leftEarlier],
])(
  'what ended processes left%s is removed; what running ones and other machines write is not, nor other files',
  (_, named) => {
    const folder = newFolder()
    const { pid: ended } = spawnSync('true')
    const parent = process.ppid
    const mine = [named(ended), named(parent, '1')]
    const others = [
      named(parent, startOf(parent)),
      named(ended, '', 'elsewhere'),
      '.vatom-notes.tmp',
      '.vatom',
      'a.yaml',
    ]
    for (const name of [...mine, ...others]) writeFileSync(join(folder, name), '')
    writeWhole(join(folder, 'b'), '')
    expect(readdirSync(folder).sort()).toEqual([...others, 'b'].sort())
  },
)

test('what was left before this machine started is removed; what a copy of the machine, with its name, writes is not', () => {
  const folder = newFolder()
  const [, shared = '', boot] = /^(.*?)(_[\da-f]{8})?$/.exec(machineName()) ?? []
  const { pid: ended } = spawnSync('true')
  const twin = `${shared}_0a1b2c3d`
  const [before, since] = [left(ended, '1', twin), left(ended, '2', twin)]
  for (const name of [before, since, left(ended, '3', shared)]) writeFileSync(join(folder, name), '')
  const start = Date.now() / 1000 - uptime()
  utimesSync(join(folder, before), start - 60, start - 60)
  writeWhole(join(folder, 'b'), '')
  expect(readdirSync(folder).sort()).toEqual([since, 'b'].sort())
  if (process.platform === 'linux') expect(boot).toBeDefined()
})

test('what ended processes left is removed also where a part of it cannot be', () => {
  const folder = newFolder()
  const { pid: ended } = spawnSync('true')
  mkdirSync(join(folder, left(ended, '2')))
  for (const start of ['1', '3']) writeFileSync(join(folder, left(ended, start)), '')
  writeWhole(join(folder, 'b'), '')
  expect(readdirSync(folder).sort()).toEqual([left(ended, '2'), 'b'].sort())
})

test('a temporary file names the process that writes it', () => {
  const staged = stage(join(newFolder(), 'a'), 'a')
  expect(basename(staged.fresh)).toMatch(new RegExp(`^\\.vatom-${ownTag()}-\\d+\\.tmp$`))
})

describe('where the name of a new file comes to stand for another file', () => {
  /** A folder with a file that others may not read, and what happens once, as the next file is flushed to the disk. */
  function hostile() {
    const folder = newFolder()
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'hidden', { mode: 0o600 })
    const whileFlushed = (happen: (fresh: string) => void) =>
      onNextFlush(() => happen(join(folder, readdirSync(folder).find((name) => name.startsWith('.vatom-')) ?? 'none')))
    const isUntouched = () => [readFileSync(secret, 'utf8'), statSync(secret).mode & 0o777, statSync(secret).uid]
    return { folder, secret, whileFlushed, isUntouched }
  }

  type Replace = (fresh: string, secret: string) => void
  const link: Replace = (fresh, secret) => symlinkSync(secret, fresh)
  const hardLink: Replace = (fresh, secret) => fs.linkSync(secret, fresh)

  test.each([
    ['a link', link],
    ['a hard link', hardLink],
  ])('as %s, that gets neither its mode nor its owner', (_, replace) => {
    const { folder, secret, whileFlushed, isUntouched } = hostile()
    const before = isUntouched()
    whileFlushed((fresh) => {
      renameSync(fresh, join(folder, 'mine'))
      replace(fresh, secret)
    })
    const owner = process.getuid?.() === 0 ? { owner: { uid: 65_534, gid: 65_534 } } : {}
    writeWhole(join(folder, 'a'), 'hidden', { flush: true, mode: 0o644, ...owner })
    expect(isUntouched()).toEqual(before)
    expect(statSync(join(folder, 'mine')).mode & 0o777).toBe(0o644)
  })

  test.each([
    ['a link', link, 'shown!'],
    ['a link to what says the same', link, 'hidden'],
    ['a hard link', hardLink, 'shown!'],
  ])('as %s, after it was written by its name, nothing is put in place', (_, replace, content) => {
    const { folder, secret, isUntouched } = hostile()
    const before = isUntouched()
    const write = (fresh: string) => replace(fresh, secret)
    expect(() => writeWhole(join(folder, 'a'), content, { mode: 0o644, write })).toThrow()
    expect(isUntouched()).toEqual(before)
    expect(readdirSync(folder)).toEqual(['secret'])
  })
})
