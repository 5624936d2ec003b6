import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { named } from '../schema/registry.ts'
import { anyObject, list, recordName } from '../schema/scalars.ts'
import { changeOperations } from '../values.ts'

/** Body of the feeds of changed faces and actions; unknown keys are ignored. */
export const ChangesRequest = named('ChangesRequest', () =>
  z.object({
    templates: list(recordName(), limits.ids).meta({ description: 'The templates that they belong to.' }),
    since: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Milliseconds since 1970, counted in; 0 when omitted: everything.' }),
  }),
)
export type ChangesRequest = ValueOf<typeof ChangesRequest>

const operation = lazy(() => z.enum(changeOperations).meta({ description: 'What became of it since.' }))

/** Payload of the feed of changed faces, by template. */
export const FacesChanges = named('FacesChanges', () =>
  z.looseObject({
    faces_changes: z.record(z.string(), z.array(z.looseObject({ operation: operation(), face: anyObject() }))),
  }),
)
/** Payload of the feed of changed actions, by template. */
export const ActionsChanges = named('ActionsChanges', () =>
  z.looseObject({
    actions_changes: z.record(z.string(), z.array(z.looseObject({ operation: operation(), action: anyObject() }))),
  }),
)
