import type { Moment } from '../domain/caller.ts'
import { deliverMessage } from '../domain/messages.ts'
import { publicName } from '../domain/users/user.ts'
import { builtInOf } from '../domain/vatoms/properties.ts'
import type { UserRow } from '../store/users.ts'
import { type Position, positionOf } from '../store/vatoms/positions.ts'
import { trashUser, type VatomRow } from '../store/vatoms/vatoms.ts'
import type { Step } from './steps.ts'

/** A message for somebody whom an action concerns. */
export interface Notification {
  readonly to: string
  /** Id of the user who caused it. */
  readonly from: string
  readonly text: string
  readonly vatom: VatomRow
}

/**
 * Sends the message of an action: with the text of the action if it has one, to the user whom the reactor names, else to
 * the vAtom's owner unless that is the caller. Call it inside the write of the action.
 */
export function notify(step: Step, given: Notification | undefined): void {
  const { scope, action } = step
  const { on, msg } = action.settings.action_notification
  const ownText = on && msg !== '' ? msg : undefined
  const message = given ?? (ownText === undefined ? undefined : toOwner(step, ownText))
  if (!message) return
  send(scope, { ...message, text: ownText ?? message.text }, action.short, positionOf(message.vatom))
}

/** Delivers a message about a vAtom; `place` is where it is on the map. Call it inside a write. */
export const send = (moment: Moment, { vatom, ...message }: Notification, action: string, place?: Position): void =>
  deliverMessage(moment, {
    ...message,
    vatoms: [vatom.id],
    variations: [vatom.template_variation],
    action,
    place,
  })

function toOwner({ scope, vatom: id }: Step, text: string): Notification | undefined {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom || vatom.owner === scope.user.id || vatom.owner === trashUser) return undefined
  return { to: vatom.owner, from: scope.user.id, text, vatom }
}

/** The notification `<b>Name</b> sent you a <b>Title</b> vAtom.`; `did` is its verb. */
export const notificationBy = (user: UserRow, did: string, vatom: VatomRow, to: string): Notification => ({
  to,
  from: user.id,
  text: `${bold(publicName(user) || 'Somebody')} ${did} ${bold(String(builtInOf(vatom).title))} vAtom.`,
  vatom,
})

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const bold = (name: string): string => `<b>${escaped(shortened(name))}</b>`

/** Characters of a name in a notification: a title can have 60,000. */
const longest = 200
const shortened = (name: string): string =>
  name.length > longest ? `${name.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : name

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign)
