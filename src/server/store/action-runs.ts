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

/** A user and an action that they run. */
export interface Run {
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
export const addLimited = query<Pick<Run, 'action'>>()(
  (value) => sql`INSERT OR IGNORE INTO limited_actions (action) SELECT name FROM actions WHERE name = ${value.action}`,
)
const addRun = query<Run>()(
  (value) =>
    sql`INSERT INTO action_runs (limited, user_id, count)
      SELECT seq, ${value.user}, 1 FROM limited_actions WHERE action = ${value.action}
      ON CONFLICT DO UPDATE SET count = count + 1`,
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
export const runQueries = { count, addRun, someOf, removeOf, someLeft, removeLeft, removeDeleted }

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
