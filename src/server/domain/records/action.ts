import { warning } from '../../../contract/api/warnings.ts'
import { completeAction } from '../../../contract/kinds/action.ts'
import type { ActionDocument } from '../../../contract/kinds/action-schemas.ts'
import { policyActions } from '../../../contract/rules/policy-actions.ts'
import { printPath } from '../../../contract/schema/path.ts'
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
export function warnOfPolicy(scope: Moment & Warned, action: Pick<ActionDocument, 'name' | 'policy'>): void {
  for (const { path, called, full } of policyActions(action)) {
    const message = `policy.${path[1]} names ${called}, but no action is named ${full} yet`
    if (!scope.store.actions.byName(full)) scope.warn(warning('missing-action', printPath(path), message, full))
  }
}
