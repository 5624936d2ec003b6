import { tellMessage } from '../events/message.ts'
import { positionOf } from '../store/positions.ts'
import { trashUser } from '../store/vatoms.ts'
import type { Told } from './reactor.ts'
import type { Step } from './steps.ts'

/**
 * Tells whom it concerns of an action, in its own words where it has some: whoever the reactor names, else the owner,
 * if that is somebody else than the caller. Call it inside the write that the action is.
 */
export function notify(step: Step, told: Told | undefined): void {
  const { scope, action } = step
  const { on, msg } = action.settings.action_notification
  const words = on && msg !== '' ? msg : undefined
  const message = told ?? (words === undefined ? undefined : toOwner(step, words))
  if (!message) return
  const { to, from, vatom, text } = message
  tellMessage(scope, {
    to,
    from,
    vatoms: [vatom.id],
    variations: [vatom.template_variation],
    text: words ?? text,
    action: action.short,
    place: positionOf(vatom),
  })
}

function toOwner({ scope, vatom: id }: Step, text: string): Told | undefined {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom || vatom.owner === scope.user.id || vatom.owner === trashUser) return undefined
  return { to: vatom.owner, from: scope.user.id, text, vatom }
}
