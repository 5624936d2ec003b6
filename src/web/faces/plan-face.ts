import {
  type Selection,
  selectFace,
  type ViewerPlatform,
  viewerPlatforms,
} from '../../contract/kinds/face-selection.ts'
import { at, isSame } from '../../contract/schema/path.ts'
import { nativeFaces } from '../../contract/values.ts'
import { platformWords } from '../names.ts'
import { type Drawing, describeDrawing, type Plan } from './drawing.ts'
import { planGeneric3d } from './generic-3d.ts'
import { planImage } from './image.ts'
import { planImagePolicy } from './image-policy.ts'
import { planLayeredImage } from './layered-image.ts'
import { planProgressOverlay } from './progress-overlay.ts'
import { blank, failed, planned, type Subject } from './subject.ts'

/** A vAtom, and the viewer that shows it. */
export interface FaceRequest {
  readonly platform: ViewerPlatform
  readonly viewMode: string
  /** A record: `id`, `vAtom::vAtomType`, `private`. */
  readonly vatom: unknown
  /** The records of what is in it. */
  readonly children?: readonly unknown[]
  /** The faces of its template in order of registration, as documents: the viewer picks one of them. */
  readonly faces: readonly unknown[]
  /** The index of the one to draw, instead of the one that the viewer picks. */
  readonly face?: number
  /** Native faces that the viewer includes; if not given, all that the specification lists, native://generic-3d too. */
  readonly natives?: readonly string[]
}

/** What a viewer draws, and the face that it has picked. */
export interface FacePlan extends Plan {
  readonly selection: Selection
  /** The picked face; undefined if there is none. */
  readonly face: unknown
}

/** What another platform draws instead. */
export interface Difference {
  readonly platform: ViewerPlatform
  readonly shows: string
}

/** What a viewer draws for a vAtom, with the face that it picks. */
export function planFace(request: FaceRequest): FacePlan {
  const { platform, viewMode, vatom, children = [], faces, natives = nativeFaces } = request
  const selection = selectionOf(request, natives)
  const face = selection.face === undefined ? undefined : faces[selection.face]
  if (face === undefined)
    return { ...blank(`no face is for ${viewMode} on ${platformWords[platform]}`), selection, face }
  const plan = planPicked({ platform, face, vatom, children }, natives)
  const isFallback = selection.viewMode !== viewMode
  const notes = isFallback ? [`no face is for ${viewMode}: this is the ${selection.viewMode} face`] : []
  return { ...plan, notes: [...notes, ...plan.notes], selection, face }
}

function selectionOf({ platform, viewMode, faces, face }: FaceRequest, natives: readonly string[]): Selection {
  if (face !== undefined) return { face, viewMode, considered: [] }
  return selectFace(faces, { platform, viewMode, natives, webFaces: true })
}

/** Whatever the reason is, nothing is to see. */
const isBlank = (drawing: Drawing): boolean => drawing.kind === 'fault' && drawing.fault.shows === 'blank'

/** What the other platforms draw, where it is not the same. */
export function differencesOf(request: FaceRequest): readonly Difference[] {
  const { drawing } = planFace(request)
  return viewerPlatforms
    .filter((platform) => platform !== request.platform)
    .map((platform) => ({ platform, other: planFace({ ...request, platform }).drawing }))
    .filter(({ other }) => !isSame(other, drawing) && !(isBlank(other) && isBlank(drawing)))
    .map(({ platform, other }) => ({ platform, shows: describeDrawing(other) }))
}

const planners: Readonly<Record<(typeof nativeFaces)[number], (subject: Subject) => Plan>> = {
  'native://image': planImage,
  'native://progress-image-overlay': planProgressOverlay,
  'native://image-policy': planImagePolicy,
  'native://layered-image': planLayeredImage,
  'native://generic-3d': planGeneric3d,
}

/** Whether a face is a page of the web. */
export const isWebFace = (face: unknown): boolean => /^https?:/i.test(String(at(face, 'display_url')))

/** Web viewers pick a native face that they do not include, and then show an error. */
function planPicked(subject: Subject, natives: readonly string[]): Plan {
  const url = String(at(subject.face, 'display_url'))
  const native = nativeFaces.find((one) => one === url.toLowerCase())
  if (native && natives.includes(native)) return planners[native](subject)
  if (isWebFace(subject.face)) return planned({ kind: 'frame', url })
  return failed(subject, `the viewer does not include ${url}`)
}
