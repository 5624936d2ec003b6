import { action } from '../../../contract/kinds/action.ts'
import { kindCommand } from '../../kinds/command.ts'

/** Actions of templates. */
export const command = kindCommand({
  kind: action,
  description: 'Actions are what users can do with the vAtoms of a template.',
  examples: ['vatom action register transfer.yaml', 'vatom action list acme::Coffee::v1'],
  flags: async () => (await import('./flags.ts')).actionFlags,
  shown: 'an action as YAML, as it could be registered; with --json, the record as the service returns it',
  update: async () => (await import('./update.ts')).updateCommand,
  deletion: async () => ({ description: 'Delete actions. Actions of a published template can be deleted, too.' }),
  own: { delete: { handler: async () => (await import('./handler/index.ts')).handlerCommand } },
})
