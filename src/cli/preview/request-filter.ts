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
    if (isAnswer && !isRedirect(paused) && !isAt(own, url))
      return send('Fetch.fulfillRequest', unconnected(paused, await send('Fetch.getResponseBody', { requestId })))
    if (isAnswer || isAt(own, url) || (await mayLoad(url))) return send('Fetch.continueRequest', { requestId })
    return send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' })
  }
  // What cannot be decided is not loaded. A page, or the browser, may have ended meanwhile.
  const refuse = (paused: unknown) =>
    send('Fetch.failRequest', { requestId: at(paused, 'requestId'), errorReason: 'Failed' }).catch(() => {})
  on('Fetch.requestPaused', (paused) => void decide(paused).catch(() => refuse(paused)))
  const all = { urlPattern: '*' }
  await send('Fetch.enable', { patterns: [all, { ...all, resourceType: 'Document', requestStage: 'Response' }] })
}

const isAt = (origin: string, url: string): boolean => url.startsWith(`${origin}/`)

/** The answer to a request for a document, with its content, which then opens no WebSockets. */
function unconnected(paused: unknown, content: unknown) {
  const body = String(at(content, 'body'))
  const headers = listAt(paused, 'responseHeaders').filter((header) => !ofTransfer.test(String(at(header, 'name'))))
  return {
    requestId: at(paused, 'requestId'),
    responseCode: at(paused, 'responseStatusCode'),
    responseHeaders: [...headers, noSockets],
    body: at(content, 'base64Encoded') === true ? body : Buffer.from(body).toString('base64'),
  }
}

/** Headers of how a content was sent, which is decoded by now. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i

const redirects: readonly unknown[] = [301, 302, 303, 307, 308]

/** Whether an answer leads elsewhere. One without an address is shown as it is. */
const isRedirect = (paused: unknown): boolean =>
  redirects.includes(at(paused, 'responseStatusCode')) && listAt(paused, 'responseHeaders').some(isPlace)

const isPlace = (header: unknown): boolean =>
  /^location$/i.test(String(at(header, 'name'))) && String(at(header, 'value')).trim() !== ''
