import type { Client } from '../../../client/client.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import type { Context } from '../../context.ts'
import { seeList } from '../../failure/hinted.ts'
import { allRecords, listedKinds } from '../../kinds/requests.ts'
import { meantIds } from '../../kinds/short-id.ts'
import { type Doomed, deleteCommandFor } from '../../kinds/verbs/delete.ts'
import { checkPublisher } from '../../service/publisher.ts'
import { allAssets } from './list.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'asset',
  words: 'asset',
  summary: 'delete assets',
  description: 'Delete assets. Resources that refer to them are not changed, and their addresses stop working.',
  key: 'id',
  keyHelp: "the asset's id, or its beginning",
  recordsOf: doomedAssets,
  remove: (client, id) => client.deleteAsset({ id }),
  hints: () => ({ notFound: seeList('asset list') }),
})

/** The assets that are meant, with their names, and with whose pictures or files they are: their addresses stop working. */
async function doomedAssets(given: readonly string[], context: Context): Promise<readonly Doomed[]> {
  await checkPublisher(context)
  const connection = await context.connect()
  const assets = await allAssets(connection)
  const ids = await meantIds(given, 'assets', async () => assets.map(({ id }) => id))
  const users = await usersOf(ids, connection.client)
  return ids.map((id) => {
    const file = assets.find((one) => one.id === id)?.name
    const shown = users.get(id) ?? []
    return {
      name: id,
      contents: file === undefined ? [] : [`the file ${file}`],
      ...(shown.length > 0 && { others: `used by ${nameList(shown)}` }),
    }
  })
}

/** The templates and variations whose records name an asset, by its id. */
async function usersOf(ids: readonly string[], client: Client): Promise<ReadonlyMap<string, string[]>> {
  const { wholeRecord } = await import('../../catalog/plan/service-records.ts')
  const users = new Map<string, string[]>()
  for (const { name: kind } of listedKinds)
    for (const record of await allRecords(client, kindOf(kind), { fields: wholeRecord })) {
      const text = JSON.stringify(record)
      for (const id of ids)
        if (text.includes(id)) users.set(id, [...(users.get(id) ?? []), `${kind} ${String(record.name)}`])
    }
  return users
}
