import { seeList } from '../../../failure/hinted.ts'
import { deleteCommandFor } from '../../../kinds/verbs/delete.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'action_handler',
  words: 'action handler',
  summary: 'delete action handlers',
  description: 'Delete action handlers. The actions of their reactors are not deleted.',
  key: 'reactor',
  remove: (client, reactor) => client.deleteActionHandler({ reactor }),
  hints: () => ({ notFound: seeList('action handler list') }),
})
