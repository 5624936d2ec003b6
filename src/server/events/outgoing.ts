import { arrivalPayloads } from '../domain/events.ts'
import type { SentEvent } from '../store/events.ts'
import type { Message, Subscriber } from './subscriber.ts'

/** What is sent of one event, and the connections that receive it. */
export interface Outgoing {
  readonly seq: number
  readonly messages: readonly Message[]
  readonly to: readonly Subscriber[]
}

export const outgoing = (row: SentEvent, to: readonly Subscriber[]): Outgoing => ({
  seq: row.seq,
  messages: to.length > 0 ? messagesOf(row) : [],
  to,
})

const messagesOf = ({ msg_type, payload }: SentEvent): Message[] =>
  msg_type === 'arrivals'
    ? arrivalPayloads(payload).map((one) => ({ type: 'inventory', payload: one }))
    : [{ type: msg_type, payload }]

/** How many messages are sent, each counted for every connection. */
export const sendsOf = ({ messages, to }: Outgoing): number => messages.length * to.length

/** What each connection receives of several events, in the order in which these were stored. */
export function bySubscriber(events: readonly Outgoing[]): Map<Subscriber, Message[]> {
  const received = new Map<Subscriber, Message[]>()
  for (const { messages, to } of [...events].sort((one, other) => one.seq - other.seq))
    for (const subscriber of to) {
      const earlier = received.get(subscriber)
      if (earlier) earlier.push(...messages)
      else received.set(subscriber, [...messages])
    }
  return received
}
