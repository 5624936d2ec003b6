import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createCommandFor } from '../../documents/drafts.ts'

export const createCommand = (context: Context): Command =>
  createCommandFor(
    {
      noun: 'variation',
      example: 'coffee.variation.yaml',
      create: async (client, document) => {
        const { VariationDocument } = await import('../../../contract/variation.ts')
        return client.createVariation({ body: VariationDocument.parse(document) })
      },
    },
    context,
  )
