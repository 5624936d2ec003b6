import { randomInt } from 'node:crypto'
import { type ChildRule, childRule } from '../../contract/child-policy.ts'
import { builtIn, type Section } from '../../contract/complete.ts'
import { listAt } from '../../contract/path.ts'
import { definedFolder } from '../../contract/values.ts'

/** What governs the children that each vAtom of a variation is created with; only a defined folder has some. Spec 2.4. */
export function childrenOf(resolved: Section): readonly ChildRule[] {
  const type = builtIn(resolved)
  return type.root_type === definedFolder ? listAt(type, 'child_policy').map(childRule) : []
}

/** How many children one folder is created with, drawn where the policy leaves it open. */
export const drawn = ({ created: { least, most } }: ChildRule): number =>
  least === most ? most : randomInt(least, most + 1)
