import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createCommandFor } from '../../documents/drafts.ts'

export const createCommand = (context: Context): Command =>
  createCommandFor(
    {
      noun: 'template',
      example: 'coffee.yaml',
      create: async (client, document) => {
        const { TemplateDocument } = await import('../../../contract/template.ts')
        return client.createTemplate({ body: TemplateDocument.parse(document) })
      },
    },
    context,
  )
