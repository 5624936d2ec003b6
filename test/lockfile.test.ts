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

/**
 * Programs of the linter, and of the finder of unused exports, for machines whose builds could not be obtained when they
 * were locked. A package that gets its hash is removed here.
 */
const withoutHash =
  /^node_modules\/@(?:biomejs\/cli-(?:android|darwin|win32|linux-\w+-musl)|oxc-parser\/binding-(?:android|darwin|freebsd|openharmony|win32|linux-(?:arm-|ppc64|riscv64|s390x)))/

test.each(['.', 'test/sdk'])('the lockfile of %s has the SHA-512 of every package', (folder) => {
  const packages = packagesOf(folder)
  expect(packages.length).toBeGreaterThan(50)
  const bad = packages.filter(([, locked]) => !/^sha512-[\w+/]{86}==$/.test(String(at(locked, 'integrity'))))
  expect(bad.filter(([path]) => !withoutHash.test(path))).toEqual([])
  expect(bad.length).toBe(folder === '.' ? 23 : 0)
  expect(bad.filter(([, locked]) => at(locked, 'dev') !== true || at(locked, 'optional') !== true)).toEqual([])
})

test.each(['.', 'test/sdk'])('no package of %s comes from elsewhere than a registry', (folder) => {
  const sources = packagesOf(folder).map(([, locked]) => at(locked, 'resolved'))
  expect(sources.filter((source) => source !== undefined && !String(source).startsWith('https://'))).toEqual([])
  expect(packagesOf(folder).filter(([, locked]) => at(locked, 'link') !== undefined)).toEqual([])
})
