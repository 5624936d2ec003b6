import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { sqliteProvider } from './sqlite.ts'

const work = `
  const { parentPort, workerData: { module, path, sql, values } } = require('node:worker_threads')
  const { DatabaseSync } = require(module)
  const db = new DatabaseSync(path)
  parentPort.postMessage('begun')
  db.prepare(sql).all(...values)
  db.close()`

/** Work of another thread. */
interface Threaded {
  readonly begun: Promise<void>
  /** The process must not end before: a thread that is ended while it loads the library ends the process with an error. */
  readonly done: Promise<void>
}

/** Moves what the log of a database file has into the file, in another thread, without holding up reads or writes. */
export function checkpointed(path: string): Threaded {
  const { begun, done } = inThread(path, 'PRAGMA wal_checkpoint(PASSIVE)') ?? { begun: nothing, done: nothing }
  // What fails here is done by the next write.
  return { begun, done: done.catch(() => undefined) }
}

const nothing = Promise.resolve()

/** Copies the database of a file into another, empty or new one, in another thread; by `here` where there can be none. */
export async function copiedInThread(path: string, file: string, here: (file: string) => void): Promise<void> {
  const thread = inThread(path, 'VACUUM INTO ?', file)
  if (thread) await thread.done
  else here(file)
}

function inThread(path: string, sql: string, ...values: string[]): Threaded | undefined {
  const module = moduleFile()
  if (module === undefined) return undefined
  const worker = new Worker(work, { eval: true, execArgv: [], workerData: { module, path, sql, values } })
  const done = new Promise<void>((resolve, reject) => worker.once('error', reject).once('exit', () => resolve()))
  const begun = new Promise<void>((resolve) => worker.once('message', () => resolve()))
  return { begun: Promise.race([begun, done.catch(() => undefined)]), done }
}

/** The library of the database, as a thread finds it; undefined where it does not. */
function moduleFile(): string | undefined {
  const name = sqliteProvider()
  if (name.startsWith('node:')) return name
  try {
    return createRequire(realpathSync(process.argv[1] ?? '')).resolve(name)
  } catch {
    return undefined
  }
}
