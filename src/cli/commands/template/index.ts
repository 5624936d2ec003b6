import { template } from '../../../contract/kinds/template.ts'
import { kindCommand } from '../../kinds/command.ts'

/** Blueprints of vAtoms. */
export const command = kindCommand({
  kind: template,
  description: 'Templates define the structure of vAtoms and their default values.',
  examples: ['vatom template create coffee.yaml', 'vatom template list', 'vatom template publish NAME --confirm NAME'],
  shown: 'a template as YAML; with --json, the record as the service returns it',
  publication: async () => (await import('./publish.ts')).publication,
  deletion: async () => (await import('./doomed.ts')).deletion,
  own: { update: { bump: async () => (await import('./bump.ts')).bumpCommand } },
})
