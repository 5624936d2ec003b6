import * as z from 'zod/v4'

/** Where those who are connected are told what happens. */
export const socketPath = '/ws'

const point = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-540).max(540) })

/** What a client may say: that it looks at a part of the map, until it looks at another. */
export const MonitorCommand = z.object({
  type: z.literal('command'),
  cmd: z.literal('monitor'),
  payload: z.object({ top_left: point, bottom_right: point }),
})
export type MonitorCommand = z.output<typeof MonitorCommand>

/** What no source settles of the WebSocket. */
export const socketDetails = [
  'a connection lives until its session ends, not until its access token expires; it is closed with 1008 then, and with 1012 when everything was replaced by a snapshot or a reset',
  'info says whose connection it is',
  'a message that is no command is answered with an error message, which names its id',
  'the owner is told of new vAtoms (Emit) and of drafts that change (Update)',
  'a map event is for everybody but whose the vAtom was on the map',
] as const
