import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { missingVariation } from '../../failure/missing.ts'
import { deleteCommandFor } from '../../kinds/delete.ts'
import { fullName } from '../../service/publisher.ts'

export const deleteCommand = (context: Context): Command =>
  deleteCommandFor(
    {
      kind: 'variation',
      words: 'variation',
      summary: 'delete draft variations',
      description: 'Delete draft variations. One that has emitted vAtoms stays, and so does a published one.',
      key: 'name',
      expand: fullName,
      remove: (client, name) => client.deleteVariation({ name }),
      hints: (client, name) => ({
        notFound: missingVariation(client, name),
        inUse: `no command removes vAtoms: ${name} stays as a draft, and the next try takes a new name`,
      }),
    },
    context,
  )
