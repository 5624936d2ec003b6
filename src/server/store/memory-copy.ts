import { newInMemory } from './database/open-database.ts'
import { openSqlite } from './database/sqlite.ts'
import { openStore, type Store } from './store.ts'

/** A copy of everything, in memory. */
export async function copyOf(store: Store): Promise<Store> {
  const name = newInMemory()
  // A database in memory exists as long as it has a connection.
  const first = await openSqlite(name)
  try {
    await store.copyAside(name)
    const copy = await openStore(name, store.random, store.slices)
    copy.serveNobody()
    return copy
  } finally {
    first.close()
  }
}
