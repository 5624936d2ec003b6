import { at, listAt } from '../../contract/schema/path.ts'

/** A browser, as far as it is asked about its requests. */
interface Browser {
  readonly send: (method: string, params: object) => Promise<unknown>
  /** Calls a function with the parameters of each event of a name. */
  readonly on: (event: string, receive: (params: unknown) => void) => void
}

/** Which requests the pages of a browser may send. */
export interface RequestPolicy {
  /** The origin of the page, which may be asked for everything. */
  readonly own: string
  /** Whether others may be asked for what is at an address; each hop of a redirect is looked at by itself. */
  readonly mayLoad: (url: string) => Promise<boolean>
}

/** WebSockets are no requests that a browser asks about: what frames show may open none. */
const noSockets = { name: 'Content-Security-Policy', value: 'connect-src http: https: data: blob:' }

/** Has all pages, frames and workers of a browser send only the requests that they may. */
export async function filterRequests({ send, on }: Browser, { own, mayLoad }: RequestPolicy): Promise<void> {
  const decide = async (paused: unknown): Promise<unknown> => {
    const requestId = at(paused, 'requestId')
    const url = String(at(paused, 'request', 'url'))
    const isAnswer = at(paused, 'responseStatusCode') !== undefined
    if (isAnswer && hasContent(paused) && !isAt(own, url))
      return send('Fetch.fulfillRequest', await unconnected(paused))
    if (isAnswer || isAt(own, url) || (await mayLoad(url))) return send('Fetch.continueRequest', { requestId })
    return send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' })
  }
  /** The answer to a request for a document, which then opens no WebSockets. */
  const unconnected = async (paused: unknown) => {
    const requestId = at(paused, 'requestId')
    const content = await send('Fetch.getResponseBody', { requestId })
    const body = String(at(content, 'body'))
    return {
      requestId,
      responseCode: at(paused, 'responseStatusCode'),
      responseHeaders: [...listAt(paused, 'responseHeaders'), noSockets],
      body: at(content, 'base64Encoded') === true ? body : Buffer.from(body).toString('base64'),
    }
  }
  // A page, or the browser, may have ended meanwhile.
  on('Fetch.requestPaused', (paused) => void decide(paused).catch(() => {}))
  const all = { urlPattern: '*' }
  await send('Fetch.enable', { patterns: [all, { ...all, resourceType: 'Document', requestStage: 'Response' }] })
}

const isAt = (origin: string, url: string): boolean => url.startsWith(`${origin}/`)

/** Whether an answer is no redirect. */
function hasContent(paused: unknown): boolean {
  const status = Number(at(paused, 'responseStatusCode'))
  return status < 300 || status > 399
}
