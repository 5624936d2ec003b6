import { changesText } from '../../domain/change-feeds.ts'
import type { Handler } from '../handlers.ts'

/** What became of the faces of templates since a time. */
export const listFaceChanges: Handler<'listFaceChanges'> = (scope, { body }) => changesText(scope, 'face', body)
