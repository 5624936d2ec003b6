import { join } from 'node:path'
import { bundleForBrowsers } from '../../../src/build/web.mjs'

const root = join(import.meta.dirname, '../../..')
let built: Promise<Readonly<Record<string, string>>> | undefined

/** What the build makes for browsers: texts by the names of their files. Built once for all tests of a file. */
export function builtPages(): Promise<Readonly<Record<string, string>>> {
  built ??= bundleForBrowsers(root).then(({ files, entries }) => ({
    'manifest.json': JSON.stringify({ entries, files: files.map(({ name }) => name) }),
    ...Object.fromEntries(files.map(({ name, text }) => [name, text])),
  }))
  return built
}
