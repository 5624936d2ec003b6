import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pageSessionHeader } from '../../../src/contract/page-session.ts'
import { type PreviewSubject, previewPaths } from '../../../src/contract/preview.ts'
import { png } from '../../fixtures/files.ts'
import { action, coupon, face, template, variation } from '../../fixtures/yaml.ts'
import { pagesOf } from '../../support/console-pages.ts'
import { folderWith, newFolder, writeFiles } from '../../support/folders.ts'
import { tokenOf } from '../../support/page-session.ts'
import { type Preview, previewing, signedIn } from '../../support/previewing.ts'
import { publisher } from '../../support/vatom.ts'

const pages = () => pagesOf('preview')

const image = (value: string) => template().replace('https://example.com/card.png', value)

function catalog(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return folderWith({
    'shop/coupon.yaml': template(),
    'shop/coupon.variation.yaml': variation(),
    'shop/coupon.faces.yaml': face(),
    ...files,
  })
}

const run = (cwd: string, look: (preview: Preview) => Promise<unknown>, args: readonly string[] = ['shop', '--json']) =>
  previewing(cwd, args, look, { pages: pages() })

/** The status of a request as it is written, which `fetch` would correct. */
const statusOf = ({ port }: Preview, path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) =>
    request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end(),
  )

test('--json prints one line with the link, and Ctrl-C ends the preview', async () => {
  const ended = await run(catalog(), async () => {})
  expect(ended.out).toMatch(/^\{"url":"http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32}"\}\n$/)
  expect(ended).toMatchObject({ code: 130, err: '' })
})

test('the link can be used once, for a session that no browser sends by itself', async () => {
  await run(catalog(), async (preview) => {
    const { url, origin } = preview
    // Programs look at links before a person opens them.
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    const page = await fetch(url)
    expect([page.status, page.headers.get('set-cookie'), page.headers.get(pageSessionHeader)]).toEqual([
      200,
      null,
      null,
    ])
    const token = await tokenOf(url, previewPaths.session)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(await tokenOf(url, previewPaths.session)).toBeNull()
    expect(await tokenOf(`${origin}/?key=guessed`, previewPaths.session)).toBeNull()
    const asCookie = { cookie: `vatom_preview_${preview.port}=${token}; ${pageSessionHeader}=${token}` }
    expect((await fetch(`${origin}/catalog`, { headers: asCookie })).status).toBe(403)
  })
})

test('without a session nothing is answered but the page, its scripts and what nobody guesses', async () => {
  const cwd = catalog({ 'shop/coupon.yaml': image('icon.png'), 'shop/icon.png': png })
  await run(cwd, async (preview) => {
    const without = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${preview.origin}${path}`, { headers })).status
    for (const path of ['/catalog', '/events', '/catalog?x', '/files', '/session', '/other'])
      expect([path, await without(path)]).toEqual([path, 403])
    for (const path of ['//', '/catalog#x', '/catalog?x#y'])
      expect([path, await statusOf(preview, path, { host: `127.0.0.1:${preview.port}` })]).toEqual([path, 403])
    expect(await without('/catalog', { [pageSessionHeader]: 'x'.repeat(32) })).toBe(403)
    for (const path of ['/', '/scripts/preview-AAAAAAAA.js', '/placeholders/Icon'])
      expect([path, await without(path)]).toEqual([path, 200])
    expect(await without('/files/x')).toBe(404)
    const addressIn = async (other: Preview) => {
      const { subjects } = await (await signedIn(other)).catalog()
      return Object.values(subjects[0]?.addresses ?? {})
    }
    const own = await addressIn(preview)
    expect(own).toEqual([expect.stringMatching(/^\/files\/[\da-f]{24}$/)])
    // It is another one in each run, so that who knows the file does not know it.
    await run(cwd, async (other) => expect(await addressIn(other)).not.toEqual(own))
  })
})

test('another Host, another Origin and other methods are refused', async () => {
  await run(catalog(), async (preview) => {
    const { session } = await signedIn(preview)
    const own = `127.0.0.1:${preview.port}`
    expect(await statusOf(preview, '/catalog', { ...session, host: own })).toBe(200)
    expect(await statusOf(preview, '/catalog', { ...session, host: own, origin: preview.origin })).toBe(200)
    for (const host of ['evil.example', `evil.example:${preview.port}`, `localhost:${preview.port}`])
      expect(await statusOf(preview, '/catalog', { ...session, host })).toBe(403)
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${preview.port + 1}`])
      expect(await statusOf(preview, '/catalog', { ...session, host: own, origin })).toBe(403)
    expect((await fetch(`${preview.origin}/catalog`, { method: 'POST', headers: session })).status).toBe(405)
  })
})

test('the page has a strict policy: no script or style in line', async () => {
  await run(catalog(), async (preview) => {
    const { get } = await signedIn(preview)
    const page = await get('/')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    const html = await page.text()
    expect(html).toContain('<script type="module" src="/scripts/preview-AAAAAAAA.js"></script>')
    expect(html).not.toMatch(/<style|style=|<script>| on\w+=/)
    expect((await get('/scripts/preview-AAAAAAAA.js')).headers.get('content-type')).toContain('text/javascript')
    for (const name of ['secret.js', 'manifest.json', '..%2Fmanifest.json', ''])
      expect((await get(`/scripts/${name}`)).status).toBe(404)
  })
})

test('a variation is drawn over its template, with the faces of the template and their places', async () => {
  await run(catalog(), async (preview) => {
    const { subjects, problems } = await (await signedIn(preview)).catalog()
    expect(subjects).toHaveLength(1)
    expect(subjects[0]).toMatchObject({
      kind: 'variation',
      template: 'local.vatom::Coupon::v1',
      file: 'shop/coupon.variation.yaml',
      vatom: { 'vAtom::vAtomType': { cloning_score: 0, template: 'local.vatom::Coupon::v1' } },
      faces: [{ place: expect.stringMatching(/^shop\/coupon\.faces\.yaml:\d+$/) }],
    })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

test('resources may be files of the catalog; no other file can be read', async () => {
  const elsewhere = newFolder()
  writeFiles(elsewhere, { 'secret.png': png })
  const cwd = catalog({
    'shop/images/icon.png': png,
    'shop/images/notes.sqlite': 'x',
    'secret.png': png,
    'shop/coupon.yaml': image('images/icon.png'),
    'shop/out.yaml': image('../secret.png').replaceAll('Coupon', 'Out'),
    'shop/link.yaml': image('images/link.png').replaceAll('Coupon', 'Link'),
    'shop/absolute.yaml': image(join(elsewhere, 'secret.png')).replaceAll('Coupon', 'Absolute'),
    'shop/kind.yaml': image('images/notes.sqlite').replaceAll('Coupon', 'Kind'),
    'shop/none.yaml': image('images/none.png').replaceAll('Coupon', 'None'),
  })
  symlinkSync(join(elsewhere, 'secret.png'), join(cwd, 'shop/images/link.png'))
  await run(cwd, async (preview) => {
    const { session, get, catalog: read } = await signedIn(preview)
    const { subjects } = await read()
    const of = (name: string): PreviewSubject | undefined =>
      subjects.find(({ template }) => template.includes(`::${name}::`))
    const [address, ...others] = Object.values(of('Coupon')?.addresses ?? {})
    expect(others).toEqual([])
    const file = await get(address ?? '')
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(file.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(png))
    for (const [name, note] of [
      ['Out', 'is outside the catalog'],
      ['Link', 'is outside the catalog'],
      ['Absolute', 'is outside the catalog'],
      ['Kind', 'is not an image'],
      ['None', 'there is no file'],
    ] as const) {
      expect(of(name)?.addresses).toEqual({})
      expect(of(name)?.notes).toEqual([expect.stringContaining(note)])
    }
    for (const path of [
      '/files/../secret.png',
      '/files/..%2f..%2fsecret.png',
      '/files/images/icon.png',
      '/files//etc/passwd',
      '/shop/coupon.yaml',
      '/../../etc/passwd',
      '//',
    ])
      expect(await statusOf(preview, path, { ...session, host: `127.0.0.1:${preview.port}` })).toBe(404)
  })
})

test('addresses at example.com are drawn as placeholders, which say so', async () => {
  await run(catalog(), async (preview) => {
    const { get, catalog: read } = await signedIn(preview)
    const { subjects } = await read()
    expect(subjects[0]?.notes).toEqual([
      'Addresses at example.com have no content: images there are drawn as placeholders',
    ])
    const [address] = Object.values(subjects[0]?.addresses ?? {})
    const answer = await get(address ?? '')
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    const hostile = await (await get(`/placeholders/${encodeURIComponent('<script>&"x')}`)).text()
    expect(hostile).not.toMatch(/<script|&|"x/)
  })
})

test('of a file with errors the last version without any is drawn, with the problems as validate has them', async () => {
  const cwd = catalog()
  await run(cwd, async (preview) => {
    const { catalog: read } = await signedIn(preview)
    const before = await read()
    writeFiles(cwd, { 'shop/coupon.variation.yaml': `${variation()}\nunknown_field: 1\n` })
    const broken = await read()
    expect(broken.version).not.toBe(before.version)
    expect(broken.subjects).toEqual(before.subjects)
    expect(broken.outdated).toEqual(['shop/coupon.variation.yaml'])
    expect(broken.problems).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        place: expect.stringMatching(/^shop\/coupon\.variation\.yaml:\d+:1$/),
        rule: expect.any(String),
        message: expect.stringContaining('unknown_field'),
        source: 'unknown_field: 1',
      }),
    )
    writeFiles(cwd, { 'shop/coupon.variation.yaml': variation() })
    expect(await read()).toMatchObject({ outdated: [], subjects: before.subjects })
  })
})

test('what is wrong with vatom.yaml is shown, in a folder of the catalog, too, until the file is corrected', async () => {
  const cwd = catalog({ 'shop/vatom.yaml': 'catalog: shop\n' })
  await run(
    cwd,
    async (preview) => {
      const { catalog: read } = await signedIn(preview)
      const { version } = await read()
      writeFiles(cwd, { 'shop/vatom.yaml': 'ignor: [x]\n' })
      const broken = await read()
      expect(broken.version).not.toBe(version)
      expect(broken.problems).toContainEqual(
        expect.objectContaining({ place: 'shop/vatom.yaml:1:1', message: expect.stringContaining('ignor') }),
      )
      writeFiles(cwd, { 'shop/vatom.yaml': 'catalog: shop\n' })
      expect((await read()).problems).not.toContainEqual(expect.objectContaining({ severity: 'error' }))
    },
    ['.', '--json'],
  )
})

test('events tell when a document, or a file that it names, has changed', async () => {
  const cwd = catalog({ 'shop/coupon.yaml': image('icon.png'), 'shop/icon.png': png })
  await run(cwd, async (preview) => {
    const { get, catalog: read } = await signedIn(preview)
    const { version } = await read()
    const events = (await get('/events')).body?.pipeThrough(new TextDecoderStream()).getReader()
    const next = async () => {
      for (;;) {
        const { value = '' } = (await events?.read()) ?? {}
        const [, found] = /data: (\w+)/.exec(value) ?? []
        if (found !== undefined) return found
      }
    }
    expect(await next()).toBe(version)
    writeFiles(cwd, { 'shop/icon.png': Buffer.concat([png, Buffer.from('x')]) })
    const second = await next()
    expect(second).not.toBe(version)
    writeFiles(cwd, { 'shop/more.yaml': template().replaceAll('Coupon', 'More') })
    expect(await next()).not.toBe(second)
    await events?.cancel()
  })
})

test('a terminal opens the link, but not with --no-open, with --json, nor in a pipeline', async () => {
  const cwd = catalog()
  const openedWith = async (args: readonly string[], env: Record<string, string> = {}, tty = true) => {
    let seen: readonly string[] = []
    const look = async ({ opened, url }: Preview) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      seen = opened.map((one) => (one === url ? 'the link' : one))
    }
    await previewing(cwd, args, look, { env, tty, pages: pages() })
    return seen
  }
  expect(await openedWith(['shop'])).toEqual(['the link'])
  expect(await openedWith(['shop', '--no-open'])).toEqual([])
  expect(await openedWith(['shop', '--json'])).toEqual([])
  expect(await openedWith(['shop', '--no-open'], { CI: 'true' })).toEqual([])
  expect(await openedWith(['shop'], {}, false)).toEqual([])
})

test('says what is wrong where nothing can be shown', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const nothing = await previewing(newFolder(), [], never, { pages: pages() })
  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('vatom preview PATH') })
  const unbuilt = await previewing(catalog(), ['shop'], never)
  expect(unbuilt).toMatchObject({ code: 1, err: expect.stringContaining('npm run build') })
  const absent = await previewing(catalog(), ['shpo'], never, { pages: pages() })
  expect(absent).toMatchObject({ code: 3, err: expect.stringContaining('shpo') })
  const piped = await previewing(catalog(), ['-'], never, { pages: pages() })
  expect(piped).toMatchObject({ code: 2, err: expect.stringContaining('standard input') })
})

test('a port in use is said with what to do', async () => {
  const cwd = catalog()
  await run(cwd, async ({ port }) => {
    const second = await run(cwd, () => Promise.reject(new Error('it has started')), ['shop', '--port', String(port)])
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} is in use`) })
  })
})

test('--out says what to install where there is no browser, and writes nothing for documents with errors', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = catalog()
  const bare = await previewing(cwd, ['shop', '--out', 'drawn'], never, { pages: pages(), env: { PATH: newFolder() } })
  expect(bare).toMatchObject({ code: 1, out: '', err: expect.stringContaining('apt-get install chromium') })
  const env = { CHROME_PATH: '/nowhere/chrome' }
  const wrong = await previewing(cwd, ['shop', '--out', 'drawn'], never, { pages: pages(), env })
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('/nowhere/chrome') })
  const other = { pages: pages(), env: { CHROME_PATH: '/bin/true' } }
  expect((await previewing(cwd, ['shop', '--out', 'drawn'], never, other)).err).toMatch(
    /\/bin\/true does not work as a browser: .*\nhint: .*CHROME_PATH=/,
  )
  writeFiles(cwd, { silent: '#!/bin/sh\nexec sleep 60\n' })
  chmodSync(join(cwd, 'silent'), 0o755)
  const silent = { pages: pages(), env: { CHROME_PATH: join(cwd, 'silent') } }
  const began = performance.now()
  expect(await previewing(cwd, ['shop', '--out', 'drawn', '--timeout', '0.3'], never, silent)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: The browser did not answer within 0\.3 s\nhint: .*--timeout 120/m),
  })
  expect(performance.now() - began).toBeLessThan(20_000)
  rmSync(join(cwd, 'silent'))
  writeFiles(cwd, { 'shop/coupon.yaml': 'template: 1' })
  const invalid = await previewing(cwd, ['shop', '--out', 'drawn'], never, { pages: pages(), env })
  expect(invalid).toMatchObject({ code: 3, out: '' })
  expect(readdirSync(cwd)).toEqual(['shop'])
})

test('--out gives the browser, which draws what others wrote, no token and no password', async () => {
  for (const name of ['VATOM_REFRESH_TOKEN', 'VATOM_ACCESS_TOKEN', 'VATOM_SERVE_PASSWORD']) vi.stubEnv(name, 'a secret')
  vi.stubEnv('VATOM_TEST', 'no secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const cwd = catalog()
  writeFiles(cwd, { browser: `#!/bin/sh\nenv > "${cwd}/environment"\n` })
  chmodSync(join(cwd, 'browser'), 0o755)
  const options = { pages: pages(), env: { CHROME_PATH: join(cwd, 'browser') } }
  const never = () => Promise.reject(new Error('it has started'))
  expect(await previewing(cwd, ['shop', '--out', 'drawn'], never, options)).toMatchObject({ code: 1 })
  const environment = readFileSync(join(cwd, 'environment'), 'utf8')
  expect(environment).toContain('VATOM_TEST=no secret\n')
  expect(environment).not.toContain('a secret')
})

test('--out names TMPDIR where the browser has no folder for temporary files', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = catalog()
  const options = { pages: pages(), env: { CHROME_PATH: '/bin/true' } }
  const temporary = join(newFolder(), 'none')
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await previewing(cwd, ['shop', '--out', 'drawn'], never, options)).toMatchObject({
    code: 1,
    err: `error: ${temporary}, the folder for temporary files, cannot be written (ENOENT)\nhint: name a folder that can be written: TMPDIR=FOLDER\n`,
  })
})

test.each([
  ['no picture', 'drawn/contact-sheet.png', 'my holiday'],
  ['another picture', 'drawn/contact-sheet.png', png],
  ['an empty file', 'drawn/local.vatom-Coupon-v1-Red.icon.web.png', ''],
  ['a text that names the preview', 'drawn/local.vatom-Coupon-v1-Red.card.ios.png', 'tEXtSoftware\0vatom preview'],
])('--out replaces no file that it did not write, as %s, and says so before it draws', async (_, file, content) => {
  const cwd = catalog({ [file]: content })
  writeFiles(cwd, { browser: `#!/bin/sh\ntouch "${cwd}/started"\n` })
  chmodSync(join(cwd, 'browser'), 0o755)
  const never = () => Promise.reject(new Error('it has started'))
  const options = { pages: pages(), env: { CHROME_PATH: join(cwd, 'browser') } }
  expect(await previewing(cwd, ['shop', '--out', 'drawn'], never, options)).toEqual({
    code: 1,
    out: '',
    err: `error: ${file} exists and is not a picture that vatom preview has marked as its own; it was not replaced\nhint: choose another folder: --out pictures; or remove the file: earlier versions did not mark theirs\n`,
  })
  expect(readFileSync(join(cwd, file))).toEqual(Buffer.from(content))
  expect(readdirSync(cwd).sort()).toEqual(['browser', 'drawn', 'shop'])
  expect(readdirSync(join(cwd, 'drawn'))).toHaveLength(1)
})

test('--out replaces no file that a link in its folder leads to', async () => {
  const cwd = catalog({ 'own.txt': 'precious', 'drawn/readme.txt': 'mine' })
  symlinkSync('../own.txt', join(cwd, 'drawn/contact-sheet.png'))
  const never = () => Promise.reject(new Error('it has started'))
  const { code, err } = await previewing(cwd, ['shop', '--out', 'drawn'], never, { pages: pages(), env: {} })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('drawn/contact-sheet.png exists and is not') })
  expect(readFileSync(join(cwd, 'own.txt'), 'utf8')).toBe('precious')
})

test('--out warns of files that resources name and that do not exist', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = newFolder()
  writeFiles(cwd, { 'shop/coupon.yaml': template().replace(/value: https\S+/, 'value: images/cup.png') })
  const env = { CHROME_PATH: '/nowhere/chrome' }
  const { err } = await previewing(cwd, ['shop', '--out', 'drawn'], never, { pages: pages(), env })
  expect(err.match(/^warning\S+ .*$/gm)).toEqual([
    'warning[private-address]: images/cup.png is the path of a file, not an address, and there is no such file',
  ])
})

test('--out of documents that nothing is drawn of says so, needs no browser, and makes no folder', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = newFolder()
  writeFiles(cwd, { 'acts/transfer.actions.yaml': action(), 'red.yaml': variation(), 'faces.yaml': face() })
  const env = { PATH: newFolder() }
  for (const path of ['acts', 'red.yaml', 'faces.yaml']) {
    const ended = await previewing(cwd, [path, '--out', 'drawn', '--json'], never, { pages: pages(), env })
    expect(ended).toMatchObject({
      code: 0,
      err: 'None of the documents is drawn, as no template is among them: no picture was written\n',
    })
    expect(JSON.parse(ended.out)).toEqual({ pictures: [], contact_sheet: null })
  }
  expect(readdirSync(cwd)).not.toContain('drawn')
  writeFiles(cwd, { 'drawn/Coupon.icon.web.png': '' })
  const again = await previewing(cwd, ['acts', '--out', 'drawn'], never, { pages: pages(), env })
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('left of an earlier run') })
})

test('--changed writes nothing, and needs no browser, for a plan that changes no face', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const { home: cwd, vatom, file } = await publisher()
  writeFiles(cwd, { 'shop/coupon.yaml': template(), 'shop/coupon.faces.yaml': face() })
  expect((await vatom('apply', 'shop', '--yes')).code).toBe(0)
  file('shop/transfer.actions.yaml', action())
  const { out } = await vatom('plan', 'shop', '--json', '--out', 'review.plan')
  file('plan.json', out)
  for (const plan of ['review.plan', 'plan.json']) {
    const args = ['shop', '--out', 'drawn', '--json', '--changed', plan]
    const ended = await previewing(cwd, args, never, { pages: pages(), env: { PATH: newFolder() } })
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('changes nothing that a face draws') })
    expect(JSON.parse(ended.out)).toEqual({ pictures: [], contact_sheet: null })
  }
  expect(readdirSync(cwd)).not.toContain('drawn')
})

describe('--changed without a session', () => {
  const never = () => Promise.reject(new Error('it has started'))

  /** Plans of a new shop, and a folder without a session that has them, the shop, and another catalog of the publisher. */
  async function planned() {
    const { home, vatom, file } = await publisher()
    writeFiles(home, { 'shop/coupon.yaml': template(), 'shop/coupon.faces.yaml': face() })
    const { out } = await vatom('plan', 'shop', '--json', '--out', 'review.plan')
    file('plan.json', out)
    return catalog({
      'review.plan': readFileSync(join(home, 'review.plan')),
      'plan.json': out,
      'bar/tea.yaml': template('$publisher::Tea::v1'),
    })
  }

  const draws = (cwd: string, args: readonly string[], env = {}) =>
    previewing(cwd, [...args, '--out', 'drawn'], never, {
      pages: pages(),
      env: { PATH: newFolder(), CI: 'true', ...env },
    })

  test('draws what a plan changes of the publisher that the plan names', async () => {
    const cwd = await planned()
    // It needs the browser that this machine does not have.
    for (const plan of ['review.plan', 'plan.json'])
      expect(await draws(cwd, ['shop', '--changed', plan])).toMatchObject({
        code: 1,
        err: expect.stringContaining('CHROME_PATH'),
      })
  })

  test('says of names that begin otherwise whose publisher they are compared with', async () => {
    const cwd = await planned()
    writeFiles(cwd, { 'shop/tea.yaml': template('cafe.example::Tea::v1') })
    const { code, err } = await draws(cwd, ['shop', '--changed', 'review.plan'], { VATOM_CONTEXT: 'local' })
    expect(code).toBe(3)
    expect(err).toMatch(
      /hint: if local\.vatom is not your publisher domain name: it is that of the plan review\.plan\n$/,
    )
  })

  test('refuses a plan of another publisher or catalog', async () => {
    const cwd = await planned()
    for (const plan of ['review.plan', 'plan.json']) {
      const other = await draws(cwd, ['shop', '--changed', plan], { VATOM_PUBLISHER: 'other.example' })
      expect(other).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${plan} is of the publisher local.vatom, and VATOM_PUBLISHER is other.example`),
      })
      const elsewhere = await draws(cwd, ['bar', '--changed', plan])
      expect(elsewhere).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `${plan} is of another catalog: none of its documents is given, such as template ${coupon}`,
        ),
      })
    }
  })
})

test('in a pipeline it serves only if that is asked for, so that no job waits for ever', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const env = { CI: 'true' }
  const cwd = catalog()
  for (const tty of [false, true]) {
    const { code, out, err } = await previewing(cwd, ['shop'], never, { pages: pages(), env, tty })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('to write pictures: vatom preview shop --out FOLDER;')
  }
  const served = await previewing(cwd, ['shop', '--no-open'], async () => {}, { pages: pages(), env })
  expect(served.code).toBe(130)
})

test('--out of a file is refused before anything is drawn', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = catalog({ 'review.plan': 'mine' })
  for (const folder of ['review.plan', 'review.plan/pictures', 'review.plan/a/b']) {
    const { code, err } = await previewing(cwd, ['shop', '--out', folder], never, { pages: pages() })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('review.plan is a file, and --out') })
  }
})

test('--allow-private-addresses takes --out', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const ended = await previewing(catalog(), ['shop', '--allow-private-addresses'], never, { pages: pages() })
  expect(ended).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('--allow-private-addresses takes --out'),
  })
})

test('--changed takes a plan alone, and --out', async () => {
  const never = () => Promise.reject(new Error('it has started'))
  const cwd = catalog({ 'list.json': '{"results":[]}' })
  const ended = (...args: string[]) => previewing(cwd, ['shop', ...args], never, { pages: pages() })
  const how = { code: 2, out: '', err: expect.stringContaining('vatom plan PATH --json > FILE') }
  expect(await ended('--out', 'drawn', '--changed', 'list.json')).toMatchObject(how)
  expect(await ended('--out', 'drawn', '--changed', 'shop/coupon.yaml')).toMatchObject(how)
  const absent = await ended('--out', 'drawn', '--changed', 'review.json')
  expect(absent).toMatchObject({
    code: 2,
    err: expect.stringMatching(/review\.json: no such file or folder\nhint: make one: /),
  })
  const alone = await ended('--changed', 'list.json')
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--out FOLDER --changed list.json') })
})
