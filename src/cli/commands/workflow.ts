import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { applyCommand } from './apply.ts'
import { planCommand } from './plan.ts'
import { validateCommand } from './validate.ts'

/** A whole catalog at once. */
export const commands = (context: Context): Command[] => [
  validateCommand(context),
  planCommand(context),
  applyCommand(context),
]
