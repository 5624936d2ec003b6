import { ApiError } from '../../../contract/api/errors.ts'
import { cursorAfter, keptAt, messagePage, messageRecord } from '../../domain/activity.ts'
import type { Handler } from '../handlers.ts'

/** Messages of a thread of the caller's, newest first. */
export const myThreadMessages: Handler<'myThreadMessages'> = ({ store, user }, { body }) => {
  const name = body.name ?? ''
  if (!name.startsWith(`${user.id}:`))
    throw new ApiError('foreignThread', name === '' ? 'the name of a thread is missing' : undefined)
  const rows = store.messages.ofThread(user.id, name, messagePage(body))
  return {
    cursor: cursorAfter(rows, body),
    messages: rows.map((row) => ({ message: messageRecord(row), when_modified: keptAt(row) })),
  }
}
