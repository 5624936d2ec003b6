import { ApiError, errorAt } from '../../contract/api/errors.ts'
import type { Payload } from '../../contract/api/table.ts'
import { broughtToken, namedToken, signInTypes, type TokenKey } from '../../contract/api/user-token-formats.ts'
import { warning } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'
import { guestTokenType } from '../../contract/values.ts'
import { checkUnlocked, counted, forgetFailures } from '../auth/attempts.ts'
import { passwordTurn } from '../auth/passwords.ts'
import { type Started, startSession } from '../auth/sessions.ts'
import { onTables } from '../domain/caller.ts'
import { seconds } from '../domain/clock.ts'
import { isCode, isOutdatedPin, mayBePin } from '../domain/users/codes.ts'
import { addGuest } from '../domain/users/guests.ts'
import { recover } from '../domain/users/recovery.ts'
import { hasPassword, knownUser, newUser, userRecord } from '../domain/users/user.ts'
import { addToken, askForVerification } from '../domain/users/user-tokens.ts'
import { rowsHeld } from '../domain/vatoms/contents.ts'
import type { UserRow } from '../store/users.ts'
import type { Handler, Scope, UserScope } from './handler.ts'

/**
 * Signs a user in with a token and a password or a pin that replaces it, or with a guest id alone; repeated failures
 * lock the account for some minutes, that of a seeded publisher only for the machine that they come from. A pin opens a
 * locked account, too, so that nobody can keep its owner out. Spec 5.
 */
export const login: Handler<'login'> = async (scope, { body }) => {
  const key = namedToken(body, signInTypes)
  const password = passwordFor(key, body.auth_data?.password)
  const user = scope.store.users.byToken(key.token_type, key.token)
  if (!user) throw new ApiError('unknownUser')
  const { address, environment } = scope
  const begin = async (isRight: boolean) => {
    const isConfigured = isRight && password !== undefined && user.password === null
    const id = isConfigured ? await environment.configuredSessions.newId() : undefined
    return await scope.store.writeInSteps(isRight ? 1 : rowsHeld(scope.store, user.id), (tables) =>
      begun(onTables(scope, tables), key, user, { isRight, password, id }),
    )
  }
  const byPin = password !== undefined && mayBePin(password) ? await begin(false) : undefined
  if (!byPin && isOutdated(scope, key, password)) throw new ApiError('loginFailed')
  const { started, now } =
    byPin ??
    (await counted(environment, { user, address }, async () => {
      const isRight = password === undefined || (await isPassword(scope, user, password))
      // Without a write before the one that counts it, failures and successes count in their order.
      const session = isRight ? await begin(true) : undefined
      if (!session) throw new ApiError('loginFailed')
      return session
    }))
  return sessionPayload(scope, now, started)
}

/** The password that a login needs; undefined where the token is a guest id. */
function passwordFor({ token_type }: TokenKey, password: string | undefined): string | undefined {
  if (token_type === guestTokenType) return undefined
  if (password !== undefined) return password
  throw errorAt('auth_data.password', 'invalid', 'auth_data.password is required: only a guest id needs no password')
}

/** Whether a password is a pin that was sent, which is no wrong password to count: anybody can have others sent after it. */
function isOutdated(scope: Scope, key: TokenKey, password = ''): boolean {
  const token = scope.store.users.token(key.token_type, key.token)
  return token !== undefined && isOutdatedPin(scope, token, password)
}

/** Takes the same time for a user without a password. Seeded users have the configured password until they set one. */
async function isPassword(scope: Scope, user: UserRow, password: string): Promise<boolean> {
  const { seed, passwords } = scope.environment
  const other = user.seeded === 1 ? await seed.passwordHash() : passwords.unmatched
  return (
    (await passwords.matches(password, user.password || other, passwordTurn('sign in', scope, user))) &&
    hasPassword(user)
  )
}

interface Given {
  /** Whether the password is the one that `user` had. */
  readonly isRight: boolean
  readonly password: string | undefined
  /** The id of the session, if it begins with the configured password. */
  readonly id: string | undefined
}

/** Begins a session, and returns it with the user as they are now; undefined where the login fails or the user changed. */
function* begun(scope: Scope, key: TokenKey, user: UserRow, given: Given) {
  const { isRight, password } = given
  const { users } = scope.store
  const token = users.token(key.token_type, key.token)
  const current = users.byId(user.id)
  if (!current || token?.user_id !== user.id) return undefined
  const isSame = isRight && (password === undefined || current.password === user.password)
  if (!isSame && (password === undefined || !isCode(scope, token, 'pin', password))) return undefined
  const from = { user: current, address: scope.address }
  if (isSame) checkUnlocked({ ...scope.environment, store: scope.store }, from)
  forgetFailures(scope, from)
  const id = isSame ? user.id : yield* recover(scope, token)
  const { tokens, clock } = scope.environment
  const started = startSession(
    { store: scope.store, tokens, clock },
    knownUser(scope, id),
    given.id === undefined ? {} : { id: given.id },
  )
  return { started, now: knownUser(scope, id) }
}

/** Ends the session, if the request has one: its refresh and access tokens are refused from then on. Spec 5. */
export const logout = async (scope: Scope & Partial<UserScope>) => {
  const { store, session, warn, now } = scope
  const { processSessions } = scope.environment
  if (session === undefined) warn(warning('no-effect', '', 'no session was ended: the request has no access token'))
  else if (processSessions.byId(session)) processSessions.signOut(session)
  else await store.write(() => store.sessions.end(session, seconds(now)))
  return { success_message: 'Signed out.' }
}

/** A new access token, valid for 5 minutes: a string or an object, as the request's header asks. Spec 4.3. */
export const refreshAccessToken: Handler<'refreshAccessToken'> = ({ environment: { tokens }, user, session, form }) => {
  const token = tokens.sign('access', user, session)
  return { access_token: form === 'string' ? token : accessToken(token) }
}

const minutes = (seconds: number) => seconds / 60

/** An access token as clients read it; `expires_in` in minutes. */
const accessToken = (token: string) => ({
  token,
  token_type: 'Bearer',
  expires_in: minutes(limits.accessTokenSeconds),
})

/** Where assets are: on the service, at addresses that need no parameters. */
export const getAssetProviders = ({ baseUrl }: Scope): Payload<'getAssetProviders'> => ({
  asset_provider: [{ name: 'local', type: 'local', uri: baseUrl, descriptor: {} }],
})

/** Payload of Login and Register New User. */
const sessionPayload = (scope: Scope, user: UserRow, started: Started): Payload<'login'> => ({
  user: userRecord(user, scope.baseUrl),
  ...getAssetProviders(scope),
  access_token: accessToken(started.access_token),
  refresh_token: {
    token: started.refresh_token,
    token_type: 'Bearer',
    expires_in: minutes(limits.refreshTokenSeconds),
  },
})

/** Registers a user, who is not a publisher, and signs them in. Spec 4. */
export const registerUser: Handler<'registerUser'> = async (scope, { body }) => {
  const { user_tokens, password, ...profile } = body
  const tokens = user_tokens.map((token, index) => broughtToken(token, signInTypes, `user_tokens[${index}]`))
  const first = user_tokens.findIndex(({ is_primary }) => is_primary)
  const hash = password ? await scope.environment.passwords.hash(password, passwordTurn('sign in', scope)) : null
  const user = { ...newUser(scope, { ...profile, ...guestIdOf(tokens) }), password: hash }
  const started = await scope.store.write(() => {
    insert(scope, user, tokens, Math.max(first, 0))
    return startSession(scope.environment, user)
  })
  return sessionPayload(scope, user, started)
}

/** A user has one guest id at most. */
function guestIdOf(tokens: readonly TokenKey[]): object {
  const [guest, ...more] = tokens.filter(({ token_type }) => token_type === guestTokenType)
  if (more.length > 0) throw errorAt('user_tokens', 'invalid', 'user_tokens must have at most one guest_id')
  return guest ? { guest_id: guest.token } : {}
}

function insert(scope: Scope, user: UserRow, tokens: readonly TokenKey[], first: number): void {
  scope.store.users.insert(user)
  for (const [index, key] of tokens.entries())
    askForVerification(scope, addToken(scope, { ...key, user: user.id, isDefault: index === first, isClaimed: true }))
}

/** Makes a guest: `properties.guest_id` is what they sign in with. */
export const createGuest: Handler<'createGuest'> = async (scope) =>
  userRecord(await scope.store.write(() => addGuest(scope, scope.store.random.uuid())), scope.baseUrl)
