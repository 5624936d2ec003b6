import type { Command } from 'commander'
import { explainCommand } from '../commands/explain.ts'
import { schemaCommand } from '../commands/schema.ts'
import type { Context } from '../context.ts'

/** What documents may hold. */
export const commands = (context: Context): Command[] => [schemaCommand(context), explainCommand(context)]
