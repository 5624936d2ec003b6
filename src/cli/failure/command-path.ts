import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'

/** The command that a word names; undefined if none has this name or alias. */
export const named = (word: string, commands: readonly Command[]): Command | undefined =>
  commands.find((command) => command.name() === word || command.aliases().includes(word))

/** The commands that the first of several words name, each within the one before it. */
export function pathOf(commands: readonly Command[], words: readonly string[]): Command[] {
  const path: Command[] = []
  for (const word of words) {
    const next = named(word, path.at(-1)?.commands ?? commands)
    if (next === undefined) break
    path.push(next)
  }
  return path
}

/** The flags of a command line that a hint repeats: what was to be tried is not hinted at to be done. */
export const repeatedFlags = ({ own }: Pick<CommandLine, 'own'>): readonly string[] =>
  own.includes('--dry-run') ? ['--dry-run'] : []
