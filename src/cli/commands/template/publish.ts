import { template } from '../../../contract/kinds/template.ts'
import type { Publication } from '../../kinds/verbs/publish.ts'

/** How templates are published. */
export const publication: Publication = {
  description: 'Publish a draft template. Afterwards it cannot be changed or deleted; its faces can.',
  documentOf: template.documentOf,
  related: async (client, record) => {
    const { storedFaces, storedMember } = await import('../../kinds/publish-checks.ts')
    const name = String(record.name)
    const own = storedMember('template', name, name, template.documentOf(record))
    return [own, ...(await storedFaces(client, name))]
  },
}
