import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { machineName, startOf } from '../src/processes.ts'
import { newTemporaryFolder } from '../src/temporary-folders.ts'
import { newFolder } from './support/folders.ts'

/** A system's folder for temporary files that is new. */
function temporary(): string {
  const folder = newFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return folder
}

const named = (use: string, pid: number, start = '', host = machineName()) =>
  `vatom-${use}-${pid}_${start}_${host}-0a1b2c3d`

test('a new folder is for its owner alone, and names its process', () => {
  const folder = temporary()
  const made = newTemporaryFolder('assets')
  expect(readdirSync(folder)).toEqual([basename(made)])
  expect(statSync(made).mode & 0o777).toBe(0o700)
  expect(basename(made)).toContain(`-${process.pid}_`)
})

test('the folders of ended processes are removed; those of running ones and other machines are not, nor what only looks like one', () => {
  const folder = temporary()
  const { pid: ended } = spawnSync('true')
  const parent = process.ppid
  for (const name of [named('assets', ended), named('copy', ended), named('preview', parent, '1')]) {
    mkdirSync(join(folder, name, 'Default'), { recursive: true })
    writeFileSync(join(folder, name, 'Default/a'), 'a')
  }
  const others = [
    named('assets', parent, startOf(parent)),
    named('assets', ended, '', 'elsewhere'),
    'vatom-assets-x1y2z3',
  ]
  for (const name of others) mkdirSync(join(folder, name))
  writeFileSync(join(folder, named('snapshots', ended)), 'a file')
  symlinkSync(join(folder, others[0] ?? ''), join(folder, named('preview', ended)))
  const made = newTemporaryFolder('copy')
  expect(readdirSync(folder).sort()).toEqual(
    [...others, named('snapshots', ended), named('preview', ended), basename(made)].sort(),
  )
})
