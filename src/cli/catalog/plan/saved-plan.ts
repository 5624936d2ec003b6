import { existsSync, lstatSync, rmSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { documentIssues } from '../../../documents/load/document-issues.ts'
import { isInput } from '../../../documents/load/inputs.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import { nearInput } from '../../../documents/load/near-input.ts'
import { folderFrom, makeFolder, realPath } from '../../../file-system.ts'
import { regularText } from '../../../regular-file.ts'
import { writeWhole } from '../../../whole-file.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { shellWord } from '../../io/text.ts'
import { beginsLike, notReplaced, writing } from '../../io/text-files.ts'
import type { SavedContext } from '../../service/saved.ts'
import { localName } from '../../service/target.ts'
import { addressName, targetName } from '../../service/target-name.ts'
import type { CatalogFiles } from '../load-valid.ts'
import { planWritesOf } from './chain-charges.ts'
import { digestOf, modifiedOf } from './compare-record.ts'
import { notOfferedJson } from './not-offered.ts'
import type { Plan, Step } from './plan.ts'
import { commandOf } from './plan-command.ts'
import { namesRecordsTruly } from './saved-names.ts'
import { FoundWarning, type PlanContent, SavedPlan } from './saved-plan-schema.ts'
import { readUnlisted, savedUnlisted } from './saved-unlisted.ts'

/** A plan that was read from a file; its digest identifies it. */
export interface ReadPlan extends Pick<SavedPlan, 'digest' | 'content'> {
  readonly file: string
  /** The folder in which it was made, and its file from there, where its command means something else in this one. */
  readonly madeIn?: { readonly folder: string; readonly file: string } | undefined
}

/** What a plan was made for. */
export type PlanHead = Pick<PlanContent, 'when_planned' | 'target' | 'publisher' | 'command' | 'folder' | 'take_over'>

/** A command with the context of a plan's service, where the run uses another one, or none that is known. */
export async function onTarget(
  command: string,
  { target, publisher }: Pick<PlanContent, 'target' | 'publisher'>,
  context: Pick<Context, 'target' | 'config'>,
): Promise<string | undefined> {
  const current = await context.target().then(targetName, () => undefined)
  if (current === target) return command
  const { contexts } = await context.config.read()
  const names = Object.keys(contexts).filter((one) => isAt(target, contexts[one]))
  const publishers = names.find((one) => contexts[one]?.publisher === publisher)
  const name = target === localName ? localName : (publishers ?? names[0])
  return name && `${command} --context ${shellWord(name)}`
}

const isAt = (target: string, saved: SavedContext | undefined): boolean =>
  saved !== undefined && target === addressName({ baseUrl: saved.base_url, appId: saved.app_id })

/** The saved part of a plan: what was reviewed, and the state of the service; with warnings of no document. */
export const contentOf = (
  plan: Plan,
  head: PlanHead,
  { warnings, uncounted }: Pick<CatalogFiles, 'warnings' | 'uncounted'>,
): PlanContent => ({
  ...head,
  catalogs: plan.catalogs,
  documents: plan.steps.map(
    ({
      document: { file, kind, name, value, problems },
      decision,
      publishes,
      privateAddresses,
      cautions,
      record,
      chain,
      takenFrom,
      isNeverPruned,
      isUnlabelled,
      labelRevision,
      followers = 0,
    }) => ({
      file,
      kind,
      name,
      value,
      mark: record?.mark ?? null,
      modified: record && modifiedOf(record.stored),
      ...(record && record.key !== name && { key: record.key }),
      action: decision === 'refuse' ? 'unchanged' : decision,
      publishes,
      private_addresses: privateAddresses,
      ...(cautions.length > 0 && { cautions: cautions.map(({ code, names }) => ({ code, names: [...names] })) }),
      changes: [...(record?.changes.differences ?? [])],
      chain: [...chain],
      ...(takenFrom !== undefined && { taken_from: takenFrom, ...(isNeverPruned && { never_pruned: true as const }) }),
      ...(isUnlabelled && { unlabelled: true as const }),
      label_revision: labelRevision,
      ...(followers > 0 && { following_vatoms: followers }),
      ...(record?.duplicates.length && {
        alike: record.duplicates.map(({ key, display_url }) => ({ id: key, display_url })),
      }),
      ...(problems.length > 0 && { warnings: warningsIn(problems) }),
    }),
  ),
  deletions: plan.deletions.map(
    ({
      kind,
      key,
      name,
      template,
      ownKey,
      mark,
      modified,
      contents,
      expectedCatalogs,
      labelRevision,
      warnings = [],
    }) => ({
      kind,
      key,
      name,
      template,
      own_key: ownKey,
      mark,
      modified,
      ...(expectedCatalogs?.[0] !== undefined && { label: expectedCatalogs[0] }),
      label_revision: labelRevision,
      contents: [...contents],
      ...(warnings.length > 0 && { warnings: warningsIn(warnings) }),
    }),
  ),
  ...(plan.unlisted.length > 0 && { unlisted: plan.unlisted.map(savedUnlisted) }),
  ...(plan.isPartial && { partial: true as const }),
  warnings: warningsIn(warnings.filter((one) => !uncounted.includes(one))),
  ...(uncounted.length > 0 && { uncounted_warnings: warningsIn(uncounted) }),
  charged_writes: planWritesOf(plan).charged.length,
  ...notOfferedJson(plan),
})

/** How many warnings a plan is saved with. */
const savedWarnings = ({
  documents,
  deletions,
  warnings,
  uncounted_warnings = [],
}: Pick<PlanContent, 'documents' | 'deletions' | 'warnings' | 'uncounted_warnings'>): number =>
  [...documents, ...deletions]
    .map((one) => one.warnings?.length ?? 0)
    .reduce((sum, count) => sum + count, warnings.length + uncounted_warnings.length)

const warningsIn = (problems: readonly Problem[]) =>
  problems.map((problem) => FoundWarning.parse({ ...problem, severity: 'warning' }))

/** The warnings of no document with which a plan was reviewed. */
export const reviewedWarnings = ({ warnings, uncounted_warnings = [] }: PlanContent): readonly Problem[] => [
  ...warnings,
  ...uncounted_warnings,
]

/** Throws `file_exists` for a file that a plan does not replace: any but another saved plan; `file_unwritable` where none can be. */
export function checkReplaced(file: string, cwd: string): void {
  const path = resolve(cwd, file)
  const existing = writing(file, () => lstatSync(path, { throwIfNoEntry: false }))
  if (existing && !(existing.isFile() && isPlan(path)))
    throw notReplaced(file, 'a saved plan', 'choose another file: --out review.plan')
}

/** Writes a plan atomically, and makes its folder; replaces only another saved plan. Throws `file_unwritable` or `file_exists`. */
export function savePlan(content: PlanContent, file: string, cwd: string): void {
  const path = resolve(cwd, file)
  const saved: SavedPlan = { vatom_plan: 4, digest: digestOf(content), content }
  checkReplaced(file, cwd)
  writing(file, () => {
    makeFolder(dirname(path))
    writeWhole(path, `${JSON.stringify(saved, null, 2)}\n`)
  })
}

/**
 * Removes an earlier plan from the file of a new one, so that nobody applies it if the new one cannot be made. Returns
 * whether there was one. Throws `file_unwritable`.
 */
export function removePlan(file: string, cwd: string): boolean {
  const path = resolve(cwd, file)
  return writing(file, () => {
    const isThere = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && isPlan(path)
    if (isThere) rmSync(path)
    return isThere
  })
}

/** Reads a saved plan; undefined for any other file. Throws a usage error for a damaged plan, or one that did not arrive. */
export function readPlan(file: string, cwd: string): ReadPlan | undefined {
  const path = resolve(cwd, file)
  if (!isPlan(path)) return refuseUnarrived(file, cwd)
  const saved = SavedPlan.safeParse(parseJson(regularText(path) ?? ''))
  if (saved.success && isWhole(saved.data)) {
    const { digest, content } = saved.data
    return { digest, content, file, madeIn: madeIn(content, path, cwd) }
  }
  throw usage(
    `${file} is not a complete saved plan: it was cut off, edited, or made by another version`,
    `plan again: vatom plan PATH --out ${shellWord(file)}`,
  )
}

/**
 * Whether a plan is as it was saved. A digest can be made anew, but not so that more is charged than is shown, or that
 * records are shown under other names than they have.
 */
const isWhole = ({ digest, content }: SavedPlan): boolean =>
  savedWarnings(content) <= limits.savedWarnings &&
  digest === digestOf(content) &&
  content.charged_writes === planWritesOf({ steps: content.documents }).charged.length &&
  namesRecordsTruly(content)

/** What may be in the place of a plan whose transfer failed, by how it begins. */
const inItsPlace: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'it is empty'],
  [/^\s*</, 'it is a page of HTML'],
  [/\0/, 'it is no text, but perhaps packed'],
]

/** Throws a usage error for a file with the ending of plans that does not exist, or that holds no document either. */
function refuseUnarrived(file: string, cwd: string): undefined {
  if (extname(file) !== '.plan') return undefined
  if (!isInput(file, cwd)) {
    const near = nearInput(file, cwd)
    const hint = `${ifUnarrived} ${shellWord(file)}`
    throw usage(`${file} does not exist`, near === undefined ? hint : `${near}; ${hint}`)
  }
  const path = resolve(cwd, file)
  const why = inItsPlace.find(([start]) => beginsLike(path, start))?.[1]
  if (why !== undefined) throw usage(`${file} is not a saved plan: ${why}`, `${ifUnarrived} FILE`)
}

/** What to do about a plan that did not arrive, up to the file of a new one. */
const ifUnarrived =
  'see in a pipeline whether its artifact was fetched and unpacked; or plan again: vatom plan PATH --out'

/** The folder in which a plan was made, if it is not the present one and still has files of the plan: copies of a catalog have the same. */
function madeIn({ folder, documents }: PlanContent, path: string, cwd: string): ReadPlan['madeIn'] {
  const made = resolve(dirname(path), folder ?? '')
  const isThere = documents.some(({ file }) => existsSync(resolve(made, file)))
  if (folder === undefined || !isThere || realPath(made) === realPath(cwd)) return undefined
  return { folder: folderFrom(cwd, made), file: relative(made, path) }
}

/** Whether a regular file begins like a plan. */
const isPlan = (path: string): boolean => beginsLike(path, /^\s*\{\s*"vatom_plan"/)

/** The documents of a plan. Throws a usage error for one that is not valid. */
export const documentsOf = ({ documents, publisher, command }: PlanContent): LoadedDocument[] =>
  documents.map(({ file, kind, name, value, warnings: problems = [] }) => {
    if (documentIssues(kind, value, { publisher }).some(({ severity }) => severity === 'error'))
      throw usage(
        `The plan has a ${kind} that is not valid: ${name}`,
        `plan again: ${commandOf({ command })} --out FILE`,
      )
    return { file, kind, name, value, text: '', locate: () => undefined, valid: true, problems }
  })

/** A saved plan as it was reviewed, to be shown again. The records that it was compared with are not saved. */
export function reviewedPlan(content: PlanContent): Plan {
  const documents = documentsOf(content)
  const steps = content.documents.flatMap((saved, index): Step[] => {
    const document = documents[index]
    if (document === undefined) return []
    const {
      action,
      publishes,
      private_addresses: privateAddresses,
      cautions = [],
      changes,
      chain,
      mark,
      key = document.name,
      alike = [],
      taken_from: takenFrom,
      never_pruned: isNeverPruned = false,
      unlabelled: isUnlabelled = false,
      following_vatoms: followers = 0,
    } = saved
    const differences = changes.map(({ path, before, after }) => ({ path, before, after }))
    const duplicates = alike.map(({ id, display_url }) => ({ key: id, display_url }))
    const record =
      mark === null ? undefined : { ...unsaved, key, mark, duplicates, changes: { ...unsaved.changes, differences } }
    const followed = chain.map(({ before, after }) => ({ before, after }))
    return [
      {
        document,
        decision: action,
        record,
        beforeTemplate: false,
        publishes,
        children: [],
        privateAddresses,
        cautions,
        chain: followed,
        takenFrom,
        isNeverPruned,
        isUnlabelled,
        followers,
      },
    ]
  })
  return {
    steps,
    deletions: content.deletions.map((one) => ({ ...one, ownKey: one.own_key })),
    unlisted: (content.unlisted ?? []).map(readUnlisted),
    catalogs: content.catalogs,
    isPartial: content.partial,
    unchecked: content.unchecked,
    checked: content.checked,
    isOwnedHere: content.owned_here === true,
  }
}

const unsaved = {
  stored: {},
  place: 0,
  changes: { body: {}, whole: {}, fixed: [], final: false, eth: { before: undefined, after: undefined } },
}
