import { printable } from '../../documents/report/printable.ts'
import type { Log } from '../../server/log.ts'
import type { Context } from '../context.ts'
import type { Output } from '../io/output.ts'
import { type Line, render } from '../io/text.ts'
import type { Command } from './command.ts'

/** How a service prints its requests on stderr. */
export const logFormats = ['text', 'json', 'none'] as const
export type LogFormat = (typeof logFormats)[number]

/** By default nothing is printed beside a command, whose output is there, too. */
export const logFormatOf = (given: LogFormat | undefined, command: Command, { quiet }: Output): LogFormat =>
  given ?? (command || quiet ? 'none' : 'text')

/** Prints what a service reports after `begin`. */
export function requestLog(format: LogFormat, context: Context) {
  if (format === 'none') return undefined
  const print = format === 'json' ? jsonLog(context) : (line: string) => context.output.complain([line])
  let hasBegun = false
  const log: Log = (...logged) => {
    if (hasBegun) print(...logged)
  }
  return {
    log,
    begin: () => {
      hasBegun = true
    },
  }
}

const jsonLog =
  (context: Context): Log =>
  (message, logged) => {
    if (logged) logLine(logged.event === 'error' ? 'error' : 'info', logged, context)
    else logLine('warn', { event: 'note', message }, context)
  }

/** Writes a line of JSON on stderr. */
export function logLine(level: 'info' | 'warn' | 'error', logged: object, { host }: Pick<Context, 'host'>): void {
  host.stderr.write(`${printable(JSON.stringify({ time: host.now().toISOString(), level, ...logged }))}\n`)
}

/** The same output with notes and warnings as lines of JSON, and events only with --json. */
export function loggedOutput(context: Context): Output {
  const { output } = context
  const logged = (level: 'info' | 'warn') => (line: Line) =>
    logLine(level, { event: 'note', message: render(line) }, context)
  return {
    ...output,
    note: logged('info'),
    warn: logged('warn'),
    complain: (lines) => lines.forEach(logged('warn')),
    event: (value, line) => {
      if (output.json) output.event(value, line)
    },
  }
}
