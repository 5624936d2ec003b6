import type { Command } from 'commander'
import { shellWord } from '../io/text.ts'
import { pathOf } from './command-path.ts'
import { type Failure, usage } from './failure.ts'

type FlagFor = (argument: string) => string | undefined

const addressFlag: FlagFor = (text) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? '--email' : /^\+\d+$/.test(text) ? '--phone' : undefined

/** The flag that the first extra argument of a command is meant for. */
const flags: ReadonlyMap<string, FlagFor> = new Map<string, FlagFor>([
  ['login', addressFlag],
  ['user register', addressFlag],
  ['emit', (text) => (/^\d+$/.test(text) ? '--num' : undefined)],
])

/** First words of commands that people give passwords and codes to: of their arguments only addresses are repeated. */
const secretive: readonly string[] = ['login', 'user', 'profile', 'auth']

/** The usage failure for more arguments than the command of these words takes. */
export function excessArguments(program: Command, operands: readonly string[]): Failure {
  const path = pathOf(program.commands, operands)
  const words = path.map((command) => command.name())
  const { args = [], registeredArguments = [] } = path.at(-1) ?? {}
  const taken = args.slice(0, registeredArguments.length)
  const extra = args.slice(taken.length)
  const [first = ''] = extra
  const repeated = !secretive.includes(words[0] ?? '') || (extra.length === 1 && addressFlag(first) !== undefined)
  const command = ['vatom', ...words].join(' ')
  const flag = flags.get(words.join(' '))?.(first)
  return usage(
    `too many arguments: ${command} takes ${taken.length || 'none'}; ${repeated ? `not expected: ${extra.join(', ')}` : `${args.length} are given`}`,
    flag === undefined
      ? 'to see how to use it, add --help'
      : `run: ${[command, ...taken.map(shellWord), flag, shellWord(first)].join(' ')}`,
  )
}
