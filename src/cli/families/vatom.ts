import type { Command } from 'commander'
import { inventoryCommand } from '../commands/inventory.ts'
import { showCommand } from '../commands/show.ts'
import { trashCommand } from '../commands/trash.ts'
import type { Context } from '../context.ts'

/** What is done with one's own vAtoms. */
export const commands = (context: Context): Command[] => [
  inventoryCommand(context),
  showCommand(context),
  trashCommand(context),
]
