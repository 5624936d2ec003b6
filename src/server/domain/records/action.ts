import { type Warning, warning } from '../../../contract/api/warnings.ts'
import { action, completeAction } from '../../../contract/kinds/action.ts'
import type { ActionDocument } from '../../../contract/kinds/action-schemas.ts'
import { policyActions } from '../../../contract/rules/policy-actions.ts'
import { lostGuards, mayLoseGuards, policyGuards } from '../../../contract/rules/policy-guards.ts'
import { at, printPath } from '../../../contract/schema/path.ts'
import { actionInfix, oldPlatformScheme, platformScheme } from '../../../contract/values.ts'
import { sectionOf } from '../../../contract/vatom/complete.ts'
import type { actions } from '../../store/actions.ts'
import type { Steps } from '../../store/slices.ts'
import type { RowOf } from '../../store/table.ts'
import { found, known } from '../access.ts'
import type { ByAnybody, ByPublisher, Moment, Warned } from '../caller.ts'
import { newMeta, recordMeta } from './meta.ts'

/** The action of a name, with the publisher and visibility of its template. Throws `notFound`, also for what the caller may not know of. */
export const knownAction = (scope: ByAnybody, name: string) =>
  found(known(scope, scope.store.actions.byName(name)), `action is named ${name}`)

/** The template in the name of an action. */
export const templateOf = (name: string): string => name.slice(0, name.indexOf(actionInfix))

/** A new action as it is stored and answered. */
export const actionText = (scope: ByPublisher, document: ActionDocument): string =>
  JSON.stringify({
    name: document.name,
    meta: recordMeta(newMeta(scope), 'v1::ActionType'),
    properties: completeAction(document),
  })

/** Warns of actions in a policy that do not exist: until they do, the action fails or warns. */
export function warnOfPolicy(scope: Moment & Warned, document: Pick<ActionDocument, 'name' | 'policy'>): void {
  for (const { path, called, full } of policyActions(document)) {
    const message = `policy.${path[1]} names ${called}, but no action is named ${full} yet`
    if (!scope.store.actions.byName(full)) scope.warn(warning('missing-action', printPath(path), message, full))
  }
}

/** Warns of a reactor of the publisher's own that has no handler: until it has one, the action fails. */
export function warnOfReactor(
  scope: ByPublisher & Warned,
  { reactor }: Partial<Pick<ActionDocument, 'reactor'>>,
): void {
  if (reactor === undefined || schemesOfPlatform.some((scheme) => reactor.startsWith(scheme))) return
  if (scope.store.actionHandlers.find({ publisher_fqdn: scope.publisher, reactor })) return
  const message = `no handler is registered for ${reactor}, so the action fails: register one with vatom action handler register`
  scope.warn(warning('missing-handler', 'reactor', message))
}

/** Of their reactors a rule says whether they exist. */
const schemesOfPlatform = [platformScheme, oldPlatformScheme]

/**
 * Warns of actions that others of the template run without what guards them, where an action is one of the two, in steps.
 * Call it inside the write of the action.
 */
export function* warnOfGuards(scope: Moment & Warned, document: Pick<ActionDocument, 'name'>): Steps<void> {
  if (!mayLoseGuards(document)) return
  for (const json of scope.store.actions.eachOfTemplate(templateOf(document.name))) {
    const other = action.documentOf(sectionOf(JSON.parse(json)))
    for (const { message, path } of guardsLost(document, other)) scope.warn(unguarded(message, printPath(path), other))
    for (const { message } of guardsLost(other, document)) scope.warn(unguarded(message, '', other))
    yield
  }
}

/** What guards one action, and not where the policy of another one names it. */
const guardsLost = (namer: unknown, named: unknown) =>
  policyActions(namer)
    .filter(({ full }) => full === at(named, 'name'))
    .flatMap((one) => lostGuards(namer, one, named))

const unguarded = (message: string, path: string, other: unknown): Warning => ({
  code: policyGuards.name,
  path,
  message,
  about: action.nameOf(sectionOf(other)),
})

type ActionKey = Pick<RowOf<typeof actions>, 'name' | 'template'>

const namedBy = (namer: string, name: string) =>
  warning('action-used', '', `${namer} names ${name} in its policy, and fails or warns without it`, namer)

/** Warns of the actions whose policy names one that was removed, in steps. A policy names actions of its own template. */
export function* warnOfNamers(scope: Moment & Warned, { name, template }: ActionKey): Steps<void> {
  for (const json of scope.store.actions.eachOfTemplate(template)) {
    const namer = action.documentOf(sectionOf(JSON.parse(json)))
    if (policyActions(namer).some(({ full }) => full === name)) scope.warn(namedBy(action.nameOf(namer), name))
    yield
  }
}
