import { createRecord } from '../../../client/create-record.ts'
import { ServiceError } from '../../../client/errors.ts'
import type { ErrorName } from '../../../contract/api/errors.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { emittedText, vatomsText, withAll } from '../../kinds/draft-contents.ts'
import { listed } from '../../kinds/final-records.ts'
import { isDraft, publishRecord, removeRecord, updateRecord } from '../../kinds/requests.ts'
import { type Sent, type Subject, subjectOf } from '../../kinds/send.ts'
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
  readonly send: () => Promise<unknown>
  /** Whether sending it twice has the same result as sending it once. */
  readonly isRepeatable: boolean
  /** What is reported once it is done. */
  readonly result: () => Promise<Sent>
  /** Whether the service already has the result. */
  readonly isDone: (records: ServiceRecords) => Promise<boolean>
  /** What another run may have done with its record, as it follows its name, by the error that the service then has. */
  readonly byOthers: Partial<Record<ErrorName, string>>
  /** What is different about its record since it was compared, as it follows its name; without it, nothing was compared. */
  readonly change?: (records: ServiceRecords) => Promise<string | undefined>
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
      send: () => hinted(createRecord(client, kindOf(kind), asDraft(document)), { nameTaken: leftAsItIs }),
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
    send: () => ifOwned(updateRecord(client, kindOf(kind), { key: record.key, catalogs }, record.changes.body)),
    isRepeatable: true,
    change: (records) => changeOf(step, records),
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
const ifOwned = <T>(answer: Promise<T>): Promise<T> => hinted(answer, { otherCatalog: leftAsItIs })

const leftAsItIs = 'it was left as it is; plan again, and let one run at a time apply'

/** The failure of a task whose record is not as it was compared. */
export const changedSince = ({ kind, name }: Subject, change: string): Failure =>
  new Failure('changed_meanwhile', exit.refused, `${kind} ${name} ${change}`, { hint: leftAsItIs })

const edited = 'was changed by somebody else while this run applied its plan'

/** What is different about the record of a step since it was compared. */
async function changeOf({ document: { kind, name, value }, record }: Step, records: ServiceRecords) {
  const found = await records.candidates(kind, name, kindOf(kind).templateOf(value) ?? '')
  const own = found.find((one) => keyOf(kind, one) === record?.key)
  return own === undefined || markOf(kind, own) !== record?.mark ? edited : undefined
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
    send: async () =>
      ifOwned(publishRecord(client, kindOf(kind), { key: name, catalogs }, await reviewedFields(document, connection))),
    isRepeatable: true,
    ...(step.decision === 'unchanged' && { change: (records) => changeOf(step, records) }),
    result: async () => ({ status: 'published', message: `${await publishedText(step, place)}; it is final now` }),
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
    send: () => unlessMore(deletion, ifOwned(removeRecord(client, kindOf(kind), record)), recordsOf(client)),
    isRepeatable: true,
    result: async () => ({ status: 'deleted', message: `Deleted ${kind} ${name}${withAll(contents)} on ${place}` }),
    isDone: (records) => isGone(deletion, records),
    byOthers: { notFound: 'is gone: another run deleted' },
    change: (records) => changeOfDeleted(deletion, records),
  }
}

/** The answer to a deletion. If the service refuses it because of vAtoms that were emitted since, the failure says what there is. */
async function unlessMore<T>(deletion: Deletion, answer: Promise<T>, records: ServiceRecords): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'moreVatoms') throw error
    throw changedSince(deletionSubject(deletion), (await changeOfDeleted(deletion, records)) ?? edited)
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

async function recordToDelete({ kind, key, template }: Deletion, records: ServiceRecords) {
  const found = await records.candidates(kind, key, template)
  return found.find((record) => keyOf(kind, record) === key)
}
