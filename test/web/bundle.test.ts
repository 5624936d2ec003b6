import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleForBrowsers } from '../../src/build/web.mjs'

describe('what browsers load', () => {
  let bundled: Awaited<ReturnType<typeof bundleForBrowsers>>
  beforeAll(async () => {
    bundled = await bundleForBrowsers(join(import.meta.dirname, '../..'))
  }, 60_000)
  const sizeOf = (text: string) => Buffer.byteLength(text)
  const textOf = (name: string) => bundled.files.find((file) => file.name === name)?.text ?? ''

  /** An entry point, and modules that it loads soon, with all that they load before they run. */
  function first(entry: string, ...modules: readonly string[]): string {
    const soon = bundled.files.filter(({ name }) => modules.includes(name.replace(/-\w+\.js$/, '')))
    const found = new Set([bundled.entries[entry] ?? '', ...soon.map(({ name }) => name)])
    for (const name of found)
      for (const [, other = ''] of textOf(name).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) found.add(other)
    return [...found].map(textOf).join('\n')
  }

  test('is small at first: the viewer of 3D models is a file of its own, loaded when it is needed', () => {
    expect(sizeOf(first('preview'))).toBeLessThan(60_000)
    expect(first('preview')).toMatch(/import\("\.\/model-viewer-\w+\.js"\)/)
  })
  test('is small at first in the console: each screen and the client are files of their own', () => {
    expect(sizeOf(first('console'))).toBeLessThan(100_000)
    expect(first('console')).toMatch(/import\("\.\/api-\w+\.js"\)/)
    expect(first('console')).toMatch(/import\("\.\/requests-screen-\w+\.js"\)/)
  })
  test('is small until the first screen of the console shows requests', () => {
    const shown = first('console', 'requests-screen')
    expect(sizeOf(shown)).toBeGreaterThan(sizeOf(first('console')))
    expect(sizeOf(shown)).toBeLessThan(100_000)
  })
  test('is of a bounded size in all', () =>
    expect(bundled.files.reduce((sum, { text }) => sum + sizeOf(text), 0)).toBeLessThan(1_900_000))
  test('has names that change with the content, so that browsers can cache it for good', () => {
    for (const { name } of bundled.files) expect(name).toMatch(/^[\w-]+-[A-Z0-9]{8}\.(js|css)$/)
  })
  test('needs no code made from texts, which a strict policy refuses', () => {
    expect(first('preview')).not.toMatch(/\beval\(|new Function\(|innerHTML|insertAdjacentHTML/)
    expect(first('console')).not.toMatch(/\beval\(|new Function\(/)
  })
})
