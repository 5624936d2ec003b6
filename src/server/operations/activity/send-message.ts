import { errorAt } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import { tellWritten } from '../../events/message.ts'
import type { Handler } from '../handlers.ts'

/** Sends a message to another user. */
export const sendMessage: Handler<'sendMessage'> = async (scope, { body: { id, message: text } }) => {
  await writeAs(scope, (scope) => {
    const { store, user } = scope
    if (!store.users.byId(id)) throw errorAt('id', 'missingReference', `no user has the id ${id}`)
    tellWritten(scope, { to: id, from: user.id, vatoms: [], variations: [], text, action: 'User Message' })
  })
  return { success_message: 'Message sent.' }
}
