import { fetchOwn } from './page-session.ts'

/** Milliseconds before a lost connection is opened again, as browsers wait. */
const pause = 3000

/** What is done with server-sent events. */
interface Receiver {
  readonly receive: (type: string, data: string) => void
  /** There is no connection; where the server refuses it, it is not opened again. */
  readonly lost: (isRefused: boolean) => void
}

/** Follows the server-sent events of a path as the session of the page, until the returned function is called. */
export function followStream(path: string, { receive, lost }: Receiver): () => void {
  const stop = new AbortController()
  const follow = async (): Promise<void> => {
    const answer = await fetchOwn(path, { signal: stop.signal }).catch(() => undefined)
    if (answer?.ok) await readEvents(answer, receive).catch(() => {})
    if (stop.signal.aborted) return
    // A server that is about to end, or has too much to do, refuses nobody for good.
    const isRefused = answer !== undefined && answer.status >= 400 && answer.status < 500
    lost(isRefused)
    if (!isRefused) setTimeout(follow, pause)
  }
  void follow()
  return () => stop.abort()
}

async function readEvents({ body }: Response, receive: Receiver['receive']): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const part = await reader?.read()
    if (part?.value === undefined) return
    const events = (text + part.value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const fields = fieldsIn(event)
      const data = fields.get('data')
      if (data !== undefined) receive(fields.get('event') ?? 'message', data)
    }
  }
}

const fieldsIn = (event: string): ReadonlyMap<string, string> =>
  new Map(event.split('\n').map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*: ?/, '')]))
