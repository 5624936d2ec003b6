import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { childrenFirst } from '../../documents/children-first.ts'
import { createCommandFor } from '../../documents/drafts.ts'
import { publishFirst } from '../../documents/publish.ts'
import { hinted } from '../../failure/hinted.ts'

export const createCommand = (context: Context): Command =>
  createCommandFor(
    {
      noun: 'variation',
      example: 'coffee.variation.yaml',
      order: childrenFirst,
      create: async (client, document) => {
        const { VariationDocument } = await import('../../../contract/variation.ts')
        const body = VariationDocument.parse(document)
        return hinted(client.createVariation({ body }), { templateDraft: publishFirst(body.template) })
      },
    },
    context,
  )
