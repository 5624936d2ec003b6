import { actionHandlersOf, actionRunsOf, actionsOf } from './actions.ts'
import { assetsOf } from './assets.ts'
import { catalogLabelsOf } from './catalog-labels.ts'
import { ledgerOf } from './chain-writes.ts'
import { codesOf, codeTriesOf, outboxOf } from './codes.ts'
import { Changes } from './database/committed-changes.ts'
import { contentsOf, emptyContents, replaceContents } from './database/contents.ts'
import { DatabaseFiles } from './database/database-files.ts'
import { inOneTurn, type Write } from './database/one-turn.ts'
import { isInMemory, newInMemory, openDatabase } from './database/open-database.ts'
import { firstValue, openSqlite, sqliteProvider } from './database/sqlite.ts'
import { Writes } from './database/writes.ts'
import { eventsOf } from './events.ts'
import { facesOf } from './faces.ts'
import { heldVatomsOf } from './held-vatoms.ts'
import { messagesOf } from './messages.ts'
import { Connection } from './query.ts'
import { foundOf, idsOf } from './search/found.ts'
import { mapOf } from './search/geo.ts'
import { inventoryOf } from './search/inventory.ts'
import { addMatch } from './search/operators.ts'
import { searchOf } from './search/search.ts'
import { sessionsOf } from './sessions.ts'
import { settingsOf } from './settings.ts'
import { Slices } from './slices.ts'
import { templatesOf } from './templates.ts'
import { usersOf } from './users.ts'
import { variationsOf } from './variations.ts'
import { foldersOf } from './vatoms/vatom-folders.ts'
import { vatomLifeOf } from './vatoms/vatom-life.ts'
import { vatomsOf } from './vatoms/vatoms.ts'

/** Everything the service stores. Reads are synchronous; changes go through `write`. */
export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database at a path, or one in memory (`:memory:`). Throws as `openDatabase` does. */
export async function openStore(path: string) {
  const sqlite = await openDatabase(path)
  addMatch(sqlite)
  const db = new Connection(sqlite)
  const changes = new Changes(sqlite, !isInMemory(path))
  const events = eventsOf(db)
  const slices = new Slices()
  const files = new DatabaseFiles(isInMemory(path) ? undefined : path)
  const writes = new Writes(sqlite, undefined, {
    beforeBegin: files.check,
    committed: () => {
      events.committed()
      changes.committed()
    },
  })
  return {
    users: usersOf(db),
    sessions: sessionsOf(db),
    settings: settingsOf(db),
    templates: templatesOf(db),
    variations: variationsOf(db),
    faces: facesOf(db),
    actions: actionsOf(db),
    catalogLabels: catalogLabelsOf(db),
    actionHandlers: actionHandlersOf(db),
    actionRuns: actionRunsOf(db),
    assets: assetsOf(db),
    vatoms: { ...vatomsOf(db), ...foldersOf(db), ...vatomLifeOf(db) },
    heldVatoms: heldVatomsOf(db),
    ledger: ledgerOf(db),
    events,
    messages: messagesOf(db),
    codes: codesOf(db),
    codeTries: codeTriesOf(db),
    outbox: outboxOf(db),
    search: searchOf(db),
    found: foundOf(db),
    /** Ids of the vAtoms of numbers (`seq`), in their order. */
    idsOf: idsOf(db),
    /** Carries out searches, which are in steps. */
    slices,
    inventory: inventoryOf(db),
    map: mapOf(db),
    /** Runs synchronous work in a transaction and resolves with its value once that is durable. */
    write: <T>(work: () => T): Promise<T> => writes.run(work),
    /** Carries out work that writes with the function it is given, resolves with its value, and rolls it back. */
    rolledBack: <T>(work: (write: Write) => Promise<T>): Promise<T> => inOneTurn(sqlite, 'ROLLBACK', work, slices),
    /** As `rolledBack`, but commits what the work wrote unless it fails. */
    inOneTurn: <T>(work: (write: Write) => Promise<T>): Promise<T> => inOneTurn(sqlite, 'COMMIT', work, slices),
    /** How much it holds. */
    contents: () => contentsOf(sqlite),
    /** Size of the database in bytes. */
    size: () => Number(firstValue(sqlite, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')),
    /** Calls a function after changes, by this process or another; returns a function that ends that. */
    watch: (watcher: () => void): (() => void) => changes.watch(watcher),
    /** What the database is opened with: `node:sqlite, SQLite 3.51.3`. */
    engine: () => `${sqliteProvider()}, SQLite ${firstValue(sqlite, 'SELECT sqlite_version()')}`,
    /** Copies the database, as it is at one moment, into an empty or new file. */
    copyInto: (file: string): void => void sqlite.prepare('VACUUM INTO ?').run(file),
    /** Replaces all contents by those of another database file; `during` is carried out in the same transaction. */
    replaceBy: async (file: string, during: () => void): Promise<void> => {
      sqlite.prepare('ATTACH ? AS source').run(file)
      try {
        await writes.run(() => {
          during()
          replaceContents(sqlite)
        })
      } finally {
        sqlite.exec('DETACH source')
      }
    },
    /** Deletes everything; `save` is called before that, and the function that it returns after it. */
    empty: (save: () => () => void): Promise<void> => writes.run(() => emptyContents(sqlite, save)),
    /** Finishes pending writes, then closes the database. */
    close: async () => {
      await writes.drained()
      sqlite.close()
    },
  }
}

/** A copy of everything, in memory. */
export async function copyOf(store: Store): Promise<Store> {
  const name = newInMemory()
  // A database in memory exists as long as it has a connection.
  const first = await openSqlite(name)
  try {
    store.copyInto(name)
    return await openStore(name)
  } finally {
    first.close()
  }
}
