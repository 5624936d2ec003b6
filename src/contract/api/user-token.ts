import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { secret } from '../schema/fields.ts'
import { lazy, listOf, named, type ValueOf } from '../schema/lazy-schema.ts'
import { flag, text } from '../schema/scalars.ts'
import type { Rows } from './endpoint.ts'

/** An e-mail address, a phone number or a guest id, as a request writes it. */
const userToken = lazy(() => text(limits.userToken).min(1, { error: 'must not be empty' }))

const which = lazy(() => ({ token: userToken(), token_type: z.string() }))

const isPrimary = lazy(() => flag('Whether it becomes the default token.'))

/** A user token that a user has or wants to sign in with; the token of an OAuth login, which is refused, may be left out. */
export const signInToken = lazy(() => ({ ...which(), token: userToken().optional() }))

/** A user token that a request brings; unknown keys are ignored. */
export const NewUserToken = named('NewUserToken', () => z.object({ ...signInToken(), is_primary: isPrimary() }))
export type NewUserToken = ValueOf<typeof NewUserToken>

/** Body of Reset Password and Reset Verification Code; unknown keys are ignored. */
export const UserTokenKey = named('UserTokenKey', () => z.object(which()), 'A user token by what it is.')

/** Body of Verify User Token; unknown keys are ignored. */
export const Verification = named('Verification', () =>
  z.object({ ...which(), verify_code: secret(text(64).describe('The code that was sent to the token.')) }),
)

/** A user token, as operations on one answer it. */
export const UserTokenName = named('UserTokenName', () => z.looseObject({ token: z.string(), token_type: z.string() }))

/** A user token of the caller's, with every key that clients read. */
export const UserTokenRecord = named(
  'UserToken',
  () =>
    z.looseObject({
      id: z.string(),
      meta: z.looseObject({
        created_by: z.string(),
        data_type: z.string(),
        when_created: z.string(),
        when_modified: z.string(),
      }),
      properties: z.looseObject({
        app_id: z.string(),
        confirmed: z.boolean(),
        is_default: z.boolean(),
        token: z.string(),
        token_type: z.string(),
        user_id: z.string(),
        verify_code_expires: z.string(),
      }),
    }),
  'What a user signs in with and receives messages at.',
)
export type UserTokenRecord = ValueOf<typeof UserTokenRecord>

const codeTries = `after ${limits.codeAttempts} wrong codes for an address, whoever tries them and wherever from, none is accepted for ${limits.codeWaitSeconds / 60} minutes; each further ${limits.codeAttempts} double that, up to a day; the right one, or a day without a wrong one, ends it; a code that a later one has outdated is not counted`
const pause = `${limits.codePauseSeconds} seconds`

/** Operations on user tokens, and on the password and codes sent to them. */
export const userTokenRows = {
  resetPassword: {
    method: 'POST',
    path: '/v1/user/reset_token',
    auth: 'none',
    summary: 'Send a one-time pin to a user token, which ends the password when it is used',
    body: UserTokenKey,
    unknownKeys: 'ignored',
    payload: UserTokenName,
    errors: ['unknownUser', 'invalid', 'unknownTokenType', 'rateLimited'],
    details: [
      `a pin is valid for ${limits.pinSeconds / 60} minutes and one login, which verifies the address, ends all pins and sessions of the user and removes their guest id and their password`,
      'the password stays until the pin is used, though clients take it to be removed at once: anybody can ask for a pin, and could take the password of anybody else away',
      `within ${pause} after a pin that is not used, a request is answered in the same way and does nothing; the last ${limits.pinsValid} pins of an address are valid, so that whoever asks for others cannot end one that its holder is typing`,
      'a wrong pin counts as a wrong password, but not one that later ones have outdated; a valid pin also opens an account that wrong passwords have locked',
      'if another address of the user is verified and this one is not, the password stays, and the pin signs in to a new user who gets the address: anybody can say that an address is theirs',
    ],
  },
  resetPasswordById: {
    method: 'POST',
    path: '/v1/users/:id/reset_token',
    auth: 'user',
    summary: 'Send a one-time pin to the default token of a user, which ends their password when it is used',
    errors: ['notPublisher', 'notFound', 'noUserToken', 'rateLimited'],
    assumed:
      'the path and the answer; only the user and administrators of the user’s publisher may call it; the pin goes to the default address if that is verified or none is, else to a verified one',
  },
  resetVerificationCode: {
    method: 'POST',
    path: '/v1/user/reset_token_verification',
    auth: 'none',
    summary: 'Send a new verification code to a user token',
    body: UserTokenKey,
    unknownKeys: 'ignored',
    payload: UserTokenName,
    errors: ['unknownUser', 'invalid', 'unknownTokenType', 'tokenConfirmed', 'rateLimited'],
    details: [
      `a code is valid for ${limits.verificationSeconds / 60} minutes; a new code invalidates earlier ones`,
      `within ${pause} after a code that is not used, a request is answered in the same way and sends none`,
      codeTries,
    ],
  },
  verifyUserToken: {
    method: 'POST',
    path: '/v1/user/verify_token',
    auth: 'user',
    spec: '2.1',
    summary: 'Verify a user token of the current user with the code that was sent to it',
    body: Verification,
    unknownKeys: 'ignored',
    payload: UserTokenName,
    errors: ['unknownUser', 'invalid', 'unknownTokenType', 'tokenConfirmed', 'wrongCode', 'rateLimited'],
  },
  listUserTokens: {
    method: 'GET',
    path: '/v1/user/tokens',
    auth: 'user',
    summary: "List the current user's tokens",
    payload: listOf(UserTokenRecord),
    details: ['the default token first, then the others in the order they were added'],
  },
  addUserToken: {
    method: 'POST',
    path: '/v1/user/tokens',
    auth: 'user',
    summary: 'Add a token to the current user',
    body: NewUserToken,
    unknownKeys: 'ignored',
    payload: UserTokenRecord,
    errors: ['invalid', 'unknownTokenType', 'invalidEmail', 'invalidPhone', 'tokenTaken', 'rateLimited'],
    details: [
      'the token is an e-mail address or a phone number; a verification code is sent to it',
      `a user has at most ${limits.userTokens} tokens`,
    ],
  },
  setDefaultUserToken: {
    method: 'PUT',
    path: '/v1/user/tokens/:id/default',
    auth: 'user',
    summary: "Make a token the current user's default one",
    errors: ['unknownUserToken'],
  },
  deleteUserToken: {
    method: 'DELETE',
    path: '/v1/user/tokens/:id',
    auth: 'user',
    summary: 'Delete a token of the current user',
    errors: ['unknownUserToken', 'defaultToken'],
  },
} as const satisfies Rows
