import { type Argument, type Command, Help, type Option } from 'commander'
import { standardActions } from '../../contract/kinds/standard-actions.ts'
import type { Host } from '../host.ts'
import { addCommands, createProgram } from '../program.ts'

/** Where the values of a flag or an operand come from: a list of them, or a sort of thing. */
export type Values = readonly string[] | '@files' | '@folders' | '@templates' | '@variations' | '@contexts' | '@nothing'

export interface Flag {
  /** Without dashes: one letter, and a word. */
  readonly short: string | undefined
  readonly long: string | undefined
  readonly summary: string
  /** Undefined where none follows. */
  readonly values: Values | undefined
}

/** What can follow the words of a command. */
export interface Row {
  /** `template create`; empty for the root. */
  readonly path: string
  readonly words: readonly { readonly name: string; readonly summary: string }[]
  readonly flags: readonly Flag[]
  readonly operands: readonly Values[]
  /** Whether the last operand may come again. */
  readonly variadic: boolean
}

/** Every command of the tool and what can follow it, from the commands themselves; the first row is the root's. */
export function commandRows(host: Host, commands: readonly Command[]): Row[] {
  const program = createProgram(host)
  addCommands(program, commands)
  return rowsOf(program, [])
}

const help = new Help()

function rowsOf(command: Command, path: readonly string[]): Row[] {
  const words = help.visibleCommands(command)
  const row = {
    path: path.join(' '),
    words: words.map((word) => ({ name: word.name(), summary: word.summary() || word.description() })),
    flags: help.visibleOptions(command).map((option) => flagOf(option, path)),
    operands: command.registeredArguments.map((argument) => operandOf(argument, path)),
    variadic: command.registeredArguments.at(-1)?.variadic === true,
  }
  const named = words.filter((word) => word.name() !== 'help')
  return [row, ...named.flatMap((word) => rowsOf(word, [...path, word.name()]))]
}

function flagOf(option: Option, path: readonly string[]): Flag {
  const { short, long, description, argChoices } = option
  const takes = option.required || option.optional
  const [, placeholder = ''] = /[<[]([^>\].]+)/.exec(option.flags) ?? []
  return {
    short: short?.slice(1),
    long: long?.slice(2),
    summary: description,
    values: takes ? (argChoices ?? valuesOf(long?.slice(2) ?? '', placeholder, path)) : undefined,
  }
}

const operandOf = (argument: Argument, path: readonly string[]): Values =>
  argument.argChoices ?? valuesOf('', argument.name(), path)

/** Sorts of things by what a flag is called, or what its value or an operand is called in the help. */
const sorts: Readonly<Record<string, Values>> = {
  file: '@files',
  folder: '@folders',
  dir: '@folders',
  template: '@templates',
  variation: '@variations',
  context: '@contexts',
  action: standardActions.map(({ name }) => name),
}
/** Nouns whose names are known. */
const nouns: Readonly<Record<string, Values>> = {
  template: '@templates',
  variation: '@variations',
  context: '@contexts',
}

function valuesOf(flag: string, placeholder: string, [noun = '', verb]: readonly string[]): Values {
  if (placeholder === 'id') return '@nothing'
  const sort = [flag, placeholder].find((name) => Object.hasOwn(sorts, name))
  if (sort !== undefined) return sorts[sort] ?? '@nothing'
  if (placeholder === 'path' && noun !== 'api' && noun !== 'explain') return '@files'
  const isName = placeholder === 'name' && verb !== 'add' && (flag === '' || flag === 'confirm')
  return (isName && Object.hasOwn(nouns, noun) ? nouns[noun] : undefined) ?? '@nothing'
}

/** Flags that a value follows, each as it is typed. */
export const valueFlags = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ flags }) => flags.filter(({ values }) => values !== undefined).flatMap(typed))),
]

/** A flag's spellings. */
export const typed = ({ short, long }: Flag): string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  ...(long === undefined ? [] : [`--${long}`]),
]

/** Flags of a service, which names are asked of. */
export const serviceFlags = ['--context', '--base-url', '--app-id']

/** Text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
