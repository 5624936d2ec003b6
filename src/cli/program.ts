import { Command, InvalidArgumentError, Option } from 'commander'
import type { Host } from './host.ts'
import { type Word, words } from './words.ts'

/** The root command with its global options; `print` and `complain` take what commander writes. */
export function createProgram(host: Host): Command {
  const program = new Command('vatom')
    .description('Publish digital objects (vAtoms): templates, variations, faces, and the objects made from them.')
    .usage('COMMAND [options]')
    .option('--context <name>', 'talk to a saved context')
    .option('--base-url <url>', 'talk to the service at this address (with --app-id)')
    .option('--app-id <id>', 'application id for --base-url')
    .addOption(new Option('--timeout <seconds>', 'give up on a request after this long').default(30).argParser(seconds))
    .option('--insecure', 'allow plain http beyond this machine')
    .option('--json', 'print one JSON document on stdout')
    .option('--quiet', 'leave out notes on stderr')
    .option('--debug', 'show the cause of an unexpected failure')
    .option('--no-input', 'never ask, fail instead')
    .option('--color', 'use colours')
    .option('--no-color', 'use no colours')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true, helpWidth: host.stdout.columns || 80 })
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      outputError: () => {},
    })
    .exitOverride()
    .showSuggestionAfterError()
  program.addHelpText('after', examples)
  return program
}

const examples = `
Examples:
  vatom template create coffee.yaml    on this machine, unless told otherwise
  vatom template validate catalog/     check every template of a folder
  vatom login --base-url https://api.example.com --app-id ID
  vatom serve                          the service, for apps on this machine

Exit codes: 0 done, 1 refused, 2 usage, 3 invalid documents, 4 no session,
5 no answer, 6 partly done, 130 interrupted.`

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 86_400))
    throw new InvalidArgumentError(`it must be a number of seconds above 0, not ${text}`)
  return value
}

/** Adds the commands of the family that answers, and a line in the help for each of the others. */
export function addCommands(program: Command, commands: readonly Command[]): void {
  for (const word of Object.keys(words) as Word[]) {
    const command = commands.find((one) => one.name() === word) ?? new Command(word).helpOption(false)
    program.addCommand(command.summary(words[word].summary))
  }
  inherit(program)
}

/** addCommand hands down no settings, so a usage error below it would end the process. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inherit(command)
  }
}
