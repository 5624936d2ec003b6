import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, describe } from 'vitest'
import { bundleForBrowsers } from '../../../src/build/web.mjs'
import { drawing } from '../../../src/cli/preview/chromium.ts'
import { browserPath } from '../../support/browser-path.ts'
import { boxGlb } from './glb.ts'

const root = join(import.meta.dirname, '../../..')

/** Tests in a browser; where there is none, they say so and are skipped. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath === undefined) console.warn(`skipped: ${name}. There is no Chromium here; name one in CHROMIUM`)
  describe.skipIf(browserPath === undefined)(name, () => {
    afterAll(async () => {
      const browser = await running
      running = undefined
      await browser?.close()
    })
    tests()
  })
}

let running: Promise<Browser> | undefined

/** A browser without a window: one for all tests of a file. */
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--no-sandbox', ...drawing, '--force-color-profile=srgb'],
  })

/** A browser as it is when it is opened for the first time: no cookies, nothing stored. The caller closes it. */
export async function freshContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  running ??= launch()
  const browser = await running
  return browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
}

/** What a server answers, by path. */
type Files = Readonly<Record<string, { readonly type: string; readonly body: string | Buffer }>>

interface Served {
  readonly origin: string
  readonly close: () => void
}

const svg = (body: string, width = 300, height = 200) => ({
  type: 'image/svg+xml',
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" shape-rendering="crispEdges">${body}</svg>`,
})
const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
/** A cup of 300 x 200 pixels in one colour, with its handle at the right. */
const cup = (colour: string, mark: string) =>
  svg(rect(40, 20, 160, 160, colour) + rect(200, 60, 60, 80, colour) + rect(60, 40, 40, 40, mark))

/** A tenth of a second of silence. */
function silence(): Buffer {
  const samples = 800
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  for (const [value, offset] of [
    [1, 20],
    [1, 22],
    [1, 32],
    [8, 34],
  ] as const)
    header.writeUInt16LE(value, offset)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  return Buffer.concat([header, Buffer.alloc(samples, 128)])
}

/** Images, models, sounds and texts that tests draw. */
const fixtures: Files = {
  '/files/empty.svg': cup('#d0d0d0', '#ffffff'),
  '/files/full.svg': cup('#b5541c', '#ffd27f'),
  '/files/base.svg': svg(rect(20, 20, 160, 160, '#2f5d8a'), 200, 200),
  '/files/top-left.svg': svg(rect(30, 30, 60, 60, '#e4572e'), 200, 200),
  '/files/bottom-right.svg': svg(rect(80, 80, 90, 90, '#76b041'), 200, 200),
  '/files/box.glb': { type: 'model/gltf-binary', body: boxGlb() },
  '/files/draco.glb': { type: 'model/gltf-binary', body: boxGlb(['KHR_draco_mesh_compression']) },
  '/files/silence.wav': { type: 'audio/wav', body: silence() },
  '/files/note.html': { type: 'text/html', body: '<script>document.title = "changed"</script>' },
}

function serve(files: Files, headers: Readonly<Record<string, string>> = {}): Promise<Served> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    response.writeHead(file ? 200 : 404, { ...headers, 'Content-Type': file?.type ?? 'text/plain' })
    response.end(file?.body)
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => server.close() })
    }),
  )
}

/** A page that draws faces, on a server of its own; web faces come from another. */
export interface Desk {
  readonly page: Page
  readonly origin: string
  /** Where web faces come from. */
  readonly faces: string
  /** Errors on the console, and requests that leave both servers. */
  readonly problems: string[]
  readonly close: () => Promise<void>
}

/** Opens a browser with a page; `webFaces` are documents by path. */
export async function openDesk(
  webFaces: Readonly<Record<string, string>> = {},
  script = 'test/web/browser/page.ts',
): Promise<Desk> {
  const { files, entries } = await bundleForBrowsers(root, { page: script })
  const faces = await serve(
    Object.fromEntries(Object.entries(webFaces).map(([path, body]) => [path, { type: 'text/html', body }])),
  )
  const scripts = files.map(({ name, text }) => [`/${name}`, { type: 'text/javascript', body: text }])
  const home = {
    type: 'text/html',
    body: `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><main></main><script type="module" src="/${entries.page}"></script>`,
  }
  const style = { type: 'text/css', body: 'body { margin: 0 } main { width: 200px; height: 200px; background: white }' }
  const own = await serve(
    { '/': home, '/page.css': style, ...fixtures, ...Object.fromEntries(scripts) },
    policyFor(faces),
  )
  const context = await freshContext({ viewport: { width: 300, height: 260 } })
  const page = await context.newPage()
  const problems = problemsOf(page, [own.origin, faces.origin])
  await page.goto(own.origin)
  await page.waitForSelector('html[data-ready]')
  return {
    page,
    origin: own.origin,
    faces: faces.origin,
    problems,
    close: async () => {
      await context.close()
      own.close()
      faces.close()
    },
  }
}

/** As strict as a page that draws faces can be: no script but its own, none in line. */
const policyFor = (faces: Served) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self' blob:",
    "media-src 'self'",
    `frame-src ${faces.origin}`,
  ].join('; '),
})

/** Collects errors on the console of a page, and requests to others than these origins. */
export function problemsOf(page: Page, origins: readonly string[]): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(data|blob):/.test(url) && !origins.includes(new URL(url).origin)) problems.push(`request to ${url}`)
  })
  return problems
}
