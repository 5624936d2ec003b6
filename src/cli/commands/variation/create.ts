import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { childrenFirst } from '../../documents/children-first.ts'
import { createCommandFor } from '../../documents/drafts.ts'
import { publishFirst } from '../../documents/publish.ts'
import { writes } from '../../documents/writes.ts'
import { hinted } from '../../failure/hinted.ts'

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
