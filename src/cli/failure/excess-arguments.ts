import type { Command } from 'commander'
import { type CommandLine, givenValue } from '../command-line.ts'
import { inTitles } from '../discover/in-titles.ts'
import { flagOf } from '../io/option-values.ts'
import { shellLine, shellWord } from '../io/text.ts'
import { isIdText } from '../kinds/short-id.ts'
import { pathOf, repeatedFlags } from './command-path.ts'
import { type Failure, usage } from './failure.ts'

type TextFor = (argument: string, line: CommandLine) => string | undefined

const addressFlag: TextFor = (text) =>
  /^[^\s@/]+@[^\s@]+\.[^\s@]+$/.test(text) ? '--email' : /^\+\d+$/.test(text) ? '--phone' : undefined

/** A field and its value, `first_name=Ada`, as a flag with the value behind it. */
const fieldFlag: TextFor = (text) => {
  const [, field, value] = /^((?:first|last)_name|language)=(.+)$/.exec(text) ?? []
  return field === undefined || value === undefined ? undefined : `${flagOf(field)} ${shellWord(value)}`
}

const withText =
  (flagOfText: TextFor): TextFor =>
  (text, line) => {
    const flag = flagOfText(text, line)
    return flag && `${flag} ${shellWord(text)}`
  }

/** The address of a service; one with a password in it is not repeated. */
function serviceFlags(text: string, { own }: CommandLine): string | undefined {
  if (!/^https?:/.test(text)) return undefined
  return `--base-url ${text.includes('@') ? 'URL' : shellWord(text)} --app-id ${shellWord(givenValue('--app-id', own) ?? 'ID')}`
}

/** A word behind a command that takes none, as the context that it names; undefined for an address. */
const contextFlag: TextFor = (text) => (text.includes('@') ? undefined : `--context ${shellWord(text)}`)

const isComparison = (text: string): boolean => /^[^\s=!<>~]+\s*[=!<>~]/.test(text)

/** What the first extra argument of a command is meant for, as flags. */
const flags: ReadonlyMap<string, TextFor> = new Map<string, TextFor>([
  ['login', (text, line) => serviceFlags(text, line) ?? withText(addressFlag)(text, line)],
  ['user register', withText(addressFlag)],
  ['emit', withText((text) => (/^\d+$/.test(text) ? '--num' : undefined))],
  ['context add', serviceFlags],
  ['logout', contextFlag],
  ['whoami', contextFlag],
  ['inventory', withText((text) => (isIdText(text) ? '--folder' : undefined))],
  ['profile set', fieldFlag],
  ['discover', withText((text) => (isComparison(text) ? '--filter' : undefined))],
  // A code is a secret, and not repeated.
  ['user token verify', () => '--code CODE'],
  ['act', () => '-d KEY=VALUE'],
  ['variation list', withText(() => '--template')],
])

/** What an argument that a command does not take is meant for, as flags; undefined where that is not known. */
export const flagsFor = (command: string, argument: string, line: CommandLine): string | undefined =>
  flags.get(command)?.(argument, line)

const deletesOwn =
  'it deletes who is signed in; to delete another user, sign in as that user: vatom login --context NAME'

/** How else to do what an extra argument of a command is meant for, where no flag of it does that. */
const elsewhere: ReadonlyMap<string, (text: string) => string> = new Map([
  ['discover', inTitles],
  ['user delete', () => deletesOwn],
])

/** First words of commands that people give passwords and codes to: of their arguments only addresses are repeated. */
const secretive: readonly string[] = ['login', 'user', 'profile', 'auth']

/** A name with spaces in it that a shell took for several words; undefined where the words are none. */
function brokenName(first: string | undefined, others: readonly string[]): string | undefined {
  const isPart = (word: string) => !/^(\$publisher|[\w-]+(\.[\w-]+)+)::/.test(word)
  // What has a version already is a whole name, and what follows is another one.
  const isBegun = first?.includes('::') && !/::v\d/.test(first)
  const isBroken = isBegun && others.some((word) => word.includes('::')) && others.every(isPart)
  return isBroken ? [first, ...others].join(' ') : undefined
}

/** Words of a command line: those of its command, and its arguments. */
interface Excess {
  readonly command: string
  readonly name: string
  readonly taken: readonly string[]
  readonly extra: readonly string[]
}

/** What to do about arguments that a command does not take. */
function remedyFor({ command, name, taken, extra }: Excess, line: CommandLine): string {
  const whole = brokenName(taken.at(-1), extra)
  if (whole !== undefined) return `put the name in quotes: ${shellLine(command, [...taken.slice(0, -1), whole])}`
  const rest = flagsFor(name, extra[0] ?? '', line)
  if (rest !== undefined) return `run: ${[shellLine(command, taken), rest, ...repeatedFlags(line)].join(' ')}`
  return ['to see how to use it, add --help', elsewhere.get(name)?.(extra.join(' '))].filter(Boolean).join('; ')
}

/** The usage failure for more arguments than the command of a command line takes. */
export function excessArguments(program: Command, line: CommandLine): Failure {
  const path = pathOf(program.commands, line.operands)
  const words = path.map((command) => command.name())
  const { args = [], registeredArguments = [] } = path.at(-1) ?? {}
  const taken = args.slice(0, registeredArguments.length)
  const extra = args.slice(taken.length)
  const [first = ''] = extra
  const repeated = !secretive.includes(words[0] ?? '') || (extra.length === 1 && addressFlag(first, line) !== undefined)
  const command = ['vatom', ...words].join(' ')
  const name = words.join(' ')
  return usage(
    `too many arguments: ${command} takes ${taken.length || 'none'}; ${repeated ? `not expected: ${extra.join(', ')}` : `${args.length} are given`}`,
    remedyFor({ command, name, taken, extra }, line),
  )
}
