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
/** A user, and an address that something is held for. */
type Address = Omit<HeldVatomRow, 'vatom_id'>

const someOf = query<{ user: string; after: string; limit: number }>()(
  (value) =>
    sql<HeldVatomRow>`SELECT * FROM held_vatoms WHERE user_id = ${value.user} AND vatom_id > ${value.after}
      ORDER BY vatom_id LIMIT ${value.limit}`,
)

const someFor = query<Address & { after: string; limit: number }>()(
  (value) =>
    sql<HeldVatomRow>`SELECT * FROM held_vatoms WHERE user_id = ${value.user_id} AND token_type = ${value.token_type}
      AND token = ${value.token} AND vatom_id > ${value.after} ORDER BY vatom_id LIMIT ${value.limit}`,
)

const countFor = query<Address>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM held_vatoms
      WHERE user_id = ${value.user_id} AND token_type = ${value.token_type} AND token = ${value.token}`,
)

/** The queries of what is held, for the tests of their plans. */
export const heldQueries = { someOf, someFor, countFor, find: heldVatoms.find }

/** vAtoms that stay with a user until an address is verified. */
export const heldVatomsOf = (db: Connection) => ({
  put: (held: HeldVatomRow) => db.run(heldVatoms.replace, held),
  find: (user_id: string, vatom_id: string): HeldVatomRow | undefined =>
    db.first(heldVatoms.find, { user_id, vatom_id }),
  /** Some that are held for a user, in the order of their ids, those after an id. */
  someOf: (user: string, limit: number, after = ''): readonly HeldVatomRow[] => db.rows(someOf, { user, after, limit }),
  /** The same of those that are held for an address. */
  someFor: ({ user_id, token_type, token }: Address, limit: number, after = ''): readonly HeldVatomRow[] =>
    db.rows(someFor, { user_id, token_type, token, after, limit }),
  /** How many are held for an address. */
  countFor: ({ user_id, token_type, token }: Address): number =>
    db.first(countFor, { user_id, token_type, token })?.count ?? 0,
  remove: ({ user_id, vatom_id }: Pick<HeldVatomRow, 'user_id' | 'vatom_id'>) =>
    db.run(heldVatoms.remove, { user_id, vatom_id }),
})

/** Who gets what is held of a user for an address that the user no longer has. */
export const heirs = table('heirs', {
  key: ['user_id', 'token_type', 'token'],
  columns: { user_id: text, token_type: text, token: text, heir: text },
})

/** Users to whom goes what is held, while that is under way. */
export const heirsOf = (db: Connection) => ({
  put: (values: RowOf<typeof heirs>) => db.run(heirs.replace, values),
  /** The id of the one who gets what is held of a user for an address. */
  find: ({ user_id, token_type, token }: Address): string | undefined =>
    db.first(heirs.find, { user_id, token_type, token })?.heir,
})
