import { type RawBuilder, sql } from 'kysely'
import type { ReadCaches } from './database/read-caches.ts'
import { builder, type Connection, query, type ValuesOf } from './query.ts'
import type { Steps } from './slices.ts'
import { type Bit, integer, nullable, type Page, type RowOf, table, text, truth } from './table.ts'

export const users = table('users', {
  key: ['id'],
  columns: {
    id: text,
    /** JSON of the user-editable properties. */
    properties: text,
    /** Null: none, or the configured one of a seeded publisher; empty: it was reset. */
    password: nullable(text),
    /** Id of the avatar's asset. */
    avatar: nullable(text),
    seeded: truth,
    pub_fqdn: text,
    is_admin: truth,
    is_merchant: truth,
    /** Whether they were deleted: nobody finds them any more, and what was theirs is being trashed. */
    deleted: truth,
    activated: truth,
    last_login: text,
    /** Login attempts since the last successful one. */
    attempts: integer,
    /** Seconds since 1970 until which logins are refused; 0: not locked. */
    locked_until: integer,
    when_created: text,
    when_modified: text,
  },
})
export type UserRow = RowOf<typeof users>

export const userTokens = table('user_tokens', {
  key: ['id'],
  columns: {
    id: text,
    user_id: text,
    token_type: text,
    token: text,
    confirmed: truth,
    /** Whether a user said that it is theirs; not where the service made the user for it, and sent it the guest id. */
    claimed: truth,
    is_default: truth,
    when_created: text,
    when_modified: text,
  },
})
export type UserTokenRow = RowOf<typeof userTokens>

const byToken = query<{ type: string; token: string }>()((value) =>
  builder
    .selectFrom('users')
    .innerJoin('user_tokens', 'user_tokens.user_id', 'users.id')
    .selectAll('users')
    .where('user_tokens.token_type', '=', value.type)
    .where('user_tokens.token', '=', value.token),
)

const present = users.select({ where: ['id', 'deleted'] })
const markDeleted = users.set('deleted')
const deleted = query()(() => builder.selectFrom('users').select('id').where('deleted', '=', sql<Bit>`1`))

const seededFor = users.select({ where: ['seeded', 'pub_fqdn'] })
const seeded = query()(() =>
  builder.selectFrom('users').selectAll().where('seeded', '=', sql<Bit>`1`).orderBy(sql`rowid`),
)
/** Users of publishers: what an index has. */
const ofPublishers = sql`users WHERE pub_fqdn <> '' AND deleted = 0`
const publishers = query()(
  () => sql<Pick<UserRow, 'pub_fqdn'>>`SELECT DISTINCT pub_fqdn FROM ${ofPublishers} ORDER BY pub_fqdn`,
)
const onePublisher = query()(
  () => sql<{ readonly isOne: Bit }>`SELECT (SELECT min(pub_fqdn) FROM ${ofPublishers})
    = (SELECT max(pub_fqdn) FROM ${ofPublishers}) AS isOne`,
)

/** The queries of publishers, for the tests of their plans. */
export const publisherQueries = { publishers, onePublisher }

const updateProfile = users.set('properties', 'password', 'avatar', 'when_modified')
const updateRights = users.set('pub_fqdn', 'is_admin', 'is_merchant', 'activated', 'when_modified')
const updateAttempts = users.set('attempts', 'locked_until')
const signedIn = users.set('attempts', 'locked_until', 'last_login')

/** A user with the token that they sign in with by default, which some have none of, and how many vAtoms they own. */
export interface ListedUser extends UserRow {
  readonly token: string | null
  readonly token_type: string | null
  readonly vatoms: number
}

/** Seeded ones first, then the newest. */
const inOrder = sql`seeded DESC, when_created DESC, rowid DESC`

/** Only the users of the page are joined and counted for. */
const pageOfAll = query<Page>()(({ limit, offset }) =>
  listed(
    sql`SELECT rowid FROM users WHERE rowid NOT IN (SELECT rowid FROM users WHERE deleted = 1) ORDER BY ${inOrder} LIMIT ${limit} OFFSET ${offset}`,
  ),
)
const ofNumbers = query<{ numbers: string }>()(({ numbers }) => listed(sql`SELECT value FROM json_each(${numbers})`))

const listed = (numbers: RawBuilder<unknown>) => sql<ListedUser>`
  SELECT users.*, user_tokens.token, user_tokens.token_type,
    (SELECT count(*) FROM vatoms WHERE vatoms.owner = users.id) AS vatoms
  FROM users LEFT JOIN user_tokens ON user_tokens.user_id = users.id AND user_tokens.is_default = 1
  WHERE users.rowid IN (${numbers}) ORDER BY users.seeded DESC, users.when_created DESC, users.rowid DESC`

const count = query()(
  () => sql<{ count: number }>`SELECT (SELECT count(*) FROM users)
    - (SELECT count(*) FROM users WHERE deleted = 1) AS count`,
)

/** A place in the order of users. */
interface Place {
  readonly seeded: number
  readonly when_created: string
  readonly number: number
}
/** Before all users. */
const start: Place = { seeded: 2, when_created: '', number: 0 }

/** Users that are looked at in a step of a search. */
const soughtAtOnce = 500

/** The next users after a place, each with the text that is searched. */
const nextTexts = query<Place>()(
  ({ seeded, when_created, number }) => sql<Place & { readonly text: string }>`
    SELECT seeded, when_created, rowid AS number,
      concat_ws(' ', id, pub_fqdn, properties ->> '$.first_name', properties ->> '$.last_name',
        (SELECT group_concat(token, ' ') FROM user_tokens WHERE user_id = users.id)) AS text
    FROM users WHERE deleted = 0 AND (seeded, when_created, rowid) < (${seeded}, ${when_created}, ${number})
    ORDER BY ${inOrder} LIMIT ${sql.lit(soughtAtOnce)}`,
)

/** The numbers of users in whose text every word is, in any case; some in each step. */
function* foundIn(db: Connection, search: string): Generator<number[], void> {
  const words = search.toLowerCase().split(/\s+/)
  let place = start
  for (;;) {
    const some = db.rows(nextTexts, place)
    const fitting = some.filter(({ text }) => {
      const lower = text.toLowerCase()
      return words.every((word) => lower.includes(word))
    })
    yield fitting.map(({ number }) => number)
    const last = some.at(-1)
    if (!last || some.length < soughtAtOnce) return
    place = last
  }
}

const tokensOf = query<{ user: string }>()((value) =>
  builder
    .selectFrom('user_tokens')
    .selectAll()
    .where('user_id', '=', value.user)
    .orderBy('is_default', 'desc')
    .orderBy(sql`user_tokens.rowid`),
)
const token = userTokens.select({ where: ['token_type', 'token'] })
const changeToken = userTokens.set('confirmed', 'is_default', 'when_modified')
const moveToken = userTokens.set('token')
const giveToken = userTokens.set('user_id', 'is_default', 'when_modified')

/** How many users are cached at most. */
const cached = 1000

/** Users and the tokens (e-mail addresses, phone numbers) they sign in with. */
export function usersOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<UserRow>({ tables: ['users'], most: cached })
  return {
    byId: (id: string) => known(id, () => db.first(present, { id, deleted: 0 })),
    byToken: (type: string, token: string) => db.first(byToken, { type, token }),
    seededFor: (fqdn: string) => db.first(seededFor, { seeded: 1, pub_fqdn: fqdn }),
    /** The first administrators of publishers, in the order they were made, whatever the clock said. */
    seeded: () => db.rows(seeded, {}),
    /** Domain names of all publishers that have users, in alphabetical order. */
    publishers: () => db.rows(publishers, {}).map(({ pub_fqdn }) => pub_fqdn),
    /** Whether all users of publishers are of one. */
    isOnePublisher: (): boolean => db.first(onePublisher, {})?.isOne === 1,
    /** Seeded ones first, then the newest. */
    page: (page: Page) => db.rows(pageOfAll, page),
    count: () => db.first(count, {})?.count ?? 0,
    /** Of those in whose addresses, names, id or publisher every word of a text is, in the same order. */
    *searchPage(search: string, { limit, offset }: Page): Steps<ListedUser[]> {
      const found: number[] = []
      for (const some of foundIn(db, search)) {
        found.push(...some)
        if (found.length >= offset + limit) break
        yield
      }
      return db.rows(ofNumbers, { numbers: JSON.stringify(found.slice(offset, offset + limit)) })
    },
    /** How many of those there are. */
    *searchCount(search: string): Steps<number> {
      let sum = 0
      for (const some of foundIn(db, search)) {
        sum += some.length
        yield
      }
      return sum
    },
    insert: (user: UserRow) => db.run(users.insert, user),
    updateProfile: (profile: ValuesOf<typeof updateProfile>) => db.run(updateProfile, profile),
    updateRights: (rights: ValuesOf<typeof updateRights>) => db.run(updateRights, rights),
    updateAttempts: (attempts: ValuesOf<typeof updateAttempts>) => db.run(updateAttempts, attempts),
    signedIn: (id: string, now: string) => db.run(signedIn, { id, attempts: 0, locked_until: 0, last_login: now }),
    /** Has nobody find them any more. What is theirs stays. */
    markDeleted: (id: string) => db.run(markDeleted, { id, deleted: 1 }),
    /** Whether a user was deleted, but not yet removed. */
    isDeleted: (id: string): boolean => db.first(present, { id, deleted: 1 }) !== undefined,
    /** Ids of those. */
    deleted: (): string[] => db.rows(deleted, {}).map(({ id }) => id),
    /** Deletes their tokens, sessions and messages too. */
    remove: (id: string) => db.run(users.remove, { id }),
    /** The default one first, then in the order they were added. */
    tokensOf: (user: string) => db.rows(tokensOf, { user }),
    token: (type: string, value: string) => db.first(token, { token_type: type, token: value }),
    insertToken: (token: UserTokenRow) => db.run(userTokens.insert, token),
    changeToken: (change: ValuesOf<typeof changeToken>) => db.run(changeToken, change),
    giveToken: (change: ValuesOf<typeof giveToken>) => db.run(giveToken, change),
    moveToken: (id: string, token: string) => db.run(moveToken, { id, token }),
    removeToken: (id: string) => db.run(userTokens.remove, { id }),
  }
}
