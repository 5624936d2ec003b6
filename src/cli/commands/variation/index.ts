import { variation } from '../../../contract/kinds/variation.ts'
import { kindCommand } from '../../kinds/command.ts'

/** Variations of templates. */
export const command = kindCommand({
  kind: variation,
  description: 'Variations overwrite values of a template; vAtoms are emitted from them.',
  examples: [
    'vatom variation create latte.yaml',
    'vatom variation render NAME',
    'vatom variation publish NAME --confirm NAME',
  ],
  order: async () => (await import('./children-first.ts')).childrenFirst,
  shown:
    'the values that a variation itself sets, as YAML; with --json, the record as the service returns it, with the values of its template',
  publication: async () => (await import('./publish.ts')).publication,
  deletion: async () => (await import('./doomed.ts')).deletion,
  own: { get: { render: async () => (await import('./render.ts')).renderCommand } },
})
