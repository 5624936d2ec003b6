import type { ActivityMessage } from '../../contract/api/activity.ts'
import { limits } from '../../contract/limits.ts'
import type { Scope } from '../operations/handler.ts'
import type { MessageRow } from '../store/messages.ts'
import { publicName, publicUserRecord } from './user.ts'

/** Which page of activity a request asks for. */
interface Asked {
  readonly cursor?: string | null | undefined
  readonly count?: number | null | undefined
}

const newest = Number.MAX_SAFE_INTEGER

/** The page of messages a request asks for; a cursor is the id of the last message that was answered. */
export const messagePage = ({ cursor, count }: Asked) => ({
  before: cursor ? Math.min(Math.floor(Number(cursor)), newest) : newest,
  limit: Math.min(count || limits.pageMax, limits.pageMax),
})

/** What leads to the page after some rows: nothing is older than 0. */
export const cursorAfter = (rows: readonly MessageRow[], { cursor }: Asked): string =>
  String(rows.at(-1)?.seq ?? (cursor || 0))

/** A message as it is answered. */
export const messageRecord = ({ seq, json }: MessageRow): ActivityMessage => ({ msg_id: seq, ...JSON.parse(json) })

/** When a message was kept, in nanoseconds since 1970: later ones of the same millisecond come a microsecond later. */
export const keptAt = ({ created, seq }: MessageRow): number => created * 1e6 + (seq % 1000) * 1000

/** What everybody may know of a user; nothing of one who is not there. */
export function publicInfo(
  { store, baseUrl }: Pick<Scope, 'store' | 'baseUrl'>,
  id: string,
): { name: string; avatar_uri: string } {
  const user = store.users.byId(id)
  if (!user) return { name: '', avatar_uri: '' }
  const { avatar_uri = '' } = publicUserRecord(user, baseUrl).properties
  return { name: publicName(user), avatar_uri }
}
