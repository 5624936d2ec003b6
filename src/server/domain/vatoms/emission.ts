import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { builtIn, type Section } from '../../../contract/vatom/complete.ts'
import { BoundedValues } from '../../store/bounded-values.ts'
import type { Steps } from '../../store/slices.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Place } from '../../store/vatoms/vatom-folders.ts'
import { isHidden } from '../access.ts'
import type { ByUser, Moment } from '../caller.ts'
import { seconds, timestamp } from '../clock.ts'
import { publishArrival } from '../events.ts'
import { childrenOf, drawn } from '../records/children.ts'
import { nowhere } from './folders.ts'
import { isPublic, newVatom, resolvedOf, searchable } from './vatom.ts'

/** The action that emits vAtoms, and the paths in its request of the variation and the number, for errors. */
interface EmissionOptions {
  /** The action that the owner's events name: `Emit`. */
  readonly action: string
  readonly paths: { readonly variation: string; readonly num: string }
}

/** VAtoms that were made, and how many were made in them. */
interface Emitted {
  readonly ids: string[]
  readonly contents: number
}

/**
 * Makes vAtoms of a variation for the caller, in steps, in no folder; a defined folder with its children, whose variations
 * must be of the same publisher. Call it inside a write. Throws `invalid`, `missingReference`, `foreignRecord` or
 * `draftLimit`. Spec 1, 2.4.
 */
export function* emitted(
  scope: ByUser,
  variation: VariationRow,
  num: number,
  options: EmissionOptions,
): Steps<Emitted> {
  const asked = { asked: variation.name, publisher: variation.publisher_fqdn }
  const request: Request = {
    scope,
    ...asked,
    ...options,
    found: new Set([variation.name]),
    read: new BoundedValues<VariationRow>(charactersRead, ({ resolved }) => resolved.length),
    made: new Map(),
    left: limits.emit,
    charactersLeft: limits.emitCharacters,
  }
  const ids = yield* make(request, variation, num, nowhere, 1)
  return { ids, contents: limits.emit - request.left - num }
}

/** How many vAtoms an emission makes at most. */
export const mostEmitted = (variation: VariationRow | undefined, num: number): number =>
  variation && childrenOf(resolvedOf(variation)).length > 0 ? limits.emit : num

/** What one request makes. */
interface Request extends EmissionOptions {
  readonly scope: ByUser
  /** The name of the variation that it asks for. */
  readonly asked: string
  /** Domain name of the publisher of all their variations. */
  readonly publisher: string
  /** Names of variations that exist and are of that publisher. */
  readonly found: Set<string>
  /** Some of them, by their names, for those that are made again. */
  readonly read: BoundedValues<VariationRow>
  /** How many vAtoms it has made, by the names of variations. */
  readonly made: Map<string, number>
  /** How many vAtoms it may still make, and how many characters of JSON they may have. */
  left: number
  charactersLeft: number
}

/** Of variations of so many characters together is remembered what their vAtoms have in common: parsed, it takes some ten times as much memory. */
const charactersRead = 2 ** 20

function* make(request: Request, variation: VariationRow, count: number, place: Place, depth: number): Steps<string[]> {
  spend(request, variation, count, depth)
  checkDraft(request, variation, count)
  const { random } = request.scope.store
  const ids = Array.from({ length: count }, () => random.uuid())
  const some = insertedAtOnce(variation)
  let found = false
  for (let first = 0; first < count; first += some) {
    found = insert(request, variation, ids.slice(first, first + some), place)
    yield
  }
  for (const rule of childrenOf(resolvedOf(variation))) {
    // A variation of which none is wanted is never parsed.
    if (!request.found.has(rule.variation)) child(request, rule.variation)
    yield
    for (const id of ids) {
      const wanted = drawn(request.scope, rule)
      if (wanted > 0) yield* make(request, child(request, rule.variation), wanted, { id, isPublic: found }, depth + 1)
    }
  }
  return ids
}

/** Characters of vAtoms that one statement stores: they keep others waiting for some milliseconds. */
const charactersAtOnce = 2 ** 19

/** How many vAtoms one statement stores. */
const insertedAtOnce = ({ resolved }: VariationRow): number =>
  Math.min(limits.arrivals, Math.ceil(charactersAtOnce / resolved.length))

/** A variation that a `child_policy` names. Throws `missingReference` or `foreignRecord`. */
function child(request: Request, name: string): VariationRow {
  const known = request.read.get(name)
  if (known) return known
  const { scope, publisher, paths } = request
  const variation = scope.store.variations.byName(name)
  const isForeign = variation?.publisher_fqdn !== publisher
  if (!variation || (isForeign && isHidden(variation))) {
    const message = `a child_policy names a template variation that does not exist: ${name}`
    throw errorAt(paths.variation, 'missingReference', message)
  }
  if (isForeign) throw new ApiError('foreignRecord', `${name} belongs to another publisher`)
  request.found.add(name)
  request.read.set(name, variation)
  return variation
}

/** Limits what one request makes: a defined folder may contain folders of its own variation. */
function spend(request: Request, variation: VariationRow, count: number, depth: number): void {
  request.left -= count
  request.charactersLeft -= count * variation.resolved.length
  const tooDeep = `the folder contains folders more than ${limits.folders} levels deep`
  if (depth > limits.folders) throw errorAt(request.paths.variation, 'invalid', tooDeep)
  if (request.left < 0)
    throw errorAt(request.paths.num, 'invalid', `one request makes at most ${limits.emit} vAtoms, children included`)
  if (request.charactersLeft < 0) throw errorAt(request.paths.num, 'invalid', tooLarge(request, variation))
}

const tooLarge = ({ asked }: Request, { name, resolved }: VariationRow): string =>
  `one request makes vAtoms of at most ${limits.emitCharacters} characters of JSON, children included; ${name === asked ? 'each' : `each ${name}`} has ${resolved.length}`

/** Refuses more vAtoms of a draft than it may have, and counts those that the request makes. */
function checkDraft(request: Request, variation: VariationRow, count: number): void {
  const { scope, asked, made, paths } = request
  const before = made.get(variation.name) ?? 0
  const need =
    variation.name === asked ? '' : `; ${asked} contains it: what is to be emitted needs at least ${before + count}`
  checkDraftLimit(scope, variation, count, { path: paths.num, before, need })
  made.set(variation.name, before + count)
}

/** Where a request asks for vAtoms, how many it has made before, and what else the error says of how many there can be. */
interface Asking {
  readonly path: string
  readonly before?: number
  readonly need?: string
}

/** Refuses more vAtoms of a draft than may be emitted of it: those that were trashed count, too. */
export function checkDraftLimit(
  { store }: Moment,
  { name, unpublished }: VariationRow,
  count: number,
  { path, before = 0, need = '' }: Asking,
): void {
  if (unpublished !== 1) return
  const most = limits.draftVatoms
  const there = store.vatoms.countOf(name)
  if (there + count <= most) return
  const had = there - before
  const left = most - had
  const trashed = store.vatoms.countTrashed(name)
  const ofThem = trashed > 0 ? `, ${trashed} of them trashed or redeemed` : ''
  const state = left > 0 ? `it has ${had}${ofThem}, so ${left} more can be emitted` : `all are emitted${ofThem}`
  const message = `${name} is a draft, which can have at most ${most} vAtoms: ${state}${need}`
  throw errorAt(path, 'draftLimit', message)
}

/** Stores vAtoms and publishes them to their owner; returns whether everybody may find them. */
function insert({ scope, action }: Request, variation: VariationRow, ids: readonly string[], place: Place): boolean {
  const owner = scope.user.id
  const record = newVatom(variation, resolvedOf(variation), { owner, parent: place.id, now: timestamp(scope.now) })
  const found = insertVatoms(scope, ids, record, place.isPublic)
  publishArrival(scope, action, { ids, owner, from: '', template_variation: variation.name, parent_id: place.id })
  return found
}

/** Stores vAtoms that differ only by their ids; returns whether everybody may find them. Call it inside a write. */
export function insertVatoms(
  { store, now }: Moment,
  ids: readonly string[],
  record: Section,
  inPublicFolder: boolean,
): boolean {
  const type = builtIn(record)
  const fields = searchable(record)
  const found = isPublic(fields.visibility_type, inPublicFolder)
  store.vatoms.insert({
    ...fields,
    ids,
    owner: String(type.owner),
    author: String(type.author),
    publisher_fqdn: String(type.publisher_fqdn),
    template: String(type.template),
    template_variation: String(type.template_variation),
    parent_id: String(type.parent_id),
    public: found,
    created: seconds(now),
    json: JSON.stringify(record).slice(1),
  })
  return found
}
