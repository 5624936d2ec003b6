import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type CodeRow = Selectable<Tables['codes']>
/** What a code is for: verifying its user token, or signing in once without a password. */
export type CodeKind = 'verification' | 'pin'
/** The place of a code: a user token has one of each kind. */
export interface CodeKey {
  readonly token_id: string
  readonly kind: CodeKind
}

const put = query<CodeRow>()((db, value) =>
  db.replaceInto('codes').values({
    token_id: value.token_id,
    kind: value.kind,
    code: value.code,
    expires_at: value.expires_at,
    attempts: value.attempts,
    counted_since: value.counted_since,
  }),
)

const find = query<CodeKey>()((db, value) =>
  db.selectFrom('codes').selectAll().where('token_id', '=', value.token_id).where('kind', '=', value.kind),
)

const setAttempts = query<CodeKey & { attempts: number }>()((db, value) =>
  db
    .updateTable('codes')
    .set({ attempts: value.attempts })
    .where('token_id', '=', value.token_id)
    .where('kind', '=', value.kind),
)

const remove = query<CodeKey>()((db, value) =>
  db.deleteFrom('codes').where('token_id', '=', value.token_id).where('kind', '=', value.kind),
)

/** Codes that were sent and not used up. */
export const codesOf = (db: Connection) => ({
  /** Puts a code in the place of an earlier one. */
  put: (code: CodeRow) => db.run(put, code),
  find: (key: CodeKey) => db.first(find, key),
  setAttempts: (key: CodeKey, attempts: number) => db.run(setAttempts, { ...key, attempts }),
  remove: (key: CodeKey) => db.run(remove, key),
})
