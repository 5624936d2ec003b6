import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Steps } from '../../store/slices.ts'
import { bit } from '../../store/table.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import { root } from '../../store/vatoms/vatoms.ts'
import { own } from '../access.ts'
import type { ByPublisher, Moment, Warned } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { changedRecord, publishMapChange, publishState } from '../events.ts'
import { parsedRecord, writtenRecord } from '../vatoms/alike-sections.ts'
import { checkContents, rowsIn } from '../vatoms/contents.ts'
import { checkStillHolds } from '../vatoms/folders.ts'
import { isPublic, redesign, resolvedOf, searchable } from '../vatoms/vatom.ts'
import { type Charging, variationChain } from './charges.ts'
import { checkFollowers, overridesOf, resolvedSections, sectionsOf } from './variation.ts'

/** A draft of the publisher's own; refuses another's, and what is published. Spec 3. */
export function ownDraft<R extends TemplateRow | VariationRow>(scope: ByPublisher, record: R): R {
  const { name, unpublished } = own(scope, record)
  if (unpublished !== 1) throw new ApiError('published', `${name} is published, which is final`)
  return record
}

/** Refuses to publish a variation before its template. */
export function checkTemplatePublished(variation: VariationRow, template: TemplateRow): void {
  if (variation.unpublished === 0 && template.unpublished === 1)
    throw errorAt('unpublished', 'templateDraft', `the template ${template.name} is still a draft: publish it first`)
}

/**
 * How many rows change, or a few more than few, where draft variations are changed or deleted: they, their vAtoms, and what
 * is in these.
 */
export function rowsOfDrafts({ store }: Moment, variations: Iterable<VariationRow>): number {
  let rows = 0
  for (const { name } of variations) {
    const emitted = store.vatoms.everyOf(name).map(({ id }) => id)
    rows += 1 + limits.draftVatoms + rowsIn(store, emitted)
    if (rows > limits.fewRows) break
  }
  return rows
}

/**
 * After a template has changed: changes its variations and the vAtoms already emitted likewise, in steps, and records what
 * that changes on chains. Throws `overlay` where a variation cannot follow. Call it inside a write.
 */
export function* followTemplate(scope: ByPublisher & Warned, template: TemplateRow, { record }: Charging): Steps<void> {
  const { variations } = scope.store
  const base = sectionsOf(template)
  yield* checkFollowers(scope, base, variations.ofTemplate(template.name))
  let most: number = limits.contents
  for (const variation of variations.ofTemplate(template.name)) {
    const changed = { ...variation, resolved: writtenRecord(resolvedSections(base, overridesOf(variation))) }
    most = yield* storeVariation(scope, changed, variation, most)
    record(variationChain(changed, variation))
    yield
  }
}

/**
 * Stores a changed variation, changes the vAtoms already emitted where what they are made of differs, and publishes that
 * to their owners. In steps. Of what is in these, `most` may become visible or hidden with them: returns how many more may
 * then, and throws `invalid` if that is too much. Call it inside a write.
 */
export function* storeVariation(
  scope: Moment,
  variation: VariationRow,
  before: VariationRow,
  most: number = limits.contents,
): Steps<number> {
  yield
  checkStillHolds(scope.store, variation)
  scope.store.variations.update(variation)
  yield
  const isSeenAlike = visibilityOf(variation) === visibilityOf(before)
  yield
  const redesigned = redesign(before, variation, timestamp(scope.now))
  if (!redesigned) return most
  yield
  const emitted = scope.store.vatoms.ofVariation(variation.name)
  const ids = isSeenAlike ? [] : emitted.map(({ id }) => id)
  const left = yield* checkContents({ store: scope.store, ids, path: 'vatom', most })
  for (const vatom of emitted) {
    const was = parsedRecord(vatom.json)
    yield
    const is = redesigned(was)
    yield
    const fields = searchable(is)
    const json = writtenRecord(is)
    scope.store.vatoms.change({ id: vatom.id, ...fields, json })
    yield
    const inPublicFolder = vatom.parent_id !== root && scope.store.vatoms.isPublic(vatom.parent_id)
    const found = isPublic(fields.visibility_type, inPublicFolder)
    if (found !== (vatom.public === 1)) yield* scope.store.vatoms.setPublic(vatom.id, found)
    yield
    publishState(scope, 'Update', { ...vatom, json }, changedRecord(was, is))
    publishMapChange(scope, 'Update', vatom, { ...vatom, public: bit(found), json })
    yield
  }
  return left
}

const visibilityOf = (variation: VariationRow): string => searchable(resolvedOf(variation)).visibility_type
