import { createHash } from 'node:crypto'
import { closeSync, fdatasync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { at } from '../../../contract/schema/path.ts'
import { makeFolder } from '../../../documents/edit/make-folder.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { type Lock, takeLock } from './ledger-lock.ts'

const sync = promisify(fdatasync)

/**
 * What a run is about to do and has done, as lines of a file of the data directory: one that is cut off at any moment
 * is known to the next run, and what it began is looked at before anything is done again.
 */
export interface Ledger {
  /** What an earlier run of the same plan began; whether it came to be, the service knows. */
  readonly begun: ReadonlySet<string>
  /** The run before this one, where it did not come to its end. */
  readonly cutOff: CutOff | undefined
  /** Resolves when it is certain that a later run will know of it; throws `ledger_unwritable` or `apply_running`. */
  begin(task: string): Promise<void>
  /** What came of a task is known. */
  settle(task: string): void
  /** Ends the run; one that is complete is put aside, any other stays to be gone on with. */
  end(isComplete: boolean): void
}

export interface CutOff {
  readonly begun: number
  /** How many of them were under way, of which nobody knows what came. */
  readonly unsettled: number
  /** When the last of those began. */
  readonly unsettledSince: Date
}

/** What a run is about. */
export interface LedgerOptions {
  /** The service: runs against another one do not concern this one. */
  readonly target: string
  /** Digest of the saved plan that is carried out; null for a run of its own. */
  readonly plan: string | null
  readonly now: () => Date
}

/**
 * Opens the ledger of a service for one run. Throws `apply_running` while another has it, and `ledger_unwritable` where
 * nothing can be kept.
 */
export async function openLedger(folder: string, options: LedgerOptions): Promise<Ledger> {
  try {
    return await opened(folder, options)
  } catch (cause) {
    throw cause instanceof Failure ? cause : unwritable(folder, cause)
  }
}

const unwritable = (folder: string, cause: unknown) =>
  new Failure('ledger_unwritable', exit.refused, `The ledger in ${folder} cannot be kept: ${reasonOf(cause)}`, {
    hint: 'make it writable, or choose another folder with VATOM_DATA_DIR',
    cause,
  })

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

async function opened(folder: string, options: LedgerOptions): Promise<Ledger> {
  makeFolder(folder, 0o700)
  const file = join(folder, createHash('sha256').update(options.target).digest('hex').slice(0, 16))
  const lock = await takeLock(`${file}.lock`)
  try {
    return recording(`${file}.jsonl`, options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function recording(file: string, { target, plan, now }: LedgerOptions, lock: Lock): Ledger {
  const before = readLines(file)
  const goesOn = plan !== null && before?.plan === plan
  const header = { vatom_apply: 1, target, plan, at: now() }
  const descriptor = goesOn ? openSync(file, 'a') : started(file, [header, ...unsettledOf(before).map(beginLine)])
  const lines = groupedLines(descriptor)
  if (goesOn) lines.add('')
  return {
    begun: new Set(goesOn ? before?.begun.keys() : []),
    cutOff: cutOffOf(before),
    begin: async (task) => {
      lock.check()
      await lines.certain(JSON.stringify(beginLine([task, now().toJSON()]))).catch((cause: unknown) => {
        throw unwritable(dirname(file), cause)
      })
    },
    settle: (task) => lines.add(JSON.stringify({ settled: task })),
    end: (isComplete) => {
      try {
        lines.close()
        if (isComplete) lock.check()
        if (isComplete) renameSync(file, `${file}.done`)
      } finally {
        lock.release()
      }
    },
  }
}

/** A new ledger in the place of what is there, at once. */
function started(file: string, lines: readonly object[]): number {
  const fresh = `${file}.${process.pid}`
  const descriptor = openSync(fresh, 'w', 0o600)
  writeSync(descriptor, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  fsyncSync(descriptor)
  renameSync(fresh, file)
  syncFolder(dirname(file))
  return descriptor
}

/** Some systems cannot open a folder; there a new name is as certain as they make it. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {}
}

/** Lines at the end of a file: those that wait together are made certain together. */
function groupedLines(descriptor: number) {
  let flush: Promise<void> | undefined
  let waiting = ''
  const write = () => {
    writeSync(descriptor, waiting)
    waiting = ''
  }
  return {
    add: (line: string) => {
      waiting += `${line}\n`
    },
    certain: async (line: string) => {
      waiting += `${line}\n`
      while (flush) await flush
      if (waiting === '') return
      write()
      flush = sync(descriptor).finally(() => {
        flush = undefined
      })
      await flush
    },
    close: () => {
      write()
      fsyncSync(descriptor)
      closeSync(descriptor)
    },
  }
}

interface Recorded {
  readonly plan: unknown
  readonly begun: ReadonlyMap<string, string>
  readonly settled: ReadonlySet<string>
}

/** What a ledger says; nothing where there is none. A last line that was cut off says nothing. */
function readLines(file: string): Recorded | undefined {
  const [header, ...lines] = linesOf(file).flatMap((line) => parsed(line))
  if (header === undefined) return undefined
  const begun = new Map<string, string>()
  const settled = new Set<string>()
  for (const line of lines) {
    const [begin, end] = [at(line, 'begin'), at(line, 'settled')]
    if (typeof begin === 'string') begun.set(begin, String(at(line, 'at')))
    if (typeof end === 'string') settled.add(end)
  }
  return { plan: at(header, 'plan'), begun, settled }
}

function linesOf(file: string): string[] {
  try {
    if (!statSync(file).isFile()) throw new Error(`${file} is no file`)
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (at(error, 'code') === 'ENOENT') return []
    throw error
  }
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

type Begun = readonly [task: string, since: string]
const beginLine = ([begin, at]: Begun) => ({ begin, at })

/** What a run began of which nobody knows what came of it; a run that follows and is cut off too must not forget it. */
const unsettledOf = (recorded: Recorded | undefined): Begun[] =>
  recorded ? [...recorded.begun].filter(([task]) => !recorded.settled.has(task)) : []

function cutOffOf(recorded: Recorded | undefined): CutOff | undefined {
  const unsettled = unsettledOf(recorded).map(([, since]) => since)
  const last = unsettled.sort().at(-1)
  if (recorded === undefined || last === undefined) return undefined
  return { begun: recorded.begun.size, unsettled: unsettled.length, unsettledSince: new Date(last) }
}
