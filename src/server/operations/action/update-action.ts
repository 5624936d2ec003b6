import { completeBehaviour } from '../../../contract/kinds/action-defaults.ts'
import { writeAs } from '../../auth/current-user.ts'
import { ownAction, warnOfPolicy } from '../../domain/action.ts'
import { propertiesOf, withProperties } from '../../domain/meta.ts'
import { checkRules } from '../../domain/rules.ts'
import type { Handler } from '../handlers.ts'

/** Replaces the submitted fields of an action, whole; its template may be published. */
export const updateAction: Handler<'updateAction'> = async (scope, input) => {
  const { name } = input
  ownAction(scope, name)
  const sent = completeBehaviour(input.body)
  await writeAs(scope, (scope) => {
    const { json } = ownAction(scope, name)
    const changed = { ...propertiesOf(json), ...sent }
    checkRules(scope, 'action', changed)
    warnOfPolicy(scope, { name, policy: changed.policy })
    scope.store.actions.update({ name, json: withProperties(scope, json, changed) }, scope.now)
  })
  return { success_message: `Action ${name} updated.` }
}
