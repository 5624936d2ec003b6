import type { Client } from '../../../client/client.ts'
import { face as faceKind, identityOf, isFaceOf } from '../../../contract/kinds/face.ts'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { FailureCode } from '../../failure/codes.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
import { shellWord } from '../../io/text.ts'
import { facesOf } from '../../kinds/requests.ts'
import { listOf } from '../../kinds/verbs/list.ts'
import { createFirst, operandOf, type Updating } from '../../kinds/verbs/update.ts'

/** Finds the record of a document among the faces of its template; throws a Failure for none, or several. */
type Choose = (document: LoadedDocument, faces: readonly FaceRecord[]) => Promise<FaceRecord>

/** Each document changes the face for the same viewers. */
export const faceOfDocument = (): Updating => facesChosen(describedFace)

/** The only document changes the face with an id. */
export const faceOfId = (id: string): Updating => ({
  ...facesChosen(async (document, faces) => faceWithId(id, document, faces)),
  gate: async ({ length }) => {
    if (length !== 1)
      throw usage(
        `An id changes one face, but the files contain ${length}`,
        'leave out the id, or name a file with one document',
      )
  },
})

function facesChosen(choose: Choose): Updating {
  const facesOf = listedOnce()
  return {
    kind: faceKind,
    anew: () => facesChosen(choose),
    compare: async (client, document) => {
      const face = await choose(document, await facesOf(client, templateOf(document)))
      return { ...(await faceKind.changes(document.value, face)), id: face.id }
    },
  }
}

const templateOf = ({ value }: LoadedDocument) => String(value.template)
const refused = (message: string, hint?: string, code: FailureCode = 'ambiguous') =>
  new Failure(code, exit.refused, message, { hint })

/** Lists the faces of each template once. */
function listedOnce() {
  const listed = new Map<string, Promise<FaceRecord[]>>()
  return (client: Client, template: string): Promise<FaceRecord[]> => {
    const faces =
      listed.get(template) ?? hinted(facesOf(client, template), { missingReference: seeList('template list') })
    listed.set(template, faces)
    return faces
  }
}

async function describedFace(document: LoadedDocument, faces: readonly FaceRecord[]): Promise<FaceRecord> {
  const found = faces.filter((face) => isFaceOf(document.value, face))
  const [face, ...others] = found
  const whose = `${templateOf(document)} for ${viewersOf(document.value)}`
  if (face === undefined) throw refused(`There is no face of ${whose}`, missingHint(document, faces), 'not_found')
  if (others.length === 0) return face
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  throw refused(
    `There are ${found.length} faces of ${whose}: ${nameList(found.map(({ id }) => id))}`,
    `choose one: vatom face update ID ${operandOf(document.file)}`,
  )
}

/** How to create a face, or to make it of the only one from which a single flag tells it apart. */
function missingHint({ file, value }: LoadedDocument, faces: readonly FaceRecord[]): string {
  const near = faces.flatMap(({ id, properties }) => {
    const flags = viewerFlags(properties)
    const [flag, ...more] = viewerFlags(value).filter((wanted, index) => wanted !== flags[index])
    return more.length > 0
      ? []
      : [`change that for ${viewersOf(properties)}: vatom face update ${shellWord(id)} ${flag}`]
  })
  return [createFirst(faceKind, file), ...(near.length === 1 ? near : [])].join('; or ')
}

/** `--view-mode icon`, `--platform generic`, `--quality high` */
const viewerFlags = (face: unknown): string[] => {
  const [viewMode, platform, quality] = identityOf(face)
  return [`--view-mode ${viewMode}`, `--platform ${platform}`, `--quality ${quality}`]
}

/** `icon, generic, high` */
const viewersOf = (face: unknown) => identityOf(face).map(String).join(', ')

function faceWithId(id: string, document: LoadedDocument, faces: readonly FaceRecord[]): FaceRecord {
  const face = faces.find((one) => one.id === id)
  if (face) return face
  const template = templateOf(document)
  throw refused(`${template} has no face ${id}`, seeList(listOf(faceKind, template)), 'not_found')
}
