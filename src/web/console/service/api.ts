import * as z from 'zod/v4'
import { type Client, type ClientOptions, createClient } from '../../../client/client.ts'
import { UnreachableError } from '../../../client/errors.ts'
import { createRawCall, type RawCall } from '../../../client/raw.ts'
import { contentType } from '../../../client/request.ts'
import { type MintingSession, mintingSession, noSession } from '../../../client/session.ts'
import { sendAs, type Transport } from '../../../client/transport.ts'
import { dryRunDone, dryRunHeader } from '../../../contract/api/dry-run-header.ts'
import type { Auth } from '../../../contract/api/endpoint.ts'
import { type Operation, api as table } from '../../../contract/api/table.ts'
import type { WireResponse } from '../../../contract/api/wire.ts'
import { consolePaths } from '../../../contract/console.ts'
import { fetchOwn } from '../../page-session.ts'
import { local } from './local.ts'

// Code made from texts is what the policy of the page refuses.
z.config({ jitless: true })

/** The API as a user. */
export interface Api {
  readonly client: Client
  readonly raw: RawCall
  /** Predicts the answer to a request; nothing is stored. */
  readonly dryRun: RawCall
  /** Sends files. */
  readonly upload: (path: string, form: FormData) => Promise<WireResponse>
  readonly session: MintingSession
}

/** Carries requests of the client over the browser's HTTP. */
const transport: Transport = async ({ method, path, headers, body }) => {
  const sent = { method, headers: { ...headers }, ...(body !== undefined && { body }) }
  return fetched(path, sent)
}

async function fetched(path: string, sent: RequestInit): Promise<WireResponse> {
  const response = await fetchOwn(path, sent).catch((cause: unknown) => {
    throw new UnreachableError(location.origin, 'the service does not answer', { cause })
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

const dryRunTransport: Transport = ({ headers, ...request }) =>
  transport({ ...request, headers: { ...headers, [dryRunHeader]: dryRunDone } })

const apis = new Map<string, Api>()

/** The API as a user, by an id; the same for every call. */
export function apiAs(user: string, appId: string): Api {
  const known = apis.get(user)
  if (known) return known
  const mint = async () => (await local<{ access_token: string }>('POST', consolePaths.token, { user })).access_token
  const session = mintingSession(mint)
  const options: ClientOptions = { appId, send: transport, session }
  const made: Api = {
    client: createClient(options),
    raw: createRawCall(options),
    dryRun: createRawCall({ ...options, send: dryRunTransport }),
    upload: (path, body) => {
      const send: Transport = ({ method, headers }) => fetched(path, { method, headers: { ...headers }, body })
      const request = { method: 'POST', path, headers: { 'app-id': appId }, changes: true }
      return sendAs({ send, session }, request, { auth: 'user', errors: ['unauthorized'] })
    },
    session,
  }
  apis.set(user, made)
  return made
}

/** The API as nobody who is signed in: no request has a token. */
export function apiAsNobody(appId: string): Pick<Api, 'raw' | 'dryRun'> {
  const over =
    (send: Transport): RawCall =>
    ({ method, path, body }) =>
      send({
        method,
        path,
        headers: { 'app-id': appId, ...contentType(method) },
        ...(body !== undefined && { body }),
      })
  return { raw: over(transport), dryRun: over(dryRunTransport) }
}

/** Signs in with an e-mail address and a password; answers an access token. Throws `ServiceError`. */
export async function signIn(email: string, password: string, appId: string): Promise<string> {
  const client = createClient({ appId, send: transport, session: noSession('nobody is signed in', '') })
  const { access_token } = await client.login({
    body: { token_type: 'email', token: email, auth_data: { password } },
  })
  return access_token.token
}

/** What the table of the API says of an operation; undefined for a name that it does not have. */
export const operationNamed = (name: string) => (Object.hasOwn(table, name) ? table[name as Operation] : undefined)

const audiences: Readonly<Record<Auth, string>> = {
  none: 'anybody',
  optional: 'anybody; more for users',
  user: 'users who are signed in',
  publisher: 'administrators of a publisher',
  refresh: 'the bearer of a refresh token',
}

/** Who may call an operation. */
export function audienceOf(name: string): string {
  const row = operationNamed(name)
  return row ? audiences[row.auth] : 'this console, and programs on its machine'
}
