import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { sqliteProvider } from './sqlite.ts'

const copy = `
  const { workerData: { module, path, file } } = require('node:worker_threads')
  const { DatabaseSync } = require(module)
  const db = new DatabaseSync(path)
  db.prepare('VACUUM INTO ?').run(file)
  db.close()`

/**
 * Copies the database of a file into another, empty or new one, in another thread; by `here` where there can be none. The
 * process must not end before: a thread that is ended while it loads the library ends the process with an error.
 */
export async function copiedInThread(path: string, file: string, here: (file: string) => void): Promise<void> {
  const module = moduleFile()
  if (module === undefined) return here(file)
  await once(new Worker(copy, { eval: true, execArgv: [], workerData: { module, path, file } }), 'exit')
}

/** The library of the database, as a thread finds it; undefined where it does not. */
export function moduleFile(): string | undefined {
  const name = sqliteProvider()
  if (name.startsWith('node:')) return name
  try {
    return createRequire(realpathSync(process.argv[1] ?? '')).resolve(name)
  } catch {
    return undefined
  }
}
