import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { bundleForBrowsers } from '../../../src/build/web.mjs'
import { folderWith } from '../../support/folders.ts'
import { testService } from '../../support/service.ts'
import { launch, problemsOf } from './browser.ts'

const root = join(import.meta.dirname, '../../..')
let built: Promise<Readonly<Record<string, string>>> | undefined

/** What the build makes for browsers, in a folder. */
async function pagesFolder(): Promise<string> {
  built ??= bundleForBrowsers(root).then(({ files, entries }) => ({
    'manifest.json': JSON.stringify({ entries, files: files.map(({ name }) => name) }),
    ...Object.fromEntries(files.map(({ name, text }) => [name, text])),
  }))
  return folderWith(await built)
}

/** A served service, and a browser that is signed in to its console. */
export async function consoleDesk(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService({ pages: await pagesFolder(), ...options })
  // What the world of a test asked for itself is not listed.
  const { journal } = await world.service.testControls()
  journal.clear()
  const listening = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const browser = await launch()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const problems = problemsOf(page, [listening.baseUrl])
  const link = () => String(listening.consoleLink?.())
  await page.goto(link())
  await page.waitForSelector('nav')
  const api = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = token === undefined ? api : { ...api, authorization: `Bearer ${token}` }
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(listening.baseUrl + path, { method, headers, ...sent })
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
  return { ...world, ...listening, page, context, problems, call, link }
}

/** Goes to a screen by its link in the navigation. */
export const openScreen = (page: Page, screen: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen, exact: true }).click()
