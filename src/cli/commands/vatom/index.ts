import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { inventoryCommand } from './inventory.ts'
import { showCommand } from './show.ts'
import { trashCommand } from './trash.ts'

/** What is done with one's own vAtoms. */
export const commands = (context: Context): Command[] => [
  inventoryCommand(context),
  showCommand(context),
  trashCommand(context),
]
