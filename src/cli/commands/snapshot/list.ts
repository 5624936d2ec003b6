import { Command } from 'commander'
import type { Snapshot } from '../../../contract/api/snapshot.ts'
import type { Context } from '../../context.ts'
import { type Columns, printRecords } from '../../io/table.ts'
import { withSnapshots } from '../../service/snapshots.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list the snapshots of the local service')
    .description(
      'List the snapshots by name. Without a terminal, print one snapshot per line, with tabs between its fields.',
    )
    .addHelpText('after', '\nExamples:\n  vatom snapshot list\n  vatom snapshot list | cut -f1')
    .action(() => list(context))

async function list(context: Context): Promise<void> {
  await printRecords(
    await withSnapshots(context, (snapshots) => snapshots.list()),
    columns,
    'No snapshots.',
    context.output,
  )
}

const columns: Columns<Snapshot> = {
  NAME: ({ name }) => name,
  SAVED: ({ when_saved }) => when_saved,
  TEMPLATES: ({ templates }) => String(templates),
  VARIATIONS: ({ variations }) => String(variations),
  VATOMS: ({ vatoms }) => String(vatoms),
  ASSETS: ({ assets }) => String(assets),
  USERS: ({ users }) => String(users ?? ''),
}
