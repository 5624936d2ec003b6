import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { secret } from '../schema/fields.ts'
import { lazy, named } from '../schema/lazy-schema.ts'
import { list, text } from '../schema/scalars.ts'
import { headerText } from '../values.ts'
import type { Rows } from './endpoint.ts'
import { profile, User } from './user.ts'
import { NewUserToken, signInToken } from './user-token.ts'

/** Body of Register New User; unknown keys are ignored. */
export const Registration = named('Registration', () =>
  z.object({
    ...profile(),
    user_tokens: list(NewUserToken(), limits.userTokens).min(1, { error: 'must have at least one entry' }),
  }),
)

/** Body of Login; unknown keys are ignored. A guest id needs no password, other tokens do. */
export const Login = named('Login', () =>
  z.object({
    ...signInToken(),
    auth_data: z
      .object({
        password: secret(text(1024).optional().describe('The password, or the pin that Reset Password sent.')),
      })
      .optional(),
  }),
)

/** A token of a session: text that a header can have. */
const tokenText = () =>
  z.string().regex(headerText, { error: 'must be text that a header can have' }).max(limits.bearerToken)

/** A token as login and refresh answer it; `expires_in` in minutes. */
const BearerToken = named('BearerToken', () =>
  z.looseObject({ token: tokenText(), token_type: z.string(), expires_in: z.number().optional() }),
)

const assetProviders = lazy(() => z.array(z.looseObject({ name: z.string(), type: z.string(), uri: z.string() })))

/** Payload of Get Asset Providers: whose addresses get the pairs of their `descriptor` as a query. */
export const AssetProviders = named('AssetProviders', () => z.looseObject({ asset_provider: assetProviders() }))

/** Payload of Login and Register New User. */
export const Session = named('Session', () =>
  z.looseObject({
    user: User(),
    asset_provider: assetProviders(),
    access_token: BearerToken(),
    refresh_token: BearerToken(),
  }),
)

/**
 * Payload of Refresh Access Token: a string where the refresh token came in `Authentication` (Spec 4.3),
 * an object where it came in `Authorization`, as clients send it.
 */
export const RenewedToken = named('RenewedToken', () =>
  z.looseObject({ access_token: secret(z.union([tokenText(), BearerToken()])) }),
)

/** Operations that begin, renew and end a session. */
export const sessionRows = {
  registerUser: {
    method: 'POST',
    path: '/v1/users',
    auth: 'none',
    summary: 'Register a new user',
    body: Registration,
    unknownKeys: 'ignored',
    payload: Session,
    errors: ['invalid', 'invalidDate', 'invalidEmail', 'invalidPhone', 'unknownTokenType', 'tokenTaken', 'rateLimited'],
    details: [
      'a verification code is sent to each e-mail address and phone number',
      'a guest id is a UUID that the client may choose',
    ],
  },
  login: {
    method: 'POST',
    path: '/v1/user/login',
    auth: 'none',
    spec: '5',
    summary: 'Sign in with a user token and a password, or with a guest id',
    body: Login,
    unknownKeys: 'ignored',
    payload: Session,
    errors: ['loginFailed', 'unknownUser', 'loginLocked', 'invalid', 'unknownTokenType', 'rateLimited'],
    details: [
      'a pin that was sent to replace a password is valid for one login',
      'an empty password is a wrong one, also after a reset: what the web SDK reports as PASSWORD_RESET would sign in whoever knows the address',
      `${limits.loginAttempts} wrong passwords in a row lock an account for ${limits.loginLockSeconds / 60} minutes`,
    ],
  },
  logout: {
    method: 'POST',
    path: '/v1/user/logout',
    auth: 'user',
    spec: '5',
    summary: 'End the session',
    assumed: "the session's refresh and access tokens are refused from then on",
    details: [
      'with --compat sdk a request without Authorization is answered with 200 and ends no session: the Android SDK has removed its token by then',
    ],
  },
  refreshAccessToken: {
    method: 'POST',
    path: '/v1/access_token',
    auth: 'refresh',
    spec: '4.3',
    summary: 'Get a new access token',
    payload: RenewedToken,
    details: [
      'the refresh token may have Bearer before it; a request that has it in Authorization, as clients send it, and not in Authentication, is answered with an object {token, token_type, expires_in} instead of a string',
    ],
  },
  createGuest: {
    method: 'POST',
    path: '/v1/user/guest',
    auth: 'none',
    spec: null,
    summary: 'Create a guest, who signs in with their guest id',
    payload: User,
    errors: ['rateLimited'],
    details: ['the request needs no body'],
  },
  getAssetProviders: {
    method: 'GET',
    path: '/v1/user/asset_providers',
    auth: 'user',
    spec: null,
    summary: 'Get where assets are and which parameters their addresses need',
    payload: AssetProviders,
  },
} as const satisfies Rows
