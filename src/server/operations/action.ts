import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { completeBehaviour } from '../../contract/kinds/action-defaults.ts'
import { checkName, isThereFor } from '../domain/access.ts'
import { writeAs } from '../domain/caller.ts'
import { JsonText, listText } from '../domain/json-text.ts'
import { queriedPage } from '../domain/paging.ts'
import { actionText, ownAction, readableAction, templateOf, warnOfPolicy } from '../domain/records/action.ts'
import { changesText } from '../domain/records/change-feeds.ts'
import { propertiesOf, withProperties } from '../domain/records/meta.ts'
import { checkRoom, ownReference, readableReference } from '../domain/records/references.ts'
import { checkRules } from '../domain/records/rules.ts'
import type { Handler } from './handler.ts'

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

/** An action of a template that the publisher may read, with every default filled in. */
export const getAction: Handler<'getAction'> = (scope, { name }) => new JsonText(readableAction(scope, name).json)

/** A page of the actions of a template that the publisher may read, in order of registration. */
export const listActions: Handler<'listActions'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.actions.page({ template, ...queriedPage(query) })))
}

/** What became of the actions of templates since a time. */
export const listActionChanges: Handler<'listActionChanges'> = (scope, { body }) => changesText(scope, 'action', body)

/**
 * What can be done with the vAtoms of a template, for everybody signed in once it is published: they may be anyone's.
 * A draft is there for its publisher's administrators, and for who owns a vAtom of it.
 */
export const listTemplateActions: Handler<'listTemplateActions'> = (scope, { template }) => {
  const row = scope.store.templates.byName(template)
  if (!row || !isThereFor(scope, row)) throw new ApiError('notFound', `no template is named ${template}`)
  return scope.store.actions.namesOf(template).map((name) => ({ name }))
}

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

/** Removes an action; its template may be published. */
export const deleteAction: Handler<'deleteAction'> = async (scope, { name }) => {
  await writeAs(scope, (scope) => {
    scope.store.actions.remove(ownAction(scope, name), scope.now)
  })
  return { success_message: `Action ${name} deleted.` }
}
