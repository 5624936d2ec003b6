import { planOf } from '../../actions/action-plan.ts'
import { carryOutLater, carryOutNow } from '../../actions/perform-action.ts'
import type { Handler } from '../handlers.ts'

/** Performs an action that is registered for a vAtom's template; what comes of it is its reactor's. */
export const performAction: Handler<'performAction'> = async (scope, { action, body }) => {
  const plan = planOf(scope, action, body)
  return { main: plan.action.settings.wait ? await carryOutNow(plan) : carryOutLater(plan) }
}
