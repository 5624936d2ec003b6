import { valueOptions, words } from './words.ts'

/** Global options that mean something else behind a noun and its verb; each takes a value. */
const claims: Readonly<Record<string, readonly string[]>> = {
  'action register': ['--timeout'],
  'action update': ['--timeout'],
}

interface Claimed {
  /** Options that the command has a meaning of its own for. */
  readonly claimed: readonly string[]
  /** The command line as the program reads its global options from it. */
  readonly forProgram: string[]
  /** The command line as the command reads it. */
  readonly forCommand: string[]
}

/** Divides a command line: an option that the command claims is its own behind its noun, and global before it. */
export function claimedOptions(argv: readonly string[]): Claimed {
  const start = argv.findIndex((word, index) => Object.hasOwn(words, word) && !isValue(argv, index))
  const before = argv.slice(0, Math.max(0, start))
  const after = argv.slice(Math.max(0, start))
  const verb = after.slice(1).find((word, index) => !word.startsWith('-') && !isValue(after, index + 1))
  const claimed = claims[`${after[0]} ${verb}`] ?? []
  return {
    claimed,
    forProgram: [...before, ...without(after, claimed)],
    forCommand: [...without(before, claimed), ...after],
  }
}

const isValue = (argv: readonly string[], index: number) => valueOptions.includes(argv[index - 1] ?? '')

/** A command line without some options and their values. */
const without = (argv: readonly string[], options: readonly string[]) =>
  argv.filter((word, index) => !options.includes(word.replace(/=.*/s, '')) && !options.includes(argv[index - 1] ?? ''))
