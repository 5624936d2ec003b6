import { warning } from '../../../contract/api/warnings.ts'
import { completeAction } from '../../../contract/kinds/action.ts'
import type { ActionDocument } from '../../../contract/kinds/action-schemas.ts'
import { actionInfix } from '../../../contract/values.ts'
import { found, known } from '../access.ts'
import type { ByAnybody, ByPublisher, Moment, Warned } from '../caller.ts'
import { newMeta, recordMeta } from './meta.ts'

/** The action of a name, with the publisher and visibility of its template. Throws `notFound`, also for what the caller may not know of. */
export const knownAction = (scope: ByAnybody, name: string) =>
  found(known(scope, scope.store.actions.byName(name)), `action is named ${name}`)

/** The template in the name of an action. */
export const templateOf = (name: string): string => name.slice(0, name.indexOf(actionInfix))

/** A new action as it is stored and answered. */
export const actionText = (scope: ByPublisher, action: ActionDocument): string =>
  JSON.stringify({
    name: action.name,
    meta: recordMeta(newMeta(scope), 'v1::ActionType'),
    properties: completeAction(action),
  })

/** Warns of actions in a policy that do not exist: until they do, the action fails or warns. */
export function warnOfPolicy(scope: Moment & Warned, { name, policy }: Pick<ActionDocument, 'name' | 'policy'>): void {
  const prefix = `${templateOf(name)}${actionInfix}`
  for (const stage of ['pre', 'post'] as const)
    for (const [index, called] of (policy?.[stage] ?? []).entries()) {
      const full = called.startsWith(prefix) ? called : `${prefix}${called}`
      const message = `policy.${stage} names ${called}, but no action is named ${full} yet`
      if (full !== name && !scope.store.actions.byName(full))
        scope.warn(warning('missing-action', `policy.${stage}[${index}]`, message, full))
    }
}
