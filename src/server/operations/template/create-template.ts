import { errorAt } from '../../../contract/api/errors.ts'
import type { TemplateDocument } from '../../../contract/kinds/template-schemas.ts'
import { completeEth, completeVatom, typedEth } from '../../../contract/vatom/complete.ts'
import { writeAs } from '../../auth/current-user.ts'
import { chargeWrites, templateChain } from '../../domain/charges.ts'
import { warnOfChildren } from '../../domain/children.ts'
import { newMeta } from '../../domain/meta.ts'
import { checkName, checkRules } from '../../domain/rules.ts'
import type { PublisherScope } from '../../environment.ts'
import { bit } from '../../store/tables.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { Handler } from '../handlers.ts'

/** Creates a template, as a draft unless `unpublished` is false. Spec 4.6. */
export const createTemplate: Handler<'createTemplate'> = async (scope, { body }) => {
  checkRules(scope, 'template', body)
  checkName(scope, body.template, 'template')
  const row = templateRow(scope, body)
  await writeAs(scope, (scope) => {
    if (scope.store.templates.byName(row.name))
      throw errorAt('template', 'nameTaken', `a template named ${row.name} already exists`)
    scope.store.templates.insert(row)
    warnOfChildren(scope, row)
    chargeWrites(scope, [templateChain(row)])
  })
  const state = row.unpublished === 1 ? 'created' : 'created and published'
  return { success_message: `Template ${row.name} ${state}.` }
}

function templateRow(scope: PublisherScope, body: TemplateDocument): TemplateRow {
  return {
    name: body.template,
    publisher_fqdn: scope.publisher,
    unpublished: bit(body.unpublished ?? true),
    public: bit(body.public ?? false),
    cloneable: bit(body.cloneable ?? false),
    vatom: JSON.stringify(completeVatom(body.vatom)),
    eth: body.eth ? JSON.stringify(completeEth(body.eth, scope.publisher)) : null,
    eos: body.eos ? JSON.stringify(typedEth(body.eos)) : null,
    ...newMeta(scope),
  }
}
