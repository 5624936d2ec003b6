import { main } from '../../src/cli/main.ts'
import { type PreviewCatalog, previewPaths } from '../../src/contract/preview.ts'
import { openService } from '../../src/server/service.ts'
import { hostWith } from './host.ts'
import { sessionOf } from './page-session.ts'
import { Capture } from './streams.ts'

/** What a running preview is asked for. */
export interface Preview {
  /** The link that was printed. */
  readonly url: string
  readonly origin: string
  readonly port: number
  /** Addresses that were opened in a browser. */
  readonly opened: readonly string[]
}

export interface PreviewOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  /** The folder of what was built for browsers. */
  readonly pages?: string | undefined
}

/** Runs `vatom preview` in a folder, while a test looks at it. Resolves with its exit code and what it printed. */
export const previewing = (
  cwd: string,
  args: readonly string[],
  look: (preview: Preview) => Promise<unknown>,
  options: PreviewOptions = {},
) => visiting(cwd, ['preview', ...args], look, options)

/** Runs a command line that prints a link, in a folder that is the home, while a test looks behind the link. */
export async function visiting(
  cwd: string,
  args: readonly string[],
  look: (preview: Preview) => Promise<unknown>,
  { env = {}, tty = false, pages }: PreviewOptions = {},
) {
  const interrupted = new AbortController()
  const opened: string[] = []
  const [stdout, stderr] = [new Capture(tty), new Capture(tty)]
  const host = hostWith({
    ...{ stdout, stderr, env, cwd, home: cwd, pages, signal: interrupted.signal },
    termination: () => interrupted.signal,
    openBrowser: (url) => opened.push(url),
    openService: (options) => openService({ ...options, scryptCost: 16 }),
  })
  const running = main(args, host)
  const url = await Promise.race([running.then(() => undefined), printed(stdout, stderr)])
  if (url !== undefined)
    await look({ url, origin: new URL(url).origin, port: Number(new URL(url).port), opened }).finally(() =>
      interrupted.abort(),
    )
  return { code: await running, out: stdout.text, err: stderr.text }
}

/** Answers to requests that a signed-in browser sends, or one with other headers. */
export async function signedIn(preview: Preview) {
  const session = await sessionOf(preview.url, previewPaths.session)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${preview.origin}${path}`, { headers: { ...session, ...headers } })
  return {
    session,
    get,
    catalog: async (): Promise<PreviewCatalog> => JSON.parse(await (await get('/catalog')).text()),
  }
}

async function printed(...sinks: readonly Capture[]): Promise<string> {
  for (;;) {
    const [found] =
      sinks
        .map(({ text }) => text)
        .join('\n')
        .match(/http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]+/) ?? []
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
