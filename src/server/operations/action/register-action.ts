import { errorAt } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import { actionText, templateOf, warnOfPolicy } from '../../domain/action.ts'
import { checkRoom, ownReference } from '../../domain/references.ts'
import { checkName, checkRules } from '../../domain/rules.ts'
import type { Handler } from '../handlers.ts'

/** Registers an action for the publisher's template, a draft or a published one. */
export const registerAction: Handler<'registerAction'> = async (scope, { body }) => {
  checkRules(scope, 'action', body)
  const { name } = body
  checkName(scope, name, 'name')
  const template = templateOf(name)
  await writeAs(scope, (scope) => {
    ownReference(scope, template, 'name')
    if (scope.store.actions.byName(name))
      throw errorAt('name', 'nameTaken', `an action named ${name} is registered already`)
    checkRoom(scope, 'actions', template, 'name')
    warnOfPolicy(scope, body)
    scope.store.actions.insert({ name, template, json: actionText(scope, body) }, scope.now)
  })
  return { success_message: `Action ${name} registered for template ${template}.` }
}
