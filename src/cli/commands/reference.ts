import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { explainCommand } from './explain.ts'
import { schemaCommand } from './schema.ts'

/** What documents may hold. */
export const commands = (context: Context): Command[] => [schemaCommand(context), explainCommand(context)]
