import { creationOrder, kindOf } from '../../../contract/kinds/kinds.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { emittedText } from '../../kinds/draft-contents.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { digestOf, keyOf, markOf } from './compare-record.ts'
import { type Deletion, isTemplate, type Step } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/**
 * Records of the catalog's templates that are not in the catalog: faces, actions, and variations that are drafts.
 * Templates and published variations are never deleted.
 */
export async function deletionsOf(steps: readonly Step[], records: ServiceRecords): Promise<Deletion[]> {
  const wanted = new Set(steps.map(({ document, record }) => `${document.kind} ${record?.key ?? document.name}`))
  const templates = steps.filter(({ document, record }) => isTemplate(document) && record)
  const found = await inParallel(templates, ({ document }) => recordsBelow(document.name, records))
  return found.flat().filter(({ kind, key }) => !wanted.has(`${kind} ${key}`))
}

/** Kinds of records that belong to a template; what others need is deleted last. */
const kindsBelow = creationOrder.filter(({ parent }) => parent !== undefined).reverse()

async function recordsBelow(template: string, records: ServiceRecords): Promise<Deletion[]> {
  const found = await Promise.all(
    kindsBelow.map(async ({ name }) => {
      const all = await records.ofTemplate(name, template)
      return all.map((record) => deletionOf(name, record, template))
    }),
  )
  return found.flat()
}

function deletionOf(kind: KindName, record: Section, template: string): Deletion {
  const own = kindOf(kind)
  const key = keyOf(kind, record)
  const name = own.nameOf(own.documentOf(record))
  const contents = kind === 'variation' ? emittedText([record]) : []
  const mark = contents.length > 0 ? digestOf([markOf(kind, record), contents]) : markOf(kind, record)
  return { kind, key, name: name === key ? name : `${name} (${key})`, template, contents, mark }
}
