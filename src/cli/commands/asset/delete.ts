import { seeList } from '../../failure/hinted.ts'
import { meantIds } from '../../kinds/short-id.ts'
import { deleteCommandFor } from '../../kinds/verbs/delete.ts'
import { allAssets } from './list.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'asset',
  words: 'asset',
  summary: 'delete assets',
  description: 'Delete assets. Resources that refer to them are not changed, and their addresses stop working.',
  key: 'id',
  keyHelp: "the asset's id, or its beginning",
  recordsOf: async (given, context) => {
    const readIds = async () => (await allAssets(await context.connect())).map(({ id }) => id)
    return (await meantIds(given, 'assets', readIds)).map((name) => ({ name, contents: [] }))
  },
  remove: (client, id) => client.deleteAsset({ id }),
  hints: () => ({ notFound: seeList('asset list') }),
})
