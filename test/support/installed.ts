import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './binary.ts'
import { type Files, newFolder, writeFiles } from './folders.ts'

/** Packs the package as it is built now: the file, and what is in it. */
export function packInto(destination: string) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  return { tarball: join(destination, filename), files }
}

/** Makes a project with files for a test, in which the built package is installed: what package.json says belongs to it. */
export function projectWith(files: Files): string {
  const folder = newFolder()
  const installed = join(folder, 'node_modules/vatom')
  const { files: packed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['package.json', ...packed]) cpSync(join(root, name), join(installed, name), { recursive: true })
  symlinkSync(join(root, 'node_modules/@photostructure'), join(folder, 'node_modules/@photostructure'))
  writeFiles(folder, { 'package.json': '{}', ...files })
  return folder
}
