import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { seeList } from '../../failure/hinted.ts'
import { deleteCommandFor } from '../../kinds/delete.ts'

export const deleteCommand = (context: Context): Command =>
  deleteCommandFor(
    {
      kind: 'face',
      words: 'face',
      summary: 'delete faces',
      description: 'Delete faces. Those of a published template can be deleted, too.',
      key: 'id',
      expand: async (id) => id,
      remove: (client, id) => client.deleteFace({ id }),
      hints: () => ({ notFound: seeList('face list TEMPLATE') }),
    },
    context,
  )
