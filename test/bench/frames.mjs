import { chromium } from 'playwright-core'
import { median } from './measure.mjs'
import { publishExample, signIn } from './publisher.mjs'
import { row } from './results.mjs'
import { machine, startService } from './vatom.mjs'

/** Milliseconds between two pictures of a screen that shows 60 in a second; of a task that delays one so that it is seen. */
const budget = 1000 / 60
const longTask = 50
const steps = 120

/**
 * Bar 14: the console while 1,000 requests and 10,000 vAtoms are scrolled through in Chromium, a third of a screen in each
 * frame: the processor time of a frame over what there is for one, the time between frames over that of a page at rest,
 * and the longest task over what is called a long one.
 */
export async function measure() {
  const { env } = machine()
  const { ready, stop } = await startService(['--memory', '--log', 'none'], env)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const { call } = await signIn(ready)
    const { id } = await call('GET', '/v1/user')
    const { template, variation } = await publishExample({ call })
    await call('POST', '/v1/publisher/face', iconOf(template))
    await call('POST', '/v1/vatoms', { template_variation: variation, num: 10_000 })
    for (let sent = 0; sent < 1000; sent++) await call('GET', `/v1/user?n=${sent}`)
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(ready.console_url)
    await page.waitForSelector('nav')
    const requests = await scrolled(page, `${ready.base_url}/#/requests`, /^1\d{3} requests/, '[role=listbox]')
    const inventory = await scrolled(page, `${ready.base_url}/#/users/${id}`, /^10000 vAtoms$/, '.tiles')
    return [...rowsOf('1,000 requests', requests), ...rowsOf('10,000 vAtoms', inventory)]
  } finally {
    await browser.close()
    await stop()
  }
}

const iconOf = (template) => ({
  template,
  display_url: 'native://image',
  package_url: 'native://image',
  constraints: {
    view_mode: 'icon',
    platform: 'generic',
    quality: 'high',
    bluetooth_le: false,
    contact_list: false,
    gps: false,
    three_d: false,
  },
  resources: ['ActivatedImage'],
})

/** Shows a list of the console, and scrolls through it. */
async function scrolled(page, address, count, list) {
  await page.goto(address)
  await page.locator('.count').filter({ hasText: count }).waitFor({ timeout: 120_000 })
  await page.waitForTimeout(1000)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async () =>
    1000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value
  const run = async (pixels) => {
    const before = await taken()
    const { between, longest } = await page.evaluate(inPage, [list, pixels, steps])
    return { between, longest, processor: ((await taken()) - before) / steps }
  }
  await run(250)
  const passes = { rest: [], moved: [] }
  for (let pass = 0; pass < 5; pass++) {
    passes.rest.push(await run(0))
    passes.moved.push(await run(250))
  }
  await session.detach()
  const of = (side, key) => passes[side].map((pass) => pass[key])
  return {
    processor: median(of('moved', 'processor')),
    between: { rest: median(of('rest', 'between').flat()), moved: median(of('moved', 'between').flat()) },
    // A long task of the page is in every pass; one of some passes is of what else the machine does.
    longest: Math.min(...of('moved', 'longest')),
  }
}

/** Milliseconds between frames while a list is scrolled a step in each, and of the longest task that is a long one. */
const inPage = async ([list, pixels, count]) => {
  const box = document.querySelector(list)
  box.scrollTo(0, 0)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const long = []
  const observer = new PerformanceObserver((found) => long.push(...found.getEntries().map(({ duration }) => duration)))
  observer.observe({ type: 'longtask' })
  const times = [await new Promise(requestAnimationFrame)]
  for (let step = 0; step < count; step++) {
    box.scrollBy(0, pixels)
    times.push(await new Promise(requestAnimationFrame))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  observer.disconnect()
  return { between: times.slice(1).map((time, index) => time - times[index]), longest: Math.max(0, ...long) }
}

const rowsOf = (what, { processor, between, longest }) => [
  row({
    bar: 14,
    what: `${what}, scrolled: processor time of a frame`,
    ours: processor,
    reference: budget,
    limit: 1,
  }),
  row({
    bar: 14,
    what: `${what}, scrolled: from frame to frame, over a page at rest`,
    ours: between.moved,
    reference: between.rest,
    limit: 1.1,
  }),
  row({
    bar: 14,
    what: `${what}, scrolled: the longest task over 50 ms`,
    ours: longest,
    reference: longTask,
    limit: 1,
  }),
]
