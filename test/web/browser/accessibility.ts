import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Answers in the page, so that the thousands of nodes without a problem stay there. */
const violationsFound = (rules?: readonly string[]) =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** What is not accessible in a page, by the rule that says so: by all rules, or by some. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Beside the page's policy, as an extension would: the page itself runs no text as a script.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source)
  return page.evaluate<string[]>(violationsFound(rules))
}

/** Links and buttons whose text runs out of them, over what is beside them. Dots of the map show no text. */
const overflows = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a:not(.dot), button, summary, label, h2, h3')]
      .filter(
        (element) =>
          element.clientWidth > 0 &&
          element.scrollWidth > element.clientWidth + 1 &&
          getComputedStyle(element).overflowX === 'visible',
      )
      .map((element) => `the text runs out of ${element.outerHTML.slice(0, 120)}`),
  )

/** Tables that are cut at the right: nothing shows that they can be scrolled sideways. */
const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.scrolled')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ ariaLabel, outerHTML }) => `a table is cut at the right: ${ariaLabel ?? outerHTML.slice(0, 120)}`),
  )

/** Both widths, each with the appearance in which all is looked at, and the one in which only colours can differ. */
const forms = [
  { width: 1280, colorScheme: 'light', other: 'dark' },
  { width: 360, colorScheme: 'dark', other: 'light' },
] as const

/**
 * Looks for violations in wide and narrow windows, light and dark: what is shown in a width is the same in both appearances,
 * and only its colours are looked at in the second one. Nothing is wider than the window or than its place.
 */
export async function inAllForms(page: Page, found: (violations: readonly string[]) => void): Promise<void> {
  for (const { width, colorScheme, other } of forms) {
    await page.setViewportSize({ width, height: 900 })
    await appearAs(page, colorScheme)
    const scroll = await page.evaluate(() => document.documentElement.scrollWidth)
    const tooWide = scroll > width ? [`${scroll} pixels in a window of ${width}`] : []
    found([...(await violations(page)), ...tooWide, ...(await overflows(page)), ...(await cutTables(page))])
    await appearAs(page, other)
    found(await violations(page, ['color-contrast']))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Resolves once a page is drawn in an appearance. */
async function appearAs(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}
