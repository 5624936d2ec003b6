import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { warning } from '../../contract/api/warnings.ts'
import { completeBehaviour } from '../../contract/kinds/action.ts'
import { plural } from '../../contract/schema/wording.ts'
import { mayCall, notCalled } from '../actions/handlers.ts'
import { checkName, checkOwn, found, knownToOwner, own, readable } from '../domain/access.ts'
import { writeAs, writeInStepsAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { eachPart, JsonParts, JsonText } from '../domain/json-text.ts'
import { queriedPage } from '../domain/paging.ts'
import {
  actionText,
  knownAction,
  templateOf,
  warnOfGuards,
  warnOfNamers,
  warnOfPolicy,
  warnOfReactor,
} from '../domain/records/action.ts'
import { checkCatalog } from '../domain/records/catalog-label.ts'
import { metaOf, propertiesOf, withProperties } from '../domain/records/meta.ts'
import { checkRules } from '../domain/records/rules.ts'
import { removeRunsAfterwards } from '../domain/records/run-removal.ts'
import { checkRoom, checkSize, referenced } from '../domain/records/template.ts'
import type { ActionHandlerRow } from '../store/actions.ts'
import type { Handler } from './handler.ts'

/** Registers an action for the publisher's template, a draft or a published one. */
export const registerAction: Handler<'registerAction'> = async (scope, { body }) => {
  checkRules(scope, 'action', body)
  const { name } = body
  checkName(scope, name, 'name')
  const template = templateOf(name)
  await writeInStepsAs(scope, 1, function* (scope) {
    checkOwn(scope, referenced(scope, template, 'name'))
    if (scope.store.actions.byName(name))
      throw errorAt('name', 'nameTaken', `an action named ${name} is registered already`)
    checkRoom(scope, 'actions', template, 'name')
    warnOfPolicy(scope, body)
    warnOfReactor(scope, body)
    yield* warnOfGuards(scope, body)
    const json = actionText(scope, body)
    checkSize(scope, 'actions', template, { json })
    scope.store.actions.insert({ name, template, json }, scope.now)
  })
  return { success_message: `Action ${name} registered for template ${template}.` }
}

/** An action of a template that the publisher may read, with every default filled in. */
export const getAction: Handler<'getAction'> = (scope, { name }) =>
  new JsonText(readable(scope, knownAction(scope, name)).json)

/** A page of the actions of a template that the publisher may read, in order of registration. */
export const listActions: Handler<'listActions'> = (scope, { query }) => {
  const { name: template } = readable(scope, referenced(scope, query.template, 'template'))
  return new JsonParts(eachPart(scope.store.actions.page({ template, ...queriedPage(query) }), ({ json }) => json))
}

/**
 * The names of a template's actions, for everybody signed in once it is published. Those of a draft are for its publisher's
 * administrators and for owners of its vAtoms.
 */
export const listTemplateActions: Handler<'listTemplateActions'> = async (scope, { template }) => {
  const { templates, actions, slices } = scope.store
  const row = await slices.run(() => knownToOwner(scope, templates.byName(template)), scope)
  const { name } = found(row, `template is named ${template}`)
  return actions.namesOf(name).map((name) => ({ name }))
}

/** Replaces the submitted fields of an action as a whole; its template may be published. */
export const updateAction: Handler<'updateAction'> = async (scope, input) => {
  const { name } = input
  checkOwn(scope, knownAction(scope, name))
  const sent = completeBehaviour(input.body)
  await writeInStepsAs(scope, 1, function* (scope) {
    const { json: before, template } = own(scope, knownAction(scope, name))
    checkCatalog(scope, { kind: 'action', key: name }, input.query)
    const changed = { ...propertiesOf(before), ...sent }
    checkRules(scope, 'action', changed)
    warnOfPolicy(scope, { name, policy: changed.policy })
    warnOfReactor(scope, changed)
    yield* warnOfGuards(scope, { ...changed, name })
    const json = withProperties(scope, before, changed)
    checkSize(scope, 'actions', template, { json, before })
    scope.store.actions.update({ name, json }, scope.now)
  })
  return { success_message: `Action ${name} updated.` }
}

/** Removes an action; its template may be published. */
export const deleteAction: Handler<'deleteAction'> = async (scope, { name, query }) => {
  await writeInStepsAs(scope, 1, function* (scope) {
    const row = own(scope, knownAction(scope, name))
    checkCatalog(scope, { kind: 'action', key: name }, query)
    scope.store.actions.remove(row, scope.now)
    yield* warnOfNamers(scope, row)
  })
  await removeRunsAfterwards(scope.store, scope.environment.log)
  return { success_message: `Action ${name} deleted.` }
}

/** Registers the address that is called for a reactor of the publisher's own. */
export const registerActionHandler: Handler<'registerActionHandler'> = async (scope, { body }) => {
  const { reactor, url } = body
  if (!mayCall(scope.environment.actions, new URL(url)))
    scope.warn(warning('handler-host', 'url', `${new URL(url).host} is a host that ${notCalled}`))
  const key = { publisher_fqdn: scope.publisher, reactor }
  await writeAs(scope, (scope) => {
    if (scope.store.actionHandlers.find(key))
      throw errorAt('reactor', 'nameTaken', `a handler for ${reactor} is registered already: delete that one first`)
    const made = { created_by: scope.user.id, when_created: timestamp(scope.now) }
    scope.store.actionHandlers.insert({ ...key, url, ...made })
  })
  return { success_message: `Action handler for ${reactor} registered.` }
}

/** A page of the publisher's action handlers, by reactor. */
export const listActionHandlers: Handler<'listActionHandlers'> = ({ store, publisher }, { query }) =>
  store.actionHandlers.page({ publisher, ...queriedPage(query) }).map(handlerRecord)

/** A handler never changes: it was last modified when it was created. */
const handlerRecord = ({ reactor, url, created_by, when_created }: ActionHandlerRow) => ({
  reactor,
  url,
  meta: metaOf({ when_created, when_modified: when_created }, created_by, 'v1::ActionHandlerType'),
})

/** Removes an action handler of the publisher's; those of others are not found. */
export const deleteActionHandler: Handler<'deleteActionHandler'> = async (scope, { reactor }) => {
  const key = { publisher_fqdn: scope.publisher, reactor }
  const removed = await writeAs(scope, ({ store }) => store.actionHandlers.remove(key))
  if (removed === 0) throw new ApiError('notFound', `no action handler is registered for ${reactor}`)
  const { count, names } = scope.store.actionHandlers.namers(key, named)
  if (count > 0) scope.warn(warning('handler-used', '', namersText(count, names)))
  return { success_message: `Action handler for ${reactor} deleted.` }
}

/** Names of actions that a warning has at most. */
const named = 3

/** What becomes of actions that nothing carries out any more. */
function namersText(count: number, names: readonly string[]): string {
  const fail = count === 1 ? 'names its reactor and fails' : 'name its reactor and fail'
  const rest = count > names.length ? ` and ${count - names.length} more` : ''
  return `${plural(count, 'action')} ${fail} without a handler: ${names.join(', ')}${rest}`
}
