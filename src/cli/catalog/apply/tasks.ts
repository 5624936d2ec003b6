import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { hinted } from '../../failure/hinted.ts'
import { listed } from '../../kinds/refusal.ts'
import type { RowKind } from '../../kinds/results.ts'
import { type Sent, type Subject, subjectOf } from '../../kinds/send.ts'
import { writes } from '../../kinds/writes.ts'
import type { Connection } from '../../service/connect.ts'
import type { Step } from '../plan/compare.ts'
import { standings } from '../plan/compare-record.ts'
import type { Deletion } from '../plan/deletions.ts'
import type { State } from '../plan/service-records.ts'

/** One write. */
export interface Task {
  /** Tells it from every other of a plan. */
  readonly id: string
  readonly subject: Subject
  /** Tasks that must have gone well before. */
  readonly needs: readonly string[]
  readonly run: () => Promise<unknown>
  /** Whether doing it twice comes to the same as doing it once. */
  readonly isRepeatable: boolean
  /** What is said of it once it is done. */
  readonly sent: () => Promise<Sent>
  /** Whether the service has it already. */
  readonly isDone: (state: State) => Promise<boolean>
}

/** The word by which a task is known: what becomes of a record. */
export type Deed = 'create' | 'update' | 'publish' | 'delete'
export const taskId = (deed: Deed, { kind, key }: { readonly kind: RowKind; readonly key: string }): string =>
  `${deed} ${kind} ${key}`

/** What a document's record goes by before there is one. */
export const keyOf = ({ kind, name, value }: LoadedDocument): string =>
  kind === 'face' ? JSON.stringify([value.template, value.constraints]) : name

/** What a step's creating or changing goes by. */
export const writeId = ({ document, standing }: Step): string =>
  taskId(standing ? 'update' : 'create', { kind: document.kind, key: keyOf(document) })

/** Creating or changing the record of a step's document; a record that is published later is a draft until then. */
export function writeTask(step: Step, needs: readonly string[], { client, place }: Connection): Task {
  const { document, standing } = step
  const { kind, name } = document
  const shown = standing && standing.key !== name ? `${name} (${standing.key})` : name
  return {
    id: writeId(step),
    subject: subjectOf(document),
    needs,
    run: () =>
      standing
        ? writes[kind].update(client, standing.key, standing.changes.body)
        : writes[kind].create(client, asDraft(document)),
    // The service refuses a second record of a name, and takes a second face.
    isRepeatable: standing !== undefined || kind !== 'face',
    sent: async () =>
      standing
        ? {
            status: 'updated',
            message: `Updated ${kind} ${shown} on ${place}: ${await listed(standing.changes.differences)}`,
          }
        : {
            status: 'created',
            message: `Created ${kind} ${name}${kindsWithDrafts.has(kind) ? ' (draft)' : ''} on ${place}`,
          },
    isDone: (state) => isAsSaid(document, state),
  }
}

const kindsWithDrafts: ReadonlySet<RowKind> = new Set(['template', 'variation'])

/** Everything is a draft until all of it stands. Spec 3. */
const asDraft = ({ kind, value }: LoadedDocument): Section =>
  kindsWithDrafts.has(kind) ? { ...value, unpublished: true } : value

async function isAsSaid(document: LoadedDocument, state: State): Promise<boolean> {
  const template = await templateEth(document, state)
  return (await standings[document.kind](document, state, template))?.changes.differences.length === 0
}

const templateEth = async ({ kind, value }: LoadedDocument, state: State) =>
  kind === 'variation' ? (await state.template(String(value.template)))?.properties.eth : undefined

/** Publishing the record of a step's document. Spec 3. */
export function publishTask(step: Step, { client, place }: Connection): Task {
  const { kind, name, value } = step.document
  const own = writeId(step)
  const template = taskId('publish', { kind: 'template', key: String(value.template) })
  return {
    id: taskId('publish', { kind, key: name }),
    subject: subjectOf(step.document),
    needs: kind === 'variation' ? [own, template] : [own],
    run: () => writes[kind].update(client, name, { unpublished: false }),
    isRepeatable: true,
    sent: async () => ({ status: 'published', message: `Published ${kind} ${name} on ${place}; it is final now` }),
    isDone: async (state) => {
      const record = kind === 'template' ? await state.template(name) : await state.variation(name)
      return record?.properties.unpublished === false
    },
  }
}

/** Deleting a record that the catalog does not have. */
export function deleteTask(deletion: Deletion, { client, place }: Connection): Task {
  const { kind, key, name } = deletion
  return {
    id: taskId('delete', deletion),
    subject: deletionSubject(deletion),
    needs: [],
    run: () =>
      hinted(writes[kind].remove(client, key), {
        inUse: 'its vAtoms stay: keep it in the catalog, or trash them first',
      }),
    isRepeatable: true,
    sent: async () => ({ status: 'deleted', message: `Deleted ${kind} ${name} on ${place}` }),
    isDone: (state) => isGone(deletion, state),
  }
}

export const deletionSubject = ({ kind, name }: Pick<Deletion, 'kind' | 'name'>): Subject => ({
  file: null,
  kind,
  name,
  problems: [],
})

const isGone = async ({ kind, key, template }: Deletion, state: State): Promise<boolean> => {
  if (kind === 'variation') return (await state.variation(key)) === undefined
  const there =
    kind === 'face' ? (await state.facesOf(template)).map(({ id }) => id) : namesOf(await state.actionsOf(template))
  return !there.includes(key)
}

const namesOf = (records: readonly { readonly name: string }[]) => records.map(({ name }) => name)
