import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createCommandFor } from '../../kinds/drafts.ts'
import { writes } from '../../kinds/writes.ts'

export const createCommand = (context: Context): Command =>
  createCommandFor(
    {
      noun: 'template',
      example: 'coffee.yaml',
      create: writes.template.create,
    },
    context,
  )
