import { Command, InvalidArgumentError, Option } from 'commander'
import { commandUsage, formatHelp, subcommandTerm, takeHelpText } from './help.ts'
import type { Host } from './host.ts'
import { hidden, topics, type Word, words } from './words.ts'

/** The root command with its global options, those that the command means otherwise left out. */
export function createProgram(host: Host, claimed: readonly string[] = []): Command {
  const width = host.stdout.columns || 80
  const program = new Command('vatom')
    .description('Publish digital objects (vAtoms): templates, variations, faces, and the objects made from them.')
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command, or a page of the manual')
    .configureHelp({ showGlobalOptions: true, helpWidth: width, formatHelp, subcommandTerm, commandUsage })
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      outputError: () => {},
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .exitOverride()
  for (const option of globalOptions()) if (!claimed.includes(option.long ?? '')) program.addOption(option)
  program.addHelpText('after', examples)
  return program
}

const globalOptions = (): Option[] => [
  new Option('--context <name>', 'talk to a saved context'),
  new Option('--base-url <url>', 'talk to the service at this address (with --app-id)'),
  new Option('--app-id <id>', 'application id for --base-url, or for vatom serve'),
  new Option('--timeout <seconds>', 'give up on a request after this long').default(30).argParser(seconds),
  new Option('--insecure', 'allow plain http to other machines'),
  new Option('--json', 'print one JSON document on stdout'),
  new Option('--quiet', 'print no notes on stderr'),
  new Option('--debug', 'show the cause of an unexpected failure'),
  new Option('--no-input', 'never ask, fail instead'),
  new Option('--no-pager', 'print long output without a pager'),
  new Option('--color', 'use colours'),
  new Option('--no-color', 'use no colours'),
  new Option('-V, --version', 'print the version'),
  new Option('-v').hideHelp(),
]

const examples = `
Examples:
  vatom init shop                      write a starter catalog
  vatom validate shop                  check the files
  vatom plan shop                      show what they would change
  vatom apply shop                     apply them, by default on this machine
  vatom login --base-url https://api.example.com --app-id ID
  vatom serve                          run the service for apps on this machine

Exit codes: 0 done, 1 refused, 2 usage, 3 invalid documents, 4 no session,
5 no answer, 6 partly done, 10 something to do (plan --exit-code), 126 and 127
no command to run (serve -- COMMAND), 130 interrupted.`

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 86_400))
    throw new InvalidArgumentError(`it must be a number of seconds above 0, not ${text}`)
  return value
}

/** Adds some commands, and a line in the help for each of the others. */
export function addCommands(program: Command, commands: readonly Command[]): void {
  for (const word of Object.keys(words) as Word[]) {
    const command = commands.find((one) => one.name() === word) ?? new Command(word).helpOption(false)
    command.summary(words[word].summary).helpGroup(groupOf(word))
    program.addCommand(command, { hidden: hidden.includes(word) })
  }
  inherit(program)
}

const groupOf = (word: Word) => (topics.includes(word) ? 'Manual pages:' : 'Commands:')

/** addCommand hands down no settings, so a usage error below it would end the process. */
function inherit(parent: Command): void {
  takeHelpText(parent)
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inherit(command)
  }
}
