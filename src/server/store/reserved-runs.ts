import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { addLimited, type Run } from './action-runs.ts'
import { type Connection, query } from './query.ts'
import { integer, type RowOf, table, text } from './table.ts'

/** Runs of limited actions that are under way, which count until they are counted among the others, or given back. */
export const reservedRuns = table('reserved_runs', {
  key: ['service', 'number'],
  columns: {
    /** An id of the service that carries it out; another one after each start. */
    service: text,
    /** Its number among those of the service. */
    number: integer,
    /** The `seq` of a limited action. */
    limited: integer,
    user_id: text,
    /** Milliseconds since 1970, by the clock of the machine, after which its service was killed: it renews what is under way. */
    until: integer,
  },
})

/** A run that is under way. */
export type ReservedKey = Pick<RowOf<typeof reservedRuns>, 'service' | 'number'>

const count = query<Run>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM reserved_runs
      WHERE limited = (SELECT seq FROM limited_actions WHERE action = ${value.action}) AND user_id = ${value.user}`,
)
const add = query<Run & ReservedKey & { until: number }>()(
  (value) =>
    sql`INSERT INTO reserved_runs (service, number, limited, user_id, until)
      SELECT ${value.service}, ${value.number}, seq, ${value.user}, ${value.until}
      FROM limited_actions WHERE action = ${value.action}`,
)
/** Those of others that are over, or of a clock that was ahead. */
const forget = query<{ service: string; now: number; latest: number }>()(
  (value) =>
    sql`DELETE FROM reserved_runs
      WHERE (until <= ${value.now} OR until > ${value.latest}) AND service <> ${value.service}`,
)
const renew = query<{ service: string; until: number }>()(
  (value) => sql`UPDATE reserved_runs SET until = ${value.until} WHERE service = ${value.service}`,
)
const removeAll = query<{ service: string }>()(
  (value) => sql`DELETE FROM reserved_runs WHERE service = ${value.service}`,
)

/** The queries of runs that are under way, for the tests of their plans. */
export const reservedQueries = { count, add, forget, renew, removeAll }

/** Until when a run is reserved that is added or renewed now, unless it is renewed again. */
const leaseEnd = (): number => Date.now() + limits.runLease

/** The runs of limited actions that the services of a database have under way. */
export function reservedRunsOf(db: Connection) {
  return {
    /** How many of a user are under way, those included that `forget` would remove. */
    count: (run: Run): number => db.first(count, run)?.count ?? 0,
    /** Adds one, unless the action was deleted meanwhile. */
    add: (run: Run & ReservedKey): void => {
      db.run(addLimited, run)
      db.run(add, { ...run, until: leaseEnd() })
    },
    has: (key: ReservedKey): boolean => db.first(reservedRuns.find, key) !== undefined,
    remove: (key: ReservedKey): void => void db.run(reservedRuns.remove, key),
    /** Removes what services other than this one have neither removed nor renewed in time. */
    forget: (service: string): void => {
      const now = Date.now()
      db.run(forget, { service, now, latest: now + 2 * limits.runLease })
    },
    /** Renews all of a service. */
    renew: (service: string): void => void db.run(renew, { service, until: leaseEnd() }),
    /** Removes all of a service. */
    removeAll: (service: string): void => void db.run(removeAll, { service }),
  }
}
