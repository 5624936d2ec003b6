import { shellLine } from './io/text.ts'
import { canonicalWord, verbAliases } from './synonyms.ts'
import { isWord, topics, type Word } from './words.ts'

/** Global options that take a value as the next word. */
const valueOptions: readonly string[] = ['--context', '--base-url', '--app-id', '--timeout']

/** Global options that mean something else behind a noun and its verb; each takes a value. */
const claims: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['register', ...verbAliases('register'), 'update'].map((verb) => [`action ${verb}`, ['--timeout']]),
)

/** A command line, divided by who reads which part. */
export interface CommandLine {
  /** All words, as they were typed. */
  readonly typed: readonly string[]
  /** The first word; undefined where there is none, and where it is unknown. */
  readonly word: Word | undefined
  /** What stands right behind the first word; it may be an option. */
  readonly verb: string | undefined
  /** What stands before `--`. */
  readonly own: readonly string[]
  /** The words of it that are no options; a first word of another tool as it is called here. */
  readonly operands: readonly string[]
  /** What stands behind it, which is for another program; undefined without it. */
  readonly rest: readonly string[] | undefined
  /** Global options that the command has a meaning of its own for: its own behind its noun, global before it. */
  readonly claimed: readonly string[]
  /** The command line as the program reads its global options from it. */
  readonly forProgram: string[]
  /** The command line as the command reads it. */
  readonly forCommand: string[]
}

/**
 * Divides a command line. `help template create` asks for the help of `template create`, and `help environment` for the
 * page that the word itself prints; an unknown word is reported as such before any help is shown for it.
 */
export function readCommandLine(typed: readonly string[]): CommandLine {
  const argv = typed[0] === 'help' ? inWords(typed) : typed
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const places = [...own.keys()].filter((at) => !own[at]?.startsWith('-') && !isValue(own, at))
  const helpAt = own[places[0] ?? -1] === 'help' && places.length > 1 ? places.shift() : undefined
  const [noun = own.length, verb = own.length] = places
  const word = own[noun] === undefined ? undefined : meant(own[noun], places.length > 1)
  const claimed = claims[`${word} ${own[verb]}`] ?? []
  const before = argv.slice(0, noun).filter((_, at) => at !== helpAt)
  const after = word === undefined ? argv.slice(noun) : [word, ...argv.slice(noun + 1)]
  const command = [...without(before, claimed), ...after]
  return {
    typed,
    word: isWord(word) ? word : undefined,
    verb: own[noun + 1],
    own,
    operands: word === undefined ? [] : [word, ...places.slice(1).map((at) => own[at] ?? '')],
    rest: end < 0 ? undefined : argv.slice(end + 1),
    claimed,
    forProgram: [...before, ...without(after, claimed)],
    forCommand: hasHelp(word) ? [...command, ...(helpAt === undefined ? [] : ['--help'])] : withoutHelp(command),
  }
}

/** The words of operands such as `template create`, as pages of a manual are called elsewhere: `help 'template create'`. */
const inWords = (argv: readonly string[]) => argv.flatMap((word) => (/\S +\S/.test(word) ? word.split(/ +/) : word))

/** The first word that is meant; `faces` alone is a page of the manual, and with a verb the noun. */
const meant = (text: string, hasVerb: boolean) => (isWord(text) && !hasVerb ? text : canonicalWord(text))

const isValue = (argv: readonly string[], at: number) => valueOptions.includes(argv[at - 1] ?? '')

const hasHelp = (word: string | undefined) =>
  word === undefined || word === 'help' || (isWord(word) && !topics.includes(word))

const withoutHelp = (argv: readonly string[]) => argv.filter((text) => text !== '--help' && text !== '-h')

/**
 * The command that was typed, with another text in the place of one that it gives: of a word, or of the value behind an
 * option in the same word. All else stays, so that it can be run as it is shown.
 */
export function retyped(typed: readonly string[], given: string, meant: string): string {
  const word = typed.lastIndexOf(given)
  const at = word < 0 ? typed.findLastIndex((one) => one.startsWith('--') && one.endsWith(`=${given}`)) : word
  const flag = typed[at]?.slice(0, -given.length)
  return shellLine('vatom', flag === undefined ? typed : typed.with(at, flag + meant))
}

/** The value of an option of a command line, also of one that cannot be parsed. */
export function givenValue(option: string, own: readonly string[]): string | undefined {
  const joined = own.find((word) => word.startsWith(`${option}=`))
  if (joined !== undefined) return joined.slice(option.length + 1)
  const at = own.indexOf(option)
  return at < 0 ? undefined : own[at + 1]
}

/** A command line without some options and their values. */
const without = (argv: readonly string[], options: readonly string[]) =>
  argv.filter((word, at) => !options.includes(word.replace(/=.*/s, '')) && !options.includes(argv[at - 1] ?? ''))
