import { commandFor } from '../options.ts'
import type { PlanContent } from './saved-plan-schema.ts'

interface Given {
  readonly publish?: boolean | undefined
  readonly prune?: boolean | undefined
  readonly pruneUnowned?: boolean | undefined
  readonly acceptAddresses?: boolean | undefined
}

/** The flags of `plan` that matter for what it does. */
const flagsOf = ({ publish, prune, pruneUnowned, acceptAddresses }: Given) => ({
  '--publish': publish,
  '--prune': prune,
  '--prune-unowned': pruneUnowned,
  '--accept-addresses': acceptAddresses,
})

/** The command that makes a plan, with these flags. */
export const planCommand = (paths: readonly string[], given: Given): string =>
  commandFor('vatom plan', paths, flagsOf(given))

/** A word as `shellWord` writes it, which is no option. */
const path = "(?:[\\w@%+=:,./][\\w@%+=:,./-]*|'(?!-)[^']*'(?:\\\\''[^']*')*)"
const isPlanCommand = new RegExp(`^vatom plan(?: ${path})*(?: (?:${Object.keys(flagsOf({})).join('|')}))*$`)

/** The command that made a saved plan. A file may say any other one, which is not repeated. */
export const commandOf = ({ command = '' }: Pick<PlanContent, 'command'>): string =>
  isPlanCommand.test(command) ? command : 'vatom plan PATH'
