import type { Client } from '../../client/client.ts'
import type { User } from '../../contract/api/user.ts'
import { normalToken, type TokenKey } from '../../contract/api/user-token-formats.ts'
import { guestTokenType } from '../../contract/values.ts'

/** A user token as people write it: an e-mail address has an @, anything else is a phone number. */
export function tokenKey(text: string): TokenKey {
  const token_type = text.includes('@') ? 'email' : 'phone_number'
  return { token_type, token: normalToken(token_type, text) }
}

/** The current user in words: their name, else their default token; a guest may have neither. */
export async function nameOf({ properties: { first_name, last_name } }: User, client: Client): Promise<string> {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  if (name) return name
  const { token, token_type } = (await client.listUserTokens({}))[0]?.properties ?? {}
  return token === undefined || token_type === guestTokenType ? 'a guest' : token
}
