import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { missingAction } from '../../failure/missing.ts'
import { deleteCommandFor } from '../../kinds/delete.ts'
import { fullName } from '../../service/publisher.ts'

export const deleteCommand = (context: Context): Command =>
  deleteCommandFor(
    {
      kind: 'action',
      words: 'action',
      summary: 'delete actions',
      description: 'Delete actions. Those of a published template can be deleted, too.',
      key: 'name',
      expand: fullName,
      remove: (client, name) => client.deleteAction({ name }),
      hints: (client, name) => ({
        notFound: missingAction(client, name),
      }),
    },
    context,
  )
