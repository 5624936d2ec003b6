import { kindOf } from '../../../contract/kinds/kinds.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { keyOf, markOf } from './compare-record.ts'
import { type Deletion, isTemplate, type Step } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/**
 * What the service has of the catalog's templates and the catalog has not: faces, actions, and variations that are
 * drafts. Templates themselves stay, and so does what is published.
 */
export async function deletionsOf(steps: readonly Step[], records: ServiceRecords): Promise<Deletion[]> {
  const wanted = new Set(steps.map(({ document, record }) => `${document.kind} ${record?.key ?? document.name}`))
  const templates = steps.filter(({ document, record }) => isTemplate(document) && record)
  const found = await inParallel(templates, ({ document }) => recordsBelow(document.name, records))
  return found.flat().filter(({ kind, key }) => !wanted.has(`${kind} ${key}`))
}

async function recordsBelow(template: string, records: ServiceRecords): Promise<Deletion[]> {
  const [faces, actions, drafts] = await Promise.all([
    records.facesOf(template),
    records.actionsOf(template),
    records.draftsOf(template),
  ])
  const deletion = (kind: KindName) => (record: Section) => deletionOf(kind, record, template)
  return [...faces.map(deletion('face')), ...actions.map(deletion('action')), ...drafts.map(deletion('variation'))]
}

function deletionOf(kind: KindName, record: Section, template: string): Deletion {
  const own = kindOf(kind)
  const key = keyOf(kind, record)
  const name = own.nameOf(own.documentOf(record))
  return { kind, key, name: name === key ? name : `${name} (${key})`, template, mark: markOf(kind, record) }
}
