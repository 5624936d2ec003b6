import { textOf } from '../kinds/minimal.ts'
import { at } from '../schema/path.ts'
import { nameList } from '../schema/suggest.ts'
import { activatedOnly, shortName } from '../values.ts'
import { actionFamilyOf } from './action-family.ts'
import type { CatalogRule } from './catalog-rules.ts'
import { type PolicyAction, policyActions } from './policy-actions.ts'
import { type Finding, nothing } from './rule.ts'

/** The rule of actions that another one runs without what guards them. */
export const policyGuards: CatalogRule = {
  name: 'policy-guards',
  spec: '4',
  kinds: ['action'],
  severity: 'warning',
  summary: `what guards an action that a policy names guards the action that names it, too: its policy, limit_per_user and config.${activatedOnly} hold only where it is performed by itself`,
  check({ value, template }, catalog) {
    const { byName } = actionFamilyOf(catalog.of(template, 'action'))
    return policyActions(value).flatMap((one) => lostGuards(value, one, byName.get(one.full)?.value))
  },
}

/** An action with a policy, and the one that it names. */
interface Pair {
  readonly namer: unknown
  readonly named: unknown
}

/** What may keep an action from being run, and whether that is lost where another one runs it. */
const guards: readonly { readonly field: string; readonly isLost: (pair: Pair) => boolean }[] = [
  { field: 'policy', isLost: ({ namer, named }) => !runsPolicy(namer, named) },
  { field: 'limit_per_user', isLost: ({ namer, named }) => runsOf(named) < runsOf(namer) },
  { field: `config.${activatedOnly}`, isLost: ({ namer, named }) => isForActivated(named) && !isForActivated(namer) },
]

/** How often each user may run an action. */
const runsOf = (action: unknown): number => Number(at(action, 'limit_per_user') ?? 0) || Number.POSITIVE_INFINITY
const isForActivated = (action: unknown): boolean => at(action, 'config', activatedOnly) === true

/** Whether an action names others in its policy, or is guarded by itself. */
export const mayLoseGuards = (action: unknown): boolean =>
  policyActions(action).length > 0 || Number.isFinite(runsOf(action)) || isForActivated(action)

/** Whether an action runs, before and after another one, all that the policy of that one names. */
function runsPolicy(namer: unknown, named: unknown): boolean {
  const order = [...namesIn(namer, 'pre'), at(namer, 'name'), ...namesIn(namer, 'post')]
  const place = order.indexOf(at(named, 'name'))
  const [before, after] = [order.slice(0, place), order.slice(place + 1)]
  return (
    namesIn(named, 'pre').every((name) => before.includes(name)) &&
    namesIn(named, 'post').every((name) => after.includes(name))
  )
}

/** The actions of one stage of a policy. */
const namesIn = (action: unknown, stage: 'pre' | 'post'): readonly unknown[] =>
  policyActions(action)
    .filter(({ path }) => path[1] === stage)
    .map(({ full }) => full)

/** What guards an action by itself, and not where the policy of another one names it: one finding, there, or none. */
export function lostGuards(namer: unknown, { path, full }: PolicyAction, named: unknown): readonly Finding[] {
  const lost = guards.filter(({ isLost }) => isLost({ namer, named })).map(({ field }) => field)
  if (lost.length === 0) return nothing
  const [outer, inner] = [shortName(textOf(at(namer, 'name'))), shortName(full)]
  const message = `${outer} runs ${inner} without its ${nameList(lost)}: of an action that a policy names, only the reactor runs`
  return [{ path, message, hint: `write into ${outer}, too, what is to hold when it runs ${inner}` }]
}
