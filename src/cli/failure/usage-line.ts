import type { Argument, Command } from 'commander'
import { pathOf } from './command-path.ts'

/** The command that words name, with what it takes: `vatom template bump TEMPLATE [PATH...]`. */
export function usageLine({ commands }: Command, words: readonly string[]): string {
  const path = pathOf(commands, words)
  const taken = path.at(-1)?.registeredArguments ?? []
  return ['vatom', ...path.map((command) => command.name()), ...taken.map(argumentWord)].join(' ')
}

function argumentWord(argument: Argument): string {
  const word = `${argument.name().toUpperCase()}${argument.variadic ? '...' : ''}`
  return argument.required ? word : `[${word}]`
}
