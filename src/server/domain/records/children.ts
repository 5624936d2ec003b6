import { randomInt } from 'node:crypto'
import { errorAt } from '../../../contract/api/errors.ts'
import { warning } from '../../../contract/api/warnings.ts'
import { listAt, printPath } from '../../../contract/schema/path.ts'
import { definedFolder } from '../../../contract/values.ts'
import { type ChildRule, childPolicy, childRule } from '../../../contract/vatom/child-policy.ts'
import { builtIn, type Section } from '../../../contract/vatom/complete.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import { checkOwn } from '../access.ts'
import type { ByPublisher, Moment, Warned } from '../caller.ts'
import { resolvedOf } from '../vatoms/vatom.ts'
import { vatomOf } from './template.ts'

/** What governs the children that each vAtom of a variation is created with; only a defined folder has some. Spec 2.4. */
export function childrenOf(resolved: Section): readonly ChildRule[] {
  const type = builtIn(resolved)
  return type.root_type === definedFolder ? listAt(type, 'child_policy').map(childRule) : []
}

/** How many children one folder is created with, drawn where the policy leaves it open. */
export const drawn = ({ created: { least, most } }: ChildRule): number =>
  least === most ? most : randomInt(least, most + 1)

/** Warns of variations that the child_policy of a template names and that are not there, or not yet. Spec 2.4. */
export const warnOfChildren = (scope: Moment & Warned, template: TemplateRow): void =>
  warnOfMissing(scope, childrenOf(vatomOf(template)))

/**
 * After a variation was stored: a published one is made with children of the publisher's alone, which are there; of a
 * draft, what is missing is warned of. Throws `missingReference` or `foreignRecord`. Call it inside a write. Spec 2.4.
 */
export function checkChildren(scope: ByPublisher & Warned, variation: VariationRow): void {
  const children = childrenOf(resolvedOf(variation))
  if (variation.unpublished === 1) {
    warnOfMissing(scope, children)
    return
  }
  for (const child of children) {
    const row = scope.store.variations.byName(child.variation)
    if (!row) throw errorAt('unpublished', 'missingReference', `${missing(child.variation)}; create it first`)
    checkOwn(scope, row)
  }
}

function warnOfMissing({ store, warn }: Moment & Warned, children: readonly ChildRule[]): void {
  for (const [index, { variation }] of children.entries())
    if (!store.variations.byName(variation))
      warn(
        warning(
          'missing-variation',
          printPath([...childPolicy, index, 'template_variation']),
          missing(variation),
          variation,
        ),
      )
}

const missing = (name: string) => `the child_policy names a variation that does not exist: ${name}`
