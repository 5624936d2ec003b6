import { operations } from '../../contract/api/table.ts'
import type { KeptBody, KeptPart } from '../../contract/console.ts'
import { limits } from '../../contract/limits.ts'
import { secretFields } from '../../contract/schema/fields.ts'
import { lazy } from '../../contract/schema/lazy-schema.ts'
import { isObject, nestsDeeper } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { guestTokenType } from '../../contract/values.ts'
import { decoded } from './path-pattern.ts'
import type { SentPart } from './sent-parts.ts'

/** What was sent, and what was answered; undefined for nothing, and for what is no text. */
export interface Bodies {
  readonly sent: string | undefined
  readonly answered: string | undefined
  /** Of an upload; undefined for other requests. */
  readonly parts?: readonly SentPart[] | undefined
}

/** Characters that are kept of a body, and of all bodies. */
const most = { body: 65_536, all: 8_388_608 }

/** The bodies of a request, until they are dropped. */
export interface Kept {
  readonly size: number
  bodies: Bodies | undefined
}

/** The bodies of the latest requests, as far as they fit. Secrets are struck out when they are read. */
export class KeptBodies {
  #kept: Kept[] = []
  /** The place of the oldest that were not dropped. */
  #first = 0
  #size = 0

  /** Adds those of a request; those of the oldest requests are dropped where they are too many, or too long in all. */
  add(whole: Bodies): Kept {
    const bodies = beginningsOf(whole)
    const kept = { size: sizeOf(bodies), bodies }
    this.#kept.push(kept)
    this.#size += kept.size
    while (this.#size > most.all || this.#kept.length - this.#first > limits.journal) this.#dropFirst()
    if (this.#first > limits.journal) {
      this.#kept = this.#kept.slice(this.#first)
      this.#first = 0
    }
    return kept
  }

  clear(): void {
    this.#kept = []
    this.#first = 0
    this.#size = 0
  }

  #dropFirst(): void {
    const kept = this.#kept[this.#first++]
    if (!kept) return
    kept.bodies = undefined
    this.#size -= kept.size
  }
}

/** The bodies of a request without secrets, as far as they were not dropped. */
export function shownBodies(kept: Kept | undefined): ShownBodies {
  const { sent, answered, parts } = kept?.bodies ?? {}
  return {
    ...(sent && { sent: shown(sent) }),
    ...(parts && { parts: parts.map(shownPart) }),
    ...(answered && { answered: shown(answered) }),
  }
}

interface ShownBodies {
  readonly sent?: KeptBody
  readonly parts?: readonly KeptPart[]
  readonly answered?: KeptBody
}

/** A part without secrets; of a field that is called like a secret, all of its text is one. */
function shownPart({ field, file, type, size, text, isCut }: SentPart): KeptPart {
  const body = text && (namesAtEnd(field).some(isSecretName) ? { text: hidden, redacted: true } : shown(text, isCut))
  return {
    field: withoutTokens(field),
    ...(file !== undefined && { file: withoutTokens(file) }),
    type,
    size,
    ...(body && { body }),
  }
}

const sizeOf = ({ sent = '', answered = '', parts = [] }: Bodies) =>
  parts.reduce((sum, part) => sum + sizeOfPart(part), sent.length + answered.length)

/** Characters that a part takes beside its texts. */
const partOverhead = 100
const sizeOfPart = ({ field, file = '', type, text = '' }: SentPart) =>
  partOverhead + field.length + file.length + type.length + text.length

const isLong = (text = '') => text.length > most.body

const beginningsOf = (bodies: Bodies): Bodies =>
  isLong(bodies.sent) || isLong(bodies.answered)
    ? { ...bodies, sent: beginningOf(bodies.sent), answered: beginningOf(bodies.answered) }
    : bodies

/** A copy of the beginning: a part of a string would hold all of it in memory. */
const beginningOf = (text: string | undefined): string | undefined =>
  text === undefined || !isLong(text) ? text : Buffer.from(text.slice(0, most.body)).toString()

function shown(text: string, isCut = text.length >= most.body): KeptBody {
  const clean = withoutSecrets(text)
  return {
    text: clean,
    ...(clean !== text && clean.includes(hidden) && { redacted: true }),
    ...(isCut && { shortened: true }),
  }
}

/** Levels of a JSON value that are looked into; limits of requests are below. */
const mostLevels = 200
/** What stands for a secret. */
const hidden = '[redacted]'
/** What clients and handlers may send beyond the fields of the API. */
const otherNames =
  'old_password|refresh_token|push_token|code|verification_code|pin|secret|signature|api_?key|jwt|authorization'

/** Whether what has a name, in a body or a query, is a secret. */
export const isSecretName = (name: string): boolean => secretNames().name.test(name)

/** Names of secrets: of the fields that are marked in the contract, and others. */
const secretNames = lazy(() => {
  const schemas = operations.flatMap(([, { query, body, payload }]) => [query, body, payload])
  const names = [...secretFields(schemas.flatMap((schema) => (schema ? [schema()] : []))), otherNames].join('|')
  return { name: nameOf(names), pairs: pairsOf(names) }
})

const nameOf = (names: string) => new RegExp(`^(${names})$`, 'i')
/** Members of JSON with one of some names, and a text, by the quote around both: some take it for a value of JavaScript. */
const pairsOf = (names: string) => ({ '"': pairOf(names, '"'), "'": pairOf(names, "'") })
const pairOf = (names: string, quote: string) =>
  new RegExp(`(${quote}(?:${names})${quote}\\s*:\\s*)${quote}(?:[^${quote}\\\\]|\\\\.)*${quote}?`, 'gi')
/** The token of a guest signs in by itself. */
const ofGuest = { name: nameOf('token'), pairs: pairsOf('token') }

/** A body with passwords, tokens and codes struck out; of a text that is no JSON, those that are named as in JSON, or in a form. */
function withoutSecrets(text: string): string {
  const value = parseJson(text)
  const clean =
    value === undefined || nestsDeeper(value, mostLevels)
      ? [secretNames(), ...(text.includes(guestTokenType) || text.length >= most.body ? [ofGuest] : [])].reduce(
          withoutNamed,
          text,
        )
      : struckOut(text, value)
  return withoutTokens(clean)
}

const withoutNamed = (text: string, { name, pairs }: typeof ofGuest): string =>
  withoutSecretFields(text.replace(pairs['"'], `$1"${hidden}"`).replace(pairs["'"], `$1'${hidden}'`), (one) =>
    name.test(one),
  )

/** A form, or a text that may have an address in it, without the values of secrets. */
const withoutSecretFields = (text: string, isSecret: (name: string) => boolean): string =>
  text.replace(/[^&\s]+/g, (field) => withoutSecretValue(field, isSecret))

/** What stands between a name and its value, also within an address that is itself the value of another name. */
const equals = /=|%(?:25)*3D/gi

/**
 * What stands between two `&` of a query or a form, without what follows the first name of a secret in it. A name may
 * begin behind any sign, as in an address that is the value of another one; a value may have each.
 */
export function withoutSecretValue(field: string, isSecret: (name: string) => boolean): string {
  let begin = 0
  for (const { 0: sign, index } of field.matchAll(equals)) {
    const end = index + sign.length
    if (end < field.length && namesAtEnd(field.slice(begin, index)).some(isSecret)) return field.slice(0, end) + hidden
    begin = end
  }
  return field
}

function namesAtEnd(piece: string): string[] {
  if (piece === '') return []
  const text = withoutIndexes(withoutEncoding(piece))
  return [text, lastWord(text.endsWith(']') ? text.slice(0, -1) : text)]
}

/** A name without what names one of a list behind it: `[]`, `[0]`. Looked for from the end, as in `lastWord`. */
function withoutIndexes(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === ']') {
    let at = end - 1
    while (/\d/.test(text.charAt(at - 1))) at--
    if (text.charAt(at - 1) !== '[') break
    end = at - 1
  }
  return text.slice(0, end)
}

/** Looked for from the end: an expression would begin at each character of each word. */
function lastWord(text: string): string {
  let at = text.length
  while (/[\w-]/.test(text.charAt(at - 1))) at--
  return text.slice(at)
}

/** Without the percent-encoding of ASCII characters, of which names of secrets are; others may be malformed. */
const withoutEncoding = (text: string) =>
  text.replace(/%(?:25)*([2-7][\da-f])/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))

/** Whether a list or an object with the name of a secret is one; that of a token says more, and its token is struck out. */
const isWhole = (name: string, value: unknown): boolean =>
  (Array.isArray(value) || isObject(value)) && !/token/i.test(name)

/** The text as it came where there is nothing to strike out, also in what is there under a name twice. */
function struckOut(text: string, value: unknown): string {
  let isFound = false
  const visit = (one: unknown): unknown => {
    if (typeof one === 'string') return visitText(one)
    if (Array.isArray(one)) return one.map(visit)
    if (!isObject(one)) return one
    const isGuest = one.token_type === guestTokenType
    return Object.fromEntries(
      Object.entries(one).map(([name, inside]) => {
        const isSecret = isSecretName(name) || (isGuest && name === 'token')
        if (inside === '' || !isSecret || !(typeof inside === 'string' || isWhole(name, inside)))
          return [name, visit(inside)]
        isFound = true
        return [name, hidden]
      }),
    )
  }
  const visitText = (one: string): string => {
    const inside = /^\s*[[{]/.test(one) ? parseJson(one) : undefined
    const isJson = inside !== undefined && !nestsDeeper(inside, mostLevels)
    const clean = isJson ? struckOut(one, inside) : withoutSecretFields(one, isSecretName)
    isFound ||= clean !== one
    return clean
  }
  const clean = visit(value)
  if (isFound) return JSON.stringify(clean)
  return text.replace(secretNames().pairs['"'], (pair, name) => (pair === `${name}""` ? pair : `${name}"${hidden}"`))
}

/**
 * A text with its JSON Web Tokens struck out, also those of which characters are percent-encoded, as URLs and forms may
 * have them. One expression for a whole token would look for the end of it from each place where one may begin, in time
 * that grows with the square of the text.
 */
export const withoutTokens = (text: string): string =>
  text.includes(tokenStart) || text.includes('%') ? text.replace(tokenWords, struckOutTokens) : text

const tokenStart = 'eyJ'

/** Percent-encoded characters that a token can have: `.`, `-`, `_`, digits and letters. */
const encoded = '%(?:2[DE]|3\\d|4[1-9A-F]|5[\\dAF]|6[1-9A-F]|7[\\dA])'
const tokenWords = new RegExp(`(?:[\\w.-]|${encoded})+`, 'gi')

/** Of the parts between dots, a token has three; the last may be empty. */
function struckOutTokens(written: string): string {
  const word = decoded(written)
  if (!word.includes(tokenStart)) return written
  const parts = word.split('.')
  const shown: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const header = parts[at] ?? ''
    const start = header.indexOf(tokenStart)
    const isToken =
      start >= 0 && header.length > start + tokenStart.length && parts[at + 1] && parts[at + 2] !== undefined
    shown.push(isToken ? header.slice(0, start) + hidden : header)
    if (isToken) at += 2
  }
  const clean = shown.join('.')
  return clean === word ? written : clean
}
