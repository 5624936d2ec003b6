import { template } from '../../../contract/kinds/template.ts'
import { kindCommand } from '../../kinds/command.ts'
import { bumpCommand } from './bump.ts'
import { templatesToDelete } from './doomed.ts'

/** Blueprints of vAtoms. */
export const command = kindCommand({
  kind: template,
  description: 'Templates define the structure of vAtoms and their default values.',
  examples: ['vatom template create coffee.yaml', 'vatom template list', 'vatom template publish NAME --confirm NAME'],
  shown: 'a template as YAML; with --json, the record as the service returns it',
  publication: {
    description: 'Publish a draft template. Afterwards it cannot be changed or deleted; its faces can.',
    documentOf: template.documentOf,
    related: async (client, record) => {
      const { storedFaces, storedMember } = await import('../../kinds/publish-checks.ts')
      const name = String(record.name)
      const own = storedMember('template', name, name, template.documentOf(record))
      return [own, ...(await storedFaces(client, name))]
    },
  },
  deletion: {
    description:
      'Delete draft templates, with their faces, actions and variations, and the vAtoms that were emitted from these. A published template cannot be deleted.',
    along: ['its faces and actions', 'their faces and actions'],
    recordsOf: templatesToDelete,
  },
  own: { update: bumpCommand },
})
