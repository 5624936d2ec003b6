import { accessSync, closeSync, constants, fdatasync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { at } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import { codeOf, existingPart, fileMessage, makeFolder, roomRemedy } from '../../../file-system.ts'
import { ownPath } from '../../../own-path.ts'
import { regularText } from '../../../regular-file.ts'
import { appendWhole, writeOwn } from '../../../whole-file.ts'
import type { Context } from '../../context.ts'
import { ledgerFolder } from '../../dirs.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Host } from '../../host.ts'
import { styled } from '../../io/text.ts'
import { targetFile } from '../../service/target-name.ts'
import { type Lock, takeLock } from './ledger-lock.ts'

const sync = promisify(fdatasync)

/**
 * The apply ledger: the writes that a run begins and settles, as lines of a file in the data directory. After an
 * interruption, the next run reads which writes had begun, and compares again before it writes.
 */
export interface Ledger {
  /** The tasks that an earlier run of the same plan began, with any outcome. */
  readonly begun: ReadonlySet<string>
  /** Those of them that it has done. */
  readonly done: ReadonlySet<string>
  /** The run before this one, if it was interrupted. */
  readonly interrupted: InterruptedRun | undefined
  /** Records on disk that a task is about to be sent. Throws `ledger_unwritable` or `apply_running`. */
  begin(task: string): Promise<void>
  /** Records the outcome of a task. */
  settle(task: string, outcome: Outcome): void
  /** Ends the run. The ledger of a complete run is renamed; any other run is continued by the next one. */
  close(isComplete: boolean): void
}

/** What is known of a task that was begun. */
export type Outcome = 'done' | 'not done'

export interface InterruptedRun {
  /** How many writes it began. */
  readonly begun: number
  /** How many of them have an unknown outcome. */
  readonly unsettled: number
  /** When the last of those began. */
  readonly unsettledSince: Date
}

export interface LedgerOptions {
  /** The service; each has its own ledger. */
  readonly target: string
  /** Digest of the saved plan that is carried out; null without one. */
  readonly plan: string | null
  readonly host: Pick<Host, 'env' | 'now' | 'signal'>
}

/** Warns on stderr, before a run that writes no ledger, that `apply` could not write one here, and returns the warning for a report. */
export function ledgerWarnings({ dirs, output }: Pick<Context, 'dirs' | 'output'>): readonly Problem[] {
  const folder = ledgerFolder(dirs)
  try {
    accessSync(join(existingPart(ownPath(folder)), '/'), constants.W_OK)
    return []
  } catch (cause) {
    const fault = faultOf(folder, cause)
    output.warn(styled`${fault.message}; ${fault.hint}`)
    return [{ file: '<ledger>', rule: 'ledger-unwritable', severity: 'warning', path: '', ...fault }]
  }
}

/** Opens the ledger of a service for one run. Throws `apply_running` while another run uses it, and `ledger_unwritable`. */
export async function openLedger(folder: string, options: LedgerOptions): Promise<Ledger> {
  try {
    return await opened(folder, options)
  } catch (cause) {
    throw cause instanceof Failure ? cause : unwritable(folder, cause)
  }
}

/** Why no ledger is written in a folder, and what to do. */
const faultOf = (folder: string, cause: unknown) => ({
  message: `The apply ledger in ${folder} cannot be written: ${fileMessage(cause)}`,
  hint: `${roomRemedy(cause) ?? 'make it writable'}, or choose another folder with VATOM_DATA_DIR`,
})

function unwritable(folder: string, cause: unknown): Failure {
  const { message, hint } = faultOf(folder, cause)
  return new Failure('ledger_unwritable', exit.refused, message, { hint, cause })
}

async function opened(folder: string, options: LedgerOptions): Promise<Ledger> {
  makeFolder(ownPath(folder), 0o700)
  const file = join(folder, targetFile(options.target))
  const lock = await takeLock(`${file}.lock`, options.host)
  try {
    return recording(ownPath(`${file}.jsonl`), options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function recording(file: string, { target, plan, host: { now } }: LedgerOptions, lock: Lock): Ledger {
  const before = readLines(file)
  const continues = plan !== null && before?.plan === plan
  const header = { vatom_apply: 1, target, plan, at: now() }
  const descriptor = continues ? forAppending(file) : started(file, [header, ...unsettledOf(before).map(beginLine)])
  const lines = groupedLines(descriptor)
  if (continues) lines.add('')
  return {
    begun: new Set(continues ? before?.begun.keys() : []),
    done: new Set(continues ? before?.done : []),
    interrupted: interruptedRun(before),
    begin: async (task) => {
      lock.check()
      await lines.addSafely(JSON.stringify(beginLine([task, now().toJSON()]))).catch((cause: unknown) => {
        throw unwritable(dirname(file), cause)
      })
    },
    settle: (task, outcome) => lines.add(JSON.stringify({ settled: task, outcome })),
    close: (isComplete) => {
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

/** Writes a new ledger in place of an older one, atomically. */
function started(file: string, lines: readonly object[]): number {
  writeOwn(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600, flush: true })
  syncFolder(dirname(file))
  return forAppending(file)
}

/** Opens a ledger, and follows no link that is in its place by now. */
const forAppending = (file: string): number =>
  openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW)

/** Makes a renamed file survive a crash. Some systems cannot open a folder, and need not. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {}
}

/** Appends lines to a file; lines that wait at the same time are written and synced together. */
function groupedLines(descriptor: number) {
  let flush: Promise<void> | undefined
  let waiting = ''
  const write = () => {
    appendWhole(descriptor, waiting)
    waiting = ''
  }
  return {
    add: (line: string) => {
      waiting += `${line}\n`
    },
    addSafely: async (line: string) => {
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
      try {
        write()
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

interface Recorded {
  readonly plan: unknown
  readonly begun: ReadonlyMap<string, string>
  readonly settled: ReadonlySet<string>
  readonly done: ReadonlySet<string>
}

/** The lines of a ledger; undefined if there is none. Damaged lines are ignored. */
function readLines(file: string): Recorded | undefined {
  const [header, ...lines] = linesOf(file)
    .map(parseJson)
    .filter((line) => line !== undefined)
  if (header === undefined) return undefined
  const begun = new Map<string, string>()
  const settled = new Set<string>()
  const done = new Set<string>()
  for (const line of lines) {
    const [begin, end] = [at(line, 'begin'), at(line, 'settled')]
    if (typeof begin === 'string') {
      begun.set(begin, String(at(line, 'at')))
      settled.delete(begin)
      done.delete(begin)
    }
    if (typeof end === 'string') settled.add(end)
    if (typeof end === 'string' && at(line, 'outcome') === ('done' satisfies Outcome)) done.add(end)
  }
  return { plan: at(header, 'plan'), begun, settled, done }
}

/** Bytes of a ledger that is read at most: each write takes some 300. */
const mostBytes = 2 ** 27

/** The lines of a file. Throws `ledger_unwritable` for what is no ledger. */
function linesOf(file: string): string[] {
  try {
    const text = regularText(file, mostBytes)
    if (text !== undefined) return text.split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
  throw new Failure('ledger_unwritable', exit.refused, `${file} is no ledger: it is no regular file, or too large`, {
    hint: 'move it away, or choose another folder with VATOM_DATA_DIR',
  })
}

type Begun = readonly [task: string, since: string]
const beginLine = ([begin, at]: Begun) => ({ begin, at })

/** The tasks whose outcome is unknown. The next run records them again, because it may be interrupted, too. */
const unsettledOf = (recorded: Recorded | undefined): Begun[] =>
  recorded ? [...recorded.begun].filter(([task]) => !recorded.settled.has(task)) : []

function interruptedRun(recorded: Recorded | undefined): InterruptedRun | undefined {
  const unsettled = unsettledOf(recorded).map(([, since]) => since)
  const last = unsettled.sort().at(-1)
  if (recorded === undefined || last === undefined) return undefined
  return { begun: recorded.begun.size, unsettled: unsettled.length, unsettledSince: new Date(last) }
}
