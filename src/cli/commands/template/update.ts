import type { Command } from 'commander'
import { template } from '../../../contract/kinds/template.ts'
import type { Context } from '../../context.ts'
import { updateCommandFor } from '../../kinds/update.ts'
import { writes } from '../../kinds/writes.ts'

export const updateCommand = (context: Context): Command =>
  updateCommandFor(
    {
      noun: 'template',
      make: 'template create',
      list: 'template list',
      compare: async (client, { name, value }) => {
        const changes = await template.changes(value, await client.getTemplate({ name }))
        if (!('eth' in changes.body)) return changes
        const { followingChanges } = await import('../../kinds/chain-changes.ts')
        return { ...changes, following: await followingChanges(client, name, changes.eth.after) }
      },
      update: writes.template.update,
    },
    'coffee.yaml',
    context,
  )
