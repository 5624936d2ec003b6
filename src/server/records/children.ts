import { builtIn, type Section } from '../../contract/complete.ts'
import { at } from '../../contract/path.ts'
import { definedFolder } from '../../contract/values.ts'

/** What a defined folder is created with. */
export interface Children {
  readonly variation: string
  readonly count: number
}

/** The children that each vAtom of a variation is created with; only a defined folder has some. Spec 2.4. */
export function childrenOf(resolved: Section): readonly Children[] {
  const type = builtIn(resolved)
  if (type.root_type !== definedFolder || !Array.isArray(type.child_policy)) return []
  return type.child_policy
    .map((policy: unknown) => ({ variation: String(at(policy, 'template_variation')), count: countOf(policy) }))
    .filter(({ count }) => count > 0)
}

function countOf(policy: unknown): number {
  const auto = at(policy, 'creation_policy', 'auto_create')
  if (auto !== undefined && auto !== 'create_new') return 0
  const count = at(policy, 'creation_policy', 'auto_create_count') ?? at(policy, 'count') ?? 1
  return typeof count === 'number' ? count : 0
}
