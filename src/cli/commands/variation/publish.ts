import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/errors.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { resolvedDocument, variation } from '../../../contract/kinds/variation.ts'
import type { Member } from '../../../contract/rules/catalog.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { type Publication, publishFirst } from '../../kinds/verbs/publish.ts'

/** How variations are published. */
export const publication: Publication = {
  description: 'Publish a draft variation of a published template. Afterwards it cannot be changed or deleted.',
  documentOf: resolvedDocument,
  related: ownAndTemplate,
  check: refuseDraftTemplate,
}

/** The variation with its template; empty if the service returns only the resolved vAtom. */
async function ownAndTemplate(client: Client, record: Section): Promise<Member[]> {
  if (at(record, 'properties', 'overrides') === undefined) return []
  const { storedMember } = await import('../../kinds/publish-checks.ts')
  const template = String(at(record, 'properties', 'template'))
  const base = templateKind.documentOf(await client.getTemplate({ name: template }))
  return [
    storedMember('variation', String(record.name), template, variation.documentOf(record)),
    storedMember('template', template, template, base),
  ]
}

/** Fails for a template that is a draft; if it cannot be read, the service decides. Spec 3. */
async function refuseDraftTemplate(client: Client, name: string, { template }: Section): Promise<void> {
  const isDraft = await client.getTemplate({ name: String(template) }).then(
    ({ properties }) => properties.unpublished,
    (error: unknown) => {
      if (error instanceof ServiceError) return false
      throw error
    },
  )
  if (!isDraft) return
  throw new Failure('template_draft', exit.refused, `${template}, the template of ${name}, is still a draft`, {
    hint: publishFirst(String(template)),
  })
}
