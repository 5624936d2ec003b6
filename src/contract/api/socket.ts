import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy-schema.ts'
import { longitude } from '../schema/scalars.ts'

/** Path of the WebSocket. */
export const socketPath = '/ws'

/** Events that are sent over the WebSocket. */
export const eventTypes = ['inventory', 'state_update', 'my_events', 'map'] as const
export type EventType = (typeof eventTypes)[number]

/** All messages that the service sends over it. */
export const messageTypes = ['info', ...eventTypes, 'error'] as const

/** The description of the WebSocket in documents of the API. */
export const socketNote = `Events of a user's vAtoms are sent over a WebSocket at ${socketPath}?app_id=…&token=…, with an access token, as messages {msg_type, payload, user_id}: info, inventory, state_update, my_events, and map for the region of the latest {"type": "command", "cmd": "monitor", "payload": {"top_left": {lat, lon}, "bottom_right": {lat, lon}}}.`

/** Assumptions about the WebSocket. */
export const socketDetails = [
  'a connection stays open until its session ends, even after its access token expires; the service closes it with 1008 when the session ends, and with 1012 after a snapshot or a reset has replaced all data, or if events were removed before they were sent: clients then connect again and read everything again',
  'info names the user of the connection',
  'the service answers a message that is not a command with an error message that has the id of the message',
  'the owner receives events of new vAtoms (Emit) and of drafts that change (Update)',
  'a map event goes to every connection whose region contains the place, except those of the former owner',
  `at most ${limits.sockets} connections, ${limits.socketsOfUser} of one user; a connection is closed if its client leaves ${limits.socketUnread / 2 ** 20} MiB unread, does not answer a ping in ${limits.socketPing / 1000} seconds, or sends a message of more than ${limits.socketMessage / 1024} KiB or ${limits.socketRefused} one after the other that are no command`,
] as const

/** The edge of a map that shows more than the earth is beyond a pole: any latitude. */
const point = lazy(() => z.object({ lat: z.number(), lon: longitude() }))

/** The only command of a client: the part of the map whose events it wants, until its next command. */
export const MonitorCommand = lazy(() =>
  z.object({
    type: z.literal('command'),
    cmd: z.literal('monitor'),
    payload: z.object({ top_left: point(), bottom_right: point() }),
  }),
)
export type MonitorCommand = ValueOf<typeof MonitorCommand>
