import { recordMeta } from '../../domain/meta.ts'
import { queriedPage } from '../../domain/paging.ts'
import type { ActionHandlerRow } from '../../store/action-handlers.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's action handlers, by reactor. */
export const listActionHandlers: Handler<'listActionHandlers'> = ({ store, publisher }, { query }) =>
  store.actionHandlers.page({ publisher, ...queriedPage(query) }).map(handlerRecord)

/** A handler is never changed: who made it last touched it. */
const handlerRecord = ({ reactor, url, created_by, when_created }: ActionHandlerRow) => ({
  reactor,
  url,
  meta: recordMeta(
    { created_by, when_created, modified_by: created_by, when_modified: when_created },
    'v1::ActionHandlerType',
  ),
})
