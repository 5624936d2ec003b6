import { warning } from '../../contract/api/warnings.ts'
import { carriedOutBy, isInput } from '../../contract/kinds/standard-actions.ts'
import { actionInfix } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import type { Warned } from '../domain/caller.ts'
import { type Action, actionOf, noAction, reactorOf } from './action.ts'
import { checkCaller } from './callers.ts'
import type { ActingScope } from './engine.ts'
import { carrierOf } from './handlers.ts'
import { reactors } from './reactors/index.ts'
import { actedOn, type Step } from './steps.ts'

/** A request of Perform Action after its checks. */
export interface Plan extends Omit<Step, 'stage' | 'reserved'> {
  /** The vAtom's template, which also has the actions that are run before and after. */
  readonly template: string
}

/**
 * Checks a request before anything is done, and warns of inputs that have no effect. A vAtom that the caller may not see
 * is refused first, so that nobody learns what its template can do.
 */
export function planOf(scope: ActingScope, short: string, input: Section & { readonly 'this.id': string }): Plan {
  const { store } = scope
  const id = input['this.id']
  const template = store.vatoms.byId(id)?.template
  const action = template === undefined ? undefined : actionOf(store, template, short)
  const reaches = action && reactors.get(action.settings.reactor)?.reaches
  const vatom = actedOn({ scope, vatom: id, reaches })
  if (!action) throw noAction(vatom.template, short)
  carrierOf(scope, action)
  checkCaller(scope, action)
  warnOfIdle(scope, action, input)
  return { scope, action, vatom: id, template: vatom.template, input, reaches }
}

/** A plan with a run of its action that is reserved for the caller. */
export type ReservedPlan = Plan & Pick<Step, 'reserved'>

/** Handlers are not checked: they may use any input. */
function warnOfIdle({ warn }: Warned, { settings: { reactor } }: Action, input: Section): void {
  const known = carriedOutBy(reactor)
  if (!known) return
  for (const key of Object.keys(input))
    if (key !== 'this.id' && !known.inputs.some((rule) => isInput(rule, key)))
      warn(() => warning('no-effect', key, `${key} has no effect: ${reactor} does not use it`))
}

/** Whether any of what an action runs is carried out by a handler. */
export function callsHandlers({ scope, template, action }: Plan): boolean {
  const { pre, post } = action.settings.policy
  const others = [...pre, ...post].map((name) => reactorOf(scope.store, template, shortOf(template, name)))
  return [action.settings.reactor, ...others].some((one) => one !== undefined && !reactors.has(one))
}

/** The step for a name in an action's policy, which may be a short or a full name. */
export function policyStep({ template, ...plan }: ReservedPlan, name: string, stage: 'pre' | 'post'): Step {
  const short = shortOf(template, name)
  const action = actionOf(plan.scope.store, template, short)
  if (!action) throw noAction(template, short)
  return { ...plan, action, stage }
}

function shortOf(template: string, name: string): string {
  const prefix = `${template}${actionInfix}`
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}
