import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { validating } from '../kinds/verbs/validate.ts'

export const command = (context: Context): Command =>
  validating(undefined, context).description(
    'Check a whole catalog without the service: documents of every kind, each by itself and against the others.',
  )
