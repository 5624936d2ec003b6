import type { Page } from 'playwright-core'

/** What people can do something with. Of radio buttons one is reached, and arrows go to the others. */
const controls =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"]), iframe'

/** Presses Tab from the beginning of a page to its end; answers what was not as it should be. */
export async function tabProblems(page: Page): Promise<string[]> {
  const count = await page.evaluate(begin, controls)
  // A few more than there are: pages draw more of a list as one goes through it.
  for (let pressed = 0; pressed < count + 3; pressed++) await page.keyboard.press('Tab')
  return page.evaluate(end)
}

declare global {
  interface Window {
    walk: { readonly expected: readonly Element[]; readonly seen: Element[]; readonly problems: string[] }
  }
}

/** Notes what Tab should reach, and watches what it reaches. */
async function begin(selector: string): Promise<number> {
  // Screens that are shown take the focus in the next frame.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  const isReachable = (element: Element) => {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false
    if (element.tabIndex < 0 || element.matches(':disabled, [type=radio]:not(:checked)')) return false
    return element.checkVisibility({ visibilityProperty: true })
  }
  const expected = [...document.querySelectorAll(selector)].filter(isReachable)
  const walk: Window['walk'] = { expected, seen: [], problems: [] }
  const nameOf = (element: Element) => element.outerHTML.slice(0, 120)
  window.walk = walk
  document.addEventListener('focusin', ({ target }) => {
    if (window.walk !== walk || !(target instanceof Element) || walk.seen.includes(target)) return
    const last = walk.seen.at(-1)
    walk.seen.push(target)
    if (last && target.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING && last.isConnected)
      walk.problems.push(`Tab goes back to ${nameOf(target)}`)
    const outlines = [undefined, '::after'].map((part) => getComputedStyle(target, part))
    const isShown = outlines.some((style) => style.outlineStyle !== 'none' && style.outlineWidth !== '0px')
    if (target.tagName !== 'IFRAME' && !isShown)
      walk.problems.push(`nothing shows that the focus is at ${nameOf(target)}`)
    const { left, top, right, bottom, width, height } = target.getBoundingClientRect()
    const isInside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && width > 0 && height > 0
    if (!isInside) walk.problems.push(`out of sight: ${nameOf(target)}`)
  })
  // From here on Tab goes to the first control.
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  // One for each part of a time, too.
  return expected.length + 7 * document.querySelectorAll('[type=datetime-local]').length
}

/** What Tab has not reached, and what was found on the way. */
function end(): string[] {
  const { expected, seen, problems } = window.walk
  const missed = expected.filter((element) => element.isConnected && !seen.includes(element))
  return [...problems, ...missed.map((element) => `Tab does not reach ${element.outerHTML.slice(0, 120)}`)]
}
