import type { Command } from 'commander'
import { actionDefaults } from '../../../contract/kinds/action-defaults.ts'
import type { Context } from '../../context.ts'
import { addActionOptions } from '../../kinds/action-flags.ts'
import { registerCommandFor } from '../../kinds/register.ts'
import { writes } from '../../kinds/writes.ts'

export const registerCommand = (context: Context): Command =>
  registerCommandFor(
    {
      noun: 'action',
      one: 'An action',
      needed: ['name', 'reactor'],
      addOptions: (command) => addActionOptions(command, { ...actionDefaults, state_impact: undefined }),
      document: (given) => ({ ...given }),
      examples: `  vatom action register coffee.actions.yaml
  vatom action register --name acme::Coffee::v1::Action::Transfer \\
    --reactor blockv://v1/Transfer --wait`,
      register: writes.action.create,
    },
    context,
  )
