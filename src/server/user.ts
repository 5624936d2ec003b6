import { randomUUID } from 'node:crypto'
import { isObject } from '../contract/path.ts'
import type { User } from '../contract/user.ts'
import type { UserRow } from './store/users.ts'

/** User-editable properties as they are kept. */
export type UserProperties = Readonly<Record<string, unknown>>

/** A user as registered, before anything is known about them. Spec 2.1. */
export const newUser = (now: string, properties: UserProperties = {}): UserRow => ({
  id: randomUUID(),
  properties: JSON.stringify(properties),
  password: null,
  avatar: null,
  seeded: 0,
  pub_fqdn: '',
  is_admin: 0,
  is_merchant: 0,
  activated: 0,
  last_login: now,
  attempts: 0,
  locked_until: 0,
  when_created: now,
  when_modified: now,
})

/** The properties of a stored user. */
export function propertiesOf(user: UserRow): UserProperties {
  const properties: unknown = JSON.parse(user.properties)
  return isObject(properties) ? properties : {}
}

const defaults = {
  first_name: '',
  last_name: '',
  name_public: true,
  avatar_uri: '',
  avatar_public: true,
  birthday: '',
  language: '',
  guest_id: '',
  nonpush_notification: false,
  user_consents: [],
}

/** A user as they see themself; the password is never part of it. Spec 2.1. */
export const userRecord = (user: UserRow): User => ({
  id: user.id,
  meta: {
    created_by: user.id,
    when_created: user.when_created,
    modified_by: user.id,
    when_modified: user.when_modified,
    data_type: 'blockv::user',
  },
  properties: {
    ...defaults,
    ...propertiesOf(user),
    is_password_set: user.password !== null || user.seeded === 1,
  },
  system_properties: {
    pub_fqdn: user.pub_fqdn,
    is_admin: user.is_admin === 1,
    activated: user.activated === 1,
    last_login: user.last_login,
    is_merchant: user.is_merchant === 1,
  },
})
