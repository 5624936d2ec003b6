import type { KeptBody } from '../../contract/console.ts'
import { isObject, nestsDeeper } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'

/** What was sent, and what was answered; undefined for nothing, and for what is no text. */
export interface Bodies {
  readonly sent: string | undefined
  readonly answered: string | undefined
}

/** Characters that are kept of a body, and of all bodies. */
const most = { body: 65_536, all: 8_388_608 }

/** The bodies of the latest requests, as far as they fit. Secrets are struck out when they are read. */
export class KeptBodies {
  readonly #bodies = new Map<string, Bodies>()
  #size = 0

  /** Adds those of a request, and drops the oldest where they are too long in all. */
  add(request: string, { sent, answered }: Bodies): void {
    const bodies = { sent: beginningOf(sent), answered: beginningOf(answered) }
    this.#bodies.set(request, bodies)
    this.#size += sizeOf(bodies)
    for (const [oldest, dropped] of this.#bodies) {
      if (this.#size <= most.all) return
      this.#bodies.delete(oldest)
      this.#size -= sizeOf(dropped)
    }
  }

  /** Those of a request, without secrets. */
  of(request: string): { readonly sent?: KeptBody; readonly answered?: KeptBody } {
    const { sent, answered } = this.#bodies.get(request) ?? {}
    return { ...(sent && { sent: shown(sent) }), ...(answered && { answered: shown(answered) }) }
  }

  clear(): void {
    this.#bodies.clear()
    this.#size = 0
  }
}

const sizeOf = ({ sent = '', answered = '' }: Bodies) => sent.length + answered.length

/** A copy of the beginning: a part of a string would hold all of it in memory. */
const beginningOf = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= most.body ? text : Buffer.from(text.slice(0, most.body)).toString()

function shown(text: string): KeptBody {
  const clean = withoutSecrets(text)
  return {
    text: clean,
    ...(clean !== text && clean.includes(hidden) && { redacted: true }),
    ...(text.length >= most.body && { shortened: true }),
  }
}

/** Levels of a JSON value that are looked into; limits of requests are below. */
const mostLevels = 200
const hidden = '[redacted]'
const secretNames =
  'password|old_password|access_token|refresh_token|push_token|code|verification_code|pin|secret|signature|api_?key|jwt|authorization'
const secretName = new RegExp(`^(${secretNames})$`, 'i')
const secretPair = new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi')
const jsonWebToken = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** A body with passwords, tokens and codes struck out; of a text that is no JSON, those that are named as in JSON. */
function withoutSecrets(text: string): string {
  const value = parseJson(text)
  const clean =
    value === undefined || nestsDeeper(value, mostLevels)
      ? text.replace(secretPair, `$1"${hidden}"`)
      : struckOut(text, value)
  return clean.replace(jsonWebToken, hidden)
}

/** The text as it came where there is nothing to strike out. */
function struckOut(text: string, value: unknown): string {
  let isFound = false
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit)
    if (!isObject(one)) return one
    const isGuest = one.token_type === 'guest_id'
    return Object.fromEntries(
      Object.entries(one).map(([name, inside]) => {
        if (typeof inside !== 'string' || !(secretName.test(name) || (isGuest && name === 'token')))
          return [name, visit(inside)]
        isFound = true
        return [name, hidden]
      }),
    )
  }
  const clean = visit(value)
  return isFound ? JSON.stringify(clean) : text
}
