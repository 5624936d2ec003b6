import { errorAt } from '../../../contract/api/errors.ts'
import { warning } from '../../../contract/api/warnings.ts'
import { printPath } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { type ChildRule, childPolicy, childRules } from '../../../contract/vatom/child-policy.ts'
import { builtIn, type Section } from '../../../contract/vatom/complete.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import { checkOwn, known } from '../access.ts'
import type { ByAnybody, ByPublisher, Moment, Warned } from '../caller.ts'
import { resolvedOf } from '../vatoms/vatom.ts'
import { vatomOf } from './template.ts'

/** The rules for the children that each vAtom of a variation is created with; only a defined folder has some. Spec 2.4. */
export const childrenOf = (resolved: Section): readonly ChildRule[] => childRules(builtIn(resolved)) ?? []

/** How many children one folder is created with; a random number if the policy gives a range. */
export const drawn = ({ store }: Pick<Moment, 'store'>, { created: { least, most } }: ChildRule): number =>
  least === most ? most : store.random.integer(least, most)

/** Warns of variations that the child_policy of a template names and that do not exist yet. Spec 2.4. */
export const warnOfChildren = (scope: ByAnybody & Warned, template: TemplateRow): void =>
  warnOfMissing(scope, childrenOf(vatomOf(template)))

/**
 * Checks the variations that the child_policy of a stored variation names: those of a published one must exist and be
 * of the same publisher; for those of a draft that do not exist there are warnings. Throws `missingReference` or
 * `foreignRecord`. Call it inside a write. Spec 2.4.
 */
export function checkChildren(scope: ByPublisher & Warned, variation: VariationRow): void {
  const children = childrenOf(resolvedOf(variation))
  if (variation.unpublished === 1) {
    warnOfMissing(scope, children)
    return
  }
  for (const child of children) {
    const row = known(scope, scope.store.variations.byName(child.variation))
    if (!row) throw errorAt('unpublished', 'missingReference', `${missing(child.variation)}; create it first`)
    checkOwn(scope, row)
  }
}

/** How many variations a warning names: it is short, and sent in a header. */
const fewParents = 3
/** How many it counts: there may be any number. */
const parentsCounted = 50

/**
 * Warns that variations name one in their child_policy that is deleted: they emit no vAtoms any more. It warns of the
 * publisher's published ones, and of drafts of another template, such as another catalog's: those of the same may be
 * deleted next. Spec 2.2, 2.4.
 */
export function warnOfParents(scope: ByPublisher & Warned, { name, template }: VariationRow): void {
  const { store, publisher, warn } = scope
  const parents = store.variations.parents({ child: name, template, publisher }, parentsCounted)
  if (parents.length === 0) return
  const message = `${name} is in the child_policy of ${parentList(parents)}, which no longer ${parents.length === 1 ? 'emits' : 'emit'} vAtoms until it exists again`
  warn(warning('missing-variation', '', message, name))
}

const parentList = (parents: readonly string[]): string =>
  parents.length < parentsCounted
    ? nameList(parents, fewParents)
    : `${parents.slice(0, fewParents).join(', ')} and others`

function warnOfMissing(scope: ByAnybody & Warned, children: readonly ChildRule[]): void {
  for (const [index, { variation }] of children.entries()) {
    const path = printPath([...childPolicy, index, 'template_variation'])
    if (!known(scope, scope.store.variations.byName(variation)))
      scope.warn(warning('missing-variation', path, missing(variation), variation))
  }
}

const missing = (name: string) => `the child_policy names a variation that does not exist: ${name}`
