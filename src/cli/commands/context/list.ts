import { Command } from 'commander'
import { endOf } from '../../../client/session.ts'
import type { Context } from '../../context.ts'
import { printTable } from '../../io/table.ts'
import { noteOverridden } from '../../service/current-context.ts'
import type { Credentials } from '../../service/saved.ts'
import { sessionAmong } from '../../service/stored-session.ts'
import { localName } from '../../service/target.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list the contexts')
    .description('List the saved contexts.')
    .addHelpText('after', '\nExample:\n  vatom context list')
    .action(() => list(context))

async function list({ config, credentials, output, host }: Context): Promise<void> {
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
      session: 'signed in',
    },
    ...Object.entries(contexts).map(([name, { base_url, app_id, publisher }]) => {
      const stored = sessionAmong(tokens, { name, baseUrl: base_url, appId: app_id })
      const session = stateOf(stored, host.now())
      return {
        name,
        base_url,
        app_id,
        publisher: publisher ?? null,
        current: name === current,
        signed_in: session === 'signed in',
        session,
      }
    }),
  ]
  const cells = rows.map((row) => [
    row.current ? '*' : '',
    row.name,
    row.base_url ?? 'this machine only',
    row.app_id ?? '',
    row.session,
  ])
  await printTable(rows, ['', 'NAME', 'ADDRESS', 'APP ID', 'SESSION'], cells, output)
  await noteOverridden(current ?? localName, { host, config, output })
}

/** What is known of a session without asking its service. */
function stateOf({ refresh_token, refused }: Credentials[string], now: Date): string {
  if (refresh_token === undefined) return 'signed out'
  const end = endOf(refresh_token)
  if (end !== undefined && end <= now) return 'ended'
  return refused ? 'refused' : 'signed in'
}
