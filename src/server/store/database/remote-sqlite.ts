import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import type { Sqlite, SqlValue, Statement } from './sqlite.ts'
import { startThread } from './threads.ts'

/**
 * What the thread does: one request after the other. Each side waits for the other by a counter to which the other adds with
 * each message, as events take several times as long. A function that SQLite calls is asked for in the same way.
 */
const work = `
  import { receiveMessageOnPort } from 'node:worker_threads'
  const { path, port, counters } = workerData
  const db = new DatabaseSync(path)
  const statements = new Map()
  const send = (message) => {
    port.postMessage(message)
    Atomics.add(counters, 0, 1)
    Atomics.notify(counters, 0)
  }
  const receive = () => {
    for (;;) {
      const before = Atomics.load(counters, 1)
      const received = receiveMessageOnPort(port)
      if (received) return received.message
      Atomics.wait(counters, 1, before)
    }
  }
  const called = (name, length) => {
    const call = (...values) => {
      send({ name, values })
      return receive().value
    }
    return Object.defineProperty(call, 'length', { value: length })
  }
  const methods = {
    exec: (sql) => db.exec(sql),
    function: (name, options, length) => db.function(name, options, called(name, length)),
  }
  const perform = ({ method, sql, values }) => {
    if (methods[method]) return methods[method](sql, ...values)
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement[method](...values)
  }
  const answer = (request) => {
    try {
      return { value: perform(request) }
    } catch ({ message, code, errcode }) {
      return { error: { message, code, errcode } }
    }
  }
  send({})
  for (let request = receive(); request.method !== 'end'; request = receive()) send(answer(request))
  db.close()
  port.close()`

interface Call {
  readonly name: string
  readonly values: readonly SqlValue[]
}
interface Answer {
  readonly value?: unknown
  /** What an error of SQLite has beside its class and its stack. */
  readonly error?: { readonly message: string; readonly code?: string; readonly errcode?: number }
}

/** Milliseconds after which a thread that answers nothing is taken for one that has ended. */
const longestWait = 60_000

/**
 * A connection to a database file in another thread. What is asked of it is waited for as on any other, but `aside`, for
 * which the event loop does not wait: a commit that writes much can hold up nobody.
 */
export class RemoteSqlite implements Sqlite {
  readonly #port: MessagePort
  readonly #counters: Int32Array
  readonly #functions = new Map<string, (...values: SqlValue[]) => SqlValue>()
  readonly #ended: Promise<never>

  private constructor(worker: Worker, port: MessagePort, counters: Int32Array) {
    this.#port = port
    this.#counters = counters
    this.#ended = Promise.race([once(worker, 'error').then(([error]) => error), once(worker, 'exit')]).then(
      (reason) => {
        throw reason instanceof Error ? reason : new Error('the thread of a database has ended')
      },
    )
    this.#ended.catch(() => undefined)
  }

  /** Resolves once the thread has opened the file; undefined where no thread can start and load SQLite. */
  static async open(path: string): Promise<RemoteSqlite | undefined> {
    const { port1, port2: port } = new MessageChannel()
    const counters = new Int32Array(new SharedArrayBuffer(8))
    const worker = startThread(work, { path, port, counters }, [port])
    if (!worker) return undefined
    const opened = new RemoteSqlite(worker, port1, counters)
    await opened.#next()
    return opened
  }

  exec(sql: string): void {
    this.#ask('exec', sql)
  }

  /** As `exec`, while the event loop goes on; nothing else may be asked meanwhile. */
  async aside(sql: string): Promise<void> {
    this.#post('exec', sql, [])
    resultOf(await this.#next())
  }

  prepare(sql: string): Statement {
    return {
      get: (...values) => this.#ask('get', sql, values),
      all: (...values) => Object(this.#ask('all', sql, values)),
      run: (...values) => Object(this.#ask('run', sql, values)),
    }
  }

  function(
    name: string,
    options: { readonly deterministic: boolean },
    body: (...values: SqlValue[]) => SqlValue,
  ): void {
    this.#functions.set(name, body)
    this.#ask('function', name, [options, body.length])
  }

  /** Ends the thread, which has done what it was asked; resolves when it has ended. */
  async end(): Promise<void> {
    this.#post('end', '', [])
    await this.#ended.catch(() => undefined)
  }

  close(): void {
    void this.end()
  }

  #ask(method: string, sql: string, values: readonly unknown[] = []): unknown {
    const counted = Atomics.load(this.#counters, 0)
    this.#post(method, sql, values)
    return resultOf(this.#received(counted))
  }

  #post(method: string, sql: string, values: readonly unknown[]): void {
    this.#send({ method, sql, values })
  }

  #send(message: object): void {
    this.#port.postMessage(message)
    Atomics.add(this.#counters, 1, 1)
    Atomics.notify(this.#counters, 1)
  }

  /** Waits for the answer to what was asked, and answers what the thread asks until then. */
  #received(counted: number): Answer {
    for (let before = counted; ; before = Atomics.load(this.#counters, 0)) {
      const message: Answer | Call | undefined = receiveMessageOnPort(this.#port)?.message
      if (message && 'name' in message) this.#answer(message)
      else if (message) return message
      else if (Atomics.wait(this.#counters, 0, before, longestWait) === 'timed-out')
        throw new Error('no answer of the thread of a database')
    }
  }

  #answer({ name, values }: Call): void {
    this.#send({ value: this.#functions.get(name)?.(...values) })
  }

  async #next(): Promise<Answer> {
    const [message] = await Promise.race([once(this.#port, 'message'), this.#ended])
    return message
  }
}

function resultOf({ value, error }: Answer): unknown {
  if (error) throw Object.assign(new Error(error.message), error)
  return value
}
