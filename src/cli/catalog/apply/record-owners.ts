import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { mayBeDone } from '../../../client/errors.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import { isWithinOne, realPath } from '../../../file-system.ts'
import type { Context } from '../../context.ts'
import { exit, Failure, interrupted } from '../../failure/failure.ts'
import { toFailure } from '../../failure/translate.ts'
import type { Row } from '../../kinds/results.ts'
import { placeIn } from '../../kinds/send.ts'
import { pipelineVariable } from '../../pipeline.ts'
import type { Connection } from '../../service/connect.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { type Catalogs, catalogsOf, labelOf } from '../catalog-names.ts'
import { keysOfCreated, labelRecords, type Owned } from '../label-records.ts'
import {
  creationKey,
  creationOf,
  documentsKey,
  fileKey,
  folderKey,
  knownOwners,
  labelKey,
  labelsOn,
  type Owners,
  ownKey,
  pathsOf,
} from '../owners.ts'
import { type Plan, type Step, stepsText } from '../plan/plan.ts'
import { recordsOf } from '../plan/service-records.ts'
import { saysSomething } from '../unread.ts'

/** A step whose record was written or needs no change, and the catalog of its document. */
interface Applied {
  readonly step: Step
  readonly catalog: string
}

/**
 * Records which catalogs own what was applied: on this machine, and on the service if it stores labels. `rows` are the
 * outcomes of the plan, those of documents first; they are returned with what was taken over from other catalogs. What
 * was to be taken over and could not be has failed; else a failure is only a warning of one of them: the next run records it.
 */
export async function recordOwners(plan: Plan, rows: readonly Row[], context: Context): Promise<readonly Row[]> {
  const isDone = (index: number) =>
    rows[index] !== undefined && (rows[index].failure === undefined || rows[index].written !== undefined)
  const applied = plan.steps.flatMap((step, index): Applied[] => {
    const catalog = plan.catalogs[step.document.file]
    return catalog !== undefined && isDone(index) ? [{ step, catalog }] : []
  })
  const deleted = plan.deletions.filter((_, index) => isDone(plan.steps.length + index)).map((one) => one.ownKey)
  const pending = new Set(applied.map(({ step }) => step))
  const settle = (some: readonly Applied[]) => {
    for (const { step } of some) pending.delete(step)
  }
  let failed: { readonly reason: unknown } | undefined
  try {
    await recordHere(applied, { plan, deleted, whole: wholeOf(plan, rows, context.host.cwd) }, context)
    // Whether the service has those labels that it had when the plan was made is not known to differ until it says so.
    settle(applied.filter(({ step }) => !isToRecord(step)))
    if (context.host.signal.aborted) throw interrupted()
    await label(applied, await context.connect(), {
      settle,
      differ: (some) => {
        for (const { step } of some) pending.add(step)
      },
    })
  } catch (error) {
    failed = { reason: error }
  }
  // The failure of an interrupted run says how to go on.
  if (context.host.signal.aborted && rows.some(({ failure }) => failure)) return rows
  const isClaimed = ({ takenFrom }: Step) => takenFrom !== undefined && !context.host.signal.aborted
  const newlyOwned = [...pending].filter((step) => !isClaimed(step))
  const why = failed && (await explained(failed.reason, context))
  const warning = why && unrecorded(newlyOwned, why)
  return rows.map((row, index) => {
    const step = plan.steps[index]
    if (step === undefined || !isDone(index)) return row
    if (!why || !pending.has(step)) return recorded(row, step)
    const problems = warning && step === newlyOwned[0] ? [...row.problems, warning] : row.problems
    const unlabelled = { ...row, unlabelled: true, problems } as const
    return isClaimed(step) ? notTakenOver(unlabelled, step, why) : unlabelled
  })
}

/** Why catalogs could not be recorded, and what to do. */
interface Explained {
  readonly cause: unknown
  readonly message: string
  readonly remedy: string
}

/** Without a session, to apply again would fail, too; and so it may where the service itself fails. */
async function explained(cause: unknown, { host }: Context): Promise<Explained> {
  const { code, exitCode, message, hint } = await toFailure(cause, host)
  const isFault = code === 'internal'
  if (code === 'changed_meanwhile' && hint !== undefined) return { cause, message, remedy: hint }
  const isFirst = hint !== undefined && (isFault || exitCode === exit.session)
  return {
    cause,
    message: isFault ? message : messageOf(cause),
    remedy: isFirst ? `${hint}; then apply again` : 'apply again',
  }
}

/** Whether the catalog of a record was not recorded when the plan was made. */
const isToRecord = ({ record, isUnlabelled, takenFrom }: Step): boolean =>
  record === undefined || isUnlabelled === true || takenFrom !== undefined

/** The row of a record that was to be taken over, and was not. */
function notTakenOver(row: Row, { takenFrom }: Step, { cause, message: why, remedy }: Explained): Row {
  if (row.failure) return row
  const message = `${mayBeDone(cause) ? 'may not have been' : 'was not'} taken over from the catalog ${takenFrom}: ${why}`
  const failure = new Failure('not_taken_over', exit.refused, message, {
    hint: remedy,
    mayBeDone: mayBeDone(cause),
    cause,
  })
  if (row.status === 'unchanged') return { ...row, status: 'failed', message, failure }
  return { ...row, written: row.status, status: 'failed', message: `${row.message}; ${message}`, failure }
}

/** The warning about records whose catalog is not recorded, at the first of them. */
function unrecorded(steps: readonly Step[], { cause, message, remedy }: Explained): Problem | undefined {
  const [first] = steps
  const may = mayBeDone(cause) ? 'may not have been' : 'could not be'
  return (
    first && {
      file: first.document.file,
      ...placeIn(first.document, ''),
      rule: 'unrecorded-owner',
      severity: 'warning',
      path: '',
      message: `which catalog owns ${stepsText(steps)} ${may} recorded: ${message}; ${remedy}`,
    }
  )
}

/** The row of a record of which no catalog was recorded until now, or another one. */
function recorded(row: Row, { takenFrom, isUnlabelled }: Step): Row {
  if (takenFrom === undefined) return isUnlabelled ? { ...row, labelled: true } : row
  const too = `; taken over from the catalog ${takenFrom}`
  return { ...row, taken_from: takenFrom, message: row.message + too, printed: (row.printed ?? row.message) + too }
}

/** Where documents of a catalog without a name are: in its folder, if that was given, else in their files alone. */
function placesOf(applied: readonly Applied[], catalogs: Catalogs, cwd: string): [string, string][] {
  const given = new Set(Object.keys(catalogs).map((path) => resolve(cwd, path)))
  return applied
    .filter(({ catalog }) => labelOf(catalog) === null)
    .map(({ step: { document }, catalog }) => [
      given.has(catalog) ? folderKey(catalog) : fileKey(resolve(cwd, document.file)),
      catalog,
    ])
}

interface Recording {
  readonly plan: Pick<Plan, 'catalogs' | 'isOwnedHere'>
  /** The `ownKey` of what was deleted. */
  readonly deleted: readonly string[]
  /** The folders that were applied with all that is in them. */
  readonly whole: ReadonlySet<string>
}

/** The folders of which all was applied; none where something failed. */
const wholeOf = ({ catalogs, isPartial }: Plan, rows: readonly Row[], cwd: string): ReadonlySet<string> =>
  new Set(
    isPartial || rows.some(({ failure }) => failure)
      ? []
      : Object.keys(catalogs).map((path) => realPath(resolve(cwd, path))),
  )

/** Forgets that files of those folders held documents, where they are gone or have nothing but comments. */
const leftOut = (whole: ReadonlySet<string>, before: Owners): Entry[] =>
  pathsOf('documents', before)
    .filter((file) => isWithinOne(whole, file) && !saysSomething(file))
    .map((file) => [labelKey({ kind: 'documents', key: file }), undefined])

/** What is recorded of a key from now on; nothing if that is undefined. */
type Entry = readonly [key: string, recorded: string | undefined]

async function recordHere(
  applied: readonly Applied[],
  { plan, deleted, whole }: Recording,
  context: Context,
): Promise<void> {
  const store = await knownOwners(context)
  const before = await store.read()
  const files = applied.map(({ step: { document } }) => document.file)
  const { named } = await catalogsOf([], files, context.host.cwd)
  const entries = new Map<string, string | undefined>([
    ...(pipelineVariable(context.host.env) === undefined
      ? []
      : ofFoldersGone(before, new Set(applied.map(({ catalog }) => catalog)))
    ).map((key): Entry => [key, undefined]),
    ...deleted.flatMap((key): Entry[] => [
      [key, undefined],
      [creationKey(key), undefined],
    ]),
    ...leftOut(whole, before),
    ...applied.flatMap(({ step: { document }, catalog }): Entry[] => [
      [ownKey(document.kind, document.value), catalog],
      [documentsKey(resolve(context.host.cwd, document.file)), catalog],
    ]),
    ...(await creationsOf(applied, plan, context)),
    ...[...named].map(([folder, catalog]): Entry => [folderKey(folder), catalog]),
    ...placesOf(applied, plan.catalogs, context.host.cwd),
  ])
  if ([...entries].every(([key, recorded]) => before[key] === recorded)) return
  await store.update((all) => {
    const recorded = [...new Map<string, string | undefined>([...Object.entries(all), ...entries])]
    return Object.fromEntries(recorded.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
  })
}

/**
 * What is recorded of folders that are not there, and of files in these: of those of some catalogs, and of catalogs without a
 * name, each of which is a folder. A pipeline may have new ones for each job; elsewhere, and those of others, may come back, as
 * those of a disk do.
 */
function ofFoldersGone(owners: Owners, catalogs: ReadonlySet<string>): string[] {
  const known = new Map<string, boolean>()
  const isGone = (folder: string) => {
    const gone = known.get(folder) ?? !existsSync(folder)
    known.set(folder, gone)
    return gone
  }
  const isForgotten = (catalog: string) => catalogs.has(catalog) || (labelOf(catalog) === null && isGone(catalog))
  return [
    ...pathsOf('folder', owners).filter(isGone).map(folderKey),
    ...(['file', 'documents'] as const).flatMap((kind) =>
      pathsOf(kind, owners)
        .filter((file) => isGone(dirname(file)))
        .map((key) => labelKey({ kind, key })),
    ),
  ].filter((key) => isForgotten(owners[key] ?? ''))
}

/** Which records were applied: one that is made anew in the place of one of them is no longer the catalog's. */
async function creationsOf(
  applied: readonly Applied[],
  plan: Recording['plan'],
  context: Context,
): Promise<readonly Entry[]> {
  const isUnlabelled = ({ catalog }: Applied) => plan.isOwnedHere === true || labelOf(catalog) === null
  const created = applied.filter((one) => one.step.record === undefined && isUnlabelled(one))
  const read = await createdRecords(
    created.map(({ step }) => step.document),
    context,
  )
  return applied.map(({ step: { document, record } }) => {
    const stored = record?.stored ?? read.get(document)
    return [creationKey(ownKey(document.kind, document.value)), stored && creationOf(document.kind, stored)]
  })
}

/** The records of documents that were created, as far as they can be read: which catalog owns them is recorded in any case. */
async function createdRecords(
  documents: readonly LoadedDocument[],
  { connect, host }: Context,
): Promise<ReadonlyMap<LoadedDocument, Section>> {
  if (documents.length === 0 || host.signal.aborted) return new Map()
  const records = recordsOf((await connect()).client, documents)
  const found = await inParallel(documents, async (document) => {
    const { describes, templateOf } = kindOf(document.kind)
    const template = templateOf(document.value) ?? ''
    const candidates = await records.candidates(document.kind, document.name, template).catch(() => [])
    const record = candidates.find((one) => describes(document.value, one))
    return record ? [[document, record] as const] : []
  })
  return new Map(found.flat())
}

/** What is called with records that have their label, and with those that have none or another one. */
interface Labelling {
  readonly settle: (some: readonly Applied[]) => void
  readonly differ: (some: readonly Applied[]) => void
}

/** Labels what was applied, where its label is another one. */
async function label(
  applied: readonly Applied[],
  connection: Connection,
  { settle, differ }: Labelling,
): Promise<void> {
  const found = await labelsOn(connection)
  if (found === undefined) return
  const { client } = connection
  const created = applied.filter(({ step: { record } }) => record === undefined).map(({ step }) => step.document)
  const keyOfCreated = await keysOfCreated(created, client)
  const owned = applied.map(({ step, catalog }) => {
    const { document, record } = step
    return { step, document, key: record?.key ?? keyOfCreated(document), catalog }
  })
  const labelNow = ({ document: { kind }, key }: Owned) => found.labels[labelKey({ kind, key })] ?? null
  const hasLabel = (one: Owned) => labelOf(one.catalog) === labelNow(one)
  settle(owned.filter(hasLabel))
  const others = owned.filter((one) => !hasLabel(one))
  differ(others)
  // Another catalog has taken it over meanwhile: nobody agreed to take it back.
  const isTaken = (one: Owned & Applied) => ![null, one.step.takenFrom].includes(labelNow(one))
  await labelRecords(
    others.filter((one) => !isTaken(one)),
    client,
    settle,
  )
  const taken = others.find(isTaken)
  if (taken)
    throw new Failure('changed_meanwhile', exit.refused, `it belongs to the catalog ${labelNow(taken)} meanwhile`, {
      hint: 'to take it back, plan and apply with --take-over; else remove its document here',
    })
}
