import { identityOf } from '../kinds/face.ts'
import { at } from '../schema/path.ts'
import type { Member } from './catalog.ts'

/** The faces of one template, indexed for the rules that compare them. */
export interface FaceFamily {
  readonly faces: readonly Member[]
  /** The first face with the view mode, platform and quality of another; itself where it is the first. */
  readonly firstAlike: (face: Member) => Member | undefined
  /** How many faces have all of these alike. */
  readonly countAlike: (face: Member) => number
  /** The first face of a view mode, and the platforms that its faces are for. */
  readonly mode: (viewMode: unknown) => ViewModeFaces | undefined
}
interface ViewModeFaces {
  readonly first: Member
  readonly platforms: Set<unknown>
}

const known = new WeakMap<readonly Member[], FaceFamily>()

/** The index of a template's faces, made once. */
export function familyOf(faces: readonly Member[]): FaceFamily {
  const family = known.get(faces) ?? indexed(faces)
  known.set(faces, family)
  return family
}

/** One of the constraints of a face. */
export const constraint = ({ value }: Member, name: string): unknown => at(value, 'constraints', name)

const keyOf = ({ value }: Member) => JSON.stringify(identityOf(value))

function indexed(faces: readonly Member[]): FaceFamily {
  const alike = new Map<string, { first: Member; count: number }>()
  const modes = new Map<unknown, ViewModeFaces>()
  for (const face of faces) {
    const key = keyOf(face)
    const group = alike.get(key)
    alike.set(key, { first: group?.first ?? face, count: (group?.count ?? 0) + 1 })
    const viewMode = constraint(face, 'view_mode')
    const mode = modes.get(viewMode) ?? { first: face, platforms: new Set() }
    modes.set(viewMode, mode)
    mode.platforms.add(constraint(face, 'platform'))
  }
  return {
    faces,
    firstAlike: (face) => alike.get(keyOf(face))?.first,
    countAlike: (face) => alike.get(keyOf(face))?.count ?? 0,
    mode: (viewMode) => modes.get(viewMode),
  }
}
