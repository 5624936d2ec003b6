import { sql } from 'kysely'
import { type Connection, query } from './query.ts'
import { type RowOf, table, text } from './table.ts'

/**
 * vAtoms that were sent to an address which its user has not verified. `user_id` owns them, unless they have gone to
 * somebody else since.
 */
export const heldVatoms = table('held_vatoms', {
  key: ['user_id', 'vatom_id'],
  columns: { user_id: text, vatom_id: text, token_type: text, token: text },
})
export type HeldVatomRow = RowOf<typeof heldVatoms>

const someOf = query<{ user: string; after: string; limit: number }>()(
  (value) =>
    sql<HeldVatomRow>`SELECT * FROM held_vatoms WHERE user_id = ${value.user} AND vatom_id > ${value.after}
      ORDER BY vatom_id LIMIT ${value.limit}`,
)

/** The queries of what is held, for the tests of their plans. */
export const heldQueries = { someOf, find: heldVatoms.find }

/** vAtoms that stay with a user until an address is verified. */
export const heldVatomsOf = (db: Connection) => ({
  put: (held: HeldVatomRow) => db.run(heldVatoms.replace, held),
  find: (user_id: string, vatom_id: string): HeldVatomRow | undefined =>
    db.first(heldVatoms.find, { user_id, vatom_id }),
  /** Some that are held for a user, in the order of their ids, those after an id. */
  someOf: (user: string, limit: number, after = ''): readonly HeldVatomRow[] => db.rows(someOf, { user, after, limit }),
  remove: ({ user_id, vatom_id }: Pick<HeldVatomRow, 'user_id' | 'vatom_id'>) =>
    db.run(heldVatoms.remove, { user_id, vatom_id }),
})
