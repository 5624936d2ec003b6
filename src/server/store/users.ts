import { type Selectable, sql } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type UserRow = Selectable<Tables['users']>
export type UserTokenRow = Selectable<Tables['user_tokens']>

const byId = query<{ id: string }>()((db, value) => db.selectFrom('users').selectAll().where('id', '=', value.id))

const byToken = query<{ type: string; token: string }>()((db, value) =>
  db
    .selectFrom('users')
    .innerJoin('user_tokens', 'user_tokens.user_id', 'users.id')
    .selectAll('users')
    .where('user_tokens.token_type', '=', value.type)
    .where('user_tokens.token', '=', value.token),
)

const seededFor = query<{ fqdn: string }>()((db, value) =>
  db.selectFrom('users').selectAll().where('seeded', '=', 1).where('pub_fqdn', '=', value.fqdn),
)

const seeded = query()((db) => db.selectFrom('users').selectAll().where('seeded', '=', 1).orderBy('when_created'))

const publishers = query()((db) =>
  db.selectFrom('users').select('pub_fqdn').distinct().where('pub_fqdn', '<>', '').orderBy('pub_fqdn'),
)

const insert = query<UserRow>()((db, value) =>
  db.insertInto('users').values({
    id: value.id,
    properties: value.properties,
    password: value.password,
    avatar: value.avatar,
    seeded: value.seeded,
    pub_fqdn: value.pub_fqdn,
    is_admin: value.is_admin,
    is_merchant: value.is_merchant,
    activated: value.activated,
    last_login: value.last_login,
    attempts: value.attempts,
    locked_until: value.locked_until,
    when_created: value.when_created,
    when_modified: value.when_modified,
  }),
)

const insertToken = query<UserTokenRow>()((db, value) =>
  db.insertInto('user_tokens').values({
    id: value.id,
    user_id: value.user_id,
    token_type: value.token_type,
    token: value.token,
    confirmed: value.confirmed,
    is_default: value.is_default,
    when_created: value.when_created,
    when_modified: value.when_modified,
  }),
)

const tokensOf = query<{ user: string }>()((db, value) =>
  db
    .selectFrom('user_tokens')
    .selectAll()
    .where('user_id', '=', value.user)
    .orderBy('is_default', 'desc')
    .orderBy(sql`user_tokens.rowid`),
)

const token = query<{ type: string; token: string }>()((db, value) =>
  db.selectFrom('user_tokens').selectAll().where('token_type', '=', value.type).where('token', '=', value.token),
)

type TokenChange = Pick<UserTokenRow, 'id' | 'confirmed' | 'is_default' | 'when_modified'>
const changeToken = query<TokenChange>()((db, value) =>
  db
    .updateTable('user_tokens')
    .set({ confirmed: value.confirmed, is_default: value.is_default, when_modified: value.when_modified })
    .where('id', '=', value.id),
)

const removeToken = query<{ id: string }>()((db, value) => db.deleteFrom('user_tokens').where('id', '=', value.id))

const moveToken = query<{ id: string; token: string }>()((db, value) =>
  db.updateTable('user_tokens').set({ token: value.token }).where('id', '=', value.id),
)

type Profile = Pick<UserRow, 'id' | 'properties' | 'password' | 'avatar' | 'when_modified'>
const updateProfile = query<Profile>()((db, value) =>
  db
    .updateTable('users')
    .set({
      properties: value.properties,
      password: value.password,
      avatar: value.avatar,
      when_modified: value.when_modified,
    })
    .where('id', '=', value.id),
)

type Rights = Pick<UserRow, 'id' | 'pub_fqdn' | 'is_admin' | 'is_merchant' | 'activated' | 'when_modified'>
const updateRights = query<Rights>()((db, value) =>
  db
    .updateTable('users')
    .set({
      pub_fqdn: value.pub_fqdn,
      is_admin: value.is_admin,
      is_merchant: value.is_merchant,
      activated: value.activated,
      when_modified: value.when_modified,
    })
    .where('id', '=', value.id),
)

type Attempts = Pick<UserRow, 'id' | 'attempts' | 'locked_until'>
const updateAttempts = query<Attempts>()((db, value) =>
  db
    .updateTable('users')
    .set({ attempts: value.attempts, locked_until: value.locked_until })
    .where('id', '=', value.id),
)

const signedIn = query<{ id: string; now: string }>()((db, value) =>
  db.updateTable('users').set({ attempts: 0, locked_until: 0, last_login: value.now }).where('id', '=', value.id),
)

const remove = query<{ id: string }>()((db, value) => db.deleteFrom('users').where('id', '=', value.id))

/** Users and the tokens (e-mail addresses, phone numbers) they sign in with. */
export const usersOf = (db: Connection) => ({
  byId: (id: string) => db.first(byId, { id }),
  byToken: (type: string, token: string) => db.first(byToken, { type, token }),
  seededFor: (fqdn: string) => db.first(seededFor, { fqdn }),
  /** The administrators that publishers began with. */
  seeded: () => db.rows(seeded, {}),
  /** Domain names of all publishers that somebody belongs to, in their order. */
  publishers: () => db.rows(publishers, {}).map(({ pub_fqdn }) => pub_fqdn),
  insert: (user: UserRow) => db.run(insert, user),
  insertToken: (token: UserTokenRow) => db.run(insertToken, token),
  /** The default one first, then in the order they were added. */
  tokensOf: (user: string) => db.rows(tokensOf, { user }),
  token: (type: string, value: string) => db.first(token, { type, token: value }),
  changeToken: (change: TokenChange) => db.run(changeToken, change),
  removeToken: (id: string) => db.run(removeToken, { id }),
  moveToken: (id: string, token: string) => db.run(moveToken, { id, token }),
  updateProfile: (profile: Profile) => db.run(updateProfile, profile),
  updateRights: (rights: Rights) => db.run(updateRights, rights),
  updateAttempts: (attempts: Attempts) => db.run(updateAttempts, attempts),
  /** Their tokens, sessions and messages go with them. */
  remove: (id: string) => db.run(remove, { id }),
  signedIn: (id: string, now: string) => db.run(signedIn, { id, now }),
})
