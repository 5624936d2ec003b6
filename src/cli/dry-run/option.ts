import { Option } from 'commander'

/** A command with this option does everything but its writes, as if all questions were answered with yes; see `main`. */
export const dryRunOption = (): Option =>
  new Option('--dry-run', 'show what would be done; change nothing, ask nothing')

/** Options of a command that has it. */
export interface DryRunOption {
  readonly dryRun?: boolean
}
