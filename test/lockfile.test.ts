import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { at, isObject } from '../src/contract/schema/path.ts'

/** The packages that a lockfile names, by their folders. */
function packagesOf(folder: string): readonly (readonly [string, unknown])[] {
  const file = join(import.meta.dirname, '..', folder, 'package-lock.json')
  const packages = at(JSON.parse(readFileSync(file, 'utf8')), 'packages')
  if (!isObject(packages)) throw new Error(`${file} names no packages`)
  return Object.entries(packages).filter(([path]) => path !== '')
}

test.each(['.', 'test/sdk'])('the lockfile of %s has the SHA-512 of every package', (folder) => {
  const packages = packagesOf(folder)
  expect(packages.length).toBeGreaterThan(50)
  const bad = packages.filter(([, locked]) => !/^sha512-[\w+/]{86}==$/.test(String(at(locked, 'integrity'))))
  expect(bad).toEqual([])
})

test.each(['.', 'test/sdk'])('no package of %s comes from elsewhere than a registry', (folder) => {
  const sources = packagesOf(folder).map(([, locked]) => at(locked, 'resolved'))
  expect(sources.filter((source) => source !== undefined && !String(source).startsWith('https://'))).toEqual([])
  expect(packagesOf(folder).filter(([, locked]) => at(locked, 'link') !== undefined)).toEqual([])
})
