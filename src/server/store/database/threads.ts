import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import { identityOf } from './file-identity.ts'
import { sqliteProvider } from './sqlite.ts'

/** Nothing is read of a file that was put in the place of the database meanwhile: its log would be removed. */
const copy = `
  import { statSync } from 'node:fs'
  const db = new DatabaseSync(workerData.path)
  const { dev, ino } = statSync(workerData.path)
  if (workerData.identity !== undefined && \`\${dev} \${ino}\` !== workerData.identity) throw new Error('the database was moved')
  db.prepare('VACUUM INTO ?').run(workerData.file)
  db.close()`

/**
 * Copies the database of a file into another, empty or new one, in another thread; by `here` where there can be none. The
 * process must not end before: a thread that is ended while it loads the library ends the process with an error.
 */
export async function copiedInThread(path: string, file: string, here: (file: string) => void): Promise<void> {
  const thread = startThread(copy, { path, file, identity: identityOf(path) })
  if (!thread) return here(file)
  await once(thread, 'exit')
}

/** What each thread begins with. A module of an address looks at no package.json of the current folder, as `eval` does. */
const beginning = `
  import { createRequire } from 'node:module'
  import { workerData } from 'node:worker_threads'
  const { DatabaseSync } = createRequire(workerData.program)(workerData.module)`

/**
 * A thread that does some work, in JavaScript, with the library of the database and its data; undefined where none can
 * start, or find the library.
 */
export function startThread(work: string, data: object, transferList: MessagePort[] = []): Worker | undefined {
  const module = moduleFile()
  if (module === undefined || !hasFolder()) return undefined
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(beginning + work)}`), {
    execArgv: [],
    workerData: { ...data, module, program: process.execPath },
    transferList,
  })
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

/** Whether there is a current folder, without which no thread starts. One that was deleted is left: nothing is in it. */
function hasFolder(): boolean {
  try {
    realpathSync.native('.')
    return true
  } catch {
    return hasLeft()
  }
}

function hasLeft(): boolean {
  try {
    process.chdir(parse(process.execPath).root)
    return true
  } catch {
    return false
  }
}
