import { isDeepStrictEqual } from 'node:util'
import { face } from '../../../contract/kinds/face.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { type Context, once } from '../../context.ts'
import { stateOf } from '../../kinds/record-state.ts'
import { changedWhileWaiting, type Standing } from '../../kinds/sending-again.ts'
import { meantIds } from '../../kinds/short-id.ts'
import { type Deletion, type Doomed, refusedLater, type Unread } from '../../kinds/verbs/delete.ts'
import { allOfPublisher } from '../../kinds/verbs/list.ts'

/** How the help of commands describes an id. */
export const faceIdHelp = "the face's id, or its beginning"

/** Reads the faces of the publisher, once. */
export type ReadFaces = () => Promise<readonly Section[]>
export const facesIn = (context: Context): ReadFaces => once(() => allOfPublisher(face, context))

/** The ids of faces that are meant: the beginning of an id stands for the only face of the publisher that has it. */
export const faceIds = (given: readonly string[], readFaces: ReadFaces): Promise<string[]> =>
  meantIds(given, 'faces', async () => (await readFaces()).map(idOf))

/** How faces are deleted. */
export const deletion: Deletion = {
  description: 'Delete faces. Faces of a published template can be deleted, too.',
  keyHelp: faceIdHelp,
  recordsOf: facesToDelete,
}

/** The faces that are meant, with what they show and for whom, as far as the service lists them. */
async function facesToDelete(given: readonly string[], context: Context, unread: Unread): Promise<readonly Doomed[]> {
  const listed = allOfPublisher(face, context)
  const ids = await meantIds(given, 'faces', async () => (await listed).map(idOf))
  const [records] = await listed.then((all) => [all]).catch(unread)
  if (records === undefined) return ids.map((name) => ({ name, contents: [] }))
  const titles = new Map(records.map((record) => [idOf(record), titleOf(record)]))
  return ids.map((name) => ({ name, title: titles.get(name), contents: [], state: stateIn(records, name) }))
}

/** A face whose fields are changed. */
export interface FaceChange {
  readonly id: string
  readonly changes: Section
}

/** The state of the face with an id; undefined where the service refuses to list faces. */
export async function faceState(id: string, readFaces: ReadFaces): Promise<string | undefined> {
  const [records] = await readFaces()
    .then((all) => [all])
    .catch(refusedLater)
  return records && stateIn(records, id)
}

/** What has become of a face since its state was read. Throws what the service refuses to list now. */
export async function faceStanding(
  { id, changes }: FaceChange,
  before: string,
  readFaces: ReadFaces,
): Promise<Standing> {
  const records = await readFaces()
  const record = records.find((one) => idOf(one) === id)
  // What is not there any more the service refuses to change.
  if (record === undefined || stateIn(records, id) === before) return 'as before'
  if (isDeepStrictEqual(changed(record, changes), record)) return 'as sent'
  return changedWhileWaiting({ kind: face.name, name: titleOf(record) })
}

const stateIn = (records: readonly Section[], id: string): string =>
  stateOf(
    'face',
    records.filter((record) => idOf(record) === id),
  )

const idOf = ({ id }: Section) => String(id)

/** The face with an id as it is with changed fields, for messages: the id alone if the service does not list it. */
export async function changedTitle({ id, changes }: FaceChange, readFaces: ReadFaces): Promise<string> {
  const records = await readFaces().catch(refusedLater)
  const record = records.find((one) => idOf(one) === id)
  return record === undefined ? id : titleOf(changed(record, changes))
}

/** The record of a face as it is with changed fields. */
function changed(record: Section, changes: Section): Section {
  const properties = sectionOf(record.properties)
  const constraints = { ...sectionOf(properties.constraints), ...sectionOf(changes.constraints) }
  return { ...record, properties: { ...properties, ...changes, constraints } }
}

/** `acme.com::Coffee::v1 icon, generic, high, native://image (ID)` */
const titleOf = (record: Section) => `${face.nameOf(face.documentOf(record))} (${idOf(record)})`
