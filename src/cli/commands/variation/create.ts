import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { childrenFirst } from '../../kinds/children-first.ts'
import { createCommandFor } from '../../kinds/drafts.ts'
import { publishFirst } from '../../kinds/publish.ts'
import { writes } from '../../kinds/writes.ts'

export const createCommand = (context: Context): Command =>
  createCommandFor(
    {
      noun: 'variation',
      example: 'coffee.variation.yaml',
      order: childrenFirst,
      create: (client, document) =>
        hinted(writes.variation.create(client, document), { templateDraft: publishFirst(String(document.template)) }),
    },
    context,
  )
