import { realpathSync } from 'node:fs'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { actionRunsOf } from './action-runs.ts'
import { actionHandlersOf, actionsOf } from './actions.ts'
import { assetsOf } from './assets.ts'
import { catalogLabelsOf } from './catalog-labels.ts'
import { ledgerOf } from './chain-writes.ts'
import { codesOf, codeTriesOf, outboxOf } from './codes.ts'
import { Changes } from './database/committed-changes.ts'
import { DatabaseFiles } from './database/database-files.ts'
import { FileCopies } from './database/file-copies.ts'
import { LongWrites } from './database/long-writes.ts'
import { isInMemory, openDatabase, refuseExclusive } from './database/open-database.ts'
import { ReadCaches } from './database/read-caches.ts'
import { Rests } from './database/rests.ts'
import { firstValue, type Sqlite, sqliteProvider } from './database/sqlite.ts'
import { copiedInThread } from './database/threads.ts'
import { type End, inManyTurns, inOneTurn, nested, type Writing } from './database/transactions.ts'
import { wholeContentsOf } from './database/whole-contents.ts'
import { retryAfter, Writes } from './database/writes.ts'
import { Eras } from './eras.ts'
import { eventsOf } from './events.ts'
import { facesOf } from './faces.ts'
import { heirsOf, heldVatomsOf } from './held-vatoms.ts'
import { addValues } from './json-values.ts'
import { loginFailuresOf } from './login-failures.ts'
import { messagesOf } from './messages.ts'
import { nextTurn, setTimer } from './next-turn.ts'
import { Connection } from './query.ts'
import { unpredictable } from './random.ts'
import { reservedRunsOf } from './reserved-runs.ts'
import { foundOf, idsOf } from './search/found.ts'
import { mapOf } from './search/geo.ts'
import { inventoryOf } from './search/inventory.ts'
import { addMatch } from './search/operators.ts'
import { searchOf } from './search/search.ts'
import { sessionsOf } from './sessions.ts'
import { settingsOf } from './settings.ts'
import { atOnce, inPortions, inWhole, needsTurns, type Portions, Slices, type Steps, withinTurn } from './slices.ts'
import { recordChangesOf } from './template-records.ts'
import { templatesOf } from './templates.ts'
import type { Asking } from './timed-turns.ts'
import { Turns, type Waiter } from './turns.ts'
import { unless } from './unless.ts'
import { usersOf } from './users.ts'
import { variationsOf } from './variations.ts'
import { foldersOf } from './vatoms/vatom-folders.ts'
import { vatomLifeOf } from './vatoms/vatom-life.ts'
import { vatomsOf } from './vatoms/vatoms.ts'

/** Everything the service stores. Reads are synchronous; changes go through `write`. */
export type Store = Awaited<ReturnType<typeof openStore>>
type Tables = ReturnType<typeof tablesOn>

/** What reads and writes in a transaction of its own. */
type Transaction = Tables & ReturnType<typeof transactionOn>
type InTransaction<T> = (transaction: Transaction) => Promise<T>

const transactionOn = (tables: Tables, { write, writeInSteps, pause }: Writing) => ({
  ...tables,
  write,
  pause,
  writeInSteps: <T>(rows: number, work: (tables: Tables) => Steps<T>) => writeInSteps(rows, () => work(tables)),
  writeInPortions: <T>(rows: number, work: (tables: Tables) => Portions<T>) =>
    writeInSteps(rows, () => inWhole(work(tables))),
  tidyInPortions: async () => {},
})

/** All tables, on one connection. */
function tablesOn(sqlite: Sqlite, caches: ReadCaches) {
  addMatch(sqlite)
  addValues(sqlite)
  const db = new Connection(sqlite, caches.changing)
  return {
    users: usersOf(db, caches),
    sessions: sessionsOf(db, caches),
    settings: settingsOf(db),
    templates: templatesOf(db),
    variations: variationsOf(db, caches),
    faces: facesOf(db),
    recordChanges: recordChangesOf(db),
    actions: actionsOf(db, caches),
    catalogLabels: catalogLabelsOf(db),
    actionHandlers: actionHandlersOf(db),
    actionRuns: actionRunsOf(db),
    reservedRuns: reservedRunsOf(db),
    assets: assetsOf(db),
    vatoms: { ...vatomsOf(db, caches), ...foldersOf(db), ...vatomLifeOf(db) },
    heldVatoms: heldVatomsOf(db),
    heirs: heirsOf(db),
    ledger: ledgerOf(db),
    events: eventsOf(db),
    messages: messagesOf(db),
    codes: codesOf(db),
    codeTries: codeTriesOf(db),
    loginFailures: loginFailuresOf(db),
    outbox: outboxOf(db),
    search: searchOf(db, caches),
    found: foundOf(db),
    /** Ids of the vAtoms of numbers (`seq`), in their order. */
    idsOf: idsOf(db),
    inventory: inventoryOf(db, caches),
    map: mapOf(db),
  }
}

/** All tables, each read when it is asked for. */
function uncached(sqlite: Sqlite): Tables {
  const unused = new ReadCaches(sqlite)
  unused.hold()
  return tablesOn(sqlite, unused)
}

const needsCopy = new Error('others would wait too long for the transaction')
const tooLargeForCopy = new ApiError(
  'dryRunFull',
  'the dry run would keep the writes of others waiting: it takes too long for a database that is too large to be copied',
)

/** Milliseconds that a transaction takes in which a part of a long write is made: others wait that long. */
const portion = { inFile: 100, inMemory: 5 }
/** Milliseconds between two of them: in this time, another process that waits begins its own. */
const betweenPortions = retryAfter + 5

/** Who reads while a write has its turns: this process in the same turns, others between them, or nobody. */
type Audience = 'self' | 'others' | 'nobody'

/** Opens a named database, or one in memory (`:memory:`); `slices` can be another's. Throws as `openDatabase` does. */
export async function openStore(name: string, random = unpredictable, slices = new Slices(), servedAt?: string) {
  const sqlite = await openDatabase(name, undefined, servedAt)
  const path = isInMemory(name) ? name : realpathSync(name)
  const files = new DatabaseFiles(sqlite, isInMemory(path) ? undefined : { path, name })
  const caches = new ReadCaches(sqlite, files.version.look)
  const tables = tablesOn(sqlite, caches)
  const changes = new Changes(sqlite, !isInMemory(path))
  const { inNextTurn } = slices
  const eras = new Eras()
  const onCommit = () => {
    files.committed()
    tables.events.committed()
    changes.committed()
  }
  const writes = new Writes(sqlite, undefined, {
    check: files.check,
    begun: caches.lock,
    undone: caches.clear,
    committed: onCommit,
    inNextTurn,
  })
  const rests = new Rests(4, limits.dryRunLocked)
  /** Of dry runs, as many at a time wait among the writes of others, which thus wait for no more: of short ones, some. */
  const dryRuns = { short: new Turns({ atOnce: 4 }), long: new Turns({ atOnce: 1 }) }
  const openSecond = async () => {
    files.check()
    const second = await openDatabase(path)
    second.exec('PRAGMA wal_autocheckpoint = 0')
    return second
  }
  const size = () =>
    Number(firstValue(sqlite, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'))
  const copyInto = (file: string): void => void sqlite.prepare('VACUUM INTO ?').run(file)
  const copyAside = async (file: string): Promise<void> => {
    if (isInMemory(path)) return copyInto(file)
    files.check()
    await copiedInThread(path, file, copyInto)
  }
  const copies = new FileCopies({ path, tablesOn: uncached, copyAside })
  const long = new LongWrites(
    { path, main: sqlite, open: openSecond, tablesOn: uncached },
    {
      check: files.check,
      committed: () => {
        caches.clear()
        onCommit()
      },
    },
  )
  let audience: Audience = 'self'
  let isClosing = false
  const inSteps = () => audience === 'others' && !isInMemory(path)
  const pause = (): Promise<void> =>
    isInMemory(path) ? nextTurn() : new Promise((resolve) => setTimer(resolve, betweenPortions))
  const whileOpen = async <T>(write: () => Promise<T>): Promise<T> => {
    if (isClosing) throw new ApiError('closing')
    return await write()
  }
  const holdAll = () => {
    const releases = [slices.hold(), caches.hold()]
    return () => {
      for (const release of releases) release()
    }
  }
  const here = async <T>(end: End, work: InTransaction<T>): Promise<T> => {
    const release = caches.hold()
    const inTables = (writing: Writing) => work(transactionOn(tables, writing))
    return await inManyTurns(sqlite, end, inTables, { frame: nested }).finally(release)
  }
  /** On another connection, for as long as others may wait for the lock. */
  const apart = <T>(work: InTransaction<T>, isGone: Waiter['isGone']): Promise<T> => {
    const patience =
      size() > limits.dryRunFile
        ? { longest: limits.dryRunLockedMax, tooLong: tooLargeForCopy, isGone }
        : { longest: limits.dryRunLocked, tooLong: needsCopy, isGone }
    return long.rolledBack((tables, writing) => work(transactionOn(tables, writing)), patience)
  }
  /** For what draws and rejects from now on: has it drawn again where one turn of the event loop is too short. */
  const drawingAgain = () => {
    const drawAgain = random.mark()
    return (reason: unknown): never => {
      if (reason === needsTurns) drawAgain()
      throw reason
    }
  }
  /** In one turn of the event loop. Throws `needsTurns` if that is too short, where it can be in many. */
  const inTurn = <T>(end: End, work: InTransaction<T>): Promise<T> =>
    writes.alone(async () => {
      const rows = audience === 'nobody' || inSteps() ? limits.fewRows : undefined
      const short = (writing: Writing) => work(transactionOn(tables, writing))
      const frame = audience === 'nobody' ? { frame: nested } : {}
      const again = drawingAgain()
      return await inOneTurn(sqlite, end, short, { rows, begun: holdAll, inNextTurn, ...frame }).catch(again)
    })
  /** Within a turn. Throws `needsTurns` likewise. */
  const tried = <T>(steps: Steps<T>): T => {
    const again = drawingAgain()
    try {
      return withinTurn(steps)
    } catch (reason) {
      return again(reason)
    }
  }
  /** In many turns, where nobody reads what is not committed. */
  const inTurns = <T>(end: End, work: InTransaction<T>, isGone?: Waiter['isGone']): Promise<T> =>
    writes.alone(() => (audience === 'nobody' ? here(end, work) : apart(work, isGone)))
  /** Where the database is too large for copies, each that takes long is followed by a rest, so that others write in between. */
  const undone = async <T>(work: InTransaction<T>, { isGone }: Waiter): Promise<T> => {
    if (!inSteps() || size() <= limits.dryRunFile) return await inTurns('ROLLBACK', work, isGone)
    await rests.rest()
    return await writes.alone(() => rests.after(() => apart(work, isGone)))
  }
  const writeInPortions = <T>(rows: number, work: (tables: Tables) => Portions<T>, sender?: Asking): Promise<T> => {
    if (rows <= limits.fewRows) return writes.run(() => atOnce(inWhole(work(tables))), sender)
    if (inSteps())
      return long.runInPortions(work, {
        longest: portion.inFile,
        pause,
        alone: (write) => whileOpen(() => writes.alone(write)),
        sender,
      })
    return inPortions(work(tables), {
      longest: isInMemory(path) ? portion.inMemory : portion.inFile,
      pause,
      write: (steps) => whileOpen(() => writes.run(() => atOnce(steps()), sender)),
    })
  }
  return {
    ...tables,
    ...wholeContentsOf({ sqlite, writes, caches, eras }),
    random,
    /** Aborted once all contents are replaced. */
    era: () => eras.current,
    /** To be called before that, where those who began earlier are not waited for. */
    endEra: () => eras.end(),
    /** Carries out searches, which are in steps. */
    slices,
    /**
     * Runs synchronous work in a transaction and resolves with its value once that is durable. What waits
     * shares the time by the lines of its senders.
     */
    write: <T>(work: () => T, sender?: Asking): Promise<T> => writes.run(work, sender),
    /**
     * Runs steps on the tables that they are given, in one transaction, and resolves with their value once that is durable.
     * If they change more than a few `rows`, or take long, those that are served are answered between two of them, unless
     * the database is in memory: there nobody can read while somebody writes. Steps that take long for a few rows are
     * begun again for that. What waits shares the time by the lines of its senders. Throws `busy` if too much of that
     * waits already, or the sender is gone before it begins, and `closing`.
     */
    writeInSteps: async <T>(rows: number, work: (tables: Tables) => Steps<T>, sender?: Asking): Promise<T> => {
      if (!inSteps()) return await writes.run(() => atOnce(work(tables)), sender)
      const apart = () => long.run(work, { alone: (write) => writes.alone(write), sender })
      if (rows > limits.fewRows) return await apart()
      return await writes.run(() => tried(work(tables)), sender).catch(unless(needsTurns, apart))
    },
    /**
     * The same in as many transactions as it takes, between which others write. What has been done stays if the process
     * ends, or another transaction fails: then what is left is to be done later. A few `rows` are changed in one.
     */
    writeInPortions,
    /** The same for what nobody finds any more: in a transaction that is rolled back, nothing is done. */
    tidyInPortions: (rows: number, work: (tables: Tables) => Portions<void>): Promise<void> =>
      writeInPortions(rows, work),
    /** To be called before others than this process are served. Throws `db_unusable` if its disk has no room for that. */
    serveOthers: () => {
      if (!isInMemory(name)) refuseExclusive(sqlite, name)
      files.watch()
      audience = 'others'
    },
    /** To be called where nobody reads between two turns of a write. */
    serveNobody: () => {
      audience = 'nobody'
    },
    /**
     * Carries out work on what it is given, resolves with its value, and rolls it back. Work that takes long is begun again
     * in a copy, where nobody waits for it; `waiter` says who asks.
     */
    rolledBack: <T>(work: InTransaction<T>, waiter: Waiter = {}): Promise<T> =>
      dryRuns.short
        .take(() => inTurn('ROLLBACK', work), waiter)
        .catch(unless(needsTurns, () => dryRuns.long.take(() => undone(work, waiter), waiter)))
        .catch(unless(needsCopy, () => copies.run((tables, writing) => work(transactionOn(tables, writing)), waiter))),
    /** As `rolledBack`, but in a copy of its own, in which what the work wrote stays unless it fails. */
    committed: <T>(work: InTransaction<T>): Promise<T> =>
      inTurn('COMMIT', work).catch(unless(needsTurns, () => inTurns('COMMIT', work))),
    /** Takes back what was `committed` last. */
    takeBack: (): void => sqlite.exec(nested.ROLLBACK),
    /** Has nothing taken back any more that was `committed`, if anything was. */
    settle: (): void => sqlite.exec(`${nested.BEGIN}; COMMIT`),
    /** Size of the database in bytes. */
    size,
    /** How many rows were changed since it was opened. */
    changed: () => Number(firstValue(sqlite, 'SELECT total_changes()')),
    /** Has what would let it grow beyond so many bytes fail with an error that is `isFull`. */
    limitTo: (bytes: number): void => {
      sqlite.exec(`PRAGMA max_page_count = ${Math.floor(bytes / Number(firstValue(sqlite, 'PRAGMA page_size')))}`)
    },
    /** How much waits for its turn. */
    waiting: () => ({
      writes: writes.waiting + dryRuns.short.waiting + dryRuns.long.waiting + long.waiting,
      searches: slices.waiting,
    }),
    /** Throws `outdated` once a newer version has upgraded the database. */
    checkVersion: (): void => {
      caches.look()
      files.version.check()
    },
    /** Throws if the database cannot be read, its file is gone, or a newer version has upgraded it. */
    check: (): void => {
      files.check()
      firstValue(sqlite, 'SELECT count(*) FROM settings')
    },
    /** Calls a function after changes, by this process or another; returns a function that ends that. */
    watch: (watcher: () => void): (() => void) => changes.watch(watcher),
    /** What the database is opened with: `node:sqlite, SQLite 3.51.3`. */
    engine: () => `${sqliteProvider()}, SQLite ${firstValue(sqlite, 'SELECT sqlite_version()')}`,
    /** Copies the database, as it is at one moment, into an empty or new file. */
    copyInto,
    /** The same without holding up others, where the database is a file. */
    copyAside,
    /** Refuses writes that take long of requests of which nothing is written yet: those that wait, and those to come. */
    refuseLong: (): void => long.refuse(),
    /**
     * Finishes pending writes, of those that take long only what has begun, of one in portions only the transaction
     * that is open, then closes the database.
     */
    close: async () => {
      isClosing = true
      long.refuseAll()
      await dryRuns.short.drained()
      await dryRuns.long.drained()
      await writes.drained()
      await copies.close()
      await long.close()
      files.look()
      sqlite.close()
      files.close()
    },
  }
}
