import type { Command } from 'commander'
import { type Format, formats } from '../contract/values.ts'
import { codeOf } from '../file-system.ts'
import { type CommandLine, readCommandLine } from './command-line.ts'
import { type Context, createContext } from './context.ts'
import type { DryRunOption } from './dry-run/option.ts'
import { refuseEmptyArguments } from './failure/empty-arguments.ts'
import { allSent, type ExitCode, exit, interrupted, usage } from './failure/failure.ts'
import { failureLines, report } from './failure/report.ts'
import type { Globals } from './globals.ts'
import { type Host, isTerminal } from './host.ts'
import { isCutShort } from './interruption.ts'
import { createOutput } from './io/output.ts'
import type { FormatOption } from './kinds/problems.ts'
import { addCommands, createProgram } from './program.ts'
import { useSchemasAsTheyAre } from './schemas-as-they-are.ts'
import { withTrimmedVariables } from './trimmed-variables.ts'
import { version } from './version.ts'
import { type Entry, type Surroundings, words } from './words.ts'

/**
 * Runs one command line, from its words to its exit code. Every failure ends here: nothing below writes an exit
 * code or a stack trace.
 */
export async function main(argv: readonly string[], given: Host): Promise<number> {
  const host = withTrimmedVariables(given)
  const line = readCommandLine(argv)
  const { word, own, claimed, forProgram, forCommand } = line
  useSchemasAsTheyAre(word)
  const help: string[] = []
  const program = createProgram(host, claimed, (text) => help.push(text))
  // What reads the global options must know all of them.
  const reader = claimed.length > 0 ? createProgram(host) : program
  let context: Context | undefined
  let isBegun = false
  try {
    reader.parseOptions(forProgram)
    const globals = reader.opts<Globals & { version?: boolean; v?: boolean }>()
    if (globals.version || globals.v) return printVersion(globals, host)
    context = await createContext(host, globals, line)
    writeNothingInDryRuns(program, context)
    program.hook('preAction', (_, command) => {
      refuseEmptyArguments(command)
      refuseOtherFormat(command, globals)
      isBegun = true
    })
    addCommands(program, word ? [await (await words[word].load()).command(context, line.verb)] : [])
    if (argv.length === 0) program.help({ error: !isTerminal(host.stdout) })
    await program.parseAsync(forCommand, { from: 'user' })
    // Its result is that of a success, and nothing else says why the exit code is not.
    if (isCutShort(host)) context.output.complain(failureLines(interrupted(allSent), context.output))
    return host.signal.aborted ? exit.interrupted : exit.done
  } catch (error) {
    const output = context?.output ?? (await plainOutput(own, host))
    const why = await explained(error, line, program, context)
    if (!isBegun && !isHelp(error)) await leaveNothing(line, { host, output }, why)
    return report(why, {
      host,
      output,
      debug: own.includes('--debug'),
      help: help.join(''),
      format: formatIn(own),
      warnings: context?.warnings.take(),
    })
  } finally {
    host.reported()
    await context?.close()
  }
}

const isHelp = (error: unknown) => String(codeOf(error)).startsWith('commander.help')

/**
 * Lets the command of a line that was refused before it began remove or replace what nobody may take for its result. Where
 * it cannot, why the line was refused is all that is reported.
 */
async function leaveNothing(line: CommandLine, surroundings: Surroundings, why: unknown): Promise<void> {
  if (line.word === undefined) return
  const entry: Entry = words[line.word]
  const { refused } = await entry.load()
  await refused?.(line, surroundings, why).catch(() => undefined)
}

/** The error; one of the parser as a usage error, which names what to run instead of a command that does not exist. */
async function explained(
  error: unknown,
  line: CommandLine,
  program: Command,
  context: Context | undefined,
): Promise<unknown> {
  const code = String(codeOf(error))
  if (!(error instanceof Error && /^commander\.(?!help)/.test(code))) return error
  if (context !== undefined && code === 'commander.unknownCommand') {
    const { unknownCommand } = await import('./failure/unknown-command.ts')
    return unknownCommand(line, context)
  }
  if (code === 'commander.excessArguments') {
    const { excessArguments } = await import('./failure/excess-arguments.ts')
    return excessArguments(program, line)
  }
  const { parserFailure } = await import('./failure/parser-errors.ts')
  return parserFailure(error.message, line.operands, program)
}

/** The format of problems that a command line asks for, also where it cannot be parsed. */
const formatIn = (own: readonly string[]): Format | undefined =>
  formats.find((format) =>
    own.some((word, at) => word === `--format=${format}` || (word === format && own[at - 1] === '--format')),
  )

/** Throws a usage error for a format of problems beside --json, which is another. */
function refuseOtherFormat(command: Command, { json }: Globals): void {
  const { format } = command.optsWithGlobals<Partial<FormatOption>>()
  if (json && format !== 'json' && command.getOptionValueSourceWithGlobals('format') === 'cli')
    throw usage(`--json and --format ${format} cannot be used together`, 'leave one of them out')
}

/** A command with --dry-run writes nothing, whatever it does. */
const writeNothingInDryRuns = (program: Command, context: Context) =>
  program.hook('preAction', (_, command) => {
    if (command.opts<DryRunOption>().dryRun) context.startDryRun()
  })

/** Where the options themselves could not be read. */
const plainOutput = (argv: readonly string[], host: Host) =>
  createOutput(host, { json: argv.includes('--json'), quiet: false, color: undefined, pager: false })

function printVersion({ json }: Globals, host: Host): ExitCode {
  host.stdout.write(`${json ? JSON.stringify({ version }, null, 2) : version}\n`)
  return exit.done
}
