import { type RawBuilder, sql } from 'kysely'
import { type Connection, query } from './query.ts'
import { integer, nullable, type RowOf, table, text } from './table.ts'

/** Actions whose runs are counted, by numbers that their runs name: a later action of the same name has another. */
export const limitedActions = table('limited_actions', {
  key: ['seq'],
  columns: {
    seq: integer,
    /** Null once the action was deleted: its runs are left to be removed. */
    action: nullable(text),
  },
})

/** How often users ran limited actions. */
export const actionRuns = table('action_runs', {
  key: ['limited', 'user_id'],
  columns: {
    /** The `seq` of a limited action. */
    limited: integer,
    user_id: text,
    count: integer,
  },
})

/** Runs of them that are under way, which count until they are counted above or given back. */
export const reservedRuns = table('reserved_runs', {
  key: ['seq'],
  columns: {
    seq: integer,
    /** The `seq` of a limited action. */
    limited: integer,
    user_id: text,
    /** Milliseconds since 1970 after which it is left over from a service that was killed. */
    until: integer,
  },
})

interface Run {
  /** Name of an action. */
  readonly action: string
  /** Id of a user. */
  readonly user: string
}
interface OfUser extends Pick<Run, 'user'> {
  readonly limit: number
}

const count = query<Run>()(
  (value) =>
    sql<Pick<RowOf<typeof actionRuns>, 'count'>>`SELECT count FROM action_runs
      WHERE limited = (SELECT seq FROM limited_actions WHERE action = ${value.action}) AND user_id = ${value.user}`,
)
const addLimited = query<Pick<Run, 'action'>>()(
  (value) => sql`INSERT OR IGNORE INTO limited_actions (action) SELECT name FROM actions WHERE name = ${value.action}`,
)
const addRun = query<Run>()(
  (value) =>
    sql`INSERT INTO action_runs (limited, user_id, count)
      SELECT seq, ${value.user}, 1 FROM limited_actions WHERE action = ${value.action}
      ON CONFLICT DO UPDATE SET count = count + 1`,
)

const limitedOf = query<Pick<Run, 'action'>>()(
  (value) =>
    sql<Pick<RowOf<typeof limitedActions>, 'seq'>>`SELECT seq FROM limited_actions WHERE action = ${value.action}`,
)
const countReserved = query<Run>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM reserved_runs
      WHERE limited = (SELECT seq FROM limited_actions WHERE action = ${value.action}) AND user_id = ${value.user}`,
)
/** Those that ended, and those of a clock that was ahead. Others may have begun after the request that asks. */
const forgetReserved = query<{ now: number; latest: number }>()(
  (value) => sql`DELETE FROM reserved_runs WHERE until <= ${value.now} OR until > ${value.latest}`,
)

/** Runs of a user, any of them. */
const runsOf = <Row>(value: OfUser, what: RawBuilder<Row>) =>
  sql<Row>`SELECT ${what} FROM action_runs WHERE user_id = ${value.user} LIMIT ${value.limit}`
const someOf = query<OfUser>()((value) => runsOf(value, sql<Pick<RowOf<typeof actionRuns>, 'limited'>>`limited`))
const removeOf = query<OfUser>()(
  (value) => sql`DELETE FROM action_runs WHERE user_id = ${value.user} AND limited IN (${runsOf(value, sql`limited`)})`,
)

/** A limited action that was deleted, any of them. */
const deleted = sql`(SELECT seq FROM limited_actions WHERE action IS NULL LIMIT 1)`
const someLeft = query<{ limit: number }>()(
  (value) =>
    sql<Pick<RowOf<typeof limitedActions>, 'seq'>>`SELECT seq FROM limited_actions
      LEFT JOIN action_runs ON limited = seq WHERE action IS NULL LIMIT ${value.limit}`,
)
const removeLeft = query<{ limit: number }>()(
  (value) =>
    sql`DELETE FROM action_runs WHERE limited = ${deleted}
      AND user_id IN (SELECT user_id FROM action_runs WHERE limited = ${deleted} LIMIT ${value.limit})`,
)
const removeDeleted = query()(() => sql`DELETE FROM limited_actions WHERE seq = ${deleted}`)

/** The queries of runs, for the tests of their plans. */
export const runQueries = {
  count,
  addRun,
  countReserved,
  forgetReserved,
  someOf,
  removeOf,
  someLeft,
  removeLeft,
  removeDeleted,
}

/**
 * How often users ran each limited action. An action that is deleted leaves its runs, which nobody finds any more: as many
 * as there are users.
 */
export function actionRunsOf(db: Connection) {
  return {
    count: (run: Run): number => db.first(count, run)?.count ?? 0,
    /** Counts one more, of an action that was not deleted meanwhile. */
    add: (run: Run): void => {
      db.run(addLimited, run)
      db.run(addRun, run)
    },
    /** How many of a user are under way. Forgets all that have not ended in so many milliseconds. */
    countReserved: (run: Run, now: number, longest: number): number => {
      db.run(forgetReserved, { now, latest: now + 2 * longest })
      return db.first(countReserved, run)?.count ?? 0
    },
    /** Adds one that is under way, until it is given back; answers its number, if the action was not deleted meanwhile. */
    reserve: (run: Run, until: number): number | undefined => {
      db.run(addLimited, run)
      const limited = db.first(limitedOf, run)
      return limited && db.append(reservedRuns.insert, { limited: limited.seq, user_id: run.user, until })
    },
    isReserved: (seq: number): boolean => db.first(reservedRuns.find, { seq }) !== undefined,
    giveBack: (seq: number): void => void db.run(reservedRuns.remove, { seq }),
    /** Some runs of a user, any of them. */
    someOf: (user: string, limit: number) => db.rows(someOf, { user, limit }),
    /** Removes so many runs of a user, any of them; answers how many. */
    removeOf: (user: string, limit: number): number => db.run(removeOf, { user, limit }),
    /** Some rows that deleted actions left, any of them. */
    someLeft: (limit: number) => db.rows(someLeft, { limit }),
    /** Removes so many of those; false once none is left. */
    removeLeft: (limit: number): boolean => db.run(removeLeft, { limit }) > 0 || db.run(removeDeleted, {}) > 0,
  }
}
