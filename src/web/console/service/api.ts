import * as z from 'zod/v4'
import { type Client, type ClientOptions, createClient } from '../../../client/client.ts'
import { UnreachableError } from '../../../client/errors.ts'
import { createRawCall, type RawCall } from '../../../client/raw.ts'
import { mintingSession, noSession } from '../../../client/session.ts'
import type { Transport } from '../../../client/transport.ts'
import { type Operation, api as table } from '../../../contract/api/table.ts'
import { consolePaths } from '../../../contract/console.ts'
import { local } from './local.ts'

// Code made from texts is what the policy of the page refuses.
z.config({ jitless: true })

/** The API as a user. */
export interface Api {
  readonly client: Client
  readonly raw: RawCall
  /** An access token of the user. */
  readonly accessToken: () => Promise<string>
}

/** Carries requests of the client over the browser's HTTP. */
const transport: Transport = async ({ method, path, headers, body }) => {
  const sent = { method, headers: { ...headers }, ...(body !== undefined && { body }) }
  const response = await fetch(path, sent).catch((cause: unknown) => {
    throw new UnreachableError(location.origin, 'the service does not answer', { cause })
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

const apis = new Map<string, Api>()

/** The API as a user, by an id; the same for every call. */
export function apiAs(user: string, appId: string): Api {
  const known = apis.get(user)
  if (known) return known
  const mint = async () => (await local<{ access_token: string }>('POST', consolePaths.token, { user })).access_token
  const session = mintingSession(mint)
  const options: ClientOptions = { appId, send: transport, session }
  const made = { client: createClient(options), raw: createRawCall(options), accessToken: session.accessToken }
  apis.set(user, made)
  return made
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
