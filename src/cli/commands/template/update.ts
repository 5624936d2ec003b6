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
        return templateChanges(value, await client.getTemplate({ name }))
      },
      update: async (client, name, body) => {
        const { TemplateUpdate } = await import('../../../contract/template.ts')
        return client.updateTemplate({ name, body: TemplateUpdate.parse(body) })
      },
    },
    'coffee.yaml',
    context,
  )
