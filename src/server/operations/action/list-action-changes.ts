import { changesText } from '../../domain/change-feeds.ts'
import type { Handler } from '../handlers.ts'

/** What became of the actions of templates since a time. */
export const listActionChanges: Handler<'listActionChanges'> = (scope, { body }) => changesText(scope, 'action', body)
