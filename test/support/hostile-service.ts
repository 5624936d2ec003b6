import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '../../src/contract/schema/path.ts'
import { parseJson } from '../../src/contract/unknown-values.ts'
import type { WatchedDesk } from './desks.ts'
import { serverOf } from './servers.ts'

/** A word that shows that a text arrived. */
export const mark = 'pwned'

const tags = String.fromCodePoint(0xe0041, 0xe007f)

/** A text with everything that a terminal obeys, or that hides or reorders what is beside it. */
export const hostile = [
  mark,
  '\u001b[2J\u001b]0;title\u0007\u001b]52;c;cm0=\u001b\\\u001b[38;5;208m\u001bc\u001bP1$r\u001b\\',
  '\u0000\u0007\u0008\u000b\u000c\r\u007f\u0080\u0085\u009b2J\u009d0;x\u009c',
  '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  '\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u2028\u2029\u2060\u2063\u206a\u3164\ufeff\uffa0\ufff9\ufffe\uffff\udc00',
  tags,
].join('')

/** Colours that the command line prints itself, and what surrounds a spinner's line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are terminal sequences
const own = /\u001b\[(?:(?:0|1|2|22|31|32|33|36|39)m|\?2026[hl])/g

/** What an output must not have; joiners and variation selectors are harmless. */
const unsafe =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}](?<!\t|\n|\u200c|\u200d|\ufe0f)/gu

/** The characters of an output, as escapes, that no output may have. */
export const unsafeIn = (output: string): string[] => [
  ...new Set(
    (output.replace(own, '').match(unsafe) ?? []).map((one) => JSON.stringify(one) + one.codePointAt(0)?.toString(16)),
  ),
]

/** What a hostile service answers. */
export type Hostility = 'texts' | 'everything' | 'errors'

/** Keys whose values commands look up, and which stay what they are when only texts are hostile. */
const structural =
  /^(id|ids|name|template|template_variation|owner|author|parent_id|root_type|type|publisher_fqdn|pub_fqdn|when_\w+|resourceType|resourceValueType|platform|view_mode|quality|reactor|token|access_token|refresh_token|state|display_url|package_url)$|::/

/** A value with the hostile text in each of its texts, and with a hostile key in each free object. */
function poisoned(value: unknown, hostility: Hostility, key = ''): unknown {
  if (typeof value === 'string') return hostility === 'texts' && structural.test(key) ? value : value + hostile
  if (Array.isArray(value)) return value.map((entry) => poisoned(entry, hostility, key))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, poisoned(field, hostility, name)] as const)
  return Object.fromEntries(key === 'private' || hostility === 'everything' ? [...fields, [hostile, hostile]] : fields)
}

const statuses = [400, 403, 404, 409, 500]

/** Stands before a desk's service and makes its answers hostile; the environment in which commands ask it. */
export async function hostileService({ service }: WatchedDesk, hostility: Hostility) {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  let asked = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const real = await fetch(baseUrl + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = await real.text()
    const warning = { code: hostile, path: hostile, message: hostile, about: hostile }
    response.setHeader('vatom-warning', JSON.stringify([warning]).replace(/[^\x20-\x7e]/g, escaped))
    response.setHeader('vatom-assumed', `${mark} \u009b2J`)
    response.setHeader('x-else', '\u0080\u0085\u009d0;x\u009c')
    response.setHeader('content-type', 'application/json')
    if (hostility === 'errors') {
      response.statusCode = statuses[asked++ % statuses.length] ?? 400
      const issues = [1, 2].map((one) => ({ path: hostile + one, message: hostile + one }))
      return response.end(JSON.stringify({ request_id: hostile, error: 11, message: hostile, issues }))
    }
    response.statusCode = real.status
    response.end(JSON.stringify(poisoned(parseJson(body), hostility)))
  }
  const { url } = await serverOf((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  return {
    VATOM_BASE_URL: url,
    VATOM_APP_ID: service.appId,
    VATOM_ACCESS_TOKEN: service.localToken(),
    VATOM_PUBLISHER: 'local.vatom',
  }
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
