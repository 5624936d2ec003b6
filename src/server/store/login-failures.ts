import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { type Connection, query } from './query.ts'
import { integer, type NewRowOf, type RowOf, table, text } from './table.ts'

/** Wrong passwords in a row for a seeded publisher, by the place that they come from. */
export const loginFailures = table('login_failures', {
  key: ['user_id', 'place'],
  columns: {
    /** Another one after each failure. */
    seq: integer,
    user_id: text,
    place: text,
    attempts: integer,
    /** Seconds since 1970 until which logins are refused; 0: not locked. */
    locked_until: integer,
  },
})
type FailuresKey = Pick<RowOf<typeof loginFailures>, 'user_id' | 'place'>

const removeOldest = query<{ most: number }>()(
  (value) =>
    sql`DELETE FROM login_failures WHERE seq <= (SELECT seq FROM login_failures ORDER BY seq DESC LIMIT 1 OFFSET ${value.most})`,
)

/** Wrong passwords for the seeded publishers, those that were counted last for each place. */
export const loginFailuresOf = (db: Connection) => ({
  find: (key: FailuresKey) => db.first(loginFailures.find, key),
  /** Stores a count; of too many, those that were counted first are removed. */
  put: (failures: NewRowOf<typeof loginFailures>): void => {
    db.run(loginFailures.replace, failures)
    db.run(removeOldest, { most: limits.loginPlaces })
  },
  remove: (key: FailuresKey): void => void db.run(loginFailures.remove, key),
})
