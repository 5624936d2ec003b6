import type { Command } from 'commander'
import { applyCommand } from '../commands/apply.ts'
import { planCommand } from '../commands/plan.ts'
import { validateCommand } from '../commands/validate.ts'
import type { Context } from '../context.ts'

/** A whole catalog at once. */
export const commands = (context: Context): Command[] => [
  validateCommand(context),
  planCommand(context),
  applyCommand(context),
]
