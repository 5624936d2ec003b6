import { ApiError, errorAt } from '../../contract/api/errors.ts'
import type { Input } from '../../contract/api/table.ts'
import { limits } from '../../contract/limits.ts'
import { completeEth, completeVatom, type Section, typedEth } from '../../contract/vatom/complete.ts'
import { checkName, checkOwn, known, readable } from '../domain/access.ts'
import { writeInStepsAs } from '../domain/caller.ts'
import { JsonText, mapped, recordText } from '../domain/json-text.ts'
import { queriedNumber, queriedPage } from '../domain/paging.ts'
import { checkCatalog } from '../domain/records/catalog-label.ts'
import { chargeWrites, charging, templateChain } from '../domain/records/charges.ts'
import { warnOfChildren } from '../domain/records/children.ts'
import { checkChangeSize, checkDeletionSize, isFollowed } from '../domain/records/draft-size.ts'
import { followTemplate, ownDraft, rowsOfDrafts } from '../domain/records/drafts.ts'
import { checkFaces } from '../domain/records/face.ts'
import { changedMeta, newMeta } from '../domain/records/meta.ts'
import { along, removeDraft } from '../domain/records/removal.ts'
import { checkRules } from '../domain/records/rules.ts'
import { removeRunsAfterwards } from '../domain/records/run-removal.ts'
import { sparseList } from '../domain/records/sparse-list.ts'
import { knownTemplate, templateRecord } from '../domain/records/template.ts'
import { bitOr } from '../store/table.ts'
import type { TemplateRow } from '../store/templates.ts'
import type { Handler, PublisherScope } from './handler.ts'

/** Creates a template, as a draft unless `unpublished` is false. Spec 4.6. */
export const createTemplate: Handler<'createTemplate'> = async (scope, { body }) => {
  checkRules(scope, 'template', body)
  checkName(scope, body.template, 'template')
  const row = changedRow(scope, newRow(scope, body.template), body)
  await writeInStepsAs(scope, 1, function* (scope) {
    if (scope.store.templates.byName(row.name))
      throw errorAt('template', 'nameTaken', `a template named ${row.name} already exists`)
    scope.store.templates.insert(row)
    yield
    warnOfChildren(scope, row)
    yield
    chargeWrites(scope, scope.environment, templateChain(row))
  })
  const state = row.unpublished === 1 ? 'created' : 'created and published'
  return { success_message: `Template ${row.name} ${state}.` }
}

/** A template before the fields of its document are set. */
const newRow = (scope: PublisherScope, name: string): TemplateRow => ({
  name,
  publisher_fqdn: scope.publisher,
  unpublished: 1,
  public: 0,
  cloneable: 0,
  vatom: '{}',
  eth: null,
  eos: null,
  ...newMeta(scope),
})

/** A template: a public one for everybody, any other for its publisher's administrators. Spec 2.2. */
export const getTemplate: Handler<'getTemplate'> = (scope, { name }) => {
  if (!scope.user && !known(scope, scope.store.templates.byName(name))) throw new ApiError('unauthorized')
  const row = readable(scope, knownTemplate(scope, name))
  return new JsonText(recordText(templateRecord(row)))
}

/** A page of the publisher's templates and others' public ones, in the order of their names. Spec 4. */
export const listTemplates: Handler<'listTemplates'> = ({ store, publisher }, { query }) =>
  sparseList(mapped(store.templates.page({ publisher, ...queriedPage(query) }), templateRecord), query?.fields)

/**
 * Replaces the submitted fields of a draft as a whole; `unpublished: false` publishes it, which is final. Variations of
 * the draft and the vAtoms already emitted change likewise. Spec 3.
 */
export const updateTemplate: Handler<'updateTemplate'> = async (scope, input) => {
  const { name } = input
  checkOwn(scope, knownTemplate(scope, name))
  const { body } = input
  const { vatom, eth, eos } = body
  if (vatom || eth || eos) checkRules(scope, 'template', { template: name, vatom, eth, eos })
  const published = await writeInStepsAs(scope, rowsOf(scope, name), function* (scope) {
    const row = ownDraft(scope, knownTemplate(scope, name))
    checkCatalog(scope, { kind: 'template', key: name }, input.query)
    const changed = changedRow(scope, row, body)
    yield
    const isOfAll = isFollowed(changed, row)
    yield
    if (isOfAll) yield* checkChangeSize(scope, changed, row)
    scope.store.templates.update(changed)
    yield* checkFaces(scope, changed, row)
    warnOfChildren(scope, changed)
    yield
    const charges = charging(scope, scope.environment)
    charges.record(templateChain(changed, row))
    if (isOfAll) yield* followTemplate(scope, changed, charges)
    charges.checkCovered()
    return changed.unpublished === 0
  })
  return { success_message: `Template ${name} ${published ? 'published' : 'updated'}.` }
}

/** How many rows change with a draft of the publisher's own; refuses another's, and what is published. */
function rowsOf(scope: PublisherScope, name: string): number {
  ownDraft(scope, knownTemplate(scope, name))
  return rowsOfDrafts(scope, scope.store.variations.ofTemplate(name))
}

/** A template after a request; fields that are not submitted stay. */
function changedRow(scope: PublisherScope, row: TemplateRow, body: Input<'updateTemplate'>['body']): TemplateRow {
  return {
    ...row,
    unpublished: bitOr(row.unpublished, body.unpublished),
    public: bitOr(row.public, body.public),
    cloneable: bitOr(row.cloneable, body.cloneable),
    vatom: body.vatom ? JSON.stringify(completeVatom(body.vatom)) : row.vatom,
    eth: replaced(row.eth, body.eth, (eth) => completeEth(eth, row.publisher_fqdn)),
    eos: replaced(row.eos, body.eos, typedEth),
    ...changedMeta(scope),
  }
}

/** The text of a section after a request: as it was where none is sent, none for `null`, else the one sent. */
function replaced(stored: string | null, sent: Section | null | undefined, complete: (section: Section) => Section) {
  if (sent === undefined) return stored
  return sent === null ? null : JSON.stringify(complete(sent))
}

/** Deletes a draft with its variations, which are drafts, their vAtoms, its faces and its actions. Spec 3, 4.6. */
export const deleteTemplate: Handler<'deleteTemplate'> = async (scope, { name, query }) => {
  const deleted = await removeDraft(scope, {
    subject: `template ${name}`,
    rows: rowsOf(scope, name) + scope.store.recordChanges.countUpTo(name, limits.fewRows + 1),
    check: (scope) => {
      ownDraft(scope, knownTemplate(scope, name))
      checkCatalog(scope, { kind: 'template', key: name }, query)
    },
    checkSize: (scope) => checkDeletionSize(scope, name),
    variations: ({ store }) => store.variations.ofTemplate(name),
    vatoms: ({ store }) => store.variations.countVatoms(name),
    most: queriedNumber(query?.vatoms),
    *rest({ store }) {
      // With the template they would go in one statement, for which everybody waits.
      yield* store.recordChanges.forget(name)
      store.templates.remove(name)
    },
  })
  await removeRunsAfterwards(scope.store, scope.environment.log)
  return { success_message: `Template ${name} deleted${along(deleted)}.` }
}
