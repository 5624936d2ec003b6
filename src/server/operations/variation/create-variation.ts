import { errorAt } from '../../../contract/api/errors.ts'
import type { VariationDocument } from '../../../contract/kinds/variation-schemas.ts'
import { variationDefaults } from '../../../contract/vatom/complete.ts'
import { writeAs } from '../../auth/current-user.ts'
import { chargeWrites, variationChain } from '../../domain/charges.ts'
import { checkChildren } from '../../domain/children.ts'
import { templateDraft } from '../../domain/drafts.ts'
import { newMeta } from '../../domain/meta.ts'
import { ownReference } from '../../domain/references.ts'
import { checkName, checkRules } from '../../domain/rules.ts'
import { keptOverrides, resolve } from '../../domain/variation.ts'
import type { PublisherScope } from '../../environment.ts'
import { bit } from '../../store/tables.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Handler } from '../handlers.ts'

/** Creates a variation of the publisher's template, as a draft unless `unpublished` is false. Spec 2.5. */
export const createVariation: Handler<'createVariation'> = async (scope, { body }) => {
  checkRules(scope, 'variation', body)
  checkName(scope, body.template_variation, 'template_variation')
  const row = await writeAs(scope, (scope) => {
    const template = ownReference(scope, body.template, 'template')
    const created = variationRow(scope, template, body)
    if (created.unpublished === 0 && template.unpublished === 1) throw templateDraft(template.name)
    if (scope.store.variations.byName(created.name))
      throw errorAt('template_variation', 'nameTaken', `a template variation named ${created.name} already exists`)
    scope.store.variations.insert(created)
    checkChildren(scope, created)
    chargeWrites(scope, [variationChain(created)])
    return created
  })
  const state = row.unpublished === 1 ? 'created' : 'created and published'
  return { success_message: `Template variation ${row.name} ${state}.` }
}

function variationRow(scope: PublisherScope, template: TemplateRow, body: VariationDocument): VariationRow {
  const overrides = keptOverrides(body)
  return {
    name: body.template_variation,
    template: template.name,
    publisher_fqdn: scope.publisher,
    unpublished: bit(body.unpublished ?? true),
    public: bit(body.public ?? false),
    auto_create_on_acquire: bit(body.auto_create_on_acquire ?? false),
    cloning_gain: body.cloning_gain ?? variationDefaults.cloning_gain,
    max_clones: body.max_clones ?? null,
    num_clones: 0,
    overrides: JSON.stringify(overrides),
    resolved: JSON.stringify(resolve(template, overrides)),
    ...newMeta(scope),
  }
}
