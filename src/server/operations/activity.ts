import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { userMessage } from '../../contract/api/message-text.ts'
import { writeAs } from '../domain/caller.ts'
import { eachPart, JsonParts, mapped } from '../domain/json-text.ts'
import {
  cursorAfter,
  deliverUserMessage,
  messagePage,
  messageRecord,
  publicInfo,
  storedAt,
} from '../domain/messages.ts'
import type { MessageRow } from '../store/messages.ts'
import type { Handler } from './handler.ts'

/** The caller's threads, those with the newest messages first. */
export const myThreads: Handler<'myThreads'> = (scope, { body }) => {
  const { store, user } = scope
  const ids = store.messages.threads(user.id, messagePage(body))
  const thread = (row: MessageRow) => ({
    name: row.thread,
    when_modified: storedAt(row),
    last_message: messageRecord(row),
    last_message_user_info: publicInfo(scope, row.thread.slice(user.id.length + 1)),
  })
  return pageOf(cursorAfter(ids, body), 'threads', mapped(store.messages.found(ids), thread))
}

/** A page of activity; each record is made when it is sent. */
const pageOf = (cursor: string, key: string, records: Iterable<object>): JsonParts =>
  new JsonParts(pageParts(cursor, key, records))

function* pageParts(cursor: string, key: string, records: Iterable<object>): Generator<string, void> {
  yield `{"cursor":${JSON.stringify(cursor)},"${key}":`
  yield* eachPart(records, (record) => JSON.stringify(record))
  yield '}'
}

/** Messages of a thread of the caller's, newest first. */
export const myThreadMessages: Handler<'myThreadMessages'> = ({ store, user }, { body }) => {
  const name = body.name ?? ''
  if (!name.startsWith(`${user.id}:`))
    throw new ApiError('foreignThread', name === '' ? 'the name of a thread is missing' : undefined)
  const ids = store.messages.ofThread(user.id, name, messagePage(body))
  const message = (row: MessageRow) => ({ message: messageRecord(row), when_modified: storedAt(row) })
  return pageOf(cursorAfter(ids, body), 'messages', mapped(store.messages.found(ids), message))
}

/** Sends a message to another user. */
export const sendMessage: Handler<'sendMessage'> = async (scope, { body: { id, message: text } }) => {
  await writeAs(scope, (scope) => {
    const { store, user } = scope
    if (!store.users.byId(id)) throw errorAt('id', 'missingReference', `no user has the id ${id}`)
    deliverUserMessage(scope, { to: id, from: user.id, vatoms: [], variations: [], text, action: userMessage })
  })
  return { success_message: 'Message sent.' }
}
