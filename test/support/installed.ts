import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { root } from './binary.ts'
import { type Files, newFolder, writeFiles } from './folders.ts'

/** Packs the built package for the tests of a file; the function makes a project with files in which it is installed. */
export function packedPackage(): (files: Files) => string {
  let packed = ''
  let tarball = ''
  beforeAll(() => {
    packed = mkdtempSync(join(tmpdir(), 'vatom-packed-'))
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packed]
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
    tarball = join(packed, filename)
  }, 60_000)
  afterAll(() => rmSync(packed, { recursive: true, force: true }))
  return (files) => {
    const folder = newFolder()
    const installed = join(folder, 'node_modules/vatom')
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xf', tarball, '-C', installed, '--strip-components=1'])
    symlinkSync(join(root, 'node_modules/@photostructure'), join(folder, 'node_modules/@photostructure'))
    writeFiles(folder, { 'package.json': '{}', ...files })
    return folder
  }
}
