import type { Command } from 'commander'
import { readCommandLine } from '../../src/cli/command-line.ts'
import { createContext } from '../../src/cli/context.ts'
import { addCommands, createProgram } from '../../src/cli/program.ts'
import { words } from '../../src/cli/words.ts'
import { hostWith } from './host.ts'

/**
 * Reads a command line as the program does, without carrying it out. Answers the names of the command; rejects for an unknown
 * word or option, and for too many or too few arguments.
 */
export async function parsedCommand(argv: readonly string[]): Promise<string> {
  const line = readCommandLine(argv)
  const { word, claimed, forCommand } = line
  if (word === undefined) throw new Error(`${argv[0]} is no command`)
  const host = hostWith()
  const program = createProgram(host, claimed)
  const context = await createContext(host, { timeout: 1, input: false, pager: false }, line)
  addCommands(program, [await (await words[word].load()).command(context, line.verb)])
  let found = ''
  for (const command of allOf(program))
    if (command.registeredArguments.length > 0 || command.commands.length === 0)
      command.action(() => {
        found = namesOf(command)
      })
  await program.parseAsync(forCommand, { from: 'user' })
  return found
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]

const namesOf = (command: Command): string =>
  command.parent?.parent ? `${namesOf(command.parent)} ${command.name()}` : command.name()
