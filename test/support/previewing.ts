import { main } from '../../src/cli/main.ts'
import { hostWith } from './host.ts'
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
export async function previewing(
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
    openBrowser: (url) => opened.push(url),
  })
  const running = main(['preview', ...args], host)
  const url = await Promise.race([running.then(() => undefined), printed(stdout, stderr)])
  if (url !== undefined)
    await look({ url, origin: new URL(url).origin, port: Number(new URL(url).port), opened }).finally(() =>
      interrupted.abort(),
    )
  return { code: await running, out: stdout.text, err: stderr.text }
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

/** The cookie that the link of a preview is exchanged for. */
export async function cookieOf({ url }: Pick<Preview, 'url'>): Promise<string> {
  const answer = await fetch(url)
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
