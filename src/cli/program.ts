import { Command } from 'commander'
import { globalOptions } from './global-options.ts'
import { commandUsage, formatHelp, optionsLine, subcommandTerm, takeHelpText } from './help.ts'
import type { Host } from './host.ts'
import { groups, hidden, words } from './words.ts'

/**
 * The root command with its global options, those that the command means otherwise left out. `showHelp` gets help that
 * was asked for.
 */
export function createProgram(
  host: Host,
  claimed: readonly string[] = [],
  showHelp: (text: string) => unknown = (text) => host.stdout.write(text),
): Command {
  const width = host.stdout.columns || 80
  const program = new Command('vatom')
    .description('Publish digital objects (vAtoms): templates, variations, faces, and the objects made from them.')
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(helpCommand('Tools:'))
    .configureHelp({ helpWidth: width, formatHelp, subcommandTerm, commandUsage })
    .configureOutput({
      writeOut: showHelp,
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

const examples = `
Examples:
  vatom init shop                      write a starter catalog
  vatom validate shop                  check the files
  vatom plan shop                      show what they would change
  vatom apply shop                     apply them, by default on this machine
  vatom login --base-url https://api.example.com --app-id ID
  vatom serve                          run the service for apps on this machine

${optionsLine}

Exit codes: 0 done, 1 refused, 2 usage, 3 invalid documents, 4 no session,
5 no answer, 6 partly done, 10 something to do (plan --exit-code), 126 and 127
no command to run (serve -- COMMAND), 130 interrupted.`

const helpCommand = (group: string) =>
  new Command('help')
    .argument('[command]')
    .description('show help for a command, or a page of the manual')
    .helpOption(false)
    .helpGroup(group)

/** Adds some commands, and a line in the help for each of the others. */
export function addCommands(program: Command, commands: readonly Command[]): void {
  for (const [group, members] of Object.entries(groups))
    for (const word of members) {
      const command = commands.find((one) => one.name() === word) ?? new Command(word).helpOption(false)
      command.summary(words[word].summary).helpGroup(group)
      program.addCommand(command, { hidden: hidden.includes(word) })
    }
  inherit(program)
}

/** addCommand hands down no settings, so a usage error below it would end the process. */
function inherit(parent: Command): void {
  takeHelpText(parent)
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    if (command.commands.length > 0) command.addHelpCommand(helpCommand('Commands:'))
    inherit(command)
  }
}
