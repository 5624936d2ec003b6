import type { Client } from '../../../client/client.ts'
import { unlessRefused } from '../../../client/errors.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { childrenOf } from '../../../contract/rules/catalog.ts'
import { privateAddressesIn } from '../../../contract/rules/private-address.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import { childPolicy } from '../../../contract/vatom/child-policy.ts'
import { completeEth } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Failure } from '../../failure/failure.ts'
import { type Caution, cautionsOf } from '../../kinds/cautions.ts'
import { type ChainChange, creationChange, followingChanges } from '../../kinds/chain-changes.ts'
import { changeRefusal } from '../../kinds/final-records.ts'
import { isDraft } from '../../kinds/requests.ts'
import { labelKey } from '../owners.ts'
import { changeOrder } from './change-order.ts'
import { type ComparedRecord, compareRecord } from './compare-record.ts'
import { type Decision, isTemplate, type Step } from './plan.ts'
import { type Catalog, refusalBeside } from './refusals.ts'
import type { ServiceRecords } from './service-records.ts'

export function catalogOf(
  documents: readonly LoadedDocument[],
  records: ServiceRecords,
  given: Pick<Catalog, 'publisher' | 'isElsewhere' | 'cwd' | 'beside' | 'elsewhere'>,
): Catalog {
  const { publisher, beside } = given
  const templates = new Map(documents.filter(isTemplate).map((one) => [one.name, one]))
  const ethOf = async (name: string) => {
    const own = templates.get(name)
    if (own === undefined) return at(await records.named('template', name), 'properties', 'eth')
    return isObject(own.value.eth) ? completeEth(own.value.eth, publisher) : undefined
  }
  const hasTemplate = async (name: string) =>
    templates.has(name) ||
    (await beside?.())?.has(labelKey({ kind: 'template', key: name })) === true ||
    (await records.named('template', name)) !== undefined
  return { ...given, records, documents, templates, ethOf, hasTemplate }
}

/** The step of a document that is refused. */
export const refusedStep = (document: LoadedDocument, refusal: Failure, record?: ComparedRecord): Step => ({
  document,
  decision: 'refuse',
  record,
  refusal,
  beforeTemplate: false,
  publishes: false,
  privateAddresses: 0,
  cautions: [],
  children: [],
  chain: [],
})

/** Decides what is done with a document. */
export async function stepFor(document: LoadedDocument, catalog: Catalog, client: Client): Promise<Step> {
  const { kind, value } = document
  const template = kindOf(kind).templateOf(value) ?? ''
  const templateEth = await catalog.ethOf(template)
  const record = await compareRecord(document, catalog.records, templateEth)
  const publishes = value.unpublished === false && record?.changes.final !== true
  const children = publishes && kind === 'variation' ? await childrenFor(document, template, catalog) : []
  const { beforeTemplate, refusal: order } = await changeOrder(
    document,
    record?.stored,
    catalog.templates.get(template),
    catalog.records,
  )
  const refusal =
    (record && (await changeRefusal(document, record.changes, catalog))) ??
    (await refusalBeside({ document, record, publishes, children }, catalog)) ??
    order
  if (refusal) return refusedStep(document, refusal, record)
  const chain = await chainOf(document, record, templateEth, client)
  const privateAddresses = publishes && catalog.isElsewhere ? privateAddressesIn(value) : 0
  return {
    document,
    decision: decisionOn(record),
    record,
    beforeTemplate,
    publishes,
    children,
    privateAddresses,
    cautions: publishes ? await planCautions(document, children, catalog) : [],
    chain,
  }
}

/** The cautions about a document that is published with its catalog; those about a child_policy where it stands. */
async function planCautions(document: LoadedDocument, children: readonly string[], catalog: Catalog) {
  const { documents, records, templates, isElsewhere } = catalog
  // A record of another publisher cannot be read; that a child_policy names it is reported where it stands.
  const staysDraft = async (name: string) => {
    const own = documents.find((one) => one.kind === 'variation' && one.name === name)
    if (own?.value.unpublished === false) return false
    const record = await records.named('variation', name).catch(unlessRefused)
    return record === undefined ? own !== undefined : isDraft(record)
  }
  const { value } = document
  const template = String(value.template)
  const isInherited =
    !isTemplate(document) &&
    at(value, ...childPolicy) === undefined &&
    templates.get(template)?.value.unpublished === false &&
    isDraft(await records.named('template', template))
  const named = isTemplate(document) ? childrenOf(value).map(({ name }) => name) : children
  const cautions = await cautionsOf(value, { staysDraft, isElsewhere, children: isInherited ? [] : named })
  return (await hasFace(document, catalog)) ? cautions : [...cautions, noFace]
}

const noFace: Caution = { code: 'no_face', names: [] }

/** Whether a template has a face in the catalog or on the service. Spec 4.5. */
async function hasFace(document: LoadedDocument, { documents, records }: Catalog): Promise<boolean> {
  if (!isTemplate(document)) return true
  const isOwn = ({ kind, value }: LoadedDocument) => kind === 'face' && value.template === document.name
  return documents.some(isOwn) || (await records.ofTemplate('face', document.name)).length > 0
}

/** The variations in a variation's own child_policy, or in that of its template. Spec 2.4, 2.5. */
async function childrenFor({ value }: LoadedDocument, template: string, { templates, records }: Catalog) {
  const own = at(value, ...childPolicy) !== undefined
  const record = own || templates.has(template) ? undefined : await records.named('template', template)
  const base = record ? kindOf('template').documentOf(record) : templates.get(template)?.value
  return childrenOf(own ? value : base).map(({ name }) => name)
}

const decisionOn = (record: ComparedRecord | undefined): Decision => {
  if (record === undefined) return 'create'
  return record.changes.differences.length > 0 ? 'update' : 'unchanged'
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
