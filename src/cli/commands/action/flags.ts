import { type Command, Option } from 'commander'
import { actionDefaults } from '../../../contract/kinds/action.ts'
import { fieldOfFlag, wholeNumber } from '../../io/option-values.ts'
import type { DocumentFlags } from '../../kinds/verbs/register.ts'

/** The fields of an action that are true or false: the name of the flag, and its help. */
const switches = [
  ['wait', 'callers wait until it is done'],
  ['guest-user', 'guests may run it'],
  ['abort-on-pre-error', 'stop when a pre-action fails'],
  ['abort-on-main-error', 'stop when the action fails'],
  ['abort-on-post-error', 'stop when a post-action fails'],
  ['rollback', 'not implemented by the platform'],
] as const

/**
 * Adds the flags for the fields of an action; `unset` has the defaults to show in their help. Policy, params, config and
 * notification have no flags.
 */
export function addActionOptions(command: Command, unset: Readonly<Record<string, unknown>> = {}): Command {
  const option = (flags: string, text: string) => {
    const value = unset[fieldOfFlag(flags.split(' ')[0] ?? '')]
    return new Option(flags, value === undefined ? text : `${text} (default: ${shown(value)})`)
  }
  command
    .option('--name <name>', 'TEMPLATE::Action::NAME; $publisher:: stands for your own domain')
    .option('--reactor <reactor>', 'what performs the action, such as blockv://v1/Transfer')
    .addOption(option('--timeout <ms>', 'milliseconds it may take').argParser(wholeNumber))
    .addOption(option('--limit-per-user <n>', 'how often a user may run it; 0 means no limit').argParser(wholeNumber))
    .addOption(option('--state-impact <what...>', 'what it changes, such as this.owner'))
  for (const [name, text] of switches)
    command.addOption(option(`--${name}`, text)).option(`--no-${name}`, `the opposite of --${name}`)
  return command
}

const shown = (value: unknown) => (typeof value === 'number' ? value : value === true ? 'yes' : 'no')

/** How flags describe an action. */
export const actionFlags: DocumentFlags = {
  needed: ['name', 'reactor'],
  identity: ['name'],
  addOptions: (command) => addActionOptions(command, { ...actionDefaults, state_impact: undefined }),
  document: (given) => ({ ...given }),
  example: `vatom action register --name acme::Coffee::v1::Action::Transfer \\
    --reactor blockv://v1/Transfer --wait`,
}
