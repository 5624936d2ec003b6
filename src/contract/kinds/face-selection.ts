import { at } from '../schema/path.ts'
import { nativeFaces } from '../values.ts'

/** Platforms that viewers run on. */
export const viewerPlatforms = ['web', 'ios', 'android'] as const
export type ViewerPlatform = (typeof viewerPlatforms)[number]

/** Native faces that every viewer includes; native://generic-3d is a package of its own. */
export const builtInFaces = nativeFaces.filter((url) => url !== 'native://generic-3d')

/** An app that chooses a face to show. */
export interface Viewer {
  readonly platform: ViewerPlatform
  readonly viewMode: string
  /** Native faces that it can show. */
  readonly natives: readonly string[]
  /** Whether it can show web faces. */
  readonly webFaces: boolean
}

/** How a viewer judges one face. */
export interface Considered {
  readonly face: number
  readonly picked: boolean
  /** Why it is picked or not. */
  readonly why: string
}

/** The face that a viewer shows. */
export interface Selection {
  /** Its index among the faces; undefined if no face can be shown: the vAtom is blank. */
  readonly face: number | undefined
  /** The view mode that was looked for in the end: `icon`, where there was nothing for `engaged`. */
  readonly viewMode: string
  /** Every face, in order. */
  readonly considered: readonly Considered[]
}

interface Judged {
  readonly face: number
  /** The higher wins, the first of equals; undefined for one that cannot be shown. */
  readonly rank: number | undefined
  readonly why: string
}

/**
 * The face that a viewer picks among those of a template, which are in order of registration, as the SDKs do: of the
 * view mode, web viewers take the first for web, else the first generic one; others rank their own platform above
 * generic ones, and native faces above web faces. Engaged falls back to icon. Quality and sensors are ignored.
 */
export function selectFace(faces: readonly unknown[], viewer: Viewer): Selection {
  const first = selectIn(faces, viewer, viewer.viewMode)
  if (first.face !== undefined || viewer.viewMode !== 'engaged') return first
  const icon = selectIn(faces, viewer, 'icon')
  if (icon.face === undefined) return first
  const considered = icon.considered.map((one, index) =>
    isFor(faces[index], viewer.viewMode) ? (first.considered[index] ?? one) : one,
  )
  return { ...icon, considered }
}

/** Whether a face is for a view mode. */
export const isFor = (face: unknown, viewMode: string): boolean => at(face, 'constraints', 'view_mode') === viewMode

function selectIn(faces: readonly unknown[], viewer: Viewer, viewMode: string): Selection {
  const judged = faces.map((face, index) => ({ face: index, ...judge(face, viewer, viewMode) }))
  const best = judged.reduce<Judged | undefined>(higher, undefined)
  const considered = judged.map((one) => ({ face: one.face, picked: one === best, why: reason(one, best) }))
  return { face: best?.face, viewMode, considered }
}

const higher = (best: Judged | undefined, one: Judged) =>
  one.rank !== undefined && one.rank > (best?.rank ?? 0) ? one : best

function reason(one: Judged, best: Judged | undefined): string {
  if (one === best || one.rank === undefined || best?.rank === undefined) return one.why
  return one.rank === best.rank ? `${one.why}, but an earlier face is as good` : `${one.why}: one is better`
}

type Judgement = Omit<Judged, 'face'>
const passed = (why: string): Judgement => ({ rank: undefined, why })

function judge(face: unknown, viewer: Viewer, viewMode: string): Judgement {
  if (!isFor(face, viewMode)) return passed(`for ${String(at(face, 'constraints', 'view_mode'))}`)
  const platform = at(face, 'constraints', 'platform')
  if (platform !== viewer.platform && platform !== 'generic') return passed(`for ${String(platform)} alone`)
  const own = platform === 'generic' ? 1 : 2
  const whose = platform === 'generic' ? 'generic' : `made for ${viewer.platform}`
  if (viewer.platform === 'web') return { rank: own, why: whose }
  const url = String(at(face, 'display_url'))
  if (url.startsWith('https://'))
    return viewer.webFaces ? { rank: own, why: `${whose}, web` } : passed('the viewer shows no web faces')
  if (!hasNative(viewer, url)) return passed(notIncluded(url))
  return { rank: own + 1, why: `${whose}, native` }
}

/** Why a native face is not picked that is a package of its own. */
export const notIncluded = (url: string): string => `the viewer does not include ${url}`

/** iOS compares without case. */
function hasNative({ platform, natives }: Viewer, url: string): boolean {
  if (platform !== 'ios') return natives.includes(url)
  return natives.some((native) => native.toLowerCase() === url.toLowerCase())
}

/** Whether some viewer picks a face for its own view mode: one that can show it, and of the others those that all can. */
export function isEverPicked(faces: readonly unknown[], face: number): boolean {
  const viewMode = String(at(faces[face], 'constraints', 'view_mode'))
  return viewersOf(faces[face]).some((viewer) => selectFace(faces, { ...viewer, viewMode }).face === face)
}

/** Viewers that can show a face, and nothing else that they need not. */
export function viewersOf(face: unknown): Omit<Viewer, 'viewMode'>[] {
  const url = String(at(face, 'display_url'))
  const natives = [...builtInFaces, url]
  return viewerPlatforms.map((platform) => ({ platform, natives, webFaces: url.startsWith('https://') }))
}
