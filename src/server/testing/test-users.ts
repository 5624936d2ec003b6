import { parseJsonBody } from '../../contract/api/json-body.ts'
import { type TestSession, TestUser } from '../../contract/api/test-users.ts'
import { broughtToken, signInTypes, type TokenKey } from '../../contract/api/user-token-formats.ts'
import type { Passwords } from '../auth/passwords.ts'
import { startSession } from '../auth/sessions.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { Clock } from '../domain/clock.ts'
import { knownUser, newUser, userRecord } from '../domain/users/user.ts'
import { addToken, askForVerification, confirmToken } from '../domain/users/user-tokens.ts'
import type { Store } from '../store/store.ts'
import { bit } from '../store/table.ts'
import type { UserRow } from '../store/users.ts'
import { validated } from '../valid-input.ts'

/** What a user is made with. */
interface UserMaker {
  readonly store: Store
  readonly clock: Clock
  readonly passwords: Passwords
  readonly tokens: Tokens
}

const defaultPassword = 'vatom-test'

/** Makes a user, who is signed in: activated, with a password, unless the body says otherwise. Throws `invalid` and `tokenTaken`. */
export async function makeUser(
  service: UserMaker,
  { body, baseUrl }: { readonly body: string; readonly baseUrl: string },
): Promise<TestSession> {
  const { store, passwords, clock } = service
  const wanted = validated(TestUser(), parseJsonBody(body || '{}'))
  const { user_tokens, password = defaultPassword, pub_fqdn = '', is_admin, is_merchant, ...rest } = wanted
  const { activated = true, ...profile } = rest
  const given = user_tokens?.map((token, index) => broughtToken(token, signInTypes, `user_tokens[${index}]`))
  const hash = await passwords.hash(password)
  return await store.write(() => {
    const moment = { store, now: clock() }
    const rights = { pub_fqdn, is_admin: bit(is_admin ?? false), is_merchant: bit(is_merchant ?? false) }
    const user: UserRow = { ...newUser(moment, profile), ...rights, password: hash }
    const keys = given ?? [addressFor(user)]
    store.users.insert(user)
    for (const [index, key] of keys.entries()) {
      const row = addToken(moment, { ...key, user: user.id, isDefault: index === 0, isClaimed: true })
      if (activated) confirmToken(moment, row)
      else askForVerification(moment, row)
    }
    const session = startSession(service, knownUser(moment, user.id))
    const [{ token, token_type } = addressFor(user)] = keys
    return { user: userRecord(knownUser(moment, user.id), baseUrl), token, token_type, password, ...session }
  })
}

/** An address that nobody has (RFC 2606). */
const addressFor = ({ id }: UserRow): TokenKey => ({ token_type: 'email', token: `${id.slice(0, 8)}@example.com` })
