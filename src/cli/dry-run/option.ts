import { Option } from 'commander'

/** What a command with it does but for its writes; `main` heeds it for all of them. */
export const dryRunOption = (): Option => new Option('--dry-run', 'only say what would be done')

/** Options of a command that has it. */
export interface DryRunOption {
  readonly dryRun?: boolean
}
