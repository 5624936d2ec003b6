import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import { limits } from '../contract/limits.ts'
import { dispatcherFor, type NetworkOptions, reasonOf } from './network.ts'
import { wayTo } from './proxies.ts'

/** What an address answers. */
export interface ProbeAnswer {
  readonly status: number
  /** Its content type: `image/png`; undefined where none is given. */
  readonly type: string | undefined
  /** Bytes; undefined where they are not given. */
  readonly size: number | undefined
}

export type ProbeOptions = Pick<NetworkOptions, 'timeout' | 'signal' | 'env'>
export interface Prober {
  /** Requests an address without credentials. Rejects with an Error whose message says why there is no answer. */
  readonly probe: (url: string) => Promise<ProbeAnswer>
  readonly close: () => Promise<void>
}

/** Requests addresses by HEAD, or by GET of one byte where HEAD is refused; through the proxies of the environment. */
export function openProber({ timeout, signal, env }: ProbeOptions): Prober {
  /** By the variable of the proxy, or why there is none. */
  const opened = new Map<string, Promise<Dispatcher>>()
  const dispatcher = (url: string) => {
    const way = wayTo(url, env)
    const key = 'proxy' in way ? way.proxy.variable : way.direct
    const found = opened.get(key) ?? dispatcherFor({ baseUrl: url, timeout, env })
    opened.set(key, found)
    return found
  }
  const ask = async (method: 'HEAD' | 'GET', url: string, limit: AbortSignal) =>
    answered(await dispatcher(url), method, new URL(url), limit)
  return {
    probe: async (url) => {
      const limit = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])])
      try {
        const head = await followed('HEAD', url, ask, limit)
        return head.status < 400 ? head : await followed('GET', url, ask, limit)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        throw new Error(limit.aborted ? `no answer within ${timeout / 1000} s` : reasonOf(error), { cause: error })
      }
    },
    close: async () => {
      for (const one of opened.values()) await one.then((open) => open.destroy()).catch(() => {})
    },
  }
}

interface Answered extends ProbeAnswer {
  readonly location: string | undefined
}
type Ask = (method: 'HEAD' | 'GET', url: string, limit: AbortSignal) => Promise<Answered>

async function followed(method: 'HEAD' | 'GET', url: string, ask: Ask, limit: AbortSignal): Promise<ProbeAnswer> {
  let here = url
  for (let hop = 0; hop <= limits.redirects; hop++) {
    const { location, ...answer } = await ask(method, here, limit)
    if (location === undefined || answer.status < 300 || answer.status > 399) return answer
    here = new URL(location, here).href
    if (!/^https?:/.test(here)) throw new Error(`it redirects to ${here}`)
  }
  throw new Error(`more than ${limits.redirects} redirects`)
}

async function answered(
  dispatcher: Dispatcher,
  method: 'HEAD' | 'GET',
  { origin, pathname, search }: URL,
  signal: AbortSignal,
): Promise<Answered> {
  const range = method === 'GET' ? { range: 'bytes=0-0' } : {}
  const headers = { accept: '*/*', 'user-agent': 'vatom', ...range }
  const {
    statusCode,
    headers: received,
    body,
  } = await request.call(dispatcher, {
    origin,
    path: pathname + search,
    method,
    headers,
    body: null,
    signal,
  })
  body.on('error', () => {}).destroy()
  const text = (name: string) => (received[name] === undefined ? undefined : String(received[name]))
  return {
    status: statusCode,
    type: text('content-type')?.split(';')[0]?.trim().toLowerCase(),
    size: sizeOf(text('content-range')?.split('/')[1] ?? (statusCode === 206 ? undefined : text('content-length'))),
    location: text('location'),
  }
}

const sizeOf = (text: string | undefined) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined)
