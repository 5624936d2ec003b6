import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { tableLines } from '../../io/table.ts'
import { localName } from '../../service/target.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list the contexts')
    .description('List the saved contexts.')
    .addHelpText('after', '\nExample:\n  vatom context list')
    .action(() => list(context))

async function list({ config, credentials, output }: Context): Promise<void> {
  const { contexts, current } = await config.read()
  const tokens = await credentials.read()
  const rows = [
    {
      name: localName,
      base_url: null,
      app_id: null,
      publisher: null,
      current: current === undefined || current === localName,
      signed_in: true,
    },
    ...Object.entries(contexts).map(([name, { base_url, app_id, publisher }]) => ({
      name,
      base_url,
      app_id,
      publisher: publisher ?? null,
      current: name === current,
      signed_in: tokens[name]?.refresh_token !== undefined,
    })),
  ]
  await output.listing(rows, () =>
    tableLines(
      ['', 'NAME', 'ADDRESS', 'APP ID', 'SESSION'],
      rows.map((row) => [
        row.current ? '*' : '',
        row.name,
        row.base_url ?? 'this machine only',
        row.app_id ?? '',
        row.signed_in ? 'signed in' : 'signed out',
      ]),
      output,
    ),
  )
}
