import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { missingTemplate } from '../../failure/missing.ts'
import { deleteCommandFor } from '../../kinds/delete.ts'
import { fullName } from '../../service/publisher.ts'

export const deleteCommand = (context: Context): Command =>
  deleteCommandFor(
    {
      kind: 'template',
      words: 'template',
      summary: 'delete draft templates',
      description: 'Delete draft templates, with their faces and actions. A published template stays.',
      key: 'name',
      expand: fullName,
      remove: (client, name) => client.deleteTemplate({ name }),
      along: ['its faces and actions', 'their faces and actions'],
      hints: (client, name) => ({
        notFound: missingTemplate(client, name),
        inUse: `delete its variations first: vatom variation list --template ${name}`,
      }),
    },
    context,
  )
