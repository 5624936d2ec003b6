import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { updateCommandFor } from '../../documents/update.ts'

export const updateCommand = (context: Context): Command =>
  updateCommandFor(
    {
      noun: 'template',
      make: 'template create',
      list: 'template list',
      compare: async (client, { name, value }) => {
        const { templateChanges } = await import('../../../documents/changes.ts')
        const changes = templateChanges(value, await client.getTemplate({ name }))
        if (!('eth' in changes.body)) return changes
        const { followingChanges } = await import('../../documents/chain-changes.ts')
        return { ...changes, following: await followingChanges(client, name, changes.eth.after) }
      },
      update: async (client, name, body) => {
        const { TemplateUpdate } = await import('../../../contract/template.ts')
        return client.updateTemplate({ name, body: TemplateUpdate.parse(body) })
      },
    },
    'coffee.yaml',
    context,
  )
