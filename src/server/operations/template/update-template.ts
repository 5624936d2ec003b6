import type { Input } from '../../../contract/api/api.ts'
import { completeEth, completeVatom, type Section, typedEth } from '../../../contract/vatom/complete.ts'
import { writeAs } from '../../auth/current-user.ts'
import { chargeWrites, templateChain } from '../../domain/charges.ts'
import { warnOfChildren } from '../../domain/children.ts'
import { checkDraft, followTemplate, ownTemplate } from '../../domain/drafts.ts'
import { warnOfFaces } from '../../domain/face.ts'
import { changedMeta } from '../../domain/meta.ts'
import { checkRules } from '../../domain/rules.ts'
import type { PublisherScope } from '../../environment.ts'
import { bit } from '../../store/tables.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { Handler } from '../handlers.ts'

/**
 * Replaces the submitted fields of a draft, whole; `unpublished: false` publishes it, which is final. Variations of
 * the draft and the vAtoms already emitted follow. Spec 3.
 */
export const updateTemplate: Handler<'updateTemplate'> = async (scope, input) => {
  ownTemplate(scope, input.name)
  const { body } = input
  const { vatom, eth, eos } = body
  if (vatom || eth || eos) checkRules(scope, 'template', { template: input.name, vatom, eth, eos })
  const published = await writeAs(scope, (scope) => {
    const row = ownTemplate(scope, input.name)
    checkDraft(row)
    const changed = changedRow(scope, row, body)
    scope.store.templates.update(changed)
    if (vatom) warnOfFaces(scope, changed)
    warnOfChildren(scope, changed)
    chargeWrites(scope, [templateChain(changed, row), ...followTemplate(scope, changed)])
    return changed.unpublished === 0
  })
  return { success_message: `Template ${input.name} ${published ? 'published' : 'updated'}.` }
}

function changedRow(scope: PublisherScope, row: TemplateRow, body: Input<'updateTemplate'>['body']): TemplateRow {
  return {
    ...row,
    unpublished: body.unpublished === undefined ? row.unpublished : bit(body.unpublished),
    public: body.public === undefined ? row.public : bit(body.public),
    cloneable: body.cloneable === undefined ? row.cloneable : bit(body.cloneable),
    vatom: body.vatom ? JSON.stringify(completeVatom(body.vatom)) : row.vatom,
    eth: replaced(row.eth, body.eth, (eth) => completeEth(eth, row.publisher_fqdn)),
    eos: replaced(row.eos, body.eos, typedEth),
    ...changedMeta(scope),
  }
}

/** A section's text after a request: as it was, none for `null`, else the one sent. */
function replaced(kept: string | null, sent: Section | null | undefined, complete: (section: Section) => Section) {
  if (sent === undefined) return kept
  return sent === null ? null : JSON.stringify(complete(sent))
}
