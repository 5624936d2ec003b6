import { isAbsolute, relative } from 'node:path'
import { isObject } from '../../contract/schema/path.ts'
import { printable } from '../../documents/report/printable.ts'
import type { Host } from '../host.ts'
import { pagerCommand, showIn } from './pager.ts'
import { colorLevel, createPaint, type Paint } from './paint.ts'
import { type Line, render, styled } from './text.ts'

export interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean | undefined
  /** Whether nothing is written, which the result says. */
  readonly isDry?: () => boolean
  readonly pager: boolean
}

/** Where a command says things: stdout is the result, stderr is everything else. */
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
  /** Where the working directory is below a pipeline's checkout, with `/` between; nothing at its root and elsewhere. */
  readonly folder: string
  /** The command's one result: the value under --json, else its lines. */
  result(value: unknown, lines: () => readonly Line[]): void
  /** The same for a result that may be long: on a terminal where it does not fit, a pager shows its lines. */
  listing(value: unknown, lines: () => readonly Line[]): Promise<void>
  /** The result as JSON, whatever the options say. */
  document(value: unknown): void
  /** Text from elsewhere, byte for byte; on a terminal without what is unsafe there. */
  raw(text: string): void
  /** A line of a result that comes as it happens (one line of JSON, or text). */
  event(value: unknown, line: Line): void
  /** What is good to know; --quiet leaves it out. */
  note(line: Line): void
  /** What needs attention; always said. */
  warn(line: Line): void
  /** Lines about a failure, on stderr. */
  complain(lines: readonly Line[]): void
}

const defaultColumns = 80

/** JSON that is safe on a terminal: what JSON would leave as it is is escaped as JSON escapes it, and means the same. */
const jsonText = (value: unknown, indent?: number) => printable(JSON.stringify(value, null, indent))

function folderBelow(root: string | undefined, cwd: string): string {
  const folder = root ? relative(root, cwd) : ''
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder.replaceAll('\\', '/')
}

export async function createOutput(
  host: Host,
  { json, quiet, color, pager: wanted, isDry = () => false }: OutputOptions,
): Promise<Output> {
  const { stdout, stderr, env } = host
  const paintOf = (sink: { isTTY?: boolean }) =>
    createPaint(colorLevel({ flag: color, env, isTTY: sink.isTTY === true }))
  const [paint, notePaint] = await Promise.all([paintOf(stdout), paintOf(stderr)])
  const print = (line: Line) => stdout.write(`${render(line)}\n`)
  const pager = pagerCommand({ wanted: wanted && stdout.isTTY === true, env })
  const document = (value: unknown) =>
    stdout.write(`${jsonText(isDry() && isObject(value) ? { ...value, dry_run: true } : value, 2)}\n`)
  const say = (line: Line) => stderr.write(`${render(line)}\n`)
  return {
    json,
    quiet,
    paint,
    notePaint,
    isTTY: stdout.isTTY === true,
    columns: stdout.columns || defaultColumns,
    noteColumns: stderr.columns || defaultColumns,
    folder: folderBelow(env.GITHUB_WORKSPACE, host.cwd),
    document,
    raw: (text) => stdout.write(stdout.isTTY ? printable(text) : text),
    result: (value, lines) => {
      if (json) document(value)
      else for (const line of lines()) print(line)
    },
    listing: async (value, lines) => {
      if (json) return void document(value)
      const all = lines()
      const isLong = stdout.rows !== undefined && all.length >= stdout.rows
      if (pager && isLong && (await showIn(pager, all.map((line) => `${render(line)}\n`).join(''), host))) return
      for (const line of all) print(line)
    },
    event: (value, line) => {
      if (json) stdout.write(`${jsonText(value)}\n`)
      else say(line)
    },
    note: (line) => {
      if (!quiet) say(line)
    },
    warn: (line) => say(styled`${notePaint.yellow('warning:')} ${line}`),
    complain: (lines) => lines.forEach(say),
  }
}
