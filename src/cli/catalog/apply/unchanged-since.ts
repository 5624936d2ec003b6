import { kindOf } from '../../../contract/kinds/kinds.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Caution } from '../../kinds/cautions.ts'
import { chainWritesOf } from '../../kinds/chain-changes.ts'
import { vatomsText } from '../../kinds/draft-contents.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { otherNamed } from '../catalog-names.ts'
import { identityIn, labelKey, labelledWith, type Ownership, ownerOf } from '../owners.ts'
import { planWritesOf } from '../plan/chain-charges.ts'
import { digestOf, modifiedOf } from '../plan/compare-record.ts'
import { type Deletion, finalAddresses, isChanging, isRefused, isWriting, type Plan, type Step } from '../plan/plan.ts'
import type { ReadPlan } from '../plan/saved-plan.ts'
import type { PlanContent } from '../plan/saved-plan-schema.ts'
import { recordsOf } from '../plan/service-records.ts'
import { planAgain, withOwners } from '../plan/takeovers.ts'
import { documentTaskId, taskId } from './tasks.ts'

/** A record that a saved plan deletes, and that does not exist any more. */
interface Gone {
  readonly deletion: SavedDeletion
  /** The ids of others that were made in its place since. */
  readonly madeAnew: readonly string[]
}

/** The records that a saved plan deletes and that are gone: deleted by whomever, or published. */
export async function goneSince(plan: Plan, saved: PlanContent, context: Context): Promise<readonly Gone[]> {
  const found = new Set(plan.deletions.map(labelKey))
  const gone = saved.deletions.filter((one) => !found.has(labelKey(one)))
  if (gone.length === 0) return []
  const records = recordsOf((await context.connect()).client)
  const inFiles = plan.steps.map(({ document: { kind }, record }) => ({ kind, key: record?.key ?? '' }))
  const known = new Set([...inFiles, ...(saved.unlisted ?? []), ...saved.deletions].map(labelKey))
  return inParallel(gone, async (deletion) => {
    const { kind, key, template, own_key } = deletion
    // One of the same name that was made anew is among the deletions of the plan.
    const others = kindOf(kind).key === 'name' ? [] : await records.candidates(kind, key, template)
    const inItsPlace = others
      .map((record) => identityIn(kind, record))
      .filter((one) => one.ownKey === own_key && !known.has(labelKey(one)))
    return { deletion, madeAnew: inItsPlace.map((one) => one.key) }
  })
}

/** Whether nothing is left to do of a saved plan: the records match it, and what it deletes does not exist. */
export async function isCarriedOut(plan: Plan, gone: readonly Gone[], context: Context): Promise<boolean> {
  if (isRefused(plan) || isChanging(plan) || gone.some(({ madeAnew }) => madeAnew.length > 0)) return false
  const records = recordsOf((await context.connect()).client)
  // A draft that was published meanwhile is no longer in the plan, but exists.
  const drafts = gone.filter(({ deletion: { kind } }) => kindOf(kind).hasDrafts)
  const found = await inParallel(drafts, ({ deletion: { kind, key } }) => records.candidates(kind, key, ''))
  return found.flat().length === 0
}

/**
 * Throws `changed_meanwhile` if a plan that was carried out as a whole would do something again that no time of the
 * service tells, such as to create a record which was deleted since.
 */
export function checkNotRepeated(plan: Plan, read: ReadPlan, when: string): void {
  const { documents } = read.content
  const savedOf = deletionsIn(read.content)
  const repeated = [
    ...plan.steps.flatMap((step, index) => repeatedText(step, documents[index])),
    ...plan.deletions.filter((one) => savedOf(one)?.modified === undefined).map(deletionText),
  ]
  if (repeated.length > 0) throw changedMeanwhile(repeated, againText(read), `was carried out, at ${when}`)
}

/** What a step of a plan that was carried out would do again. */
function repeatedText(step: Step, saved: SavedDocument | undefined): string[] {
  const { document, record, takenFrom } = step
  const { kind, name } = document
  if (takenFrom !== undefined) return [belongsText(kind, name, takenFrom)]
  if (saved?.modified !== undefined || !(isWriting(step) || step.publishes)) return []
  return [`${kind} ${name} ${record ? 'has changed' : 'is gone'}`]
}

/** Who owns the records now. */
type Owned = Pick<Ownership, 'owners' | 'labels'>

interface Since extends Owned {
  readonly gone: readonly Gone[]
  /** The writes that an earlier run of the same plan began, and those of them that it has done. */
  readonly begun: ReadonlySet<string>
  readonly done: ReadonlySet<string>
}

/**
 * Throws `changed_meanwhile` if the service has changed since a plan was saved, except by an earlier run of the same
 * plan, and `plan_untold` if the plan does something that it does not say. `plan` compares the saved documents again.
 */
export function checkUnchanged(plan: Plan, read: ReadPlan, { begun, done, gone, ...now }: Since): void {
  const saved = read.content
  const again = againText(read)
  const savedOf = deletionsIn(saved)
  const { catalogs } = saved
  const changed = [
    ...plan.steps.flatMap((step) => deletedSince(step, done)),
    ...plan.steps.flatMap((step, index) => changedText(step, saved.documents[index], begun)),
    ...plan.deletions.flatMap((one) => changedDeletionText(one, savedOf(one))),
    ...gone.flatMap((one) => goneText(one, begun)),
    ...plan.deletions.flatMap((one) => takenText(one, savedOf(one)?.label, { ...now, catalogs })),
  ]
  if (changed.length > 0) throw changedMeanwhile(changed, again)
  if (planWritesOf(plan).charged.length > saved.charged_writes)
    throw changedMeanwhile(['more chain writes are charged'], again)
  const reviewed = saved.documents.reduce((sum, { private_addresses }) => sum + private_addresses, 0)
  if (finalAddresses(plan) > reviewed)
    throw changedMeanwhile(['more addresses are final that apps elsewhere cannot read'], again)
  const untold = [
    ...plan.steps.flatMap((step, index) => untoldText(step, saved.documents[index], begun)),
    ...plan.deletions.flatMap((one) => untoldDeletionText(one, savedOf(one))),
  ]
  if (untold.length > 0) throw untoldChanges(untold, again)
}

/**
 * Throws `changed_meanwhile` if a record that the plan changes, publishes, takes over or deletes belonged to another catalog
 * since the plan was saved, and belongs to the same one again. A plan that was carried out changes labels itself, but does
 * nothing more with their records.
 */
export function checkLabels(plan: Plan, read: ReadPlan, begun: ReadonlySet<string>): void {
  const savedOf = deletionsIn(read.content)
  const changed = [
    ...plan.steps.flatMap((step, index) => relabelledText(step, read.content.documents[index], begun)),
    ...plan.deletions.flatMap((one) => relabelledDeletionText(one, savedOf(one))),
  ]
  if (changed.length > 0) throw changedMeanwhile(changed, againText(read))
}

function relabelledText(step: Step, saved: SavedDocument | undefined, begun: ReadonlySet<string>): string[] {
  const { document, labelRevision, publishes, takenFrom } = step
  const isConcerned = isWriting(step) || publishes || takenFrom !== undefined
  if (!isConcerned || isBegun(document, begun)) return []
  // Of yet another catalog, `checkTakeovers` says which.
  if (takenFrom !== undefined && takenFrom !== saved?.taken_from) return []
  return isOther(saved?.label_revision, labelRevision) ? [relabelled(document)] : []
}

function relabelledDeletionText(deletion: Deletion, saved: SavedDeletion | undefined): string[] {
  const { kind, name, labelRevision, expectedCatalogs = [] } = deletion
  const [owner] = expectedCatalogs
  if (owner !== undefined && saved?.label === undefined) return [belongsText(kind, name, owner)]
  return isOther(saved?.label_revision, labelRevision) ? [relabelled(deletion)] : []
}

const relabelled = ({ kind, name }: Pick<Deletion, 'kind' | 'name'>) =>
  `${kind} ${name} has changed its catalog, and changed it back`

type SavedDocument = PlanContent['documents'][number]

/**
 * What a step would do, or entail, that the saved plan does not say: whoever reviewed it was not told. What others change,
 * such as how many vAtoms follow it, hides nothing.
 */
function untoldText(step: Step, saved: SavedDocument | undefined, begun: ReadonlySet<string>): string[] {
  const { document, decision, publishes, record, privateAddresses } = step
  if (isBegun(document, begun) || decision === 'refuse' || saved === undefined) return []
  const { action, key = document.name, changes } = saved
  const told = [action, saved.publishes, key, digestOf(changes)]
  const differences = [...(record?.changes.differences ?? [])]
  const found = [decision, publishes, record?.key ?? document.name, digestOf(differences)]
  // Those behind the first are of variations that follow, which others change.
  const own = chainWritesOf(step.chain.slice(0, 1))
  const writes = chainWritesOf(saved.chain)
  const isTold =
    told.every((one, index) => one === found[index]) &&
    isAmong(namedBy(step.cautions), namedBy(saved.cautions)) &&
    isAmong(own.charged, writes.charged) &&
    isAmong(own.free, writes.free) &&
    privateAddresses <= saved.private_addresses &&
    (!step.isUnlabelled || saved.unlabelled === true)
  return isTold ? [] : [`${document.kind} ${document.name}`]
}

/** What cautions name that nobody else adds to; that a template has no face names nothing. */
const namedBy = (cautions: readonly Caution[] = []) =>
  cautions.flatMap(({ code, names }) => names.map((name) => [code, name]))

/** Whether all of what was found was told. */
function isAmong(found: readonly unknown[], told: readonly unknown[] = []): boolean {
  const digests = told.map(digestOf)
  return found.length <= told.length && found.every((one) => digests.includes(digestOf(one)))
}

/** A record that the plan deletes under the name of another one. */
function untoldDeletionText({ kind, ...found }: Deletion, saved: SavedDeletion | undefined): string[] {
  if (saved === undefined) return []
  const { name, template, own_key } = saved
  const isTold = name === found.name && template === found.template && own_key === found.ownKey
  return isTold ? [] : [`${kind} ${found.name}`]
}

const untoldChanges = ([first, ...others]: readonly string[], again: string) =>
  new Failure(
    'plan_untold',
    exit.refused,
    `The plan does not say all that it does to ${first}: it was edited, or made by another version, or what is on the service has changed`,
    {
      hint: `nothing was sent; ${again}`,
      issues: others.map((message) => ({ path: '', message })),
    },
  )

/** Throws `changed_meanwhile` if other catalogs have taken records of a plan over since it was shown. */
export function checkOwners(plan: Plan, now: Owned): void {
  const { catalogs } = plan
  const changed = [
    ...withOwners(plan, now).steps.flatMap(({ document, takenFrom }, index) =>
      takenFrom === undefined || takenFrom === plan.steps[index]?.takenFrom
        ? []
        : [belongsText(document.kind, document.name, takenFrom)],
    ),
    ...plan.deletions.flatMap((one) => takenText(one, one.expectedCatalogs?.[0], { ...now, catalogs })),
  ]
  if (changed.length > 0) throw changedMeanwhile(changed, 'apply again')
}

const againText = (read: ReadPlan) =>
  `plan again: ${planAgain(read)}; in a pipeline, run all jobs of the newest commit again`

const changedMeanwhile = ([first, ...others]: readonly string[], again: string, since = 'was made') =>
  new Failure('changed_meanwhile', exit.refused, `The service has changed since the plan ${since}: ${first}`, {
    hint: `nothing was sent; ${again}`,
    issues: others.map((message) => ({ path: '', message })),
  })

/** Whether something was changed in between, as far as the service says when, or how often. */
const isOther = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && now !== undefined && before !== now

/** That a record is gone which an earlier run of the same plan has created: to create it again is not what the plan says. */
const deletedSince = ({ document, record }: Step, done: ReadonlySet<string>): string[] =>
  record === undefined && done.has(documentTaskId('create', document))
    ? [`${document.kind} ${document.name} is gone`]
    : []

/** How a record has changed since it was compared, except by an earlier run of the same plan. */
function changedText(
  { document, decision, record }: Step,
  saved: SavedDocument | undefined,
  begun: ReadonlySet<string>,
): string[] {
  const { kind, name } = document
  const modified = record && modifiedOf(record.stored)
  const isSame = (record?.mark ?? null) === (saved?.mark ?? null)
  if (isSame && !isOther(saved?.modified, modified)) return []
  if (isBegun(document, begun) && decision === 'unchanged') return []
  if (record === undefined) return [`${kind} ${name} is gone`]
  return [`${kind} ${name} has changed${isSame ? ', and changed back' : ''}${lastAt(modified)}`]
}

const lastAt = (modified: string | undefined) => (modified === undefined ? '' : `, last at ${modified}`)

const isBegun = (document: LoadedDocument, begun: ReadonlySet<string>): boolean =>
  (['create', 'update', 'publish'] as const).some((verb) => begun.has(documentTaskId(verb, document)))

/** A record as it is deleted, and what goes with it, of whomever that is. */
const deletedText = ({ kind, key, mark, contents }: SavedDeletion | Deletion): string =>
  JSON.stringify([kind, key, mark, contents])

const deletionText = ({ kind, name, modified }: Deletion) => `${kind} ${name} has changed or is new${lastAt(modified)}`

/** How a record, or what goes with it, has changed since a plan to delete it was saved. */
function changedDeletionText(deletion: Deletion, saved: SavedDeletion | undefined): string[] {
  const { kind, name, contents, modified } = deletion
  if (saved === undefined || isOther(saved.modified, modified)) return [deletionText(deletion)]
  if (deletedText(saved) === deletedText(deletion)) return []
  const [before, now] = [saved.contents, contents].map(vatomsText)
  if (before === now || modified === undefined || saved.modified === undefined) return [deletionText(deletion)]
  return [`${kind} ${name} had ${before}, and now has ${now}`]
}

/** What a saved plan says of the deletion of a record. */
function deletionsIn({ deletions }: PlanContent) {
  const byKey = new Map(deletions.map((one) => [labelKey(one), one]))
  return (deletion: Deletion): SavedDeletion | undefined => byKey.get(labelKey(deletion))
}

/** A record that the plan deletes, and that another catalog has taken over since: one without a name leaves it no label. */
function takenText(
  deletion: Deletion,
  label: string | undefined,
  { owners, labels, catalogs }: Owned & Pick<Plan, 'catalogs'>,
): string[] {
  const { kind, name } = deletion
  const other = otherNamed(ownerOf(deletion, owners), Object.values(catalogs))
  if (other !== undefined) return [belongsText(kind, name, other)]
  const isCleared = label !== undefined && labels !== undefined && labelledWith(deletion, labels).length === 0
  return isCleared ? [`${kind} ${name} no longer belongs to the catalog ${label}`] : []
}

const belongsText = (kind: string, name: string, catalog: string) => `${kind} ${name} belongs to the catalog ${catalog}`

type SavedDeletion = PlanContent['deletions'][number]

/** How a record that the plan deletes is gone, except by an earlier run of the same plan. */
function goneText({ deletion, madeAnew }: Gone, begun: ReadonlySet<string>): string[] {
  const { kind, name } = deletion
  if (madeAnew.length > 0) return [`${kind} ${name} is gone, and was made anew as ${madeAnew.join(', ')}`]
  if (begun.has(taskId('delete', deletion))) return []
  return [`${kind} ${name} is gone${kindOf(kind).hasDrafts ? ' or published' : ''}`]
}
