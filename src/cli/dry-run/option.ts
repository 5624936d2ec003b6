import { Option } from 'commander'

/**
 * A command that is given it does everything but its writes, and takes its questions for answered with yes; `main` heeds
 * it for all of them.
 */
export const dryRunOption = (): Option => new Option('--dry-run', 'only say what would be done, and ask nothing')

/** Options of a command that has it. */
export interface DryRunOption {
  readonly dryRun?: boolean
}
