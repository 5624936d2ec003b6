import type { Client } from '../../../client/client.ts'
import { isFaceOf } from '../../../contract/kinds/face.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { faceResourceIssues } from '../../../contract/rules/face-rules.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import type { KindName } from '../../../contract/values.ts'
import { completeEth, sectionOf } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { type ChainChange, creationChange, followingChanges } from '../../kinds/chain-changes.ts'
import { changeRefusal } from '../../kinds/final-records.ts'
import { publishFirst } from '../../kinds/verbs/publish.ts'
import { changeOrder } from './change-order.ts'
import { type ComparedRecord, compareRecord } from './compare-record.ts'
import { type Decision, isTemplate, type Step } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/** The documents of a run, with the records of the service. */
interface Catalog {
  readonly records: ServiceRecords
  readonly templates: ReadonlyMap<string, LoadedDocument>
  readonly faces: readonly LoadedDocument[]
  /** The `eth` section that a template will have, as the service stores it. */
  readonly ethOf: (template: string) => Promise<unknown>
}

export function catalogOf(documents: readonly LoadedDocument[], records: ServiceRecords, publisher: string): Catalog {
  const ofKind = (wanted: KindName) => documents.filter(({ kind }) => kind === wanted)
  const templates = new Map(ofKind('template').map((one) => [one.name, one]))
  const ethOf = async (name: string) => {
    const own = templates.get(name)
    if (own === undefined) return at(await records.named('template', name), 'properties', 'eth')
    return isObject(own.value.eth) ? completeEth(own.value.eth, publisher) : undefined
  }
  return { records, templates, faces: ofKind('face'), ethOf }
}

/** The step of a document that is refused. */
export const refusedStep = (document: LoadedDocument, refusal: Failure, record?: ComparedRecord): Step => ({
  document,
  decision: 'refuse',
  record,
  refusal,
  beforeTemplate: false,
  publishes: false,
  chain: [],
})

/** Decides what is done with a document. */
export async function stepFor(document: LoadedDocument, catalog: Catalog, client: Client): Promise<Step> {
  const { kind, value } = document
  const template = kindOf(kind).templateOf(value) ?? ''
  const templateEth = await catalog.ethOf(template)
  const record = await compareRecord(document, catalog.records, templateEth)
  const publishes = value.unpublished === false && record?.changes.final !== true
  const { beforeTemplate, refusal: order } = await changeOrder(
    document,
    record?.stored,
    catalog.templates.get(template),
    catalog.records,
  )
  const refusal =
    (record && (await changeRefusal(document, record.changes))) ??
    (await againstTemplate(document, template, publishes, catalog)) ??
    (publishes ? await againstFaces(document, catalog) : undefined) ??
    order
  if (refusal) return refusedStep(document, refusal, record)
  const chain = await chainOf(document, record, templateEth, client)
  return { document, decision: decisionOn(record), record, beforeTemplate, publishes, chain }
}

const decisionOn = (record: ComparedRecord | undefined): Decision => {
  if (record === undefined) return 'create'
  return record.changes.differences.length > 0 ? 'update' : 'unchanged'
}

/** Why the state of its template forbids a document, or undefined. Spec 3. */
async function againstTemplate(
  document: LoadedDocument,
  template: string,
  publishes: boolean,
  { records, templates }: Catalog,
): Promise<Failure | undefined> {
  if (isTemplate(document)) return undefined
  const { kind, name } = document
  const own = templates.get(template)
  const record = own && !publishes ? undefined : await records.named('template', template)
  if (own === undefined && record === undefined)
    return new Failure('missing_reference', exit.refused, `${kind} ${name}: no template is named ${template}`, {
      hint: `add the template to the catalog, whose templates are: ${nameList([...templates.keys()]) || 'none'}`,
    })
  const isDraft = at(record, 'properties', 'unpublished') !== false && own?.value.unpublished !== false
  if (!publishes || !isDraft) return undefined
  return new Failure('template_draft', exit.refused, `${template}, the template of ${name}, stays a draft`, {
    hint: `set unpublished: false in its document, or ${publishFirst(template)}`,
  })
}

/** Why a template cannot be published: one of its faces that is not in the catalog would lack a resource. */
async function againstFaces(document: LoadedDocument, { records, faces }: Catalog): Promise<Failure | undefined> {
  if (!isTemplate(document)) return undefined
  const { name, value } = document
  const others = (await records.ofTemplate('face', name)).filter(
    (record) => !faces.some((face) => isFaceOf(face.value, record)),
  )
  const issues = others.flatMap(({ id, properties }) =>
    faceResourceIssues(sectionOf(properties), { vatom: value.vatom }).map(({ message }) => `face ${id}: ${message}`),
  )
  if (issues.length === 0) return undefined
  return new Failure('invalid_documents', exit.refused, `${name} cannot be published as it is: ${nameList(issues)}`, {
    hint: 'first delete what is not in the catalog with --prune, then publish with another apply',
  })
}

/** What a step changes on chains: its own section, and those of other variations that follow it. Spec 2.3, 2.5. */
async function chainOf(
  document: LoadedDocument,
  record: ComparedRecord | undefined,
  templateEth: unknown,
  client: Client,
): Promise<readonly ChainChange[]> {
  if (record === undefined) return creationChange(kindOf(document.kind), document.value.eth, templateEth)
  if (!('eth' in record.changes.body)) return []
  const own = record.changes.eth
  return isTemplate(document) ? [own, ...(await followingChanges(client, document.name, own.after))] : [own]
}
