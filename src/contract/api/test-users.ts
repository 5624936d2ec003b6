import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { isDomainName } from '../schema/domain-name.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { list } from '../schema/scalars.ts'
import { profile, publisherOfUser, User } from './user.ts'
import { NewUserToken } from './user-token.ts'

/** What a user may do, which the API has no operation for. Spec 2.1. */
const rights = lazy(() => ({
  pub_fqdn: publisherOfUser(isDomainName, 'must be a domain name in lower case, or empty').optional(),
  is_admin: z.boolean().optional(),
  is_merchant: z.boolean().optional(),
  activated: z.boolean().optional(),
}))

/** Body that changes the rights of a user. */
export const Rights = lazy(() => z.strictObject(rights()))
export type Rights = ValueOf<typeof Rights>

/** Body that makes a user for a test. */
export const TestUser = named('TestUser', () =>
  z.strictObject({
    ...profile(),
    ...rights(),
    activated: rights().activated.describe('Whether their tokens are verified. Default true.'),
    user_tokens: list(NewUserToken(), limits.userTokens)
      .min(1, { error: 'must have at least one entry' })
      .optional()
      .describe('An e-mail address of example.com when omitted.'),
  }),
)
export type TestUser = ValueOf<typeof TestUser>

/** A user who was made for a test, and their session. */
export const TestSession = named('TestSession', () =>
  z.object({
    user: User(),
    token: z.string().describe('Their first token, to sign in with.'),
    token_type: z.string(),
    password: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
  }),
)
export type TestSession = ValueOf<typeof TestSession>
