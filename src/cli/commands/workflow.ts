import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { applyCommand } from './apply.ts'
import { planCommand } from './plan.ts'

/** A whole catalog at once. */
export const commands = (context: Context): Command[] => [planCommand(context), applyCommand(context)]
