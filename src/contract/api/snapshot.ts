import * as z from 'zod/v4'
import { lazy, named } from '../schema/lazy-schema.ts'

/** How much a service, or a copy of its data, holds. */
export const Contents = named('Contents', () =>
  z.object({
    templates: z.number(),
    variations: z.number(),
    vatoms: z.number(),
    assets: z.number(),
    users: z.number().describe('Without the publishers that the service was started with, which always exist.'),
  }),
)
export type Contents = z.output<ReturnType<typeof Contents>>

/** How much a service holds, and the version of that. */
export const HeldData = named('HeldData', () =>
  z.object({
    ...Contents().shape,
    version: z
      .string()
      .optional()
      .describe(
        'Another one after each change. It says nothing once the service is started anew. Services of earlier versions have none.',
      ),
  }),
)
export type HeldData = z.output<ReturnType<typeof HeldData>>

/** Query of a request that replaces or deletes all data. */
export const ExpectedVersion = lazy(() =>
  z.object({
    version: z
      .string()
      .optional()
      .describe('Nothing is done, and 409 answered, if the data has another version by now.'),
  }),
)

/** A named copy of all data of a service, and how much is in it. */
export const Snapshot = named('Snapshot', () =>
  z.object({
    name: z.string(),
    when_saved: z.string(),
    ...Contents().shape,
    users: Contents().shape.users.optional(),
  }),
)
export type Snapshot = z.output<ReturnType<typeof Snapshot>>

/** A snapshot that has replaced all data, how much that was, and the assets of it whose files neither it nor the service had whole. */
export const LoadedData = named('LoadedData', () =>
  z.object({
    ...Snapshot().shape,
    replaced: Contents(),
    damaged_assets: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  }),
)
export type LoadedData = z.output<ReturnType<typeof LoadedData>>

/** The body of a request that replaces all data by a snapshot. */
export const LoadedSnapshot = lazy(() => z.looseObject({ snapshot: z.string() }))
