import { at } from '../../contract/schema/path.ts'
import { actionHandlersOf, actionRunsOf, actionsOf } from './actions.ts'
import { assetsOf } from './assets.ts'
import { ledgerOf } from './chain-writes.ts'
import { codesOf, outboxOf } from './codes.ts'
import { Changes } from './database/committed-changes.ts'
import { copyInto, emptyContents, replaceContents } from './database/contents.ts'
import { inOneTurn, type Write } from './database/one-turn.ts'
import { isInMemory, newInMemory, openDatabase } from './database/open-database.ts'
import { openSqlite, sqliteProvider } from './database/sqlite.ts'
import { Writes } from './database/writes.ts'
import { eventsOf } from './events.ts'
import { facesOf } from './faces.ts'
import { messagesOf } from './messages.ts'
import { Connection } from './query.ts'
import { addMatch } from './search/conditions.ts'
import { mapOf } from './search/geo.ts'
import { inventoryOf } from './search/inventory.ts'
import { searchOf } from './search/search.ts'
import { sessionsOf } from './sessions.ts'
import { settingsOf } from './settings.ts'
import { templatesOf } from './templates.ts'
import { usersOf } from './users.ts'
import { variationsOf } from './variations.ts'
import { foldersOf } from './vatoms/vatom-folders.ts'
import { vatomLifeOf } from './vatoms/vatom-life.ts'
import { vatomsOf } from './vatoms/vatoms.ts'

/** Everything the service stores. Reads are synchronous; what changes something goes through `write`. */
export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database at a path, or one in memory (`:memory:`). Throws as `openDatabase` does. */
export async function openStore(path: string) {
  const sqlite = await openDatabase(path)
  addMatch(sqlite)
  const db = new Connection(sqlite)
  const changes = new Changes(sqlite, !isInMemory(path))
  const events = eventsOf(db)
  const writes = new Writes(sqlite, undefined, () => {
    events.committed()
    changes.committed()
  })
  return {
    users: usersOf(db),
    sessions: sessionsOf(db),
    settings: settingsOf(db),
    templates: templatesOf(db),
    variations: variationsOf(db),
    faces: facesOf(db),
    actions: actionsOf(db),
    actionHandlers: actionHandlersOf(db),
    actionRuns: actionRunsOf(db),
    assets: assetsOf(db),
    vatoms: { ...vatomsOf(db), ...foldersOf(db), ...vatomLifeOf(db) },
    ledger: ledgerOf(db),
    events,
    messages: messagesOf(db),
    codes: codesOf(db),
    outbox: outboxOf(db),
    search: searchOf(db),
    inventory: inventoryOf(db),
    map: mapOf(db),
    /** Runs synchronous work in a transaction and resolves with its value once that is durable. */
    write: <T>(work: () => T): Promise<T> => writes.run(work),
    /** Runs work that writes with the function it is given, resolves with its value, and takes all of it back. */
    rolledBack: <T>(work: (write: Write) => Promise<T>): Promise<T> => inOneTurn(sqlite, 'ROLLBACK', work),
    /** The same, but stores what the work wrote; nothing of it where it fails. */
    inOneTurn: <T>(work: (write: Write) => Promise<T>): Promise<T> => inOneTurn(sqlite, 'COMMIT', work),
    /** Bytes of the database. */
    size: () =>
      Number(
        at(
          sqlite.prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size').get(),
          'size',
        ),
      ),
    /** Calls a function after every change, by this process or another, until the answered one is called. */
    watch: (watcher: () => void): (() => void) => changes.watch(watcher),
    /** What the database is opened with: `node:sqlite, SQLite 3.51.3`. */
    engine: () =>
      `${sqliteProvider()}, SQLite ${at(sqlite.prepare('SELECT sqlite_version() AS version').get(), 'version')}`,
    /** Writes everything into a new file, as it is at one moment. */
    copyInto: (file: string): void => copyInto(sqlite, file),
    /** Replaces everything by what another database's file has; `during` is part of that write. */
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
    /** Deletes everything; `save` reads what is to stay and answers what restores it. */
    empty: (save: () => () => void): Promise<void> => writes.run(() => emptyContents(sqlite, save)),
    /** Finishes the writes that wait, then closes the file. */
    close: async () => {
      await writes.drained()
      sqlite.close()
    },
  }
}

/** A copy of everything, in memory. */
export async function copyOf(store: Store): Promise<Store> {
  const name = newInMemory()
  const first = await openSqlite(name)
  try {
    store.copyInto(name)
    return await openStore(name)
  } finally {
    first.close()
  }
}
