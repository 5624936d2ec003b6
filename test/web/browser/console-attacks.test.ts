import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pageSessionHeader } from '../../../src/contract/page-session.ts'
import { face, resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { neighbour } from '../../support/neighbour.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, openScreen } from './console-desk.ts'
import { shop } from './console-shop.ts'

/** The title that a page has while nothing has scripted it. */
const untouched = 'as it was'

/**
 * A script that tries all that it must not be able to do at the service, and at the page around it or behind it. What it
 * achieved, by attempt, is in `achieved`; `done` says that it has tried all.
 */
const attack = (service: string) => `
  window.achieved = {}
  const home = '${service}'
  const session = () => {
    try { return { '${pageSessionHeader}': localStorage.getItem('vatom-page-session') } } catch { return {} }
  }
  const read = async (path, options = {}) => {
    const answer = await fetch(home + path, { credentials: 'include', ...options, headers: { ...options.headers, ...session() } })
    if (!answer.ok) throw new Error(answer.status)
    return answer.text()
  }
  const attempts = {
    cookie: () => document.cookie || undefined,
    parentCookie: () => parent !== window && parent.document.cookie,
    parentPage: () => { if (parent !== window) { parent.document.title = 'scripted'; return 'changed' } },
    storedSession: () => localStorage.getItem('vatom-page-session'),
    parentState: () => parent !== window && parent.localStorage.length,
    opener: () => opener && opener.document.title,
    openerMoved: () => { if (opener) { opener.location = 'about:blank#moved'; return opener.closed ? undefined : 'moved' } },
    navigated: () => { if (top !== window) { top.location = 'about:blank#moved'; return 'moved' } },
    opened: () => top !== window && open(home + '/') && 'opened',
    requests: () => read('/__vatom/console/requests'),
    token: () => read('/__vatom/console/token', { method: 'POST', body: '{}' }),
    session: () => read('/__vatom/console/session'),
    link: () => read('/__vatom/console/links', { method: 'POST' }),
    catalog: () => read('/__vatom/console/catalog'),
    cleared: () => read('/__vatom/journal', { method: 'DELETE' }),
    page: () => read('/', { headers: { accept: 'text/html' } }),
    blindly: async () => (await fetch(home + '/__vatom/users', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"first_name": "Mallory"}' })).text(),
    events: async () => {
      const { ok, body } = await fetch(home + '/__vatom/console/events', { headers: session() })
      return ok && new TextDecoder().decode((await body.getReader().read()).value)
    },
    frame: () => new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.onload = () => { try { resolve(frame.contentDocument?.querySelector('nav')?.textContent) } catch { resolve() } }
      frame.src = home + '/'
      document.documentElement.append(frame)
    }),
  }
  Promise.all(Object.entries(attempts).map(async ([name, attempt]) => {
    try {
      const got = await attempt()
      if (got) achieved[name] = String(got)
    } catch {}
  })).then(() => { window.done = true })`

const page = (script: string) =>
  `<!doctype html><html lang="en"><title>${untouched}</title><body><script>document.title = 'scripted'; ${script}</script><img src="x" onerror="document.title = 'scripted'">`

const svg = (
  script: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" onload="document.documentElement.id = 'scripted'">
  <title>${untouched}</title><rect width="80" height="80" fill="tan"/>
  <script><![CDATA[document.documentElement.id = 'scripted'; ${script}]]></script>
  <foreignObject width="80" height="80"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="javascript:parent.document.title='scripted'"/></body></foreignObject></svg>`

/** A console, and the addresses of files that were uploaded to its service. */
async function deskWithFiles() {
  const desk = await consoleDesk()
  const upload = async (name: string, type: string, text: string): Promise<string> => {
    const form = new FormData()
    form.append('file', new Blob([text], { type }), name)
    const headers = { 'app-id': 'local', authorization: `Bearer ${desk.service.localToken()}` }
    const answer = await fetch(`${desk.baseUrl}/v1/publisher/asset`, { method: 'POST', headers, body: form })
    const { payload } = (await answer.json()) as { payload: [{ url: string }] }
    return payload[0].url
  }
  const good = async (method: string, path: string, body: object) => {
    const answer = await desk.call(method, path, body)
    expect([answer.status, answer.body.message]).toEqual([200, undefined])
    return answer.body.payload
  }
  const files = {
    html: await upload('a.html', 'text/html', page(attack(desk.baseUrl))),
    svg: await upload('a.svg', 'image/svg+xml', svg(attack(desk.baseUrl))),
    script: await upload('a.txt', 'text/plain', 'document.title = "scripted"'),
  }
  const users = async () => (await desk.call('GET', '/__vatom/users/count')).body.payload.count
  return { ...desk, files, good, users }
}

const achievedIn = async (frame: Frame | Page): Promise<unknown> => {
  await frame.waitForFunction('window.done')
  return frame.evaluate('window.achieved')
}

describeInBrowser('attacks on the console', () => {
  test('uploaded HTML and SVG run nothing by themselves, and no upload is a script of the console', async () => {
    const { page: console_, context, files, problems } = await deskWithFiles()
    const other = await context.newPage()
    const asked: string[] = []
    other.on('request', (request) => asked.push(request.url()))
    for (const url of [files.html, files.svg]) {
      await other.goto(url, { waitUntil: 'load' })
      expect(await other.title()).toBe(untouched)
      expect(await other.evaluate(() => document.documentElement.id)).toBe('')
      expect(await other.evaluate('typeof window.achieved')).toBe('undefined')
    }
    expect(asked.filter((url) => !url.includes('/assets/'))).toEqual([])
    // The policy of the page refuses an uploaded file as a script, though it is of the same origin.
    const refused = await console_.evaluate(
      (src) =>
        new Promise((resolve) => {
          const element = document.createElement('script')
          element.onload = () => resolve('loaded')
          element.onerror = () => resolve('refused')
          element.src = src
          document.body.append(element)
        }),
      files.script,
    )
    expect([refused, await console_.title()]).toEqual(['refused', 'Requests - vatom console'])
    expect(problems.join()).toContain('Content Security Policy')
    await console_.locator('[role=option]').filter({ hasText: 'uploadAssets' }).last().click()
    // The request shows them as text.
    await expect
      .poll(() => console_.getByRole('region', { name: 'Sent parts' }).innerText())
      .toMatch(/file a\.html text\/html, \d+ bytes\n[\s\S]*<script>document\.title/)
  }, 60_000)

  test('what would reorder or hide a part of a text is shown as an escape, and scripts that need joiners as they are', async () => {
    const { page, good, ids, problems } = await shop(1)
    const joined = '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'
    const change = { 'this.id': ids[0], 'private.colour': `\u202elive\u202c ${joined}` }
    await good('POST', '/v1/user/vatom/action/Update', change)
    await openScreen(page, 'Discover')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Field').fill('private.colour')
    await page.getByLabel('Value').fill(change['private.colour'])
    await expect
      .poll(() => page.getByRole('region', { name: 'Query' }).locator('pre').first().textContent())
      .toContain(`"\\u202elive\\u202c ${joined}"`)
    // What is to be edited, and is sent, stays as it is.
    expect(await page.getByLabel('Value').inputValue()).toBe(change['private.colour'])
    await page.getByRole('region', { name: 'Found' }).locator('.tile').click()
    await expect.poll(() => page.locator('main').textContent()).toContain(`\\u202elive\\u202c ${joined}`)
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e]/)
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 60_000)

  test('a title that would reorder the text around it is an escape in questions, tooltips and the name of the page, too', async () => {
    const { page, good, publisher, problems } = await shop(1)
    const live = { template_variation: `${templateName}::Live`, unpublished: false }
    await good(
      'POST',
      '/v1/template_variations',
      variation(live, { title: 'Tea\u202elive', redeemable: true, commerce: {} }),
    )
    const [id] = (await good('POST', '/v1/vatoms', { template_variation: live.template_variation, num: 1 })).ids
    for (const name of ['Drop', 'Redeem']) {
      const own = { name: `${templateName}::Action::${name}`, reactor: `blockv://v1/${name}`, wait: true }
      await good('POST', '/v1/publisher/action', own)
    }
    await good('POST', '/v1/user/vatom/action/Drop', { 'this.id': id, 'geo.pos': { lat: 47.5, lon: 8.5 } })
    await openScreen(page, 'Map')
    await expect.poll(() => page.locator('.dot').getAttribute('title')).toBe('Tea\\u202elive')
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}/vatom/${id}`)
    await expect.poll(() => page.title()).toBe('Tea\\u202elive - vatom console')
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.message())
      void question.dismiss()
    })
    await page.getByRole('button', { name: 'Trash' }).click()
    await page.getByRole('form', { name: 'Redeem' }).getByRole('button').click()
    const asked = ['Trash', 'Redeem'].map((name) => `${name} Tea\\u202elive? It cannot be taken back.`)
    await expect.poll(() => questions).toEqual(asked)
    expect(problems).toEqual([])
  }, 60_000)

  test('hostile resources and web faces of a vAtom are drawn, and reach neither the console nor its service', async () => {
    const { page: console_, context, baseUrl, files, good, users, publisher } = await deskWithFiles()
    const hostile = 'https://faces.example/hostile'
    await context.route(`${hostile}**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: page(attack(baseUrl)) }),
    )
    const resources = [resource('Picture', files.svg)]
    await good(
      'POST',
      '/v1/templates',
      template({ unpublished: false }, { title: '<script>document.title = 1</script>', resources }),
    )
    await good(
      'POST',
      '/v1/publisher/face',
      face({ resources: ['Picture'], config: { image: 'Picture' } }, { view_mode: 'icon' }),
    )
    await good(
      'POST',
      '/v1/publisher/face',
      face({ display_url: hostile, package_url: hostile }, { view_mode: 'card' }),
    )
    await good('POST', '/v1/template_variations', variation({ unpublished: false }))
    const { ids } = await good('POST', '/v1/vatoms', { template_variation: variationName, num: 1 })
    const before = await users()
    await console_.goto(`${baseUrl}/#/users/${publisher.id}/vatom/${ids[0]}`)
    const frames = () => console_.frames().filter((frame) => frame.url() === hostile)
    await expect.poll(() => frames().length).toBe(1)
    // It ran, as a web face may, and nothing came of what it tried.
    for (const frame of frames()) {
      expect(await achievedIn(frame)).toEqual({})
      expect(await frame.title()).toBe('scripted')
    }
    const icon = console_.locator('.faces li[data-mode=icon] img')
    await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(80)
    expect(console_.url()).toBe(`${baseUrl}/#/users/${publisher.id}/vatom/${ids[0]}`)
    expect(await console_.title()).toContain('vatom console')
    expect(context.pages()).toHaveLength(1)
    expect(await users()).toBe(before)
    // The console still has its session and its requests.
    await openScreen(console_, 'Requests')
    await console_.locator('[role=option]').filter({ hasText: 'emit' }).first().waitFor()
  }, 60_000)

  test('what a vAtom names at another port of this host gets nothing of the session', async () => {
    const { page: console_, baseUrl, good, publisher } = await deskWithFiles()
    const { origin, asked } = await neighbour()
    await good(
      'POST',
      '/v1/templates',
      template({ unpublished: false }, { resources: [resource('Picture', `${origin}/picture`)] }),
    )
    await good('POST', '/v1/publisher/face', face({ resources: ['Picture'], config: { image: 'Picture' } }))
    await good('POST', '/v1/template_variations', variation({ unpublished: false }))
    const { ids } = await good('POST', '/v1/vatoms', { template_variation: variationName, num: 1 })
    await console_.goto(`${baseUrl}/#/users/${publisher.id}/vatom/${ids[0]}`)
    await expect.poll(() => asked.map(({ path }) => path)).toContain('/picture')
    expect(asked.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
    const token = await console_.evaluate(() => localStorage.getItem('vatom-page-session'))
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(JSON.stringify(asked)).not.toContain(token)
  }, 60_000)

  test('the same attempts succeed in the console itself, so that they would be seen elsewhere', async () => {
    const { page: console_, baseUrl } = await deskWithFiles()
    // The browser's tools run what the policy of the page does not let it run.
    await console_.evaluate(attack(baseUrl))
    const achieved = await achievedIn(console_)
    expect(Object.keys(Object(achieved)).sort()).toEqual(
      ['blindly', 'catalog', 'cleared', 'events', 'page', 'requests', 'session', 'storedSession', 'token'].sort(),
    )
  }, 60_000)

  test.each([
    ['of another site', 'http://attacker.example/'],
    ['of another port of this machine', 'http://127.0.0.1:9/'],
  ])(
    'a page %s reads nothing of the console, changes nothing, and does not reach its window',
    async (_, address) => {
      const { page: console_, context, baseUrl, users, link } = await deskWithFiles()
      await context.route(`${address}**`, (route) =>
        route.fulfill({ contentType: 'text/html', body: page(attack(baseUrl)) }),
      )
      const before = await users()
      const other = await context.newPage()
      await other.goto(address)
      expect(await achievedIn(other)).toEqual({})
      // As the opener of a console, and of a link that signs in.
      for (const url of [`${baseUrl}/`, link()]) {
        const [window_] = await Promise.all([
          context.waitForEvent('page'),
          other.evaluate((to) => void Object.assign(window, { opened: open(to) }), url),
        ])
        await window_.waitForLoadState()
        await window_.locator('nav').or(window_.locator('.sign-in')).first().waitFor()
        expect(
          await other.evaluate(() => {
            const { opened } = window as unknown as { opened: Window | null }
            try {
              return opened?.document.body.innerText ?? 'no window'
            } catch {
              return 'no window'
            }
          }),
        ).toBe('no window')
        await window_.close()
      }
      expect(await users()).toBe(before)
      await console_.reload()
      await console_.getByRole('navigation').waitFor()
    },
    60_000,
  )
})
