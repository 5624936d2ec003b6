import { face } from '../../../contract/kinds/face.ts'
import { kindCommand } from '../../kinds/command.ts'

/** Faces of templates. */
export const command = kindCommand({
  kind: face,
  description: 'Faces tell viewers how to display the vAtoms of a template.',
  examples: ['vatom face register icon.yaml', 'vatom face list acme::Coffee::v1'],
  flags: async () => (await import('./flags.ts')).faceFlags,
  update: async () => (await import('./update.ts')).updateCommand,
  deletion: async () => (await import('./face-id.ts')).deletion,
  own: {
    list: { select: async () => (await import('./select.ts')).selectCommand },
    get: { get: async () => (await import('./get.ts')).getCommand },
  },
})
