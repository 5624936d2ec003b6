import * as z from 'zod/v4'

const point = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-540).max(540) })

/** What a client may say: that it looks at a part of the map, until it looks at another. */
export const MonitorCommand = z.object({
  type: z.literal('command'),
  cmd: z.literal('monitor'),
  payload: z.object({ top_left: point, bottom_right: point }),
})
export type MonitorCommand = z.output<typeof MonitorCommand>
