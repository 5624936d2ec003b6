import type { Command } from 'commander'
import { claimedOptions } from './claimed.ts'
import { type Context, createContext } from './context.ts'
import type { DryRunOption } from './dry-run/option.ts'
import { type ExitCode, exit } from './failure/failure.ts'
import { report } from './failure/report.ts'
import type { Family } from './families/families.ts'
import type { Globals } from './globals.ts'
import type { Host } from './host.ts'
import { createOutput } from './io/output.ts'
import { addCommands, createProgram } from './program.ts'
import { version } from './version.ts'
import { type FamilyName, familyOf, firstWord, topics, words } from './words.ts'

export type FamilyLoaders = Readonly<Partial<Record<FamilyName, () => Promise<Family>>>>

/**
 * Runs one command line, from its words to its exit code. Every failure ends here: nothing below writes an exit
 * code or a stack trace.
 */
export async function main(argv: readonly string[], host: Host, families: FamilyLoaders): Promise<number> {
  const { claimed, forProgram, forCommand } = claimedOptions(argv)
  const { own, rest } = divided(argv)
  const reader = createProgram(host)
  const program = createProgram(host, claimed)
  let context: Context | undefined
  try {
    reader.parseOptions(forProgram)
    const globals = reader.opts<Globals & { version?: boolean }>()
    if (globals.version) return printVersion(host)
    context = await createContext(host, globals, rest)
    const family = familyOf(argv)
    heedDryRun(program, context)
    addCommands(program, (family && (await families[family]?.()))?.commands(context) ?? [])
    if (argv.length === 0) return printHelp(program, host)
    await program.parseAsync(commandLine(forCommand), { from: 'user' })
    return host.signal.aborted ? exit.interrupted : exit.done
  } catch (error) {
    return report(error, {
      host,
      output: context?.output ?? (await plainOutput(own, host)),
      debug: own.includes('--debug'),
    })
  } finally {
    await context?.close()
  }
}

/** A command that is told --dry-run writes nothing, whatever it does. */
const heedDryRun = (program: Command, context: Context) =>
  program.hook('preAction', (_, command) => {
    if (command.opts<DryRunOption>().dryRun) context.rehearse()
  })

/** What stands before `--`, and what stands behind it and is another program's. */
function divided(argv: readonly string[]): { own: readonly string[]; rest?: readonly string[] } {
  const end = argv.indexOf('--')
  return end < 0 ? { own: argv } : { own: argv.slice(0, end), rest: argv.slice(end + 1) }
}

/**
 * `help template create` asks for the help of `template create`; `help environment` for the page that the word itself
 * prints. A word nobody knows is told as such before any help is shown for it.
 */
function commandLine(argv: readonly string[]): string[] {
  const asked = argv[0] === 'help' && argv.length > 1 ? [...argv.slice(1), '--help'] : [...argv]
  const word = firstWord(asked)
  const hasHelp = word === undefined || word === 'help' || (Object.hasOwn(words, word) && !isTopic(word))
  return hasHelp ? asked : asked.filter((one) => one !== '--help' && one !== '-h')
}

/** Where the options themselves could not be read. */
const plainOutput = (argv: readonly string[], host: Host) =>
  createOutput(host, { json: argv.includes('--json'), quiet: false, color: undefined, pager: false })

const isTopic = (word: string) => topics.some((topic) => topic === word)

function printVersion(host: Host): ExitCode {
  host.stdout.write(`${version}\n`)
  return exit.done
}

function printHelp(program: ReturnType<typeof createProgram>, host: Host): ExitCode {
  host.stdout.write(program.helpInformation())
  return exit.done
}
