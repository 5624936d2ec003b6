import { action } from '../../../contract/kinds/action.ts'
import { kindCommand } from '../../kinds/command.ts'
import { actionFlags } from './flags.ts'
import { handlerCommand } from './handler/index.ts'
import { updateCommand } from './update.ts'

/** Actions of templates. */
export const command = kindCommand({
  kind: action,
  description: 'Actions are what users can do with the vAtoms of a template.',
  examples: ['vatom action register transfer.yaml', 'vatom action list acme::Coffee::v1'],
  flags: actionFlags,
  shown: 'an action as YAML, as it could be registered; with --json, the record as the service returns it',
  update: updateCommand,
  deletion: { description: 'Delete actions. Actions of a published template can be deleted, too.' },
  own: { delete: handlerCommand },
})
