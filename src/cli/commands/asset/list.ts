import { Command } from 'commander'
import type { AssetRecord } from '../../../contract/api/asset.ts'
import type { Context } from '../../context.ts'
import { type Columns, printRecords } from '../../io/table.ts'
import { sizeText } from '../../io/text.ts'
import type { Connection } from '../../service/connect.ts'
import { everyPage } from '../../service/every-page.ts'
import { notePort } from './note-port.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list your assets')
    .description(
      "List your publisher's assets, in order of upload. Without a terminal, print one asset per line, with tabs between its fields and sizes in bytes.",
    )
    .addHelpText('after', '\nExamples:\n  vatom asset list\n  vatom asset list | cut -f5')
    .action(() => list(context))

async function list(context: Context): Promise<void> {
  const { connect, output } = context
  const assets = await allAssets(await connect())
  if (assets.length > 0) await notePort(context)
  await printRecords(assets, columns(output.isTTY), 'No assets.', output)
}

/** All assets of the publisher. */
export const allAssets = ({ client }: Pick<Connection, 'client'>): Promise<AssetRecord[]> =>
  everyPage(
    (query) => client.listAssets({ query }),
    ({ id }) => id,
  )

const columns = (isTTY: boolean): Columns<AssetRecord> => ({
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  TYPE: ({ content_type }) => content_type,
  SIZE: ({ size }) => (isTTY ? sizeText(size) : String(size)),
  URL: ({ url }) => url,
})
