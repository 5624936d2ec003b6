import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineName, startOf } from '../src/processes.ts'
import { putInPlace, stage, writeWhole } from '../src/whole-file.ts'
import { newFolder } from './support/folders.ts'

const left = (pid: number, start = '', host = machineName()) => `.vatom-${host}-${pid}-${start}-0.tmp`

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

test('a device is written to', () => {
  expect(() => writeWhole('/dev/null', 'x')).not.toThrow()
  expect(statSync('/dev/null').isFile()).toBe(false)
})

test('where a file cannot be put in place, no temporary file is left', () => {
  const folder = newFolder()
  const staged = [stage(join(folder, 'a'), 'a'), stage(join(folder, 'b'), 'b')]
  const [first, second] = staged
  expect(() => putInPlace([{ fresh: first?.fresh ?? '', path: join(folder, 'none/a') }, ...staged.slice(1)])).toThrow(
    /ENOENT/,
  )
  expect(second?.fresh).toContain('.vatom-')
  expect(readdirSync(folder)).toEqual([])
})

test('what ended processes left is removed; what running ones and other machines write is not, nor other files', () => {
  const folder = newFolder()
  const { pid: ended } = spawnSync('true')
  const parent = process.ppid
  const mine = [left(ended), left(parent, '1')]
  const others = [left(parent, startOf(parent)), left(ended, '', 'elsewhere'), '.vatom-notes.tmp', '.vatom', 'a.yaml']
  for (const name of [...mine, ...others]) writeFileSync(join(folder, name), '')
  writeWhole(join(folder, 'b'), '')
  expect(readdirSync(folder).sort()).toEqual([...others, 'b'].sort())
})
