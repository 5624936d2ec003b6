import type { Client } from '../../../client/client.ts'
import type { AssetRecord } from '../../../contract/api/asset.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { seeList } from '../../failure/hinted.ts'
import { allRecords, listedKinds } from '../../kinds/requests.ts'
import { isBeginning, meantId } from '../../kinds/short-id.ts'
import { type Doomed, deleteCommandFor } from '../../kinds/verbs/delete.ts'
import { checkPublisher } from '../../service/publisher.ts'
import { allAssets } from './list.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'asset',
  words: 'asset',
  summary: 'delete assets',
  description: 'Delete assets. Resources that refer to them are not changed, and their addresses stop working.',
  key: 'id',
  keyHelp: "the asset's id, or its beginning, or the name of its file, which no other asset may have",
  recordsOf: doomedAssets,
  remove: (client, id) => client.deleteAsset({ id }),
  hints: () => ({ notFound: seeList('asset list') }),
})

/** The assets that are meant, with their names, and with whose pictures or files they are: their addresses stop working. */
async function doomedAssets(given: readonly string[], context: Context): Promise<readonly Doomed[]> {
  await checkPublisher(context)
  const connection = await context.connect()
  const assets = await allAssets(connection)
  const ids = [...new Set(given.map((one) => meantAsset(one, assets)))]
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

/**
 * The id of the asset that is meant by an id, or by a name or the beginning of an id, whichever one asset alone has; what is
 * none of these stays as it is.
 */
function meantAsset(given: string, assets: readonly AssetRecord[]): string {
  const ids = assets.map(idOf)
  const named = assets.filter(({ name }) => name === given)
  if (ids.includes(given) || named.length === 0) return meantId(given, 'assets', ids)
  const others = assets.filter((one) => begins(one, given) && !named.includes(one))
  const [{ id } = { id: given }, ...more] = [...named, ...others]
  if (more.length === 0) return id
  const orId = others.length > 0 ? ', or an id that begins with it' : ''
  throw new Failure('ambiguous_name', exit.usage, `${more.length + 1} assets have the name ${given}${orId}`, {
    hint: 'give the whole id of one',
    issues: [...named, ...others].map((one) => ({ path: one.id, message: one.name })),
  })
}

const begins = ({ id }: AssetRecord, text: string) => isBeginning(text) && id.startsWith(text.toLowerCase())

const idOf = ({ id }: AssetRecord) => id

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
