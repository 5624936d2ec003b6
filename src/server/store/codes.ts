import { sql } from 'kysely'
import type { TokenKey } from '../../contract/api/user-token-formats.ts'
import { limits } from '../../contract/limits.ts'
import { builder, type Connection, query } from './query.ts'
import { integer, type NewRowOf, type RowOf, table, text } from './table.ts'

/** Codes that were sent to the holders of user tokens, who prove with them that they received them. */
export const codes = table('codes', {
  key: ['token_id', 'kind', 'code'],
  columns: {
    token_id: text,
    /** A `CodeKind`. */
    kind: text,
    code: text,
    /** Seconds since 1970. */
    expires_at: integer,
  },
})
export type CodeRow = RowOf<typeof codes>

/** What a code is for: verifying its user token, or signing in once without a password. */
export type CodeKind = 'verification' | 'pin'
/** Codes of one kind that were sent to one user token. */
export interface CodeKey {
  readonly token_id: string
  readonly kind: CodeKind
}

/** Codes that expire after one time and until another, in seconds since 1970. */
interface Lifetime extends CodeKey {
  readonly from: number
  readonly to: number
}

const newestFirst = codes.select({ where: ['token_id', 'kind'], order: ['expires_at DESC'] })
const ofKey = (value: CodeKey) =>
  builder.deleteFrom('codes').where('token_id', '=', value.token_id).where('kind', '=', value.kind)
const removeAll = query<CodeKey>()(ofKey)
const removeOutside = query<Lifetime>()((value) =>
  ofKey(value).where(({ or, eb }) => or([eb('expires_at', '<=', value.from), eb('expires_at', '>', value.to)])),
)

/** Codes that were sent, until they are used or others are sent after they have expired. */
export const codesOf = (db: Connection) => ({
  /** Stores a code beside earlier ones. */
  add: (code: CodeRow) => db.run(codes.replace, code),
  newestFirst: (key: CodeKey) => db.rows(newestFirst, key),
  removeAll: (key: CodeKey) => db.run(removeAll, key),
  /** Removes those that have expired, or were sent before the clock was set back. */
  removeOutside: (lifetime: Lifetime) => db.run(removeOutside, lifetime),
})

/** Wrong codes tried for an address, whoever has it: they outlive its codes, its token and its user. */
export const codeTries = table('code_tries', {
  key: ['token_type', 'token'],
  columns: {
    token_type: text,
    token: text,
    /** Wrong codes in a row. */
    wrong: integer,
    /** When the last one was tried, in seconds since 1970. */
    last: integer,
  },
})
export type CodeTriesRow = RowOf<typeof codeTries>

/** Tries that are removed at once. */
const triesAtOnce = 100

const removeBefore = query<{ time: number }>()(
  (value) =>
    sql`DELETE FROM code_tries WHERE (token_type, token) IN
      (SELECT token_type, token FROM code_tries WHERE last < ${value.time} LIMIT ${sql.lit(triesAtOnce)})`,
)

/** Wrong codes by address. */
export const codeTriesOf = (db: Connection) => ({
  find: ({ token_type, token }: TokenKey) => db.first(codeTries.find, { token_type, token }),
  put: (tries: CodeTriesRow) => db.run(codeTries.replace, tries),
  remove: ({ token_type, token }: TokenKey) => db.run(codeTries.remove, { token_type, token }),
  /** Removes some of those without a wrong code since a time. */
  removeBefore: (time: number) => db.run(removeBefore, { time }),
})

/** Messages that a platform sends by e-mail or phone; a local service stores them, for developers to read. */
export const outbox = table('outbox', {
  key: ['seq'],
  columns: {
    seq: integer,
    /** Address or number. */
    recipient: text,
    token_type: text,
    kind: text,
    code: text,
    when_sent: text,
  },
})
export type OutboxRow = RowOf<typeof outbox>
/** A message to be sent. */
export type NewOutboxRow = NewRowOf<typeof outbox>

/** Up to two, so that too many become fewer, and each message that is added costs the same. */
const removeOldest = query<{ upTo: number; before: string; now: string }>()((value) =>
  builder
    .deleteFrom('outbox')
    .where('seq', 'in', builder.selectFrom('outbox').select('seq').orderBy('seq').limit(2))
    .where('seq', '<=', value.upTo)
    // A clock that was ahead has sent what is later than now.
    .where(({ or, eb }) => or([eb('when_sent', '<', value.before), eb('when_sent', '>', value.now)])),
)
const newest = outbox.page({ order: ['seq DESC'] })
const newestOf = outbox.page({ where: ['recipient'], order: ['seq DESC'] })
const after = query<{ seq: number }>()((value) =>
  builder.selectFrom('outbox').selectAll().where('seq', '>', value.seq).orderBy('seq'),
)
const last = query()(() => builder.selectFrom('outbox').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

/** Messages to users, in the order they were sent. */
export const outboxOf = (db: Connection) => ({
  /** Adds a message; of more than there is room for, the oldest go that were sent before a time. */
  add: (message: NewOutboxRow, before: string): void => {
    const seq = db.append(outbox.insert, message)
    db.run(removeOldest, { upTo: seq - limits.outbox, before, now: message.when_sent })
  },
  /** The latest ones, newest last. */
  newest: (limit: number) => db.rows(newest, { limit, offset: 0 }).reverse(),
  /** The latest ones to an address or number, newest last. */
  newestOf: (recipient: string, limit: number) => db.rows(newestOf, { recipient, limit, offset: 0 }).reverse(),
  /** Those that were sent after one. */
  after: (seq: number) => db.rows(after, { seq }),
  /** The number of the latest one; 0 if there is none. */
  last: () => db.first(last, {})?.seq ?? 0,
})
