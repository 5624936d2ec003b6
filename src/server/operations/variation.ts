import { errorAt } from '../../contract/api/errors.ts'
import type { Input } from '../../contract/api/table.ts'
import type { VariationDocument } from '../../contract/kinds/variation-schemas.ts'
import { variationDefaults } from '../../contract/vatom/complete.ts'
import { checkName, checkOwn, own, readable } from '../domain/access.ts'
import { writeInStepsAs } from '../domain/caller.ts'
import { JsonText, mapped, recordText } from '../domain/json-text.ts'
import { queriedNumber, queriedPage } from '../domain/paging.ts'
import { checkCatalog } from '../domain/records/catalog-label.ts'
import { chargeWrites, variationChain } from '../domain/records/charges.ts'
import { checkChildren } from '../domain/records/children.ts'
import { checkTemplatePublished, ownDraft, rowsOfDrafts, storeVariation } from '../domain/records/drafts.ts'
import { changedMeta, newMeta } from '../domain/records/meta.ts'
import { along, removeDraft } from '../domain/records/removal.ts'
import { checkRules } from '../domain/records/rules.ts'
import { sparseList } from '../domain/records/sparse-list.ts'
import { referenced } from '../domain/records/template.ts'
import { knownVariation, newOverrides, overridesOf, resolve, variationRecord } from '../domain/records/variation.ts'
import type { Steps } from '../store/slices.ts'
import { bitOr } from '../store/table.ts'
import type { TemplateRow } from '../store/templates.ts'
import type { VariationRow } from '../store/variations.ts'
import type { Handler, PublisherScope } from './handler.ts'

/** Creates a variation of the publisher's template, as a draft unless `unpublished` is false. Spec 2.5. */
export const createVariation: Handler<'createVariation'> = async (scope, { body }) => {
  checkRules(scope, 'variation', body)
  checkName(scope, body.template_variation, 'template_variation')
  const row = await writeInStepsAs(scope, 1, function* (scope) {
    const template = own(scope, referenced(scope, body.template, 'template'))
    const created = yield* changedRow(scope, newRow(scope, body), template, body)
    checkTemplatePublished(created, template)
    if (scope.store.variations.byName(created.name))
      throw errorAt('template_variation', 'nameTaken', `a template variation named ${created.name} already exists`)
    scope.store.variations.insert(created)
    yield
    checkChildren(scope, created)
    chargeWrites(scope, scope.environment, variationChain(created))
    return created
  })
  const state = row.unpublished === 1 ? 'created' : 'created and published'
  return { success_message: `Template variation ${row.name} ${state}.` }
}

/** A variation before the fields of its document are set, other than its names. */
const newRow = (scope: PublisherScope, { template_variation: name, template }: VariationDocument): VariationRow => ({
  name,
  template,
  publisher_fqdn: scope.publisher,
  unpublished: 1,
  public: 0,
  auto_create_on_acquire: 0,
  cloning_gain: variationDefaults.cloning_gain,
  max_clones: null,
  num_clones: 0,
  overrides: '{}',
  resolved: '{}',
  ...newMeta(scope),
})

/** A variation with the vAtom it makes: the publisher's own, or another's that is public. Spec 2.5. */
export const getVariation: Handler<'getVariation'> = (scope, { name }) => {
  const row = readable(scope, knownVariation(scope, name))
  return new JsonText(recordText(variationRecord(scope, row)))
}

/** A page of the publisher's variations and others' public ones, of one template or of all, in the order of their names. */
export const listVariations: Handler<'listVariations'> = (scope, { query }) => {
  const { store, publisher } = scope
  const rows = store.variations.page({ publisher, template: query?.template, ...queriedPage(query) })
  return sparseList(
    mapped(rows, (row) => variationRecord(scope, row)),
    query?.fields,
  )
}

/**
 * Replaces the submitted fields of a draft as a whole; `unpublished: false` publishes it, which is final. The vAtoms
 * already emitted change likewise. Spec 2.5, 3.
 */
export const updateVariation: Handler<'updateVariation'> = async (scope, input) => {
  const { name } = input
  checkOwn(scope, knownVariation(scope, name))
  const { body } = input
  const { vatom, eth, eos } = body
  if (vatom || eth || eos) checkRules(scope, 'variation', { template_variation: name, vatom, eth, eos })
  const rows = rowsOfDrafts(scope, [ownDraft(scope, knownVariation(scope, name))])
  const published = await writeInStepsAs(scope, rows, function* (scope) {
    const row = ownDraft(scope, knownVariation(scope, name))
    checkCatalog(scope, { kind: 'variation', key: name }, input.query)
    const template = scope.store.templates.byName(row.template)
    if (!template) throw new Error(`the template of ${row.name} no longer exists`)
    const changed = yield* changedRow(scope, row, template, body)
    checkTemplatePublished(changed, template)
    yield* storeVariation(scope, changed, row)
    checkChildren(scope, changed)
    yield
    chargeWrites(scope, scope.environment, variationChain(changed, row))
    return changed.unpublished === 0
  })
  return { success_message: `Template variation ${name} ${published ? 'published' : 'updated'}.` }
}

/** A variation after a request, in steps; fields that are not submitted stay. */
function* changedRow(
  scope: PublisherScope,
  row: VariationRow,
  template: TemplateRow,
  body: Input<'updateVariation'>['body'],
): Steps<VariationRow> {
  const overrides = newOverrides(body, overridesOf(row))
  yield
  const resolved = yield* resolve(scope, template, overrides)
  yield
  return {
    ...row,
    unpublished: bitOr(row.unpublished, body.unpublished),
    public: bitOr(row.public, body.public),
    auto_create_on_acquire: bitOr(row.auto_create_on_acquire, body.auto_create_on_acquire),
    cloning_gain: body.cloning_gain ?? row.cloning_gain,
    max_clones: body.max_clones === undefined ? row.max_clones : body.max_clones,
    overrides: JSON.stringify(overrides),
    resolved: JSON.stringify(resolved),
    ...changedMeta(scope),
  }
}

/** Deletes a draft with its vAtoms. Spec 2.5, 3. */
export const deleteVariation: Handler<'deleteVariation'> = async (scope, { name, query }) => {
  const draft = (scope: PublisherScope) => ownDraft(scope, knownVariation(scope, name))
  const { vatoms } = await removeDraft(scope, {
    subject: `variation ${name}`,
    rows: rowsOfDrafts(scope, [draft(scope)]),
    check: (scope) => {
      draft(scope)
      checkCatalog(scope, { kind: 'variation', key: name }, query)
    },
    variations: (scope) => [draft(scope)],
    vatoms: ({ store }) => store.vatoms.countOf(name),
    most: queriedNumber(query?.vatoms),
  })
  return { success_message: `Template variation ${name} deleted${along({ vatoms })}.` }
}
