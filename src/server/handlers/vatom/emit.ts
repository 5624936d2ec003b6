import { randomUUID } from 'node:crypto'
import type { Section } from '../../../contract/complete.ts'
import { errorAt } from '../../../contract/errors.ts'
import { limits } from '../../../contract/values.ts'
import { seconds, timestamp } from '../../clock.ts'
import type { PublisherScope } from '../../environment.ts'
import { childrenOf } from '../../records/children.ts'
import { checkOwn } from '../../records/rules.ts'
import { isPublic, newVatom, resolvedOf, root, searchable } from '../../records/vatom.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Handler } from '../handlers.ts'

/** Makes vAtoms of a variation in the caller's inventory; a defined folder with its children. Spec 1, 2.4. */
export const emit: Handler<'emit'> = async (scope, { body }) => {
  const ids = await scope.store.write(() =>
    make(
      scope,
      body.template_variation,
      'template_variation',
      body.num,
      { folder: root, isPublic: false, depth: 1 },
      budget(),
    ),
  )
  return { num_created: ids.length, num_errors: 0, ids }
}

interface Place {
  readonly folder: string
  readonly isPublic: boolean
  readonly depth: number
}
/** Folders within folders that one request makes. */
const deepest = 16

/** How many vAtoms one request may still make. */
interface Budget {
  left: number
}
const budget = (): Budget => ({ left: limits.emit })

function make(
  scope: PublisherScope,
  name: string,
  path: string,
  count: number,
  place: Place,
  budget: Budget,
): string[] {
  const variation = variationOf(scope, name, path)
  spend(budget, count, place.depth)
  checkDraftLimit(scope, variation, count)
  const ids = Array.from({ length: count }, () => randomUUID())
  const resolved = resolvedOf(variation)
  const found = insert(scope, variation, resolved, ids, place)
  for (const child of childrenOf(resolved))
    for (const folder of ids)
      make(
        scope,
        child.variation,
        'child_policy',
        child.count,
        { folder, isPublic: found, depth: place.depth + 1 },
        budget,
      )
  return ids
}

function variationOf(scope: PublisherScope, name: string, path: string): VariationRow {
  const variation = scope.store.variations.byName(name)
  if (!variation) throw errorAt(path, 'missingReference', `no template variation is named ${name}`)
  checkOwn(scope, variation)
  return variation
}

/** A defined folder may hold itself: what one request makes has an end. */
function spend(budget: Budget, count: number, depth: number): void {
  budget.left -= count
  if (depth > deepest)
    throw errorAt('template_variation', 'invalid', `the folder holds folders more than ${deepest} levels deep`)
  if (budget.left < 0)
    throw errorAt('num', 'invalid', `one request makes at most ${limits.emit} vAtoms, children included`)
}

function checkDraftLimit(scope: PublisherScope, { name, unpublished }: VariationRow, count: number): void {
  if (unpublished !== 1 || scope.store.vatoms.countOf(name) + count <= limits.draftVatoms) return
  const message = `${name} is a draft: at most ${limits.draftVatoms} vAtoms can be emitted from it`
  throw errorAt('num', 'draftLimit', message)
}

/** Whether everybody may find the new vAtoms. */
function insert(
  scope: PublisherScope,
  variation: VariationRow,
  resolved: Section,
  ids: readonly string[],
  place: Place,
): boolean {
  const record = newVatom(variation, resolved, {
    owner: scope.user.id,
    parent: place.folder,
    now: timestamp(scope.now),
  })
  const fields = searchable(record)
  const found = isPublic(fields.visibility_type, place.isPublic)
  scope.store.vatoms.insert({
    ...fields,
    ids,
    owner: scope.user.id,
    author: scope.user.id,
    publisher_fqdn: variation.publisher_fqdn,
    template: variation.template,
    template_variation: variation.name,
    parent_id: place.folder,
    public: found,
    created: seconds(scope.now),
    json: JSON.stringify(record).slice(1),
  })
  return found
}
