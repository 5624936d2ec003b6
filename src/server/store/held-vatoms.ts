import type { ReadCaches } from './database/read-caches.ts'
import type { Connection } from './query.ts'
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

const ofUser = heldVatoms.select({ where: ['user_id'] })

/** How many users, and vAtoms held for them, are cached at most. */
const cached = 1000

/** vAtoms that stay with a user until an address is verified. */
export function heldVatomsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<readonly HeldVatomRow[]>({
    tables: ['held_vatoms', 'users'],
    most: cached,
    sizeOf: ({ length }) => 1 + length,
  })
  return {
    put: (held: HeldVatomRow) => db.run(heldVatoms.replace, held),
    ofUser: (user: string): readonly HeldVatomRow[] => known(user, () => db.rows(ofUser, { user_id: user })) ?? [],
    remove: ({ user_id, vatom_id }: Pick<HeldVatomRow, 'user_id' | 'vatom_id'>) =>
      db.run(heldVatoms.remove, { user_id, vatom_id }),
  }
}
