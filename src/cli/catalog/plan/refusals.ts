import { faceText, isFaceOf } from '../../../contract/kinds/face.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { childrenOf } from '../../../contract/rules/catalog.ts'
import { issuesWithTemplate } from '../../../contract/rules/catalog-rules.ts'
import { faceResourceIssues } from '../../../contract/rules/face-rules.ts'
import { ownChildrenHint } from '../../../contract/rules/foreign-children.ts'
import { overlayIssues } from '../../../contract/rules/overlay-rules.ts'
import { policyActions } from '../../../contract/rules/policy-actions.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import { at, printPath } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import type { KindName } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { sameNameHint } from '../../../documents/load/inputs.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import type { FailureCode } from '../../failure/codes.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import type { Host } from '../../host.ts'
import { operandWord } from '../../io/text.ts'
import type { Existing } from '../../kinds/final-records.ts'
import { isDraft } from '../../kinds/requests.ts'
import { publishFirst } from '../../kinds/verbs/publish.ts'
import { pipelineVariable } from '../../pipeline.ts'
import type { Beside, Described } from '../beside.ts'
import type { OtherPlace } from '../left-out.ts'
import { labelKey, type Ownership } from '../owners.ts'
import type { ComparedRecord } from './compare-record.ts'
import { type Deletion, isTemplate, type Step, type Unlisted } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/** The documents of a run, with the records of the service. */
export interface Catalog extends Existing {
  readonly publisher: string
  /** Whether the service is on another machine. */
  readonly isElsewhere: boolean
  readonly records: ServiceRecords
  readonly templates: ReadonlyMap<string, LoadedDocument>
  /** The `eth` section that a template will have, as the service stores it. */
  readonly ethOf: (template: string) => Promise<unknown>
  /** What files describe that the run was not given. */
  readonly beside?: Beside | undefined
  /** What files outside of its catalogs describe. */
  readonly elsewhere?: Ownership['elsewhere']
}

/** What is to be done with a document. */
export interface Intent {
  readonly document: LoadedDocument
  readonly record: ComparedRecord | undefined
  readonly publishes: boolean
  /** Names of the variations that must exist when it is published. */
  readonly children: readonly string[]
}

/** Why the service would not accept a document beside the records that it has; undefined if it would. */
export async function refusalBeside(intent: Intent, catalog: Catalog): Promise<Failure | undefined> {
  if (isTemplate(intent.document)) return againstVariations(intent, catalog)
  return (await againstTemplate(intent, catalog)) ?? againstChildren(intent, catalog)
}

const isWritten = ({ record }: Intent) => record === undefined || record.changes.differences.length > 0
const errorsIn = (issues: readonly Issue[]) => issues.filter(({ severity }) => severity === 'error')

/** Why its template forbids a document: by its state, or by what it has. Spec 2.5, 3, 4.5. */
async function againstTemplate(intent: Intent, catalog: Catalog) {
  const { records, templates, publisher } = catalog
  const { document, publishes } = intent
  const { kind, name, value } = document
  const template = kindOf(kind).templateOf(value) ?? ''
  const own = templates.get(template)
  const record = own && !publishes ? undefined : await records.named('template', template)
  if (own === undefined && record === undefined)
    return new Failure('missing_reference', exit.refused, `${kind} ${name}: no template is named ${template}`, {
      hint: await whereIs(template, catalog),
    })
  if (own === undefined && record && isWritten(intent)) {
    if (at(record, 'properties', 'publisher_fqdn') !== publisher) return foreignRecord(template, templatesOf(publisher))
    const misfit = misfitWith(document, template, record)
    if (misfit) return misfit
  }
  if (!publishes || !isDraft(record) || own?.value.unpublished === false) return undefined
  return new Failure('template_draft', exit.refused, `${template}, the template of ${name}, stays a draft`, {
    hint: `set unpublished: false in its document${record ? `, or ${publishFirst(template)}` : ''}`,
  })
}

const foreignRecord = (name: string, hint: string) =>
  new Failure('foreign_record', exit.refused, `${name} belongs to another publisher`, { hint })

/** What to do about a document of another publisher's template. */
const templatesOf = (publisher: string) =>
  `only the publisher of a template adds documents to it: name a template of ${publisher}, for which you are signed in, or sign in as an administrator of the other publisher: vatom login --context NAME`

/** Where a template is described that neither the files of a run nor the service have, and what applies it. */
async function whereIs(template: string, catalog: Catalog): Promise<string> {
  const { publisher, templates, documents, beside, elsewhere } = catalog
  if (!template.startsWith(`${publisher}::`)) return templatesOf(publisher)
  const key = labelKey({ kind: 'template', key: template })
  const other = (await beside?.())?.get(key)
  if (other)
    return `${other.file} has it: name it too, or apply all of the catalog: vatom apply ${operandWord(other.folder)}`
  const place = (await elsewhere?.().catch(noneIfRefused))?.get(key)
  if (place !== undefined) return has(place)
  const isUsed = (name: string) =>
    documents.some(({ kind, value }) => kindOf(kind).templateOf(value) === name && kind !== 'template')
  const unused = [...templates.keys()].filter((name) => !isUsed(name))
  if (unused.length === 1)
    return `was it renamed to ${unused[0]}, to which nothing belongs? Put the old name back, or write the new one here, too`
  if (templates.size === 0) return 'create the template first, or add it to the catalog, which has none'
  return `add the template to the catalog, whose templates are: ${nameList([...templates.keys()])}`
}

/** What is elsewhere only helps here: that it cannot be looked at is no reason of its own. */
function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

/** What to do about a document that is described outside of the catalogs of a run. */
const has = (place: OtherPlace): string =>
  'alsoIn' in place
    ? `${place.alsoIn} has it: name it too, to plan both as one, or apply it first: vatom apply ${operandWord(place.alsoIn)}`
    : `${place.ignoredIn}, which its catalog ignores, has it: take it from "ignore" in the vatom.yaml there, and apply that catalog first`

/** The codes that the service has for documents that do not fit their template. */
const misfits: Partial<Record<KindName, FailureCode>> = { variation: 'overlay', face: 'missing_reference' }

/** Why a document does not fit a template that only the service has. */
function misfitWith(document: LoadedDocument, template: string, record: Section): Failure | undefined {
  const { kind, name, value } = document
  const issues = errorsIn(issuesWithTemplate(kind, value, kindOf('template').documentOf(record)))
  const [first] = issues
  if (first === undefined) return undefined
  const message = `${kind} ${name} does not fit ${template} as the service has it: ${first.message}`
  return new Failure(misfits[kind] ?? 'invalid_documents', exit.refused, message, {
    ...withIssues(issues.map((issue) => placed(document, issue))),
    hint: [first.hint, 'if your files change the template, name them too'].filter(Boolean).join('; '),
  })
}

/** An issue of a document as a problem of its file, at the place that validate shows. */
const placed = ({ file, locate }: LoadedDocument, { path, part, rule, severity, message, spec }: Issue): Problem => ({
  file,
  ...locate(path, part),
  rule,
  severity,
  path: printPath(path),
  message,
  ...(spec && { spec }),
})

/** Why variations that only the service has forbid the change of a template. Spec 2.5. */
async function againstVariations({ document, record }: Intent, { records, documents }: Catalog) {
  if (record === undefined || record.changes.differences.length === 0) return undefined
  const named = new Set(documents.filter(({ kind }) => kind === 'variation').map(({ name }) => name))
  const others = (await records.ofTemplate('variation', document.name)).filter(({ name }) => !named.has(String(name)))
  const found = others.flatMap((other) =>
    errorsIn(overlayIssues(kindOf('variation').documentOf(other), document.value)).map(({ path, message }) => ({
      path: printPath(path.slice(0, 1)),
      message: `the variation ${other.name} overwrites ${printPath(path)}: ${message}`,
    })),
  )
  const [first] = found
  if (first === undefined) return undefined
  return new Failure('overlay', exit.refused, `template ${document.name} cannot change: ${first.message}`, {
    ...withIssues(found),
    hint: 'the variation is on the service and not in these files: name its file too, or change or delete it first',
  })
}

const withIssues = (issues: readonly { readonly path: string; readonly message: string }[]) => ({
  issues,
  listed: issues.slice(1),
})

/** Why a variation cannot be published: a variation in its child_policy exists nowhere, or is another publisher's. Spec 2.4. */
async function againstChildren(
  { document, children }: Intent,
  { records, documents, publisher }: Catalog,
): Promise<Failure | undefined> {
  const isListed = (name: string) => documents.some((one) => one.kind === 'variation' && one.name === name)
  const hint = ownChildrenHint(publisher)
  for (const child of children.filter((name) => !isListed(name))) {
    const record = await hinted(records.named('variation', child), { foreignRecord: hint })
    if (record === undefined)
      return new Failure(
        'missing_reference',
        exit.refused,
        `${document.name} cannot be published: its child_policy names a variation that does not exist: ${child}`,
        { hint: 'add that variation to the catalog, or create it first' },
      )
    if (at(record, 'properties', 'publisher_fqdn') !== publisher) return foreignRecord(child, hint)
  }
  return undefined
}

/** A field of documents that names records of a kind, which those documents need. */
interface Naming {
  readonly field: string
  readonly names: (document: unknown) => readonly string[]
}

/** The field that names records of each kind that others need. */
export const namings: Partial<Record<KindName, Naming>> = {
  variation: { field: 'child_policy', names: (document) => childrenOf(document).map(({ name }) => name) },
  action: { field: 'policy', names: (document) => policyActions(document).map(({ full }) => full) },
}

/**
 * Says why a record is not deleted: another folder with the name of its catalog has it, or a document of its catalog, or
 * one that the plan publishes, needs it. Spec 2.4.
 */
export async function deletionCheck(steps: readonly Step[], beside: Beside | undefined, { env }: Pick<Host, 'env'>) {
  const others: Described[] = [...((await beside?.())?.values() ?? [])]
  const parents = [
    ...steps.map(({ document, children }) => ({ ...document, published: children })),
    ...others.map((other) => ({ ...other, published: [] as readonly string[] })),
  ]
  return (deletion: Unlisted): Unlisted => {
    const { kind, key, name, catalog = '', alsoIn } = deletion
    if (alsoIn !== undefined) {
      const message = `${kind} ${name} cannot be deleted: ${alsoIn} has it, and is a catalog named ${catalog}, too`
      const hint = `to delete it, remove it from ${alsoIn}, too; else ${sameNameHint}${ofJobs(alsoIn, env)}`
      return { ...deletion, refusal: new Failure('same_name', exit.refused, message, { hint }) }
    }
    const naming = namings[kind]
    if (naming === undefined) return deletion
    const parent = parents.find(({ value, published }) => [...published, ...naming.names(value)].includes(key))
    if (parent === undefined) return deletion
    const message = `${kind} ${name} cannot be deleted: the ${naming.field} of ${parent.name} (${parent.file}) names it`
    const hint = `name another ${kind} there, or add the file of this one again`
    return { ...deletion, refusal: new Failure('missing_reference', exit.refused, message, { hint }) }
  }
}

/** What to do where the other folder is what another job has checked out, and nothing says that this one is a job, too. */
const ofJobs = (folder: string, env: Host['env']): string =>
  pipelineVariable(env) === undefined ? `; if ${folder} is the checkout of another job, set CI=1 in each` : ''

/** The records that are in no file, and those of them that the same plan deletes, which it does before it publishes. */
interface Outside {
  readonly unlisted: readonly Unlisted[]
  readonly deletions: readonly Deletion[]
}

/** Why a template cannot be published: one of its faces, which is neither in the catalog nor deleted, would lack a resource. */
export async function faceRefusal(
  { document: { name, value } }: Step,
  { records, documents }: Catalog,
  { unlisted, deletions }: Outside,
): Promise<Failure | undefined> {
  const faces = documents.filter(({ kind }) => kind === 'face')
  const others = (await records.ofTemplate('face', name)).filter(
    (record) => !faces.some((one) => isFaceOf(one.value, record)) && !deletions.some(({ key }) => key === record.id),
  )
  const found = others.flatMap(({ id, properties }) =>
    errorsIn(faceResourceIssues(sectionOf(properties), { vatom: value.vatom })).map(({ message }) => ({
      id: String(id),
      text: `face ${faceText(sectionOf(properties))} (${id}): ${message}`,
    })),
  )
  if (found.length === 0) return undefined
  const issues = nameList(found.map(({ text }) => text))
  return new Failure('invalid_documents', exit.refused, `${name} cannot be published as it is: ${issues}`, {
    hint: mendingHint([...new Set(found.map(({ id }) => id))], unlisted),
  })
}

/** How to mend faces without their resources, or delete them: by a command, or by the same run if it can delete all of them. */
function mendingHint(ids: readonly string[], unlisted: readonly Unlisted[]): string {
  const flags = new Set(ids.map((id) => unlisted.find(({ key }) => key === id)?.prunedBy))
  const [what, change] =
    ids.length === 1
      ? ['the face', "change the face's file and apply it, too"]
      : ['the faces', 'change the files of the faces and apply them, too']
  const byRun = flags.has(undefined) ? '' : `, or with the same run: add ${[...flags].join(' ')}`
  return `give the template the resource, or ${change}; or delete ${what} first: vatom face delete ${ids.join(' ')}${byRun}`
}
