import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { seeList } from '../failure/hinted.ts'
import { deleteCommandFor } from '../kinds/verbs/delete.ts'

export const command = (context: Context): Command =>
  deleteCommandFor(
    {
      kind: 'vatom',
      words: 'vAtom',
      summary: 'trash vAtoms',
      description: 'Trash your vAtoms; a folder is trashed with everything in it. This cannot be undone.',
      key: 'id',
      remove: (client, id) => client.trashVatom({ body: { 'this.id': id } }),
      along: ['what is in it', 'what is in them'],
      removal: { verb: 'trash', path: 'trash', asks: 'Trash', done: 'Trashed' },
      hints: () => ({ unknownVatom: seeList('inventory'), foreignVatom: seeList('inventory') }),
    },
    context,
  )
