import { face } from '../../../contract/kinds/face.ts'
import { kindCommand } from '../../kinds/command.ts'
import { faceIdHelp, facesToDelete } from './face-id.ts'
import { faceFlags } from './flags.ts'
import { getCommand } from './get.ts'
import { selectCommand } from './select.ts'
import { updateCommand } from './update.ts'

/** Faces of templates. */
export const command = kindCommand({
  kind: face,
  description: 'Faces tell viewers how to display the vAtoms of a template.',
  examples: ['vatom face register icon.yaml', 'vatom face list acme::Coffee::v1'],
  flags: faceFlags,
  update: updateCommand,
  deletion: {
    description: 'Delete faces. Faces of a published template can be deleted, too.',
    keyHelp: faceIdHelp,
    recordsOf: facesToDelete,
  },
  own: { list: selectCommand, get: getCommand },
})
