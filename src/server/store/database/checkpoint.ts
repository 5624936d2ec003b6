import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { sqliteProvider } from './sqlite.ts'

const work = `
  const { parentPort, workerData: { module, path } } = require('node:worker_threads')
  const { DatabaseSync } = require(module)
  const db = new DatabaseSync(path)
  parentPort.postMessage('begun')
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  db.close()`

/**
 * Moves what the log of a database file has into the file, in another thread, without holding up reads or writes. The
 * process must not end before `done`: a thread that is ended while it loads the library ends the process with an error.
 */
export function checkpointed(path: string): { readonly begun: Promise<void>; readonly done: Promise<void> } {
  const module = moduleFile()
  if (module === undefined) return { begun: Promise.resolve(), done: Promise.resolve() }
  const worker = new Worker(work, { eval: true, workerData: { module, path } })
  // What fails here is done by the next write.
  worker.on('error', () => undefined)
  const done = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const begun = new Promise<void>((resolve) => worker.once('message', () => resolve()))
  return { begun: Promise.race([begun, done]), done }
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
