import { type Connection, query } from './query.ts'

type Key = { action: string; user: string }
const count = query<Key>()((db, value) =>
  db.selectFrom('action_runs').select('count').where('action', '=', value.action).where('user_id', '=', value.user),
)

const add = query<Key>()((db, value) =>
  db
    .insertInto('action_runs')
    .values({ action: value.action, user_id: value.user, count: 1 })
    .onConflict((taken) => taken.doUpdateSet((row) => ({ count: row('action_runs.count', '+', 1) }))),
)

/** How often users ran actions, since those were limited; it goes with the action, and with the user. */
export const actionRunsOf = (db: Connection) => ({
  count: (key: Key) => db.first(count, key)?.count ?? 0,
  add: (key: Key) => db.run(add, key),
})
