import { Option } from 'commander'
import { shellLine } from '../io/text.ts'
import type { FormatOption } from '../kinds/problems.ts'

/** What --prune and --prune-unowned delete. */
export interface PruneOptions {
  readonly prune?: boolean | undefined
  readonly pruneUnowned?: boolean | undefined
}

export const pruneOption = (): Option =>
  new Option(
    '--prune',
    'delete faces, actions and draft variations that this catalog owns, because it applied them last, and that are in no file now; needs the whole catalog',
  )

export const pruneUnownedOption = (): Option =>
  new Option(
    '--prune-unowned',
    "delete faces, actions and draft variations of the catalog's templates that no known catalog owns, and that are in no file; needs the whole catalog",
  )

export interface JUnitFileOptions {
  /** The file of the report; without it there is none. */
  readonly junit?: string
}

export const takeOverOption = (): Option =>
  new Option(
    '--take-over',
    'take over records that another catalog owns: --prune of this one can then delete the faces, actions and draft variations among them',
  )

/** A command for paths, with those flags that are given. */
export function commandFor(
  verb: 'vatom plan' | 'vatom apply',
  paths: readonly string[],
  flags: Readonly<Record<`--${string}`, boolean | undefined>>,
): string {
  const given = Object.entries(flags).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []))
  return [shellLine(verb, paths), ...given].join(' ')
}

interface ApplyFlags extends PruneOptions {
  readonly yes?: boolean | undefined
  readonly publish?: boolean | undefined
  readonly acceptCharges?: boolean | undefined
  readonly acceptAddresses?: boolean | undefined
  readonly takeOver?: boolean | undefined
}

/** The command that applies paths, with the options that a run of `plan` or `apply` was given. */
export const applyCommand = (
  paths: readonly string[],
  { yes, publish, acceptCharges, acceptAddresses, takeOver, prune, pruneUnowned }: ApplyFlags,
): string =>
  commandFor('vatom apply', paths, {
    '--yes': yes,
    '--publish': publish,
    '--accept-charges': acceptCharges,
    '--accept-addresses': acceptAddresses,
    '--take-over': takeOver,
    '--prune': prune,
    '--prune-unowned': pruneUnowned,
  })

/** The options that plan and apply have in common. */
export interface RunOptions extends PruneOptions, JUnitFileOptions, FormatOption {}

export const junitOption = (): Option =>
  new Option('--junit <file>', 'also write the result of each document as JUnit XML')
