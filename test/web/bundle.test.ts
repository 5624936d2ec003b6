import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleForBrowsers } from '../../src/build/web.mjs'

describe('what browsers load', () => {
  let bundled: Awaited<ReturnType<typeof bundleForBrowsers>>
  beforeAll(async () => {
    bundled = await bundleForBrowsers(join(import.meta.dirname, '../..'))
  }, 60_000)
  const sizeOf = (text: string) => Buffer.byteLength(text)
  const first = () => bundled.files.find(({ name }) => name === bundled.entries.preview)?.text ?? ''

  test('is small at first: the viewer of 3D models is a file of its own, loaded when it is needed', () => {
    expect(sizeOf(first())).toBeLessThan(60_000)
    expect(first()).toMatch(/import\("\.\/model-viewer-\w+\.js"\)/)
    expect(first()).not.toMatch(/(from|import)\s*"/)
  })
  test('is of a bounded size in all', () =>
    expect(bundled.files.reduce((sum, { text }) => sum + sizeOf(text), 0)).toBeLessThan(1_200_000))
  test('has names that change with the content, so that browsers can cache it for good', () => {
    for (const { name } of bundled.files) expect(name).toMatch(/^[\w-]+-[A-Z0-9]{8}\.(js|css)$/)
  })
  test('needs no code made from texts, which a strict policy refuses', () =>
    expect(first()).not.toMatch(/\beval\(|new Function\(|innerHTML|insertAdjacentHTML/))
})
