import { Command } from 'commander'
import type { Context } from './context.ts'
import { verbAliases } from './synonyms.ts'

/** Makes a command. */
export type Make = (context: Context) => Command

/** A command that only holds others. */
interface Noun {
  readonly name: string
  /** Its line in the help of the command above it; the first words have theirs in `words`. */
  readonly summary?: string
  readonly description: string
  readonly examples: readonly string[]
  /** Its commands, in the order of its help. */
  readonly verbs: readonly Make[]
}

export const nounCommand =
  ({ name, summary = '', description, examples, verbs }: Noun): Make =>
  (context) => {
    const head = examples.length === 1 ? 'Example' : 'Examples'
    const noun = new Command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', `\n${head}:\n${examples.map((example) => `  ${example}`).join('\n')}`)
    const commands = verbs.map((verb) => verb(context))
    const names = commands.map((command) => command.name())
    for (const command of commands)
      noun.addCommand(command.aliases(verbAliases(command.name()).filter((alias) => !names.includes(alias))))
    return noun
  }
