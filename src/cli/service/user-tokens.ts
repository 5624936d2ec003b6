import type { Client } from '../../client/client.ts'
import { unlessRefused } from '../../client/errors.ts'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import type { User } from '../../contract/api/user.ts'
import type { UserTokenRecord } from '../../contract/api/user-token.ts'
import { normalToken, type TokenKey, tokenFault } from '../../contract/api/user-token-formats.ts'
import { guestTokenType, type tokenTypes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import { meantId } from '../kinds/short-id.ts'

/** A user token as people write it: an e-mail address has an @, anything else is a phone number. */
export function tokenKey(text: string): TokenKey {
  const token_type = text.includes('@') ? 'email' : 'phone_number'
  return { token_type, token: normalToken(token_type, text) }
}

/**
 * The current user in words: their name and default token, `Ada (ada@example.com)`, or the one of them that there is; a
 * guest may have neither. Empty if the service does not list tokens.
 */
export async function nameOf({ properties: { first_name, last_name } }: User, client: Client): Promise<string> {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const token = await defaultToken(client)
  return name && token ? `${name} (${token})` : name || token || ''
}

/** The default token of the current user, or that they are a guest; undefined if the service does not list tokens. */
async function defaultToken(client: Client): Promise<string | undefined> {
  const tokens = await client.listUserTokens({}).catch(unlessRefused)
  if (!tokens) return undefined
  const { token, token_type } = tokens[0]?.properties ?? {}
  return token === undefined || token_type === guestTokenType ? 'a guest' : token
}

/** A user token as a person gives it. Throws a usage error for a text that is no address or number, or not of the type. */
export function givenToken(text: string, type?: (typeof tokenTypes)[number]): TokenKey {
  const key = type ? { token_type: type, token: normalToken(type, text) } : tokenKey(text)
  const [, fault] = tokenFault(key) ?? []
  if (fault === undefined) return key
  throw usage(
    `${text} is ${type || text.includes('@') ? fault : 'neither an e-mail address nor a phone number'}`,
    'for example ann@example.com, or +41791234567 with its country code',
  )
}

/** The current user's token with an id, or the beginning of one, or with an address or number in any spelling. */
export async function ownToken(client: Client, given: string): Promise<UserTokenRecord> {
  const texts = [given, tokenKey(given).token]
  const tokens = await client.listUserTokens({})
  const ofText = tokens.find(({ properties: { token } }) => texts.includes(token))
  if (ofText) return ofText
  const ids = tokens.map(({ id }) => id)
  const meant = meantId(given, 'tokens', ids)
  const found = tokens.find(({ id }) => id === meant)
  if (found) return found
  throw new Failure('unknown_user_token', exit.refused, `You have no token ${given}`, {
    hint: seeList('user token list'),
  })
}

/** Says where the code is that a service on this machine sends to nobody. */
export async function noteUnsent({ target, output, dirs }: Context): Promise<void> {
  const chosen = await target()
  if (chosen.kind === 'network' && !isLoopbackUrl(chosen.baseUrl)) return
  const outbox = 'vatom api GET __vatom/outbox'
  const command =
    chosen.kind === 'network' ? output.hint(outbox) : (await import('./running.ts')).onLocalService(outbox, dirs)
  output.note(`no message leaves this machine; to see the code: ${command}`)
}
