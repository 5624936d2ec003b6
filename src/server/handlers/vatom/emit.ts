import { randomUUID } from 'node:crypto'
import type { ChildRule } from '../../../contract/child-policy.ts'
import type { Section } from '../../../contract/complete.ts'
import { errorAt } from '../../../contract/errors.ts'
import { limits } from '../../../contract/values.ts'
import { seconds, timestamp } from '../../clock.ts'
import type { PublisherScope } from '../../environment.ts'
import { tellArrival } from '../../events/arrival.ts'
import { childrenOf, drawn } from '../../records/children.ts'
import { nowhere } from '../../records/folders.ts'
import { checkOwn } from '../../records/rules.ts'
import { isPublic, newVatom, resolvedOf, searchable } from '../../records/vatom.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Place } from '../../store/vatoms.ts'
import type { Handler } from '../handlers.ts'

/** Makes vAtoms of a variation in the caller's inventory; a defined folder with its children. Spec 1, 2.4. */
export const emit: Handler<'emit'> = async (scope, { body }) => {
  const ids = await scope.store.write(() => {
    const request = { scope, designs: new Map(), left: limits.emit }
    return make(request, designOf(request, body.template_variation), body.num, nowhere, 1)
  })
  return { num_created: ids.length, num_errors: 0, ids }
}

/** What one request makes. */
interface Request {
  readonly scope: PublisherScope
  /** By the names of variations. */
  readonly designs: Map<string, Design>
  /** How many vAtoms it may still make. */
  left: number
}

/** What the vAtoms of a variation have in common. */
interface Design {
  readonly variation: VariationRow
  readonly resolved: Section
  readonly children: readonly ChildRule[]
}

/** Folders within folders that one request makes. */
const deepest = 16

function make(request: Request, design: Design, count: number, place: Place, depth: number): string[] {
  spend(request, count, depth)
  checkDraftLimit(request, design, count)
  const ids = Array.from({ length: count }, () => randomUUID())
  const found = insert(request, design, ids, place)
  for (const rule of design.children) {
    const child = designOf(request, rule.variation)
    for (const id of ids) {
      const wanted = drawn(rule)
      if (wanted > 0) make(request, child, wanted, { id, isPublic: found }, depth + 1)
    }
  }
  return ids
}

function designOf(request: Request, name: string): Design {
  const known = request.designs.get(name)
  if (known) return known
  const { scope, designs } = request
  const variation = scope.store.variations.byName(name)
  if (!variation) {
    const child = designs.size > 0 ? ', which a child_policy names' : ''
    throw errorAt('template_variation', 'missingReference', `no template variation is named ${name}${child}`)
  }
  checkOwn(scope, variation)
  const resolved = resolvedOf(variation)
  const design = { variation, resolved, children: childrenOf(resolved) }
  designs.set(name, design)
  return design
}

/** A defined folder may hold itself: what one request makes has an end. */
function spend(request: Request, count: number, depth: number): void {
  request.left -= count
  if (depth > deepest)
    throw errorAt('template_variation', 'invalid', `the folder holds folders more than ${deepest} levels deep`)
  if (request.left < 0)
    throw errorAt('num', 'invalid', `one request makes at most ${limits.emit} vAtoms, children included`)
}

function checkDraftLimit({ scope }: Request, { variation: { name, unpublished } }: Design, count: number): void {
  if (unpublished !== 1) return
  const most = limits.draftVatoms
  const there = scope.store.vatoms.countOf(name)
  if (there + count <= most) return
  const message = `${name} is a draft: ${there} of at most ${most} vAtoms are there, ${most - there} more can be emitted`
  throw errorAt('num', 'draftLimit', message)
}

/** Stores vAtoms and tells their owner; answers whether everybody may find them. */
function insert({ scope }: Request, { variation, resolved }: Design, ids: readonly string[], place: Place): boolean {
  const record = newVatom(variation, resolved, {
    owner: scope.user.id,
    parent: place.id,
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
    parent_id: place.id,
    public: found,
    created: seconds(scope.now),
    json: JSON.stringify(record).slice(1),
  })
  tellArrival(scope, 'Emit', {
    ids,
    owner: scope.user.id,
    from: '',
    template_variation: variation.name,
    parent_id: place.id,
  })
  return found
}
