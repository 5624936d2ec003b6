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

/** A snapshot that has replaced all data, and the assets of it whose files neither it nor the service had whole. */
export const LoadedData = named('LoadedData', () =>
  z.object({
    ...Snapshot().shape,
    damaged_assets: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  }),
)
export type LoadedData = z.output<ReturnType<typeof LoadedData>>

/** The body of a request that replaces all data by a snapshot. */
export const LoadedSnapshot = lazy(() => z.looseObject({ snapshot: z.string() }))
