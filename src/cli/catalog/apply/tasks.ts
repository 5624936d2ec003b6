import { createRecord } from '../../../client/create-record.ts'
import { ServiceError } from '../../../client/errors.ts'
import type { SendingAgain } from '../../../client/transport.ts'
import type { ErrorName } from '../../../contract/api/errors.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { emittedText, vatomsText, withAll } from '../../kinds/draft-contents.ts'
import { listed } from '../../kinds/final-records.ts'
import { noRecord, stateOf } from '../../kinds/record-state.ts'
import { isDraft, publishRecord, removeRecord, updateRecord } from '../../kinds/requests.ts'
import { type Sent, type Subject, subjectOf } from '../../kinds/send.ts'
import { leftAsItIs, type Standing } from '../../kinds/sending-again.ts'
import type { Connection } from '../../service/connect.ts'
import { ownKey } from '../owners.ts'
import { compareRecord, keyOf, markOf } from '../plan/compare-record.ts'
import { type Deletion, isTemplate, type Step } from '../plan/plan.ts'
import { deletionSubject } from '../plan/planned-rows.ts'
import { recordsOf, type ServiceRecords } from '../plan/service-records.ts'
import { contentsOf, unlistedMark } from '../plan/unlisted.ts'

/** One write. */
export interface Task {
  /** Identifies it among the tasks of a plan, and in the apply ledger. */
  readonly id: string
  readonly subject: Subject
  /** Ids of the tasks that must have succeeded before. */
  readonly needs: readonly string[]
  readonly send: (again: SendingAgain) => Promise<unknown>
  /** Whether sending it twice has the same result as sending it once. */
  readonly isRepeatable: boolean
  /** What is reported once it is done. */
  readonly result: () => Promise<Sent>
  /** What is shown as soon as it is done, where that is not its message. */
  readonly line?: string
  /** Whether the service already has the result. */
  readonly isDone: (records: ServiceRecords) => Promise<boolean>
  /** What another run may have done with its record, as it follows its name, by the error that the service then has. */
  readonly byOthers: Partial<Record<ErrorName, string>>
  /** What is different about its record since it was compared, as it follows its name; without it, nothing was compared. */
  readonly change?: (records: ServiceRecords) => Promise<string | undefined>
  /** The state of its record now. */
  readonly state: (records: ServiceRecords) => Promise<string>
  /** The state in which its record is before it is sent; of one that it creates, that is not read. */
  readonly before: (records: ServiceRecords) => Promise<string>
  /** What has become of its record where it was sent and is not done; without it, that was left as it is. */
  readonly undone?: string
}

/** What a task does with a record. */
export type TaskVerb = 'create' | 'update' | 'publish' | 'delete'

export const taskId = (verb: TaskVerb, { kind, key }: Pick<Deletion, 'kind' | 'key'>): string =>
  `${verb} ${kind} ${key}`

/** The id of a task for the record of a document, which may have no record yet. */
export const documentTaskId = (verb: TaskVerb, { kind, value }: LoadedDocument): string =>
  `${verb} ${ownKey(kind, value)}`

/** The id of the task that creates or changes a step's record. */
export const writeId = ({ document, record }: Step): string => documentTaskId(record ? 'update' : 'create', document)

/** Creates or changes the record of a step's document; it is a draft until it is published. */
export function writeTask(step: Step, needs: readonly string[], connection: Connection): Task {
  const { document, record, expectedCatalogs: catalogs } = step
  const { kind, name } = document
  const { client, place } = connection
  const common = {
    id: writeId(step),
    subject: subjectOf(document),
    needs,
    isDone: (records: ServiceRecords) => equalsRecord(document, records),
    byOthers: writtenByOthers,
  }
  if (record === undefined)
    return {
      ...common,
      send: (again) => hinted(createRecord(client, kindOf(kind), asDraft(document), again), { nameTaken: left }),
      state: (records) => stateOfDescribed(document, records),
      before: async () => noRecord,
      // The service refuses a second record of a name; another service may accept a second face.
      isRepeatable: kindOf(kind).key === 'name',
      result: async () => ({
        status: 'created',
        message: `Created ${kind} ${name}${kindOf(kind).hasDrafts ? ' (draft)' : ''} on ${place}`,
      }),
    }
  const shown = record.key === name ? name : `${name} (${record.key})`
  return {
    ...common,
    send: (again) =>
      ifOwned(updateRecord(client, kindOf(kind), { key: record.key, catalogs }, record.changes.body, again)),
    isRepeatable: true,
    change: (records) => changeOf(step, records),
    ...watched(async (records) => stateOf(kind, await ownRecord(step, records))),
    result: async () => ({
      status: 'updated',
      message: `Updated ${kind} ${shown} on ${place}: ${await listed(record.changes.differences)}`,
    }),
  }
}

const writtenByOthers: Task['byOthers'] = {
  nameTaken: 'is as its file says: another run created',
  published: 'is as its file says: another run published',
}

/** Everything is a draft until all of it exists. Spec 3. */
const asDraft = ({ kind, value }: LoadedDocument): Section =>
  kindOf(kind).hasDrafts ? { ...value, unpublished: true } : value

async function equalsRecord(document: LoadedDocument, records: ServiceRecords): Promise<boolean> {
  const template = await records.named('template', kindOf(document.kind).templateOf(document.value) ?? '')
  const record = await compareRecord(document, records, at(template, 'properties', 'eth'))
  return record?.changes.differences.length === 0
}

/** The answer to a write of a record, which another catalog may take over at any time until then. */
const ifOwned = <T>(answer: Promise<T>): Promise<T> => hinted(answer, { otherCatalog: left })

const planAgain = 'plan again, and let one run at a time apply'
const left = `${leftAsItIs}; ${planAgain}`
/** Of a deletion, some of which may have been done. */
const notDeleted = 'it was not deleted'

/** The failure of a task whose record is not as it was compared. */
export const changedSince = ({ kind, name }: Subject, change: string, undone = leftAsItIs): Failure =>
  new Failure('changed_meanwhile', exit.refused, `${kind} ${name} ${change}`, { undone, hint: planAgain })

const edited = 'was changed by somebody else while this run applied its plan'
const made = 'was created or changed by somebody else while this run applied its plan'

/** What has become of the record of a task that waits to be sent again, and had a state before it was sent. */
export async function standingOf(task: Task, before: string, records: ServiceRecords): Promise<Standing> {
  if (await task.isDone(records)) return 'as sent'
  if ((await task.state(records)) === before) return 'as before'
  const change = before === noRecord ? made : ((await task.change?.(records)) ?? edited)
  return changedSince(task.subject, change, task.undone)
}

/** The state of a record that exists, which is the one before its task is sent. */
const watched = (state: Task['state']): Pick<Task, 'state' | 'before'> => ({ state, before: state })

/** The state of the record that a document describes. */
async function stateOfDescribed({ kind, name, value }: LoadedDocument, records: ServiceRecords): Promise<string> {
  const found = await records.candidates(kind, name, kindOf(kind).templateOf(value) ?? '')
  return stateOf(
    kind,
    found.filter((one) => kindOf(kind).describes(value, one)),
  )
}

/** What is different about the record of a step since it was compared. */
async function changeOf(step: Step, records: ServiceRecords) {
  const [own] = await ownRecord(step, records)
  return own === undefined || markOf(step.document.kind, own) !== step.record?.mark ? edited : undefined
}

/** The record of a step, as it is now; empty where it is gone. */
async function ownRecord({ document: { kind, name, value }, record }: Step, records: ServiceRecords) {
  const found = await records.candidates(kind, name, kindOf(kind).templateOf(value) ?? '')
  return found.filter((one) => keyOf(kind, one) === record?.key)
}

/**
 * Publishes the record of a step's document with all that the document says, so that nothing else becomes final if
 * somebody changes the draft at the same time. Spec 3.
 */
export function publishTask(step: Step, connection: Connection): Task {
  const { client, place } = connection
  const { document, expectedCatalogs: catalogs } = step
  const { kind, name } = document
  const template = taskId('publish', { kind: 'template', key: kindOf(kind).templateOf(document.value) ?? '' })
  return {
    id: documentTaskId('publish', document),
    subject: subjectOf(document),
    needs: isTemplate(document) ? [writeId(step)] : [writeId(step), template],
    send: async (again) => {
      const fields = await reviewedFields(document, connection)
      return ifOwned(publishRecord(client, kindOf(kind), { key: name, catalogs }, fields, again))
    },
    isRepeatable: true,
    ...watched((records) => stateOfDescribed(document, records)),
    ...(step.decision === 'unchanged' && { change: (records) => changeOf(step, records) }),
    result: async () => ({ status: 'published', message: `${await publishedText(step, place)}; it is final now` }),
    line: `Published ${kind} ${name} on ${place}; it is final now`,
    isDone: async (records) => {
      const [record] = await records.candidates(kind, name, '')
      return !isDraft(record) && (await equalsRecord(document, records))
    },
    byOthers: writtenByOthers,
  }
}

/** What was done with a record by the time it is published. */
async function publishedText({ document: { kind, name }, record, decision }: Step, place: string): Promise<string> {
  const what = `${kind} ${name} on ${place}`
  if (decision === 'unchanged') return `Published ${what}`
  return record === undefined
    ? `Created and published ${what}`
    : `Updated and published ${what}: ${await listed(record.changes.differences)}`
}

/**
 * All that a document says, and `null` for what it does not have. Only a service that offers dry runs is known to take
 * `null` for what no record has; another one gets it for what the record has now, which it must lose.
 */
async function reviewedFields({ kind, name, value }: LoadedDocument, { client, dryRun }: Connection): Promise<Section> {
  if (await dryRun(() => {})) return (await kindOf(kind).changes(value, {}, undefined)).whole
  const [record = {}] = await recordsOf(client).candidates(kind, name, '')
  const { whole, body } = await kindOf(kind).changes(value, record, undefined)
  return Object.fromEntries(
    Object.entries(whole).filter(([field, sent]) => sent !== null || Object.hasOwn(body, field)),
  )
}

/** Deletes a record that the catalog does not have. A service that stores labels does it only with the vAtoms of the plan. */
export function deleteTask(deletion: Deletion, { client, place }: Connection): Task {
  const { kind, key, name, contents, expectedCatalogs: catalogs, expectedVatoms } = deletion
  const record = { key, catalogs, vatoms: catalogs && expectedVatoms }
  return {
    id: taskId('delete', deletion),
    subject: deletionSubject(deletion),
    needs: [],
    send: (again) =>
      unlessMore(
        deletion,
        hinted(removeRecord(client, kindOf(kind), record, again), { otherCatalog: `${notDeleted}; ${planAgain}` }),
        recordsOf(client),
      ),
    isRepeatable: true,
    ...watched((records) => stateOfDeleted(deletion, records)),
    result: async () => ({ status: 'deleted', message: `Deleted ${kind} ${name}${withAll(contents)} on ${place}` }),
    isDone: (records) => isGone(deletion, records),
    byOthers: { notFound: 'is gone: another run deleted' },
    change: (records) => changeOfDeleted(deletion, records),
    undone: notDeleted,
  }
}

/**
 * The answer to a deletion. If the service refuses it because of vAtoms that were emitted since, the failure says what there
 * is, and all that the service says.
 */
async function unlessMore<T>(deletion: Deletion, answer: Promise<T>, records: ServiceRecords): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'moreVatoms') throw error
    const change = (await changeOfDeleted(deletion, records)) ?? edited
    throw changedSince(deletionSubject(deletion), `${change}; the service says: ${error.message}`, notDeleted)
  }
}

const isGone = async (deletion: Deletion, records: ServiceRecords): Promise<boolean> =>
  (await recordToDelete(deletion, records)) === undefined

/** What is different about a record to be deleted, if it is there: itself, or only what is deleted with it. */
async function changeOfDeleted(deletion: Deletion, records: ServiceRecords): Promise<string | undefined> {
  const { kind, contents, emitted, mark } = deletion
  const record = await recordToDelete(deletion, records)
  if (record === undefined || unlistedMark(kind, record) === mark) return undefined
  // The mark is of the numbers alone.
  const had = emitted ? emittedText({ total: emitted.total, trashed: emitted.trashed }) : contents
  if (unlistedMark(kind, record, had) !== mark) return edited
  return `had ${vatomsText(had)} when this run made its plan, and has ${vatomsText(contentsOf(kind, record))} now`
}

/** The state of a record to be deleted, and of what is deleted with it. */
async function stateOfDeleted(deletion: Deletion, records: ServiceRecords): Promise<string> {
  const record = await recordToDelete(deletion, records)
  if (record === undefined) return noRecord
  return [stateOf(deletion.kind, [record]), ...contentsOf(deletion.kind, record)].join()
}

async function recordToDelete({ kind, key, template }: Deletion, records: ServiceRecords) {
  const found = await records.candidates(kind, key, template)
  return found.find((record) => keyOf(kind, record) === key)
}
