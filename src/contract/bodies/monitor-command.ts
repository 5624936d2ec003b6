import * as z from 'zod/v4'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { longitude } from '../schema/scalars.ts'

/** The edge of a map that shows more than the earth lies beyond a pole. */
const point = lazy(() => z.object({ lat: z.number(), lon: longitude() }))

/** What a client may say: that it looks at a part of the map, until it looks at another. */
export const MonitorCommand = lazy(() =>
  z.object({
    type: z.literal('command'),
    cmd: z.literal('monitor'),
    payload: z.object({ top_left: point(), bottom_right: point() }),
  }),
)
export type MonitorCommand = ValueOf<typeof MonitorCommand>
