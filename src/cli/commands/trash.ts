import { seeList } from '../failure/hinted.ts'
import { deleteCommandFor } from '../kinds/verbs/delete.ts'
import { idHelp, vatomIds } from '../vatoms/vatom-id.ts'

export const command = deleteCommandFor({
  kind: 'vatom',
  words: 'vAtom',
  verb: 'trash',
  summary: 'trash vAtoms',
  description: 'Trash your vAtoms; a folder is trashed with everything in it. This cannot be undone.',
  key: 'id',
  keyHelp: idHelp,
  keysOf: vatomIds,
  remove: (client, id) => client.trashVatom({ body: { 'this.id': id } }),
  along: ['what is in it', 'what is in them'],
  hints: () => ({ unknownVatom: seeList('inventory'), foreignVatom: seeList('inventory') }),
})
