import type { Endpoint } from '../contract/api/endpoint.ts'
import { api, type Input, type Operation, operations, type Payload } from '../contract/api/table.ts'
import { type Warning, warningsIn } from '../contract/api/warnings.ts'
import { checkMembers } from '../contract/schema/members.ts'
import { at } from '../contract/schema/path.ts'
import { foreignRefusal, isForeignRefusal, readAnswer } from './answer.ts'
import { buildRequest, parametersOf } from './request.ts'
import type { Session } from './session.ts'
import { type SendingAgain, sendAs, type Transport } from './transport.ts'

/** One method an operation; each throws ServiceError, UnreachableError or SessionError. */
export type Client = { readonly [K in Operation]: (input: Input<K>, again?: SendingAgain) => Promise<Payload<K>> }

export interface ClientOptions {
  readonly appId: string
  readonly send: Transport
  readonly session: Session
  /** Receives the warnings of an answer. */
  readonly onWarnings?: (warnings: readonly Warning[]) => void
}

/** The API's client, derived from its table; `sendOf` may give operations transports of their own. */
export function createClient(
  options: ClientOptions,
  sendOf: (row: Endpoint) => Transport = () => options.send,
): Client {
  const methods = operations.map(([name, row]) => [name, methodOf(name, row, { ...options, send: sendOf(row) })])
  return Object.fromEntries(methods) as Client
}

const methodOf =
  (name: Operation, row: Endpoint, options: ClientOptions) =>
  async (input: unknown = {}, again: SendingAgain = {}): Promise<unknown> => {
    checkInput(name, row, input)
    const request = { ...buildRequest(row, input, options.appId), ...again }
    const response = await sendAs(options, request, row)
    const payload = readAnswer(row, response, request)
    const warnings = warningsIn(response.headers['vatom-warning'])
    if (warnings.length > 0) options.onWarnings?.(warnings)
    return payload
  }

/** Throws a TypeError for an input that lacks a part of the path, or has what the operation does not take. */
function checkInput(name: Operation, { path, body, query, upload, unlessThere }: Endpoint, input: unknown): void {
  const inPath = parametersOf(path)
  const others = { body, query, files: upload, unlessThere }
  const taken = Object.entries(others).flatMap(([member, row]) => (row === undefined ? [] : [member]))
  checkMembers(name, input, [...inPath, ...taken])
  const missing = inPath.find((parameter) => at(input, parameter) === undefined)
  if (missing !== undefined) throw new TypeError(`${name} needs ${missing}`)
}

/**
 * Calls Refresh Access Token. The refresh token goes in both headers, and the answer may be a string or an object:
 * the specification and the clients in the field differ. Throws UnexpectedAnswerError where something other than a
 * vAtom service refuses it. Spec 4.3.
 */
export async function refreshAccessToken(send: Transport, appId: string, refreshToken: string): Promise<string> {
  const row = api.refreshAccessToken
  const request = buildRequest(row, {}, appId)
  const headers = { ...request.headers, authentication: refreshToken, authorization: `Bearer ${refreshToken}` }
  // A refresh token is not used up.
  const sent = { ...request, headers, changes: false, repeatable: true }
  const response = await send(sent)
  if (isForeignRefusal(response)) throw foreignRefusal(row, response, sent)
  // Without a code, only its message says why: that the token is wrong would be a guess.
  const { access_token } = readAnswer({ ...row, errors: [] }, response, sent)
  return typeof access_token === 'string' ? access_token : access_token.token
}
