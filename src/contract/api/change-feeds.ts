import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { list, recordName, recordOf } from '../schema/scalars.ts'
import { changeOperations } from '../values.ts'
import type { Rows } from './endpoint.ts'

/** Body of the feeds of changed faces and actions; unknown keys are ignored. */
export const ChangesRequest = named('ChangesRequest', () =>
  z.object({
    templates: list(recordName(), limits.ids).describe('The templates whose changes to list.'),
    since: z.number().min(0).optional().describe('Milliseconds since 1970, inclusive; 0 (all changes) when omitted.'),
  }),
)
export type ChangesRequest = ValueOf<typeof ChangesRequest>

const operation = lazy(() => z.enum(changeOperations).describe('How it was changed.'))

/** Payload of the feed of changed faces, by template. */
export const FacesChanges = named('FacesChanges', () =>
  z.looseObject({
    faces_changes: z.record(
      z.string(),
      z.array(z.looseObject({ operation: operation(), face: recordOf('FaceRecord') })),
    ),
  }),
)

/** Payload of the feed of changed actions, by template. */
export const ActionsChanges = named('ActionsChanges', () =>
  z.looseObject({
    actions_changes: z.record(
      z.string(),
      z.array(z.looseObject({ operation: operation(), action: recordOf('ActionRecord') })),
    ),
  }),
)

/** Assumptions about feeds of changes. */
const changeFeed = [
  `each record is listed once, in its current form, in the order of the last changes; a delete lists the deleted record, in which properties of more than ${limits.deletedProperty} characters of JSON are left out, but texts cut to that, and lists empty`,
  'a template is left out if it does not exist, if the caller may not see it, or if nothing changed; a template that is not public is visible only to its publisher, to owners of its vAtoms, and to everybody while everybody can find one of its vAtoms',
] as const

/** Feeds of changed faces and actions. */
export const changeFeedRows = {
  listFaceChanges: {
    method: 'POST',
    path: '/v1/vatom/faces/changes',
    auth: 'user',
    spec: null,
    reads: true,
    summary: 'List faces that were added, changed and removed since a time',
    body: ChangesRequest,
    unknownKeys: 'ignored',
    payload: FacesChanges,
    errors: ['invalid'],
    details: changeFeed,
  },
  listActionChanges: {
    method: 'POST',
    path: '/v1/vatom/actions/changes',
    auth: 'user',
    spec: null,
    reads: true,
    summary: 'List actions that were added, changed and removed since a time',
    body: ChangesRequest,
    unknownKeys: 'ignored',
    payload: ActionsChanges,
    errors: ['invalid'],
    details: changeFeed,
  },
} as const satisfies Rows
