import { kindOf } from '../../../contract/kinds/kinds.ts'
import type { KindName } from '../../../contract/values.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import type { Failure } from '../../failure/failure.ts'
import type { Caution } from '../../kinds/cautions.ts'
import type { ChainChange } from '../../kinds/chain-changes.ts'
import type { Emitted } from '../../kinds/draft-contents.ts'
import type { Catalogs } from '../catalog-names.ts'
import type { ComparedRecord } from './compare-record.ts'

/** What makes the service match a catalog. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly deletions: readonly Deletion[]
  /** What is on the service, in no file, and stays. */
  readonly unlisted: readonly Unlisted[]
  /** The catalogs of the files. */
  readonly catalogs: Catalogs
  /** Whether only a part of a catalog was compared, so that nothing can be pruned. */
  readonly isPartial?: boolean | undefined
  /** Whether it publishes only if a run has --publish: it was neither saved, nor made for such a run. */
  readonly needsPublish?: boolean
  /** Why the service did not check it; undefined if it did, or there is nothing to check. */
  readonly unchecked?: string | undefined
  /** How many changes the service checked, if it did not check the others. */
  readonly checked?: number | undefined
  /** Whether only this machine records which catalog owns what. */
  readonly isOwnedHere?: boolean
}

/** What is done with a document. */
export type Decision = 'create' | 'update' | 'unchanged' | 'refuse'

/** Why a run leaves a draft as a draft: it has no --publish, or publishing was not confirmed. */
export type StaysDraft = 'not allowed' | 'declined'

/** What a plan does with one document. */
export interface Step {
  readonly document: LoadedDocument
  readonly decision: Decision
  /** Its record on the service, where there is one. */
  readonly record?: ComparedRecord | undefined
  /** Why it is refused. */
  readonly refusal?: Failure
  /** Whether its record changes before its template's, which takes something away from it. Spec 2.5. */
  readonly beforeTemplate: boolean
  /** Whether its record is a draft that the document publishes. Spec 3. */
  readonly publishes: boolean
  /** Names of the variations that must exist when it is published. Spec 2.4. */
  readonly children: readonly string[]
  /** Why it is not published, although its document says so. */
  readonly staysDraft?: StaysDraft
  /** How many of its addresses apps elsewhere cannot read, if it is published on another machine. */
  readonly privateAddresses: number
  /** What somebody should know before it is published; none if it is not. */
  readonly cautions: readonly Caution[]
  /** What it changes on chains. Spec 2.3. */
  readonly chain: readonly ChainChange[]
  /** The other catalog that owns its record until now. */
  readonly takenFrom?: string | undefined
  /** Whether no option to prune deletes its record. */
  readonly isNeverPruned?: boolean
  /** Whether the service stores labels, and has none that says which catalog owns its record. */
  readonly isUnlabelled?: boolean
  /** The catalogs that its label may name when it is changed; undefined where the service stores none. */
  readonly expectedCatalogs?: readonly string[] | undefined
  /** The revision of its label; undefined where it has none, or the service has no revisions. */
  readonly labelRevision?: string | undefined
  /** How many vAtoms follow its draft, and what the document changes in it. */
  readonly followers?: number
}

/** A record that a plan deletes, because the catalog does not have it. */
export interface Deletion {
  readonly kind: KindName
  /** What the operations call it by: its name, a face's id. */
  readonly key: string
  /** What identifies it in the record of owners. */
  readonly ownKey: string
  /** What one that is made anew in its place has another one of; undefined if the service does not say that. */
  readonly creation?: string | undefined
  /** What messages call it. */
  readonly name: string
  readonly template: string
  /** What else is deleted with it: `5 vAtoms`. */
  readonly contents: readonly string[]
  /** Its vAtoms, if it has any and is not of a saved plan. */
  readonly emitted?: Emitted
  /** Digest of the record as it was compared. */
  readonly mark: string
  /** When it was changed last; undefined if the service does not say it. */
  readonly modified?: string | undefined
  /** The catalogs that its label may name when it is deleted; undefined where the service stores none. */
  readonly expectedCatalogs?: readonly string[] | undefined
  /** The revision of its label; undefined where it has none, or the service has no revisions. */
  readonly labelRevision?: string | undefined
  /** How many vAtoms may be deleted with it; undefined where the service does not report how many there are. */
  readonly expectedVatoms?: number | undefined
  /** What the service warns of. */
  readonly warnings?: readonly Problem[]
  /** Why it is refused. */
  readonly refusal?: Failure
}

/** A record on the service that is in no file. */
export interface Unlisted extends Deletion {
  /** The catalog that owns it; undefined if none is known to. */
  readonly catalog: string | undefined
  /** The option of a run that deletes it; undefined if another catalog, or one in a submodule, owns it, or another describes it. */
  readonly prunedBy: '--prune' | '--prune-unowned' | undefined
  /** Whether no plan deletes it: a template, or what is published. */
  readonly isFinal: boolean
  readonly isPublished: boolean
  /** Another folder that describes it, or a file beside catalogs. */
  readonly alsoIn?: string | undefined
  /** Whether that folder is a catalog with a name that one of the plan has, too. */
  readonly isSameName?: boolean | undefined
  /** A file that describes it, and that its catalog ignores. */
  readonly ignoredIn?: string | undefined
  /** The folder of the submodule that its catalog is in: the repository of that may be newer, and describe it. */
  readonly submodule?: string | undefined
  /** Whether it stays with its template, which is in no file either. */
  readonly staysWithTemplate?: boolean | undefined
  /** Of a template, what belongs to it. */
  readonly below?: readonly Pick<Unlisted, 'kind' | 'key' | 'record'>[]
  /** Of a template, what belongs to it and to another catalog. */
  readonly others?: string | undefined
  /** The record, if it was read in a list and is not of a saved plan. */
  readonly record?: Pick<ComparedRecord, 'stored' | 'place'>
}

/** Whether a document is a template, to which all others belong. */
export const isTemplate = ({ kind }: Pick<LoadedDocument, 'kind'>): boolean => kindOf(kind).parent === undefined

/** Whether a step creates or changes a record. */
export const isWriting = ({ decision }: Step): boolean => decision === 'create' || decision === 'update'

/** Whether carrying a plan out publishes a step, as far as its options go. */
export const isPublishing = ({ needsPublish }: Plan, { publishes }: Step): boolean => publishes && !needsPublish

/** Whether a draft stays a draft although its document publishes it. */
export const isWithheld = ({ needsPublish }: Plan, { publishes, staysDraft }: Step): boolean =>
  staysDraft !== undefined || (publishes && needsPublish === true)

/** Whether a document or a deletion is refused, so that nothing of the plan is carried out. */
export const isRefused = ({ steps, deletions }: Plan): boolean =>
  [...steps, ...deletions].some(({ refusal }) => refusal !== undefined)

/** Whether carrying a plan out changes anything. */
export const isChanging = ({ steps, deletions }: Plan): boolean =>
  deletions.length > 0 || steps.some((step) => step.publishes || isWriting(step))

/** How many addresses that apps elsewhere cannot read become final. */
export const finalAddresses = ({ steps }: Pick<Plan, 'steps'>): number =>
  steps.filter(({ publishes }) => publishes).reduce((sum, { privateAddresses }) => sum + privateAddresses, 0)

/** A plan that leaves drafts as drafts. */
export const withoutPublishing = (plan: Plan, why: StaysDraft): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => (step.publishes ? { ...step, publishes: false, staysDraft: why } : step)),
})

/** A plan as far as its options go: --yes does not cover publishing, which is final. */
export const limitedTo = ({ yes, publish }: { yes?: boolean; publish?: boolean }, plan: Plan): Plan =>
  yes && !publish ? withoutPublishing(plan, 'not allowed') : plan

/** `template shop.example::Tea::v1 and 3 more` */
export function stepsText([first, ...others]: readonly Step[]): string {
  if (first === undefined) return ''
  const { kind, name } = first.document
  return `${kind} ${name}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** `; 2 documents stay drafts: to publish them, add --publish`; empty if a run publishes all that its documents say. */
export function draftsText({ steps }: Pick<Plan, 'steps'>): string {
  const reasons = steps.flatMap(({ staysDraft }) => staysDraft ?? [])
  if (reasons.length === 0) return ''
  const [staying, object] =
    reasons.length === 1 ? ['1 document stays a draft', 'it'] : [`${reasons.length} documents stay drafts`, 'them']
  return `; ${staying}: ${reasons[0] === 'declined' ? 'publishing was not confirmed' : `to publish ${object}, add --publish`}`
}
