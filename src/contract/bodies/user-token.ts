import * as z from 'zod/v4'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { named } from '../schema/registry.ts'
import { text } from '../schema/scalars.ts'

/** An e-mail address, a phone number or a guest id, as a request writes it. */
export const userToken = lazy(() => text(256).min(1, { error: 'must not be empty' }))
const which = lazy(() => ({ token: userToken(), token_type: z.string() }))
const isPrimary = lazy(() => z.boolean().optional().meta({ description: 'Whether it becomes the default token.' }))

/** A user token that a request brings; unknown keys are ignored. */
export const NewUserToken = named('NewUserToken', () => z.object({ ...which(), is_primary: isPrimary() }))
export type NewUserToken = ValueOf<typeof NewUserToken>

/** Body of Reset Password and Reset Verification Code; unknown keys are ignored. */
export const UserTokenKey = named('UserTokenKey', () => z.object(which()), 'A user token by what it is.')

/** Body of Verify User Token; unknown keys are ignored. */
export const Verification = named('Verification', () =>
  z.object({ ...which(), verify_code: text(64).meta({ description: 'The code that was sent to the token.' }) }),
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
  'What a user signs in with, and is reached by.',
)
export type UserTokenRecord = ValueOf<typeof UserTokenRecord>
