import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { isPublisherName } from '../schema/domain-name.ts'
import { secret } from '../schema/fields.ts'
import { lazy, listOf, named, type ValueOf } from '../schema/lazy-schema.ts'
import { day, flag, language, text, unlisted } from '../schema/scalars.ts'
import type { Rows } from './endpoint.ts'

const unset = lazy(() => z.literal('').meta({ 'x-unlisted': true }))

const sent = unlisted('Accepted because clients send it; has no effect.')

/** The fields of a profile that its user writes. */
export const profile = lazy(() => ({
  first_name: text(limits.text).optional().describe('At most 64 characters.'),
  last_name: text(limits.text).optional().describe('At most 64 characters.'),
  name_public: flag('Whether others see the names. Default true.'),
  password: secret(text(limits.text).optional().describe('Write-only; at most 64 characters.')),
  avatar_public: flag('Whether others see the avatar. Default true.'),
  birthday: z
    .union([unset(), day()], { error: 'must be a day written as YYYY-MM-DD' })
    .optional()
    .describe('YYYY-MM-DD; "" unsets it.'),
  language: z
    .union([unset(), language()], { error: 'must be a two-letter language code of ISO 639-1, such as en' })
    .optional()
    .describe('ISO 639-1; "" unsets it.'),
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
    z.strictObject({
      ...profile(),
      nonpush_notification: z.boolean().optional().meta(sent),
      user_consent: z.int().optional().meta(sent),
    }),
  'Fields of the profile to change.',
  notUpdated,
)
export type ProfileUpdate = ValueOf<typeof ProfileUpdate>

/** The publisher of a user; what is none of a domain name could be anything in the files that it gets into. Spec 2.1. */
export const publisherOfUser = (isName: (name: string) => boolean, error: string) =>
  z.string().refine((name) => name === '' || isName(name), { error })

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
        guest_id: secret(z.string().optional().describe('What a guest signs in with, for good; else empty.')),
      }),
      system_properties: z.looseObject({
        pub_fqdn: publisherOfUser(isPublisherName, 'must be a domain name, or empty').optional(),
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

/** Payload of Get Wallet. */
export const Wallet = named('Wallet', () => z.looseObject({ id: z.string() }))

/** Operations on users. */
export const userRows = {
  getProfile: {
    method: 'GET',
    path: '/v1/user',
    auth: 'user',
    spec: '4.1',
    summary: "Get the current user's profile",
    payload: User,
  },
  updateProfile: {
    method: 'PATCH',
    path: '/v1/user',
    auth: 'user',
    spec: '4.2',
    summary: "Update the current user's profile",
    body: ProfileUpdate,
    payload: User,
    errors: ['invalid', 'invalidDate', 'passwordNeeded', 'rateLimited'],
    counted: 'passwords',
    details: [
      'a new password ends all other sessions of the user, and removes the guest id of a user who can sign in with the password instead',
    ],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/v1/user',
    auth: 'user',
    summary: 'Delete the current user',
    errors: ['publisherNeeded'],
    details: [
      'the tokens, sessions, messages and avatar of the user are deleted; their vAtoms go to the trash user, an account that nobody can sign in to; templates and other records of their publisher are not deleted',
      'the publisher that the service was started with is not deleted',
      'nobody finds the user from the beginning on; many vAtoms and messages go in portions, between which others write, and the answer comes when all are gone',
    ],
  },
  uploadAvatar: {
    method: 'POST',
    path: '/v1/user/avatar',
    auth: 'user',
    spec: '2.1',
    summary: "Upload the current user's avatar",
    upload: { files: 1, bytes: limits.avatar, field: 'avatar', refusal: 'avatarRefused' },
    errors: ['avatarRefused', 'tooLarge'],
    details: [
      `a PNG, JPEG, GIF or WebP image, recognized by its content, of at most ${limits.avatar / 2 ** 20} MiB`,
      'anyone can read it at avatar_uri, without authorization; the previous avatar is deleted',
    ],
  },
  getUser: {
    method: 'GET',
    path: '/v1/users/:id',
    auth: 'user',
    spec: null,
    summary: 'Get what others see of a user',
    payload: PublicUser,
    errors: ['notFound'],
    details: ['hidden names are empty; an avatar that is hidden or missing is left out', 'without meta'],
  },
  listAccounts: {
    method: 'GET',
    path: '/v1/user/accounts',
    auth: 'user',
    spec: null,
    summary: "List the current user's accounts on chains",
    payload: listOf(UserAccount),
    assumed: 'the list is empty: nothing is written to a chain',
  },
  getWallet: {
    method: 'GET',
    path: '/v1/user/wallet',
    auth: 'user',
    spec: null,
    summary: "Get the id of the current user's wallet, on which the action Balance can be performed",
    payload: Wallet,
    assumed: 'the id of a wallet is that of its user',
    details: [
      'the output of the action Balance is {"coin.numCoins": n}: the platform units that the publisher can still spend, 0 for a user who administers none; coin.name has no effect',
    ],
  },
} as const satisfies Rows
