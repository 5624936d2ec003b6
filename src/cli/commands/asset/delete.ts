import { seeList } from '../../failure/hinted.ts'
import { deleteCommandFor } from '../../kinds/verbs/delete.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'asset',
  words: 'asset',
  summary: 'delete assets',
  description: 'Delete assets. Resources that refer to them are not changed, and their addresses stop working.',
  key: 'id',
  remove: (client, id) => client.deleteAsset({ id }),
  hints: () => ({ notFound: seeList('asset list') }),
})
