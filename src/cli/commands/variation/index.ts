import { variation } from '../../../contract/kinds/variation.ts'
import { kindCommand } from '../../kinds/command.ts'
import { childrenFirst } from './children-first.ts'
import { variationsToDelete } from './doomed.ts'
import { publication } from './publish.ts'
import { renderCommand } from './render.ts'

/** Variations of templates. */
export const command = kindCommand({
  kind: variation,
  description: 'Variations overwrite values of a template; vAtoms are emitted from them.',
  examples: [
    'vatom variation create latte.yaml',
    'vatom variation render NAME',
    'vatom variation publish NAME --confirm NAME',
  ],
  order: childrenFirst,
  shown:
    'the values that a variation itself sets, as YAML; with --json, the record as the service returns it, with the values of its template',
  publication,
  deletion: {
    description:
      'Delete draft variations, with the vAtoms that were emitted from them. A published variation cannot be deleted.',
    recordsOf: variationsToDelete,
  },
  own: { get: renderCommand },
})
