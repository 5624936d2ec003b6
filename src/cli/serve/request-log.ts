import { printableJson } from '../../contract/printable.ts'
import { withoutCommands } from '../../documents/report/log-commands.ts'
import type { Log } from '../../server/log.ts'
import type { Context } from '../context.ts'
import { Reported } from '../failure/failure.ts'
import { failureJson } from '../failure/report.ts'
import { toFailure } from '../failure/translate.ts'
import { lineWriter, type Output } from '../io/output.ts'
import { createPaint } from '../io/paint.ts'
import { type Line, render } from '../io/text.ts'

/** How a service prints its requests on stderr. */
export const logFormats = ['text', 'json', 'none'] as const
export type LogFormat = (typeof logFormats)[number]

/** By default nothing is printed beside a command, whose output is there, too. */
export const logFormatOf = (given: LogFormat | undefined, hasCommand: boolean, { quiet }: Output): LogFormat =>
  given ?? (hasCommand || quiet ? 'none' : 'text')

/** Prints what a service reports after `begin`, and with JSON its `end`. */
export function requestLog(format: LogFormat, { host }: Pick<Context, 'host'>) {
  if (format === 'none') return undefined
  const printer = format === 'json' ? jsonLog : textLog
  let print: Log = () => {}
  let end = () => {}
  const log: Log = (...logged) => print(...logged)
  return {
    log,
    begin: () => {
      const logging = { host: { ...host, stderr: host.openLog() } }
      print = printer(logging)
      if (format === 'json') end = () => logLine('info', { event: 'stop' }, logging)
    },
    end: () => end(),
  }
}

function textLog({ host }: Pick<Context, 'host'>): Log {
  const write = lineWriter(host.stderr, host.env)
  return (line) => write([line])
}

const jsonLog =
  (context: Pick<Context, 'host'>): Log =>
  (message, logged) => {
    if (logged) logLine(logged.event === 'error' ? 'error' : 'info', logged, context)
    else logLine('warn', { event: 'note', message }, context)
  }

/** Writes a line of JSON on stderr. */
export function logLine(level: 'info' | 'warn' | 'error', logged: object, { host }: Pick<Context, 'host'>): void {
  const line = printableJson(JSON.stringify({ time: host.now().toISOString(), level, ...logged }))
  host.stderr.write(`${withoutCommands(host.env)(line)}\n`)
}

/** The same output with each note and warning as one line of JSON, and events only with --json. */
export async function loggedOutput(context: Context): Promise<Output> {
  const { output } = context
  const log = (level: 'info' | 'warn', lines: readonly Line[]) => {
    const message = lines.map(render).join('\n').trimEnd()
    if (message !== '') logLine(level, { event: 'note', message }, context)
  }
  return {
    ...output,
    notePaint: await createPaint(0),
    note: (line) => log('info', [line]),
    warn: (line) => log('warn', [line]),
    complain: (lines) => log('warn', lines),
    event: (value, line) => {
      if (output.json) output.event(value, line)
    },
  }
}

/** Logs why a command fails; with --json it is the result, too, if that was not shown yet. Throws Reported. */
export async function logFailure(error: unknown, { host, output, globals }: Context): Promise<never> {
  if (error instanceof Reported) {
    output.complain(error.ending)
    throw new Reported(error.exitCode)
  }
  const failure = await toFailure(error, host)
  const failed = failureJson(failure, output)
  const stack = globals.debug && error instanceof Error ? { stack: error.stack } : {}
  logLine('error', { event: 'error', ...failed, ...stack }, { host })
  if (output.json) output.result({ error: failed }, () => [])
  throw new Reported(failure.exitCode)
}
