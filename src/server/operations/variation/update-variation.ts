import type { Input } from '../../../contract/api/api.ts'
import { writeAs } from '../../auth/current-user.ts'
import { chargeWrites, variationChain } from '../../domain/charges.ts'
import { checkChildren } from '../../domain/children.ts'
import { checkDraft, ownVariation, storeVariation, templateDraft } from '../../domain/drafts.ts'
import { changedMeta } from '../../domain/meta.ts'
import { checkRules } from '../../domain/rules.ts'
import { keptOverrides, overridesOf, resolve } from '../../domain/variation.ts'
import type { PublisherScope } from '../../environment.ts'
import { bit } from '../../store/tables.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Handler } from '../handlers.ts'

/**
 * Replaces the submitted fields of a draft, whole; `unpublished: false` publishes it, which is final. The vAtoms
 * already emitted follow. Spec 2.5, 3.
 */
export const updateVariation: Handler<'updateVariation'> = async (scope, input) => {
  ownVariation(scope, input.name)
  const { body } = input
  const { vatom, eth, eos } = body
  if (vatom || eth || eos) checkRules(scope, 'variation', { template_variation: input.name, vatom, eth, eos })
  const published = await writeAs(scope, (scope) => {
    const row = ownVariation(scope, input.name)
    checkDraft(row)
    const template = scope.store.templates.byName(row.template)
    if (!template) throw new Error(`${row.name} has lost its template`)
    const changed = changedRow(scope, row, template, body)
    if (changed.unpublished === 0 && template.unpublished === 1) throw templateDraft(template.name)
    storeVariation(scope, changed, row)
    checkChildren(scope, changed)
    chargeWrites(scope, [variationChain(changed, row)])
    return changed.unpublished === 0
  })
  return { success_message: `Template variation ${input.name} ${published ? 'published' : 'updated'}.` }
}

function changedRow(
  scope: PublisherScope,
  row: VariationRow,
  template: TemplateRow,
  body: Input<'updateVariation'>['body'],
): VariationRow {
  const overrides = keptOverrides(body, overridesOf(row))
  return {
    ...row,
    unpublished: body.unpublished === undefined ? row.unpublished : bit(body.unpublished),
    public: body.public === undefined ? row.public : bit(body.public),
    auto_create_on_acquire:
      body.auto_create_on_acquire === undefined ? row.auto_create_on_acquire : bit(body.auto_create_on_acquire),
    cloning_gain: body.cloning_gain ?? row.cloning_gain,
    max_clones: body.max_clones === undefined ? row.max_clones : body.max_clones,
    overrides: JSON.stringify(overrides),
    resolved: JSON.stringify(resolve(template, overrides)),
    ...changedMeta(scope),
  }
}
