/** An image, and how it lies in its element. */
export interface Picture {
  /** The resource that it comes from. */
  readonly name: string
  readonly url: string
  readonly fit: 'contain' | 'cover'
}

/** The side that a progress overlay fills from. */
export type Side = 'top' | 'right' | 'bottom' | 'left'

/** How much of the full image a progress overlay shows. */
export interface Fill {
  readonly from: Side
  /** From 0 to 1. */
  readonly fraction: number
  /** Pixels of the image that are shown at 0. */
  readonly start: number
  /** Pixels of the image that are still hidden at 1. */
  readonly end: number
  /** Web viewers fill the element, in whole percents; the others fill the image in it. */
  readonly within: 'element' | 'picture'
}

/** A rule of `animation_rules` that can be shown: after an event, an animation of the scene is played once. */
export interface AnimationRule {
  readonly on: 'start' | 'click' | 'state' | 'animation-start' | 'animation-complete'
  readonly play: string
  /** The animation that the event is about; of `state`, a path in the vAtom. */
  readonly target?: string
  /** What the vAtom has at that path. */
  readonly value?: unknown
  /** Milliseconds. */
  readonly delay: number
}

/** A 3D model. */
export interface Scene {
  readonly name: string
  readonly url: string
  readonly placeholder: Picture | undefined
  /** None: the first animation of the model is played in a loop. */
  readonly rules: readonly AnimationRule[]
  readonly autoRotate: boolean
  /** Distance of the camera: 1 shows the whole model. */
  readonly zoom: number
}

/** What a viewer shows if it cannot show the face. */
export interface Fault {
  /** Nothing; its error view; its sign of loading, without end. */
  readonly shows: 'blank' | 'error' | 'loading'
  readonly why: string
  /** What its error view shows behind the warning sign. */
  readonly backdrop: Picture | undefined
}

/** What a viewer draws for a vAtom: data, without any DOM. */
export type Drawing =
  | { readonly kind: 'picture'; readonly picture: Picture }
  | {
      readonly kind: 'overlay'
      readonly base: Picture
      readonly full: Picture
      /** Undefined: the whole image is shown. */
      readonly fill: Fill | undefined
      readonly percentage: string | undefined
    }
  | { readonly kind: 'layers'; readonly pictures: readonly Picture[] }
  | { readonly kind: 'scene'; readonly scene: Scene }
  | { readonly kind: 'frame'; readonly url: string }
  | { readonly kind: 'player'; readonly media: 'audio' | 'video' | 'text'; readonly name: string; readonly url: string }
  | { readonly kind: 'fault'; readonly fault: Fault }

/** What a viewer draws, and what its publisher should know about it, in sentences. */
export interface Plan {
  readonly drawing: Drawing
  readonly notes: readonly string[]
}

const resourceText = (pictures: readonly Picture[]): string => pictures.map(({ name }) => name).join(', ')
const fitText = ({ fit }: Picture): string => (fit === 'cover' ? 'fills the area' : 'fits into the area')
const fillText = (fill: Fill | undefined): string =>
  fill === undefined
    ? 'whole'
    : `${Math.round(fill.fraction * 100)}% of the ${fill.within === 'element' ? 'area' : 'image'} from the ${fill.from}`

/** What a drawing shows, in words. */
export function describeDrawing(drawing: Drawing): string {
  switch (drawing.kind) {
    case 'picture':
      return `${drawing.picture.name}, which ${fitText(drawing.picture)}`
    case 'overlay':
      return `${drawing.full.name} over ${drawing.base.name}, ${fillText(drawing.fill)}, ${drawing.percentage ?? 'without a percentage'}`
    case 'layers':
      return `layers: ${resourceText(drawing.pictures)}`
    case 'scene':
      return `the 3D model ${drawing.scene.name}`
    case 'frame':
      return `the web face ${drawing.url}`
    case 'player':
      return `${drawing.media} of ${drawing.name}`
    case 'fault':
      return `${faultText[drawing.fault.shows]}: ${drawing.fault.why}`
  }
}

const faultText: Readonly<Record<Fault['shows'], string>> = {
  blank: 'nothing',
  error: 'an error',
  loading: 'loading without end',
}
