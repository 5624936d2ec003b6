import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:https'
import { basename, join } from 'node:path'
import { gzipSync, inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { png } from '../../fixtures/files.ts'
import { selfSigned } from '../../fixtures/self-signed.ts'
import { browserPath } from '../../support/browser-path.ts'
import { folderWith, writeFiles } from '../../support/folders.ts'
import { neighbour } from '../../support/neighbour.ts'
import { previewing, visiting } from '../../support/previewing.ts'
import { started } from '../../support/servers.ts'
import { serving } from '../../support/serving.ts'
import { publisher } from '../../support/vatom.ts'
import { inAllForms, violations } from './accessibility.ts'
import { describeInBrowser, freshContext, problemsOf } from './browser.ts'
import { builtPages } from './built-pages.ts'
import { openScreen } from './console-desk.ts'
import { boxGlb } from './glb.ts'
import { tabProblems } from './keyboard.ts'

const root = join(import.meta.dirname, '../../..')
const example = (name: string) => readFileSync(join(root, 'templates-examples', name), 'utf8')

/** The coffee coupon, with a picture of its own. */
const coupon = () => ({
  'coupon.yaml': example('coffee-coupon.yaml').replace('https://example.com/coffee/card.jpg', 'card.png'),
  'coupon.variation.yaml': example('coffee-coupon.variation.yaml'),
  'coupon.faces.yaml': example('coffee-coupon.faces.yaml'),
  'card.png': png,
})

/** The colour of a PNG at the left of its top, which no filter changes. */
function firstPixel(file: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  return inflateSync(Buffer.concat(parts)).toString('hex', 1, 4)
}

describeInBrowser('the page of vatom preview in a browser', () => {
  let built: Readonly<Record<string, string>>
  beforeAll(async () => {
    built = await builtPages()
  }, 60_000)

  /** Opens the link of a preview of a folder, as a person does. */
  async function opened(cwd: string, look: (page: Page, problems: readonly string[]) => Promise<unknown>) {
    const context = await freshContext()
    const ended = await previewing(
      cwd,
      ['.', '--json'],
      async ({ url, origin }) => {
        const page = await context.newPage()
        const problems = problemsOf(page, [origin])
        await page.goto(url)
        await page.waitForSelector('html[data-ready]')
        await look(page, problems)
      },
      { pages: folderWith(built) },
    ).finally(() => context.close())
    // Ended by Ctrl-C.
    expect(ended.code).toBe(130)
  }

  const captions = (page: Page, mode: string) => page.locator(`.row[data-mode=${mode}] .shows`).allTextContents()

  test('the coffee coupon in four view modes on three platforms, by keyboard, in light and dark, wide and narrow', async () => {
    await opened(folderWith(coupon()), async (page, problems) => {
      expect(await page.locator('.row h3').allTextContents()).toEqual(['icon', 'engaged', 'card', 'fullscreen'])
      expect(await page.locator('.row[data-mode=icon] h4').allTextContents()).toEqual(['Web', 'iOS', 'Android'])
      const activated = 'ActivatedImage, which fits into the area'
      expect(await captions(page, 'icon')).toEqual([activated, activated, activated])
      expect(await captions(page, 'engaged')).toEqual([activated, activated, activated])
      const card = 'CardImage, which fills the area'
      expect(await captions(page, 'card')).toEqual([card, card, card])
      expect(await captions(page, 'fullscreen')).toEqual(
        ['web', 'iOS', 'Android'].map((platform) => `nothing: no face is for fullscreen on ${platform}`),
      )
      expect(await page.locator('.differs:visible').count()).toBe(0)
      const images = page.locator('.device img')
      expect(await images.count()).toBe(9)
      const areLoaded = () => images.evaluateAll((all) => all.every((one) => Reflect.get(one, 'naturalWidth') > 0))
      await expect.poll(areLoaded).toBe(true)
      expect(page.url()).not.toContain('key')

      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('AnyCoffee')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.stage > h2').textContent()).toBe('Free coffee')
      expect(await page.title()).toBe('Free coffee - vatom preview')

      await inAllForms(page, (found) => expect(found).toEqual([]))
      expect(await tabProblems(page)).toEqual([])
      expect(problems).toEqual([])
    })
  }, 60_000)

  test('from an empty folder to an action in the browser: init, preview, apply, emit, and the link of serve', async () => {
    const pages = folderWith(built)
    const { vatom, home } = serving()
    const succeeds = async (...args: string[]) => expect(await vatom(args)).toMatchObject({ code: 0 })
    const context = await freshContext()
    onTestFinished(() => context.close())
    await context.route('https://example.com/**', (route) => route.fulfill({ contentType: 'image/png', body: png }))
    const page = await context.newPage()

    context.setDefaultTimeout(8000)
    await succeeds('init', 'shop')
    await visiting(
      home,
      ['preview', 'shop'],
      async ({ url }) => {
        await page.goto(url)
        await page.waitForSelector('html[data-ready]')
        expect(await page.locator('.row h3').allTextContents()).toEqual(['icon', 'engaged', 'card', 'fullscreen'])
        for (const mode of ['icon', 'engaged', 'card', 'fullscreen'])
          expect(await page.locator(`.row[data-mode=${mode}] h4`).allTextContents()).toEqual(['Web', 'iOS', 'Android'])
        expect((await captions(page, 'icon'))[0]).toContain('ActivatedImage')
      },
      { pages },
    )

    await succeeds('apply', 'shop', '--yes')
    await succeeds('emit', 'Shop')
    await visiting(
      home,
      ['serve', '--port', '0'],
      async ({ url }) => {
        await page.goto(url)
        const shown = async () => {
          await openScreen(page, 'Users')
          await page.getByRole('link', { name: 'publisher@local.vatom' }).click()
          await page.getByRole('link', { name: 'Shop' }).click()
          return page.getByRole('form', { name: 'Transfer' })
        }
        await (await shown()).getByRole('link', { name: 'Users' }).click()
        await page.getByRole('button', { name: 'Make a user' }).click()
        await page.locator('.empty').waitFor()
        const friend = await page.locator('.path-line [aria-current=page]').innerText()
        const transfer = await shown()
        await transfer.getByRole('combobox', { name: 'new.owner.email' }).fill(friend)
        page.once('dialog', (question) => void question.accept())
        await transfer.getByRole('button').click()
        await expect.poll(() => page.locator('.notice').innerText()).toContain('no longer sees this vAtom')
      },
      { pages },
    )
    expect(JSON.parse((await vatom(['inventory', '--json'])).out)).toMatchObject({ vatoms: [] })
  }, 60_000)

  test('on a narrow screen the faces of a large catalog begin on the first screen', async () => {
    const more = Array.from({ length: 12 }, (_, index) => [
      `coupon-${index}.variation.yaml`,
      coupon()['coupon.variation.yaml'].replaceAll('CoffeeCoupon::v1::', `CoffeeCoupon::v1::N${index}`),
    ])
    await opened(folderWith({ ...coupon(), ...Object.fromEntries(more) }), async (page) => {
      await page.setViewportSize({ width: 360, height: 740 })
      const first = await page.locator('.row .device').first().boundingBox()
      expect(first?.y).toBeLessThan(740)
    })
  }, 60_000)

  test('a reload and other tabs need no link; another browser does, and what documents name at another port gets no session', async () => {
    const { origin, asked } = await neighbour()
    const { 'coupon.variation.yaml': _, 'card.png': __, ...files } = coupon()
    const template = files['coupon.yaml'].replace('card.png', `${origin}/card`)
    const cwd = folderWith({ ...files, 'coupon.yaml': template })
    const [own, other] = [await freshContext(), await freshContext()]
    await previewing(
      cwd,
      ['.', '--json'],
      async ({ url, origin: home }) => {
        const page = await own.newPage()
        const tab = await own.newPage()
        for (const [one, address] of [
          [page, url],
          [page, home],
          [tab, url],
          [tab, `${home}/#x`],
        ] as const) {
          await one.goto('about:blank')
          await one.goto(address)
          await one.waitForSelector('html[data-ready]')
          expect(await one.locator('.row h3').count()).toBe(4)
          expect(one.url()).not.toContain('key')
        }
        await expect.poll(() => asked.map(({ path }) => path)).toContain('/card')
        expect(asked.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
        const token = await page.evaluate(() => localStorage.getItem('vatom-page-session'))
        expect(token).toMatch(/^[\w-]{32}$/)
        expect(JSON.stringify(asked)).not.toContain(token)

        const elsewhere = await other.newPage()
        await elsewhere.goto(url)
        const said = 'This link was used already, or the preview has been started again. For a new link: vatom preview'
        await expect.poll(() => elsewhere.getByRole('status').textContent()).toBe(said)
        expect(await elsewhere.locator('body').innerText()).not.toContain('offee')
      },
      { pages: folderWith(built) },
    ).finally(() => Promise.all([own.close(), other.close()]))
  }, 60_000)

  test('a save is shown at once; problems stand in place, and what was drawn stays', async () => {
    const cwd = folderWith(coupon())
    await opened(cwd, async (page, problems) => {
      writeFiles(cwd, {
        'coupon.faces.yaml': coupon()['coupon.faces.yaml'].replace('view_mode: icon', 'view_mode: fullscreen'),
      })
      await expect.poll(() => captions(page, 'fullscreen')).toContain('ActivatedImage, which fits into the area')
      expect(await captions(page, 'icon')).toContain('nothing: no face is for icon on web')

      const faces = coupon()['coupon.faces.yaml']
      writeFiles(cwd, { 'coupon.faces.yaml': faces.replace('platform: generic', 'platform: <b>watch</b>') })
      const errors = page.locator('.problems .error')
      await expect.poll(() => errors.count()).toBe(1)
      const text = await errors.innerText()
      expect(text).toMatch(/coupon\.faces\.yaml:\d+:\d+/)
      expect(text).toContain('platform: <b>watch</b>')
      expect(await page.locator('.problems b').count()).toBe(0)
      expect(await captions(page, 'fullscreen')).toContain('ActivatedImage, which fits into the area')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
      }

      writeFiles(cwd, { 'coupon.faces.yaml': faces })
      await expect.poll(() => errors.count()).toBe(0)
      expect(await captions(page, 'icon')).toContain('ActivatedImage, which fits into the area')
      expect(problems).toEqual([])
    })
  }, 60_000)

  test('a slider sets the cloning score that a progress overlay draws, and a 3D model is a file', async () => {
    const names = ['collectible.yaml', 'collectible.variation.yaml', 'collectible.faces.yaml']
    const files = Object.fromEntries(names.map((name) => [name, example(name)]))
    const faces = example('collectible.faces.yaml').replace('view_mode: engaged', 'view_mode: card')
    const scene = example('collectible.yaml').replace(/https:.*\.glb/, 'box.glb')
    await opened(
      folderWith({ ...files, 'collectible.yaml': scene, 'collectible.faces.yaml': faces, 'box.glb': boxGlb() }),
      async (page) => {
        // A model of a file is shown, and is loaded with the session of the page.
        await expect
          .poll(() => captions(page, 'card'))
          .toEqual(['the 3D model Scene', 'the 3D model Scene', 'the 3D model Scene'])
        await expect.poll(() => page.locator('.row[data-mode=card] model-viewer').count()).toBe(3)
        expect(await violations(page)).toEqual([])
        expect(await tabProblems(page)).toEqual([])
        const resources = page.locator('.resources')
        await resources.locator('summary').click()
        const named = resources.locator('li', { hasText: 'Scene' })
        await named.locator('model-viewer').waitFor()
        expect(await resources.locator('li').count()).toBeGreaterThan(2)
        expect(await violations(page)).toEqual([])
        expect((await captions(page, 'icon'))[0]).toContain(' 0% of the area from the bottom')
        await page.getByLabel('cloning_score').fill('0.5')
        expect((await captions(page, 'icon'))[0]).toContain('50% of the area from the bottom')
      },
    )
  }, 60_000)

  test('private fields that no rule names are set by type where a web face may read them, and nowhere else', async () => {
    const reader = `<!doctype html><output></output><script>
      addEventListener('message', ({ data }) => {
        if (data.payload?.vatom) document.querySelector('output').textContent = JSON.stringify(data.payload.vatom.private)
      })
      parent.postMessage({ name: 'core.init', payload: {}, version: '2.0.0', request_id: '1', source: 'blockv_face_sdk' }, '*')
    </script>`
    const { 'coupon.variation.yaml': _, ...files } = coupon()
    const fields = 'stamps: 3, note: hello, isOpen: false, tags: [a], "a.b": { deep: 1 }'
    const template = files['coupon.yaml'].replace(/private:[\s\S]*/, `private: { ${fields} }\n`)
    const cwd = folderWith({ ...files, 'coupon.yaml': template })
    const names = ['private.stamps', 'private.note', 'private.isOpen', 'private.tags', 'private."a.b".deep']
    await opened(cwd, async (page) => {
      page.setDefaultTimeout(8000)
      await page.context().route('https://faces.local.test/**', (route) => {
        return route.fulfill({ contentType: 'text/html', body: reader })
      })
      const shown = page.locator('.privates .control > span')
      expect(await shown.count()).toBe(0)
      writeFiles(cwd, {
        'coupon.faces.yaml': files['coupon.faces.yaml'].replaceAll('native://image', 'https://faces.local.test/card'),
      })
      await expect.poll(() => shown.allTextContents()).toEqual(names)
      const types = await page
        .locator('.privates input')
        .evaluateAll((all) => all.map((one) => Reflect.get(one, 'type')))
      expect(types).toEqual(['number', 'text', 'checkbox', 'text', 'number'])

      const read = async () =>
        JSON.parse(
          await page.locator('.row[data-mode=card] iframe').first().contentFrame().locator('output').innerText(),
        )
      await page.getByLabel('private.stamps').fill('4.5')
      await page.getByLabel('private.note').fill('<b>')
      await page.getByLabel('private.isOpen').check()
      await page.getByLabel('private.tags').fill('["a", "b"]')
      await page.getByLabel('private."a.b".deep').fill('2')
      const set = { stamps: 4.5, note: '<b>', isOpen: true, tags: ['a', 'b'], 'a.b': { deep: 2 } }
      await expect.poll(read).toEqual(set)
      await page.getByLabel('private.tags').fill('["a",')
      await page.getByLabel('private.stamps').fill('')
      expect(await page.locator('.privates input:invalid').count()).toBe(2)
      expect(await read()).toEqual(set)
    })
  }, 60_000)

  test('titles and file names are texts', async () => {
    const hostile = '<img src=x onerror=document.title=1>'
    const files = {
      ...coupon(),
      'coupon.variation.yaml': '',
      'coupon.yaml': coupon()['coupon.yaml'].replace('Free coffee', `'${hostile}'`),
    }
    await opened(folderWith(files), async (page, problems) => {
      expect(await page.locator('.stage > h2').textContent()).toBe(hostile)
      expect(await page.locator('nav img, h2 img').count()).toBe(0)
      expect(problems).toEqual([])
    })
  }, 60_000)

  test('--out writes a picture of each face and one of all, and ends, also where a script starts the browser', async () => {
    const { 'coupon.variation.yaml': _, ...files } = coupon()
    const old = 'drawn/local.vatom-Old-v1.icon.web.png'
    const cwd = folderWith({ ...files, [old]: 'old', 'drawn/mine.png': 'mine' })
    const script = join(folderWith({ browser: `#!/bin/sh\n'${browserPath}' "$@"\n` }), 'browser')
    chmodSync(script, 0o755)
    const { code, out, err } = await previewing(cwd, ['.', '--out', 'drawn', '--json'], async () => {}, {
      env: { CHROME_PATH: script },
      pages: folderWith(built),
    })
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^left of an earlier run, and not drawn any more: local\.vatom-Old-v1\.icon\.web\.png$/m,
      ),
    })
    const { pictures, contact_sheet } = JSON.parse(out)
    expect(pictures).toHaveLength(12)
    expect(pictures[0]).toEqual({
      file: 'drawn/local.vatom-CoffeeCoupon-v1.icon.web.png',
      name: 'local.vatom::CoffeeCoupon::v1',
      view_mode: 'icon',
      platform: 'web',
    })
    const sizeOf = (file: string) => {
      const png = readFileSync(join(cwd, file))
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      return [png.readUInt32BE(16), png.readUInt32BE(20)]
    }
    // None shows a corner of its device.
    const corners = pictures.map(({ file }: { file: string }) => firstPixel(readFileSync(join(cwd, file))))
    expect(new Set(corners)).toEqual(new Set(['fbfbfa']))
    const sizes = pictures.map(({ file }: { file: string }) => sizeOf(file))
    expect(new Set(sizes.map(String)).size).toBeGreaterThan(2)
    const [width, height] = sizeOf(contact_sheet)
    expect(width).toBe(1280)
    // One row of faces, and no empty area below it.
    expect(height).toBeLessThan(400)
    expect(readdirSync(join(cwd, 'drawn'))).toHaveLength(15)
  }, 60_000)

  test('--out names what could not be loaded, and the pictures that show an error in its place', async () => {
    const { 'card.png': _, ...files } = coupon()
    const cwd = folderWith({ ...files, 'card.png': 'no picture' })
    const options = { env: { CHROME_PATH: browserPath ?? '' }, pages: folderWith(built) }
    const { code, out, err } = await previewing(cwd, ['.', '--out', 'drawn', '--json'], async () => {}, options)
    const shows = 'an error: CardImage cannot be loaded from card.png'
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(
        `warning: local.vatom::CoffeeCoupon::v1::Espresso shows ${shows} (card web, card ios, card android)\n`,
      ),
    })
    expect(JSON.parse(out).pictures.filter((one: object) => 'shows' in one)).toHaveLength(6)
    expect(JSON.parse(out).pictures).toContainEqual(
      expect.objectContaining({ view_mode: 'card', platform: 'ios', shows }),
    )
  }, 60_000)

  test('--out draws what web faces show once they are answered, and have loaded what they ask for then', async () => {
    const face = `<!doctype html><body></body><script>
      addEventListener('message', async ({ data }) => {
        if (data.name !== 'vatom.init-complete') return
        const { colour } = await (await fetch('/colour?' + Math.random())).json()
        document.body.style.background = colour
      })
      addEventListener('load', () => parent.postMessage({ name: 'vatom.init' }, '*'))
    </script>`
    const { port } = await started(
      createServer(selfSigned, ({ url }, response) => {
        const json = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' }
        if (url === '/face') response.writeHead(200, { 'Content-Type': 'text/html' }).end(face)
        else setTimeout(() => response.writeHead(200, json).end('{"colour":"#123456"}'), 1500)
      }),
    )
    const files = coupon()
    const [, card = ''] = files['coupon.faces.yaml'].split('---')
    const faces = card
      .replaceAll('native://image', `https://127.0.0.1:${port}/face`)
      .replace('view_mode: card', 'view_mode: fullscreen')
    const script = join(
      folderWith({ browser: `#!/bin/sh\nexec '${browserPath}' --ignore-certificate-errors "$@"\n` }),
      'browser',
    )
    chmodSync(script, 0o755)
    const { 'coupon.variation.yaml': _, ...others } = files
    const cwd = folderWith({ ...others, 'coupon.faces.yaml': faces })
    const options = { env: { CHROME_PATH: script }, pages: folderWith(built) }
    const words = ['.', '--out', 'drawn', '--json', '--allow-private-addresses']
    const { code, out } = await previewing(cwd, words, async () => {}, options)
    expect(code).toBe(0)
    const drawn: { file: string; view_mode: string }[] = JSON.parse(out).pictures
    const colours = drawn
      .filter(({ view_mode }) => view_mode === 'fullscreen')
      .map(({ file }) => firstPixel(readFileSync(join(cwd, file))))
    // On web, iOS and Android.
    expect(colours).toEqual(['123456', '123456', '123456'])
  }, 60_000)

  test('show draws a native face, and runs no web face of the vAtom that is for another view', async () => {
    const asked: unknown[] = []
    const { port } = await started(
      createServer(selfSigned, ({ url }, response) => {
        asked.push(url)
        response.end('face')
      }),
    )
    const [icon = '', card = ''] = coupon()['coupon.faces.yaml'].split('---')
    const web = card.replaceAll('native://image', `https://127.0.0.1:${port}/face`)
    const cwd = folderWith({ ...coupon(), 'coupon.faces.yaml': [icon, web].join('---') })
    const script = join(
      folderWith({ browser: `#!/bin/sh\nexec '${browserPath}' --ignore-certificate-errors "$@"\n` }),
      'browser',
    )
    chmodSync(script, 0o755)
    const options = { env: { CHROME_PATH: script, VATOM_PICTURES: 'sixel' }, pages: folderWith(built), tty: true }
    const run = (...words: string[]) => visiting(cwd, words, async () => {}, options)
    expect(await run('apply', 'coupon.yaml', 'coupon.variation.yaml', 'coupon.faces.yaml', '--yes')).toMatchObject({
      code: 0,
    })
    const { out: id } = await run('emit', 'Espresso', '--quiet')
    const { code, out } = await run('--no-pager', 'show', id.trim())
    expect({ code, isDrawn: out.includes('\u001bP'), asked }).toEqual({ code: 0, isDrawn: true, asked: [] })
  }, 60_000)

  /** What `--out` does where a web face and a picture come from names that lead to this machine, as in a resolver. */
  async function drawnWithNeighbour(...flags: string[]) {
    const { origin, asked } = await neighbour((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(png)
    })
    const attempts = `<!doctype html><script>
      new Image().src = '${origin}/image'
      new WebSocket('${origin.replace('http', 'ws')}/socket')
      const code = 'new WebSocket("${origin.replace('http', 'ws')}/worker-socket"); void fetch("${origin}/worker")'
      new Worker(URL.createObjectURL(new Blob([code])))
      const frame = document.createElement('iframe')
      frame.src = '${origin}/frame'
      const other = document.createElement('iframe')
      other.src = '/nowhere'
      document.documentElement.append(frame, other)
    </script>`
    const nowhere = `<!doctype html><script>new WebSocket('${origin.replace('http', 'ws')}/nowhere-socket')</script>`
    const { port } = await started(
      createServer(selfSigned, ({ url = '' }, response) => {
        const { pathname, searchParams } = new URL(url, 'https://faces.alt')
        if (pathname === '/redirect') response.writeHead(302, { Location: searchParams.get('to') ?? '' }).end()
        else if (pathname === '/nowhere')
          response.writeHead(302, { 'Content-Type': 'text/html', Location: '' }).end(nowhere)
        else
          response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(gzipSync(attempts))
      }),
    )
    const elsewhere = `https://faces.alt:${port}`
    const { 'coupon.variation.yaml': _, 'card.png': __, ...files } = coupon()
    const [icon, ...others] = files['coupon.faces.yaml'].split('---')
    const cwd = folderWith({
      'coupon.yaml': files['coupon.yaml'].replace(
        'card.png',
        `${elsewhere}/redirect?to=${origin}/redirected%3Fkey=hidden`,
      ),
      'coupon.faces.yaml': [icon?.replaceAll('native://image', `${elsewhere}/face`), ...others].join('---'),
    })
    const resolver = `--ignore-certificate-errors --host-resolver-rules='MAP faces.alt 127.0.0.1'`
    const script = join(folderWith({ browser: `#!/bin/sh\nexec '${browserPath}' ${resolver} "$@"\n` }), 'browser')
    chmodSync(script, 0o755)
    const options = { env: { CHROME_PATH: script }, pages: folderWith(built) }
    const ended = await previewing(cwd, ['.', '--out', 'drawn', '--json', ...flags], async () => {}, options)
    return { ...ended, origin, asked: asked.map(({ path }) => path) }
  }

  test('--out draws nothing of this machine, also after redirects, and asks nothing there; it says what', async () => {
    const { code, out, err, origin, asked } = await drawnWithNeighbour()
    expect([code, asked]).toEqual([0, []])
    expect(out).toContain('an error: CardImage cannot be loaded from')
    const warnings = err.split('\n').filter((line) => line.includes('--allow-private-addresses'))
    expect(warnings).toHaveLength(1)
    const named = [...(warnings[0] ?? '').matchAll(/http:[^\s,;]+/g)].map(([address]) => address.slice(origin.length))
    expect(named.sort()).toEqual(['/frame', '/image', '/redirected', '/worker'])
  }, 60_000)

  test('--out --allow-private-addresses draws it', async () => {
    const { code, out, err, asked } = await drawnWithNeighbour('--allow-private-addresses')
    expect([code, out]).toEqual([0, expect.not.stringContaining('an error')])
    expect(asked).toEqual(
      expect.arrayContaining(['/redirected?key=hidden', '/image', '/socket', '/worker-socket', '/nowhere-socket']),
    )
    expect(err).not.toContain('Not drawn')
  }, 60_000)

  test('--out writes each vAtom to files of its own, in whatever script its name is', async () => {
    const variations = ['夜', '昼', 'Día', 'Tea', 'TEA'].map((name) => ({
      template: '$publisher::CoffeeCoupon::v1',
      template_variation: `$publisher::CoffeeCoupon::v1::${name}`,
      unpublished: true,
    }))
    const texts = variations.map((variation) => JSON.stringify(variation))
    const cwd = folderWith({ ...coupon(), 'coupon.variation.yaml': texts.join('\n---\n') })
    const options = { env: { CHROME_PATH: browserPath ?? '' }, pages: folderWith(built) }
    const { code, out, err } = await previewing(cwd, ['.', '--out', 'drawn', '--json'], async () => {}, options)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { pictures } = JSON.parse(out) as { pictures: { file: string; name: string; view_mode: string }[] }
    const files = pictures.map(({ file }) => file)
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(60)
    expect(readdirSync(join(cwd, 'drawn')).sort()).toEqual(
      ['contact-sheet.png', ...files.map((file) => basename(file))].sort(),
    )
    expect(files).toContain('drawn/local.vatom-CoffeeCoupon-v1-昼.icon.web.png')
    expect(pictures.find(({ name }) => name.endsWith('::Día'))?.file).toContain('-v1-Día.')
  }, 60_000)

  test('--out replaces what an earlier run drew, and no other file that comes while it draws', async () => {
    const cwd = folderWith({ ...coupon(), browser: `#!/bin/sh\n'${browserPath}' "$@"\n` })
    chmodSync(join(cwd, 'browser'), 0o755)
    const sheet = join(cwd, 'drawn/contact-sheet.png')
    const draw = () =>
      previewing(cwd, ['.', '--out', 'drawn'], async () => {}, {
        env: { CHROME_PATH: join(cwd, 'browser') },
        pages: folderWith(built),
      })
    expect((await draw()).code).toBe(0)
    const first = readFileSync(sheet)
    expect(firstPixel(first)).toBe('f6f6f4')
    writeFiles(cwd, { 'coupon.variation.yaml': coupon()['coupon.variation.yaml'].replaceAll('Espresso', 'Latte') })
    expect((await draw()).code).toBe(0)
    expect(readFileSync(sheet).equals(first)).toBe(false)
    writeFiles(cwd, { browser: `#!/bin/sh\necho mine > '${sheet}'\n'${browserPath}' "$@"\n` })
    const { code, err } = await draw()
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('drawn/contact-sheet.png exists and is not a picture'),
    })
    expect(readFileSync(sheet, 'utf8')).toBe('mine\n')
  }, 60_000)

  test('--out writes no file that a link in its folder leads to', async () => {
    const cwd = folderWith({ ...coupon(), 'drawn/readme.txt': 'mine' })
    symlinkSync('../own.txt', join(cwd, 'drawn/contact-sheet.png'))
    const options = { env: { CHROME_PATH: browserPath ?? '' }, pages: folderWith(built) }
    const { code, err } = await previewing(cwd, ['.', '--out', 'drawn'], async () => {}, options)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('drawn/contact-sheet.png cannot be written: a link leads out of the folder'),
    })
    expect(existsSync(join(cwd, 'own.txt'))).toBe(false)
  }, 60_000)

  test('--out --changed writes pictures of what a plan creates or changes alone', async () => {
    const { home: cwd, vatom } = await publisher()
    const faces = coupon()['coupon.faces.yaml']
    writeFiles(cwd, { ...coupon(), 'coupon.yaml': example('coffee-coupon.yaml') })
    expect((await vatom('apply', '.', '--yes')).code).toBe(0)
    writeFiles(cwd, {
      'coupon.faces.yaml': faces.replace('scale: fill', 'scale: fit'),
      'ios.faces.yaml': `${faces.split('---')[0]}`.replace('generic', 'ios'),
    })
    const drawnFor = async (plan: string) => {
      const args = ['.', '--out', plan.replace('.', '-'), '--json', '--changed', plan]
      const env = { CHROME_PATH: browserPath ?? '' }
      const { code, out, err } = await previewing(cwd, args, async () => {}, { env, pages: folderWith(built) })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      const { pictures, contact_sheet } = JSON.parse(out)
      expect(readFileSync(join(cwd, contact_sheet)).length).toBeGreaterThan(1000)
      return [...new Set(pictures.map((one: Record<string, string>) => `${one.view_mode} ${one.platform}`))]
    }
    const { out } = await vatom('plan', '.', '--out', 'faces.plan', '--json')
    writeFiles(cwd, { 'plan.json': out })
    const changed = ['icon ios', 'engaged ios', 'card web', 'card ios', 'card android']
    expect(await drawnFor('faces.plan')).toEqual(changed)
    expect(await drawnFor('plan.json')).toEqual(changed)

    // A changed template may change what each of its faces draws.
    expect(await vatom('apply', 'faces.plan')).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'coupon.yaml': example('coffee-coupon.yaml').replace('title: Free', 'title: A free') })
    await vatom('plan', '.', '--out', 'title.plan')
    expect(await drawnFor('title.plan')).toHaveLength(9)
  }, 60_000)
})
