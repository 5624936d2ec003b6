import { Command } from 'commander'
import type { Context } from './context.ts'
import { verbAliases } from './synonyms.ts'

/** Makes a command. */
export type Make = (context: Context) => Command | Promise<Command>

/** Commands by their names, in the order of their help; each is loaded when a command line or a help needs it. */
export type Verbs = Readonly<Record<string, () => Promise<Make>>>

/** A command that only holds others. */
interface Noun {
  readonly name: string
  /** Its line in the help of the command above it; the first words have theirs in `words`. */
  readonly summary?: string
  readonly description: string
  readonly examples: readonly string[]
  readonly verbs: Verbs
}

/** Makes a noun: for a command line that has one of its verbs right behind it with that verb alone, else with all. */
export const nounCommand =
  ({ name, summary = '', description, examples, verbs }: Noun) =>
  async (context: Context, typed?: string): Promise<Command> => {
    const head = examples.length === 1 ? 'Example' : 'Examples'
    const noun = new Command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', `\n${head}:\n${examples.map((example) => `  ${example}`).join('\n')}`)
    const aliasesOf = (verb: string) => verbAliases(verb).filter((alias) => !Object.hasOwn(verbs, alias))
    const all = Object.entries(verbs)
    const meant = all.filter(([verb]) => [verb, ...aliasesOf(verb)].some((one) => one === typed))
    const commands = (meant.length > 0 ? meant : all).map(async ([verb, load]) =>
      (await (await load())(context)).aliases(aliasesOf(verb)),
    )
    for (const command of await Promise.all(commands)) noun.addCommand(command)
    return noun
  }
