import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { refuses } from '../schema/reasons.ts'
import { named } from '../schema/registry.ts'
import { day, language, text } from '../schema/scalars.ts'
import { NewUserToken, userToken } from './user-token.ts'

const unset = lazy(() => z.literal(''))
const profile = lazy(() => ({
  first_name: text(limits.text).optional().meta({ description: 'At most 64 characters.' }),
  last_name: text(limits.text).optional().meta({ description: 'At most 64 characters.' }),
  name_public: z.boolean().optional().meta({ description: 'Whether others see the names. Default true.' }),
  password: text(limits.text).optional().meta({ description: 'Write-only; at most 64 characters.' }),
  avatar_public: z.boolean().optional().meta({ description: 'Whether others see the avatar. Default true.' }),
  birthday: z
    .union([unset(), day()], { error: 'must be a day written as YYYY-MM-DD' })
    .optional()
    .meta({ description: 'YYYY-MM-DD; "" unsets it.' }),
  language: z
    .union([unset(), language()], { error: 'must be a two-letter language code of ISO 639-1, such as en' })
    .optional()
    .meta({ description: 'ISO 639-1; "" unsets it.' }),
}))
const bySystem = 'the service sets system_properties; a user cannot change them'
const notUpdated = {
  avatar_uri: 'it is set by uploading an avatar',
  system_properties: bySystem,
  system_properites: bySystem,
  id: 'it cannot be changed',
  meta: 'it cannot be changed',
  properties: 'write the fields of properties at the top level',
}

/** Changes of a profile as a publisher writes them: what the specification documents. Spec 4.2. */
export const ProfileDocument = lazy(() => z.strictObject(profile()))

/** Body of Update Profile: only what is given changes. Spec 4.2, 8. */
export const ProfileUpdate = named(
  'ProfileUpdate',
  () =>
    refuses(
      z.strictObject({
        ...profile(),
        nonpush_notification: z.boolean().optional().meta({ description: 'Sent by clients; taken without effect.' }),
        user_consent: z.int().optional().meta({ description: 'Sent by clients; taken without effect.' }),
      }),
      notUpdated,
    ),
  'Fields of the profile to change.',
)
export type ProfileUpdate = ValueOf<typeof ProfileUpdate>

/** A user, as the user sees themself. Spec 2.1. */
export const User = named(
  'User',
  () =>
    z.looseObject({
      id: z.string(),
      meta: z.looseObject({ data_type: z.string(), when_created: z.string(), when_modified: z.string() }),
      properties: z.looseObject({
        first_name: z.string().optional(),
        last_name: z.string().optional(),
        name_public: z.boolean().optional(),
        avatar_uri: z.string().optional(),
        avatar_public: z.boolean().optional(),
        birthday: z.string().optional(),
        language: z.string().optional(),
        nonpush_notification: z.boolean().optional(),
      }),
      system_properties: z.looseObject({
        pub_fqdn: z.string().optional(),
        is_admin: z.boolean().optional(),
        activated: z.boolean().optional(),
        last_login: z.string().optional(),
        is_merchant: z.boolean().optional(),
      }),
    }),
  'The current user.',
)
export type User = ValueOf<typeof User>

/** A user, as others see them: the names are empty, and the avatar is left out, where the user hides them. */
export const PublicUser = named(
  'PublicUser',
  () =>
    z.looseObject({
      id: z.string(),
      properties: z.looseObject({
        first_name: z.string(),
        last_name: z.string(),
        avatar_uri: z.string().optional(),
      }),
    }),
  'Another user.',
)
export type PublicUser = ValueOf<typeof PublicUser>

/** Body of Register New User; unknown keys are ignored. */
export const Registration = named('Registration', () =>
  z.object({
    ...profile(),
    user_tokens: z
      .array(NewUserToken())
      .min(1, { error: 'must have at least one entry' })
      .max(limits.userTokens, { error: `must have at most ${limits.userTokens} entries` }),
  }),
)

/** Body of Login; unknown keys are ignored. A guest id needs no password, other tokens do. */
export const Login = named('Login', () =>
  z.object({
    token: userToken(),
    token_type: z.string(),
    auth_data: z
      .object({ password: text(1024).optional().meta({ description: 'Or the pin that Reset Password sent.' }) })
      .optional(),
  }),
)

/** A token as login and refresh answer it; `expires_in` in minutes. */
const BearerToken = named('BearerToken', () =>
  z.looseObject({ token: z.string(), token_type: z.string(), expires_in: z.number().optional() }),
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
  z.looseObject({ access_token: z.union([z.string(), BearerToken()]) }),
)

/** Body of Set Push Notification; unknown keys are ignored. */
export const PushNotification = named('PushNotification', () =>
  z.object({
    fcm_token: text(1024).meta({ description: 'Of the device, at Firebase Cloud Messaging.' }),
    platform_id: text(limits.name).meta({ description: 'What kind of device it is.' }),
    on: z.boolean().optional().meta({ description: 'Whether it wants notifications.' }),
  }),
)

/** Payload of Get App Version. */
export const AppVersion = named('AppVersion', () =>
  z.looseObject({
    supported_version: z.string().meta({ description: 'The oldest version of the app that is supported.' }),
    update_url: z.string(),
    update_text: z.string(),
  }),
)

/** An account of the user's on a chain. */
export const UserAccount = named('UserAccount', () =>
  z.looseObject({
    id: z.string(),
    user_id: z.string(),
    address: z.string(),
    type: z.string(),
    created_at: z.string(),
  }),
)

/** Payload of an operation that only confirms. */
export const Confirmation = named('Confirmation', () => z.looseObject({ success_message: z.string() }))
