import type { PublicUser, User } from '../../../contract/api/user.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { UserRow } from '../../store/users.ts'
import { found } from '../access.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { metaOf } from '../records/meta.ts'

/** A new user, with nothing but their properties. Spec 2.1. */
export const newUser = ({ store, now }: Moment, properties: Section = {}): UserRow => ({
  id: store.random.uuid(),
  properties: JSON.stringify(properties),
  password: null,
  avatar: null,
  seeded: 0,
  pub_fqdn: '',
  is_admin: 0,
  is_merchant: 0,
  deleted: 0,
  activated: 0,
  last_login: timestamp(now),
  attempts: 0,
  locked_until: 0,
  when_created: timestamp(now),
  when_modified: timestamp(now),
})

/** The user of an id. Throws `notFound`. */
export const knownUser = ({ store }: Pick<Moment, 'store'>, id: string): UserRow =>
  found(store.users.byId(id), 'user has this id')

/** The properties of a stored user. */
export const propertiesOf = (user: UserRow): Section => sectionOf(JSON.parse(user.properties))

const defaults = {
  first_name: '',
  last_name: '',
  name_public: true,
  avatar_public: true,
  birthday: '',
  language: '',
  guest_id: '',
  nonpush_notification: false,
  user_consents: [],
}

/** Whether a user has a password: their own, or the configured one of a seeded publisher. */
export const hasPassword = ({ password, seeded }: UserRow): boolean =>
  password === null ? seeded === 1 : password !== ''

/** The address of a user's avatar, which needs no authorization; its last part is for people only. */
const avatarUri = ({ avatar }: UserRow, baseUrl: string) =>
  avatar === null ? undefined : `${baseUrl}/assets/${avatar}/avatar`

/** A user as they see themselves, without their password. Spec 2.1. */
export const userRecord = (user: UserRow, baseUrl: string): User => ({
  id: user.id,
  meta: metaOf(user, user.id, 'blockv::user'),
  properties: {
    ...defaults,
    ...propertiesOf(user),
    avatar_uri: avatarUri(user, baseUrl) ?? '',
    is_password_set: hasPassword(user),
  },
  system_properties: {
    pub_fqdn: user.pub_fqdn,
    is_admin: user.is_admin === 1,
    activated: user.activated === 1,
    last_login: user.last_login,
    is_merchant: user.is_merchant === 1,
  },
})

/** A user's name as others see it; empty where they hide it. Spec 2.1. */
export function publicName(user: UserRow): string {
  const { first_name, last_name, name_public } = { ...defaults, ...propertiesOf(user) }
  return name_public ? `${first_name} ${last_name}`.trim() : ''
}

/** A user as others see them: without the names and the avatar that they hide. Spec 2.1. */
export function publicUserRecord(user: UserRow, baseUrl: string): PublicUser {
  const { first_name, last_name, name_public, avatar_public } = { ...defaults, ...propertiesOf(user) }
  const avatar_uri = avatar_public ? avatarUri(user, baseUrl) : undefined
  return {
    id: user.id,
    properties: {
      first_name: name_public ? first_name : '',
      last_name: name_public ? last_name : '',
      ...(avatar_uri !== undefined && { avatar_uri }),
    },
  }
}
