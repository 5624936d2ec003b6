import { cursorAfter, keptAt, messagePage, messageRecord, publicInfo } from '../../domain/activity.ts'
import type { Handler } from '../handlers.ts'

/** The caller's threads, those with the newest messages first. */
export const myThreads: Handler<'myThreads'> = (scope, { body }) => {
  const { store, user } = scope
  const rows = store.messages.threads(user.id, messagePage(body))
  return {
    cursor: cursorAfter(rows, body),
    threads: rows.map((row) => ({
      name: row.thread,
      when_modified: keptAt(row),
      last_message: messageRecord(row),
      last_message_user_info: publicInfo(scope, row.thread.slice(user.id.length + 1)),
    })),
  }
}
