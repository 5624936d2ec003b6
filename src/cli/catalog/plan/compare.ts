import type { Client } from '../../../client/client.ts'
import { isFaceOf } from '../../../contract/kinds/face-identity.ts'
import { templateOf } from '../../../contract/rules/catalog.ts'
import { faceResourceIssues } from '../../../contract/rules/document-rules.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import type { Kind } from '../../../contract/values.ts'
import { completeEth } from '../../../contract/vatom/complete.ts'
import { resolveChain } from '../../../contract/vatom/overlay.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { toFailure } from '../../failure/translate.ts'
import type { Host } from '../../host.ts'
import { countProgress } from '../../io/count.ts'
import { type ChainChange, followingChanges } from '../../kinds/chain-changes.ts'
import { publishFirst } from '../../kinds/publish.ts'
import { againstChanging } from '../../kinds/refusal.ts'
import { stopsAll } from '../../kinds/send.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { type TemplateOrder, templateOrder } from './change-order.ts'
import { type Standing, standings } from './compare-record.ts'
import { type Deletion, deletionsOf } from './deletions.ts'
import { type State, stateOf } from './service-records.ts'

/** What is to be done about a document's record. */
export type Deed = 'create' | 'update' | 'unchanged' | 'refuse'

/** What a plan does about one document. */
export interface Step {
  readonly document: LoadedDocument
  readonly deed: Deed
  /** Its record, where there is one. */
  readonly standing?: Standing | undefined
  /** Why nothing can be done. */
  readonly refusal?: Failure
  /** Whether it changes before its template, which takes something away from it. Spec 2.5. */
  readonly leads: boolean
  /** Whether its document says that it is published, and it is not yet. Spec 3. */
  readonly publishes: boolean
  /** What this changes on chains. Spec 2.3. */
  readonly chain: readonly ChainChange[]
}

/** What brings the service to what a catalog says. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly deletions: readonly Deletion[]
}

/** Whether something of a plan cannot be done, so that nothing of it is. */
export const isRefused = ({ steps }: Pick<Plan, 'steps'>): boolean => steps.some(({ deed }) => deed === 'refuse')

export interface PlanOptions {
  readonly publisher: string
  /** Whether what the catalog's templates have beside it is deleted. */
  readonly prune: boolean
}

/** Compares documents, in the order in which they are created, with what the service has. */
export async function comparedWith(
  documents: readonly LoadedDocument[],
  { publisher, prune }: PlanOptions,
  context: Context,
): Promise<Plan> {
  const { host, output } = context
  const { client } = await context.connect()
  const state = stateOf(client)
  const catalog = catalogOf(documents, state, publisher)
  const progress = await countProgress(output, host, 'compare', documents.length)
  try {
    const steps = await inParallel(documents, async (document) => {
      progress.step(`${document.kind} ${document.name}`)
      const step = await stepOf(document, catalog, client).catch((error) => refusedStep(document, error, host))
      host.signal.throwIfAborted()
      return step
    })
    return { steps, deletions: prune ? await deletionsOf(steps, state) : [] }
  } finally {
    progress.stop()
  }
}

/** Documents of a run, with what they stand on beside them. */
interface Catalog {
  readonly state: State
  readonly templates: ReadonlyMap<string, LoadedDocument>
  readonly faces: readonly LoadedDocument[]
  /** The kept `eth` section that a template is going to have. */
  readonly ethOf: (template: string) => Promise<unknown>
}

function catalogOf(documents: readonly LoadedDocument[], state: State, publisher: string): Catalog {
  const templates = new Map(documents.filter(({ kind }) => kind === 'template').map((one) => [one.name, one]))
  const ethOf = async (name: string) => {
    const own = templates.get(name)
    if (own === undefined) return (await state.template(name))?.properties.eth
    return isObject(own.value.eth) ? completeEth(own.value.eth, publisher) : undefined
  }
  return { state, templates, faces: documents.filter(({ kind }) => kind === 'face'), ethOf }
}

/** What one document fails with is its own; what every other would fail with is the run's. */
async function refusedStep(document: LoadedDocument, error: unknown, host: Host): Promise<Step> {
  const refusal = await toFailure(error, host)
  if (stopsAll(refusal) && refusal.code !== 'foreign_record') throw error
  return { document, deed: 'refuse', refusal, leads: false, publishes: false, chain: [] }
}

async function stepOf(document: LoadedDocument, catalog: Catalog, client: Client): Promise<Step> {
  const { kind, value } = document
  const template = templateOf(kind, value) ?? ''
  const templateEth = kind === 'variation' ? await catalog.ethOf(template) : undefined
  const standing = await standings[kind](document, catalog.state, templateEth)
  const publishes = value.unpublished === false && standing?.changes.final !== true
  const { leads, refusal: between } = await orderOf(document, template, catalog)
  const refusal =
    (standing && (await againstChanging(document, standing.changes))) ??
    (await againstTemplate(document, template, publishes, catalog)) ??
    (publishes ? await againstFaces(document, catalog) : undefined) ??
    between
  const deed = refusal ? 'refuse' : deedOf(standing)
  const chain = refusal ? [] : await chainOf(document, standing, templateEth, client)
  return { document, deed, standing, leads, publishes: publishes && !refusal, chain, ...(refusal && { refusal }) }
}

const orderOf = async (
  document: LoadedDocument,
  template: string,
  { templates, state }: Catalog,
): Promise<TemplateOrder> =>
  document.kind === 'variation' ? templateOrder(document, templates.get(template), state) : { leads: false }

const deedOf = (standing: Standing | undefined): Deed => {
  if (standing === undefined) return 'create'
  return standing.changes.differences.length > 0 ? 'update' : 'unchanged'
}

/** Why a document's template does not let it be as it says, or undefined. Spec 3. */
async function againstTemplate(
  { kind, name }: LoadedDocument,
  template: string,
  publishes: boolean,
  { state, templates }: Catalog,
): Promise<Failure | undefined> {
  if (kind === 'template') return undefined
  const own = templates.get(template)
  const record = own && !publishes ? undefined : await state.template(template)
  if (own === undefined && record === undefined)
    return new Failure('missing_reference', exit.refused, `${kind} ${name}: no template is named ${template}`, {
      hint: `put it into the catalog; it has ${nameList([...templates.keys()]) || 'none'}`,
    })
  const isDraft = record?.properties.unpublished !== false && own?.value.unpublished !== false
  if (!publishes || !isDraft) return undefined
  return new Failure('template_draft', exit.refused, `${template}, the template of ${name}, stays a draft`, {
    hint: `say unpublished: false in its document, or ${publishFirst(template)}`,
  })
}

/** Why a template cannot be published: a face on the service, which is not in the catalog, would have no resource. */
async function againstFaces(
  { kind, name, value }: LoadedDocument,
  { state, faces }: Catalog,
): Promise<Failure | undefined> {
  if (kind !== 'template') return undefined
  const others = (await state.facesOf(name)).filter((record) => !faces.some((face) => isFaceOf(face.value, record)))
  const issues = others.flatMap(({ id, properties }) =>
    faceResourceIssues(properties, { vatom: value.vatom }).map(({ message }) => `face ${id}: ${message}`),
  )
  if (issues.length === 0) return undefined
  return new Failure('invalid_documents', exit.refused, `${name} cannot be published as it is: ${nameList(issues)}`, {
    hint: 'delete what is not in the catalog with --prune, publishing the next time',
  })
}

/** What a step changes on chains: its own section, and those of other variations that follow it. Spec 2.3, 2.5. */
async function chainOf(
  { kind, name, value }: LoadedDocument,
  standing: Standing | undefined,
  templateEth: unknown,
  client: Client,
): Promise<readonly ChainChange[]> {
  if (standing === undefined) return createdSections[kind]?.(value.eth, templateEth) ?? []
  if (!('eth' in standing.changes.body)) return []
  const own = standing.changes.eth
  return kind === 'template' ? [own, ...(await followingChanges(client, name, own.after))] : [own]
}

/** What has a section of its own when it is created: a variation's stands over its template's. */
const createdSections: Partial<Record<Kind, (own: unknown, template: unknown) => ChainChange[]>> = {
  template: (own) => (isObject(own) ? [{ before: undefined, after: own }] : []),
  variation: (own, template) =>
    isObject(own) && isObject(template) ? [{ before: undefined, after: resolveChain(template, own) }] : [],
}
