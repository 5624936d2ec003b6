import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { printable, printableJson } from '../../contract/printable.ts'
import { isObject } from '../../contract/schema/path.ts'
import type { Checkout } from '../../documents/report/from-root.ts'
import { withoutCommands } from '../../documents/report/log-commands.ts'
import { isWithin } from '../../file-system.ts'
import type { Host, Sink } from '../host.ts'
import { jsonPieces } from './json-pieces.ts'
import { pagerCommand, showIn } from './pager.ts'
import { colorLevel, createPaint, type Paint } from './paint.ts'
import { defaultColumns, type Line, render, screenLines, styled } from './text.ts'

export interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean | undefined
  /** Whether this is a dry run, which the result then says. */
  readonly isDry?: () => boolean
  readonly pager: boolean
  /** How a hint is printed. */
  readonly hint?: (hint: string) => string
}

/** What a command prints: the result on stdout, everything else on stderr. */
export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  /** Colours of stdout and of stderr. */
  readonly paint: Paint
  readonly notePaint: Paint
  /** Whether stdout is a terminal, and how wide stdout and stderr are. */
  readonly isTTY: boolean
  readonly columns: number
  readonly noteColumns: number
  readonly checkout: Checkout
  /** A hint, or a command in another text: its commands act on the service of this run. */
  hint(text: string): string
  /** The command's one result: the value under --json, else its lines. */
  result(value: unknown, lines: () => readonly Line[]): void
  /** The same in sentences, which a terminal shows broken between words. */
  report(value: unknown, lines: () => readonly Line[]): void
  /** A line of the result that is there before the others. Returns false, and prints nothing, if it would have to wait for a reader. */
  offer(line: Line): boolean
  /** A result that may be long: if it does not fit the terminal, a pager shows its lines. */
  listing(value: unknown, lines: () => readonly Line[]): Promise<void>
  /** The result as JSON, whatever the options say. */
  document(value: unknown): void
  /** Text from elsewhere, byte for byte; on a terminal, unsafe characters are escaped. */
  raw(text: string): void
  /** One record of a long result as a line of JSON. */
  record(value: unknown): void
  /** Lets signals arrive in work that takes long; throws if the run was interrupted. */
  pause(): Promise<void>
  /** Whether the reader of stdout has gone, so that nothing more needs to be written. */
  isUnread(): boolean
  /** An event of a result without an end: a line of JSON, or of text on stderr. */
  event(value: unknown, line: Line): void
  /** A note; not printed with --quiet. */
  note(line: Line): void
  /** A warning; always printed. */
  warn(line: Line): void
  /** Lines on stderr that are always printed. */
  complain(lines: readonly Line[]): void
}

/** Lines of a long result that are printed before signals can arrive. */
const linesAtOnce = 1000

function checkoutOf(env: Host['env'], cwd: string): Checkout {
  const given = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR
  if (!given) return {}
  const root = resolve(given)
  // The working directory is a real path also where a link leads to the checkout.
  const roots = existsSync(root) ? [root, realpathSync(root)] : [root]
  const around = roots.find((one) => isWithin(one, cwd)) ?? cwd
  return { roots: roots.map(withSlashes), folder: withSlashes(relative(around, cwd)) }
}

const withSlashes = (path: string) => path.replaceAll('\\', '/')

/** Whether a sink is a terminal, and how wide it is. */
const screenOf = (sink: Sink) => ({ isTTY: sink.isTTY === true, columns: sink.columns || defaultColumns })

/** Writes lines on a sink, as its screen shows them. */
export function lineWriter(sink: Sink, env: Host['env']): (lines: readonly Line[]) => void {
  const harmless = withoutCommands(env)
  const screen = screenOf(sink)
  return (lines) => {
    for (const line of screenLines(lines, screen)) sink.write(`${harmless(render(line))}\n`)
  }
}

export async function createOutput(
  host: Host,
  { json, quiet, color, pager: wanted, isDry = () => false, hint = (text) => text }: OutputOptions,
): Promise<Output> {
  const { stdout, stderr, env } = host
  const paintOf = (sink: { isTTY?: boolean }) =>
    createPaint(colorLevel({ flag: color, env, isTTY: sink.isTTY === true }))
  const [paint, notePaint] = await Promise.all([paintOf(stdout), paintOf(stderr)])
  const harmless = withoutCommands(env)
  const safeJson = (text: string) => harmless(printableJson(text))
  const print = (line: Line) => stdout.write(`${harmless(render(line))}\n`)
  const pager = pagerCommand({ wanted: wanted && stdout.isTTY === true, env })
  // JSON is safe on a terminal and in a log: more characters are escaped than JSON must, and the value is the same.
  const document = (value: unknown) => {
    for (const piece of jsonPieces(isDry() && isObject(value) ? { ...value, dry_run: true } : value))
      stdout.write(safeJson(piece))
    stdout.write('\n')
  }
  const complain = lineWriter(stderr, env)
  const result = (value: unknown, lines: () => readonly Line[]) => {
    if (json) document(value)
    else for (const line of lines()) print(line)
  }
  const screen = screenOf(stdout)
  const pause = async () => {
    await setImmediate()
    host.signal.throwIfAborted()
  }
  const record = (value: unknown) => stdout.write(`${safeJson(JSON.stringify(value))}\n`)
  return {
    json,
    quiet,
    paint,
    notePaint,
    ...screen,
    noteColumns: stderr.columns || defaultColumns,
    hint,
    checkout: checkoutOf(env, host.cwd),
    document,
    raw: (text) => stdout.write(stdout.isTTY ? printable(text) : text),
    result,
    report: (value, lines) => result(value, () => screenLines(lines(), screen)),
    offer: (line) => {
      const text = screenLines([line], screen)
        .map((one) => `${harmless(render(one))}\n`)
        .join('')
      if (stdout.offer) return stdout.offer(text)
      stdout.write(text)
      return true
    },
    listing: async (value, lines) => {
      if (json) return void document(value)
      const all = lines()
      // A terminal that does not know its size has none, or 0.
      const isLong = stdout.rows && all.length >= stdout.rows
      if (pager && isLong && (await showIn(pager, all.map((line) => `${render(line)}\n`).join(''), host))) return
      for (const [index, line] of all.entries()) {
        print(line)
        if (index % linesAtOnce === linesAtOnce - 1) await pause()
      }
    },
    record,
    pause,
    isUnread: () => stdout.writable === false,
    event: (value, line) => {
      if (json) record(value)
      else complain([line])
    },
    note: (line) => {
      if (!quiet) complain([line])
    },
    warn: (line) => complain([styled`${notePaint.yellow('warning:')} ${line}`]),
    complain,
  }
}
