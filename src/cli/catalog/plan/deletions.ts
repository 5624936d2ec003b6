import { at } from '../../../contract/schema/path.ts'
import type { Kind } from '../../../contract/values.ts'
import { variationDocument } from '../../kinds/record.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { digestOf } from './compare-record.ts'
import type { Deletion, Step } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/**
 * What the service has of the catalog's templates and the catalog has not: faces, actions, and variations that are
 * drafts. Templates themselves stay, and so does what is published.
 */
export async function deletionsOf(steps: readonly Step[], records: ServiceRecords): Promise<Deletion[]> {
  const wanted = new Set(steps.map(({ document, record }) => `${document.kind} ${record?.key ?? document.name}`))
  const templates = steps.filter(({ document, record }) => document.kind === 'template' && record)
  const found = await inParallel(templates, ({ document }) => recordsBelow(document.name, records))
  return found.flat().filter(({ kind, key }) => !wanted.has(`${kind} ${key}`))
}

async function recordsBelow(template: string, records: ServiceRecords): Promise<Deletion[]> {
  const [faces, actions, drafts] = await Promise.all([
    records.facesOf(template),
    records.actionsOf(template),
    records.draftsOf(template),
  ])
  const deletion = (kind: Kind, key: string, content: unknown, name = key): Deletion => ({
    kind,
    key,
    name,
    template,
    mark: digestOf(content),
  })
  return [
    ...faces.map(({ id, properties }) =>
      deletion('face', id, properties, `${template} ${at(properties, 'constraints', 'view_mode')} (${id})`),
    ),
    ...actions.map(({ name, properties }) => deletion('action', name, properties)),
    ...drafts.map((draft) => deletion('variation', draft.name, variationDocument(draft))),
  ]
}
