import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { templateName } from '../../fixtures/bodies.ts'
import { describeInBrowser } from './browser.ts'
import { shop } from './console-shop.ts'
import { tabProblems } from './keyboard.ts'

/** A key, a text to type, what Tab is pressed for, or where a text is then to be seen. */
type Step =
  | { readonly press: string }
  | { readonly type: string }
  | { readonly tabTo: string }
  | { readonly see: string; readonly text: string | RegExp }

const press = (...keys: readonly string[]): Step[] => keys.map((key) => ({ press: key }))
const type = (text: string): Step => ({ type: text })
const tabTo = (selector: string): Step => ({ tabTo: selector })
const see = (selector: string, text: string | RegExp): Step => ({ see: selector, text })

/** What each screen is for, done by keys alone; the first two lead to it. */
const deeds: Readonly<Record<string, readonly Step[]>> = {
  requests: [
    ...press('g', 'r'),
    see('[role=option]', 'getProfile'),
    tabTo('[role=listbox]'),
    ...press('End', 'Home'),
    see('.detail h2', '/v1/user'),
    tabTo('.detail button.primary'),
    ...press('Enter'),
    see('.detail', 'Sent again: 200'),
    ...press('Escape'),
    see('[role=listbox]:focus', '/v1/'),
  ],
  'users and inventories': [
    ...press('g', 'u'),
    tabTo('.who'),
    ...press('Enter'),
    tabTo('.tile'),
    ...press('End', 'ArrowUp', 'ArrowRight', 'Enter'),
    see('.tools.heading h2', '<img'),
    tabTo('form[aria-label=Update] input:not([type=hidden])'),
    ...press('Control+A'),
    type('{"points": 9}'),
    ...press('Tab', 'Enter'),
    see('form[aria-label=Update]', 'Done'),
    ...press('g', 'u'),
    tabTo('input[name=email]'),
    type('by-keys@example.com'),
    ...press('Enter'),
    see('.path-line [aria-current]', 'by-keys@example.com'),
    see('.empty', 'This user owns nothing yet'),
  ],
  catalog: [
    ...press('g', 'c'),
    tabTo('.templates a'),
    ...press('Enter'),
    tabTo('[name=platform]'),
    ...press('ArrowRight'),
    see('.faces [data-mode=card]', 'no face is for card on iOS'),
  ],
  discover: [
    ...press('g', 'd'),
    tabTo('.builder [type=button]'),
    ...press('Enter', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab'),
    tabTo('[aria-label=Value]'),
    type('none'),
    see('[aria-label=Query]', '"none"'),
    ...press('Tab'),
  ],
  map: [...press('g', 'm'), tabTo('[role=application]'), ...press('+', 'ArrowUp', 'Enter'), see('.map-area .pin', '')],
  events: [
    ...press('g', 'e'),
    tabTo('[role=listbox]'),
    ...press('ArrowDown'),
    see('.detail', 'msg_type'),
    tabTo('.detail button'),
    ...press('Enter'),
    see('[role=listbox]:focus', ''),
  ],
  outbox: [...press('g', 'o'), tabTo('.heading button'), ...press('Enter'), see('main', 'Outbox')],
  ledger: [...press('g', 'l'), tabTo('.heading button'), ...press('Enter'), see('main', 'Ledger')],
  controls: [
    ...press('g', 't'),
    tabTo('[aria-label=Clock] button'),
    ...press('Tab', 'Tab', 'Tab', 'Enter'),
    see('[aria-label=Clock] [role=status]', 'stands still'),
    ...press('Tab', 'Enter'),
    see('[aria-label=Clock] [role=status]', /the real time(?!.*stands)/),
  ],
  api: [
    ...press('g', 'a'),
    see('.operations li a', /./),
    ...press('/'),
    type('getProfile'),
    tabTo('.operations li a'),
    ...press('Enter'),
    see('.operation h2', /./),
    tabTo('.try button.primary'),
    ...press('?'),
    see('dialog[open]', 'Keys'),
    ...press('Escape'),
    see('.try button.primary:focus', 'Send'),
  ],
}

/** Tabs until something has the focus. */
async function tabUntil(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor()
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
  }
  throw new Error(`60 times Tab do not lead to ${selector}`)
}

async function take(step: Step, page: Page): Promise<void> {
  if ('press' in step) return page.keyboard.press(step.press)
  if ('type' in step) return page.keyboard.type(step.type)
  if ('tabTo' in step) return tabUntil(page, step.tabTo)
  await page.locator(step.see).filter({ hasText: step.text }).first().waitFor({ state: 'attached' })
}

describeInBrowser('the console by keyboard alone', () => {
  test('Tab reaches every control of every screen in order, shows where it is, and leaves it again', async () => {
    const { page, ids, publisher, ada, baseUrl, call } = await shop(40)
    await call('GET', '/v1/user')
    await call('POST', '/v1/user', { first_name: 1 })
    page.setDefaultTimeout(8000)
    const screens: Readonly<Record<string, string>> = {
      requests: '[role=option]',
      users: '.who',
      [`users/${publisher.id}`]: '.tile img, .tile [role=img]',
      [`users/${publisher.id}/vatom/${ids[0]}`]: '.actions form',
      [`users/${ada.id}/vatom/${ids[0]}`]: '.empty',
      catalog: '.owned',
      [`catalog/${encodeURIComponent(templateName)}`]: '.faces',
      discover: '.found',
      map: '.land',
      events: '[aria-label=Events] .feed[data-state=live]',
      outbox: 'section',
      ledger: 'h2',
      controls: '.scenario',
      api: '.operations a',
      'api/createTemplate': '.operation',
    }
    const found: Record<string, string[]> = {}
    for (const [address, drawn] of Object.entries(screens)) {
      await page.goto(`${baseUrl}/#/${address}`)
      await page.locator(`main ${drawn}`).first().waitFor()
      const problems = await tabProblems(page)
      if (problems.length > 0) found[address] = problems
    }
    expect(found).toEqual({})
  }, 120_000)

  test('what each screen is for is done by keys', async () => {
    const { page, call, good, ids } = await shop(40)
    page.setDefaultTimeout(8000)
    await call('GET', '/v1/user')
    for (const [screen, steps] of Object.entries(deeds)) {
      if (screen === 'events') {
        await take({ press: 'g' }, page)
        await take({ press: 'e' }, page)
        await page.locator('[aria-label=Events] .feed[data-state=live]').waitFor()
        await good('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.points': 5 })
      }
      for (const step of steps)
        await take(step, page).catch((error: unknown) => {
          throw new Error(`${screen}: ${JSON.stringify(step)}: ${error}`)
        })
    }
  }, 120_000)
})
