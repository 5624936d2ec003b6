import type { Files, WireRequest, WireResponse } from '../contract/api/wire.ts'
import { messageOf } from '../contract/unknown-values.ts'
import { received } from './answer.ts'
import { UnreachableError } from './errors.ts'
import type { Transport } from './transport.ts'

/** How requests are sent with `fetch`, which browsers and Node have. */
export interface FetchOptions {
  /** Address of the service. */
  readonly baseUrl: string
  /** Milliseconds to wait for an answer; 30,000. */
  readonly timeout?: number
  /** What sends requests: that of the platform if it is left out. */
  readonly fetch?: typeof globalThis.fetch
}

/** A transport of the platform's `fetch`. */
export function fetchTransport({ baseUrl, timeout = 30_000, fetch = globalThis.fetch }: FetchOptions): Transport {
  // From JavaScript, options may be misspelt.
  if (typeof baseUrl !== 'string') throw new TypeError('connect needs baseUrl, the address of a service')
  const base = baseUrl.replace(/\/+$/, '')
  return async (request) => {
    const { method, path, headers, files } = request
    const body = files === undefined ? request.body : await formOf(files)
    try {
      const signal = AbortSignal.timeout(timeout)
      const response = await fetch(base + path, { method, headers, signal, ...(body !== undefined && { body }) })
      return received(request, await answerOf(response))
    } catch (cause) {
      throw unreachable(baseUrl, request, cause)
    }
  }
}

const answerOf = async (response: Response): Promise<WireResponse> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
})

function unreachable(address: string, { changes = false }: WireRequest, cause: unknown): UnreachableError {
  const { cause: reason = cause } = cause instanceof Error ? cause : {}
  return new UnreachableError(address, messageOf(reason), { cause, mayBeDone: changes })
}

/** Files as a form; each is read whole. */
async function formOf(files: Files): Promise<FormData> {
  const form = new FormData()
  for await (const { name, field = 'file', content } of files) {
    const parts: Uint8Array<ArrayBuffer>[] = []
    for await (const part of content()) parts.push(new Uint8Array(part))
    form.append(field, new Blob(parts), name)
  }
  return form
}
