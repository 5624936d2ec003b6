import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { folderWith } from '../../support/folders.ts'
import { testService } from '../../support/service.ts'
import { freshContext, problemsOf } from './browser.ts'
import { builtPages } from './built-pages.ts'

/** A served service, and a browser that is signed in to its console. */
export async function consoleDesk(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService({ pages: folderWith(await builtPages()), ...options })
  // What the world of a test asked for itself is not listed.
  const { journal } = await world.service.testControls()
  journal.clear()
  const listening = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const context = await freshContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems = problemsOf(page, [listening.baseUrl])
  const link = () => String(listening.consoleLink?.())
  await page.goto(link())
  await page.waitForSelector('nav')
  const api = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  const call = async (method: string, path: string, body?: unknown, token?: string, more: object = {}) => {
    const headers = { ...(token === undefined ? api : { ...api, authorization: `Bearer ${token}` }), ...more }
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

/** What a button copies; of a command with a token, that and the id of the user whom it acts as. */
export async function copied(
  { page, context, call }: Pick<Awaited<ReturnType<typeof consoleDesk>>, 'page' | 'context' | 'call'>,
  button: Locator,
) {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await button.click()
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(read).not.toBe('')
  const text = await read()
  const [, token] = /(?:VATOM_ACCESS_TOKEN=|Bearer )([\w.-]+)/.exec(text) ?? []
  const { body } = token === undefined ? {} : await call('GET', '/v1/user', undefined, token)
  return { text, token, actor: body?.payload.id }
}

/** What it takes to scroll through a list. */
interface Scrolling {
  /** The most elements of a kind that were in the list. */
  readonly mostDrawn: number
  /** How many of the 60 frames took the page more processor time than `longFrame`. */
  readonly late: number
}

/** Scrolls a list in 60 steps, and waits each time until it is drawn. */
export async function scrolled(page: Page, list: string, drawn: string, pixels: number): Promise<Scrolling> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const step = () =>
    page.evaluate(
      async ([box, elements, by]) => {
        const found = document.querySelector(box)
        found?.scrollBy(0, by)
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        return found?.querySelectorAll(elements).length ?? 0
      },
      [list, drawn, pixels] as const,
    )
  let mostDrawn = 0
  let late = 0
  for (let count = 0; count < 60; count++) {
    const before = await taken()
    mostDrawn = Math.max(mostDrawn, await step())
    if ((await taken()) - before > longFrame) late += 1
  }
  await session.detach()
  return { mostDrawn, late }
}

/** Milliseconds of processor time beyond which people notice that a frame is late. */
const longFrame = 50

/** How many frames may be late, as where the browser collects garbage; were all elements drawn, each frame would be. */
export const fewLate = 3
