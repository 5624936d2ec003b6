import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { deleteCommandFor } from '../../documents/delete.ts'
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
      list: 'template list',
    },
    context,
  )
