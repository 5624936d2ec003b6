import type { Argument, Command } from 'commander'
import { pathOf } from './command-path.ts'

/** The command that words name, with what it takes: `vatom template bump TEMPLATE [PATH...]`, and which words that can be. */
export function usageLine({ commands }: Command, words: readonly string[]): string {
  const path = pathOf(commands, words)
  const taken = path.at(-1)?.registeredArguments ?? []
  const line = ['vatom', ...path.map((command) => command.name()), ...taken.map(argumentWord)].join(' ')
  return [line, ...taken.flatMap(choicesNote)].join(', ')
}

function argumentWord(argument: Argument): string {
  const word = `${argument.name().toUpperCase()}${argument.variadic ? '...' : ''}`
  return argument.required ? word : `[${word}]`
}

const choicesNote = (argument: Argument): string[] =>
  argument.argChoices ? [`where ${argumentWord(argument)} is one of ${argument.argChoices.join(', ')}`] : []
