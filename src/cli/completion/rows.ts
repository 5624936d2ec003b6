import { type Argument, type Command, Help, type Option } from 'commander'
import type { KindName } from '../../contract/values.ts'
import type { Host } from '../host.ts'
import { listedKinds } from '../kinds/requests.ts'
import { addCommands, createProgram } from '../program.ts'

/** The values of a flag or an operand: what names them, or a list of values or of such names. */
export type Values = Source | readonly string[]

type Source =
  | '@files'
  | '@folders'
  | '@contexts'
  | '@snapshots'
  | '@fields'
  | '@performable'
  | '@nothing'
  | `@${KindName}s`

export interface Flag {
  /** Without dashes: one letter, and a word. */
  readonly short: string | undefined
  readonly long: string | undefined
  readonly summary: string
  /** Undefined for a flag without a value. */
  readonly values: Values | undefined
}

/** What can follow the words of a command. */
export interface Row {
  /** `template create`; empty for the root. */
  readonly path: string
  readonly words: readonly { readonly name: string; readonly summary: string }[]
  readonly flags: readonly Flag[]
  readonly operands: readonly Values[]
  /** Whether the last operand can be repeated. */
  readonly variadic: boolean
}

/** A row for every command, made from the commands themselves; the first row is the root's. */
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

function operandOf(argument: Argument, path: readonly string[]): Values {
  const { argChoices, description } = argument
  if (argChoices) return argChoices
  const source = valuesOf('', argument.name(), path)
  if (!takesFiles.test(description) || fileSources.includes(source)) return source
  return source === '@nothing' ? '@files' : [source, '@files']
}

/** What an operand says of itself that may be a file in place of a name. */
const takesFiles = /\bfiles?\b/
const fileSources: readonly Source[] = ['@files', '@folders']

/** The names that a noun's commands take. */
const nouns: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['context', '@contexts'],
  ['snapshot', '@snapshots'],
  ...listedKinds.map(({ name }) => [name, `@${name}s`] as const),
])
/** Values by the name of a flag, of its value, or of an operand. */
const sorts: ReadonlyMap<string, Source> = new Map<string, Source>([
  ...nouns,
  // The value of --snapshot is a new name.
  ['snapshot', '@nothing'],
  ['folder', '@folders'],
  ['dir', '@folders'],
  ['plan', '@files'],
  ['action', '@performable'],
])

/** Verbs whose name is a new one. */
const making = ['add', 'save']

function valuesOf(flag: string, placeholder: string, [noun = '', verb]: readonly string[]): Source {
  if (placeholder === 'id') return '@nothing'
  if (placeholder === 'file') return '@files'
  const sort = sorts.get(flag) ?? sorts.get(placeholder)
  if (sort !== undefined) return sort
  if (noun === 'explain') return '@fields'
  if (placeholder === 'path' && noun !== 'api') return '@files'
  const isName = placeholder === 'name' && !making.includes(verb ?? '') && (flag === '' || flag === 'confirm')
  return (isName ? nouns.get(noun) : undefined) ?? '@nothing'
}

/** Flags that take a value, as they are typed. */
export const valueFlags = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ flags }) => flags.filter(({ values }) => values !== undefined).flatMap(typed))),
]

/** A flag's spellings. */
export const typed = ({ short, long }: Flag): string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  ...(long === undefined ? [] : [`--${long}`]),
]

/** Flags that choose the service which names are read from. */
export const serviceFlags = ['--context', '--base-url', '--app-id']
