import type { ViewerPlatform } from '../../../src/contract/kinds/face-selection.ts'
import { faceOf, vatomWith } from '../faces/subjects.ts'

/** Resources of every vAtom, as files of the desk. */
const files = {
  BaseImage: 'empty.svg',
  ActivatedImage: 'full.svg',
  LayeredImage: 'base.svg',
  One: 'top-left.svg',
  Two: 'bottom-right.svg',
  Scene: 'box.glb',
}

/** A face to draw, and what it is drawn of. */
export interface Case {
  readonly name: string
  readonly face: object
  /** Built-in properties of the vAtom. */
  readonly properties?: object
  /** Resources of its children, by name. */
  readonly children?: readonly Readonly<Record<string, string>>[]
  /** The share of pixels that may differ. */
  readonly tolerance?: number
}

/** A progress overlay that is filled to 40 %. */
export const overlay = (name: string, config: object): Case => ({
  name,
  face: faceOf('native://progress-image-overlay', { config: { show_percentage: false, ...config } }),
  properties: { cloning_score: 0.4 },
})

/** Every native face, with what platforms do differently. */
export const cases: readonly Case[] = [
  { name: 'image', face: faceOf('native://image') },
  { name: 'image-card', face: faceOf('native://image', {}, { view_mode: 'card' }) },
  { name: 'image-fill', face: faceOf('native://image', { config: { image: 'BaseImage', scale: 'fill' } }) },
  overlay('overlay', {}),
  overlay('overlay-up', { direction: 'up', padding_start: 20, padding_end: 20 }),
  overlay('overlay-down', { direction: 'down', padding_start: 20, padding_end: 60 }),
  overlay('overlay-left', { direction: 'left', padding_start: 40, padding_end: 40 }),
  overlay('overlay-right', { direction: 'right', padding_start: 40, padding_end: 40 }),
  {
    name: 'policy',
    face: faceOf('native://image-policy', {
      config: { image_policy: [{ count_max: 3, resource: 'One' }, { resource: 'Two' }] },
    }),
    children: [{}, {}],
  },
  {
    name: 'layers',
    face: faceOf('native://layered-image', { config: { layerImage: 'LayeredImage' } }),
    children: [{ LayeredImage: 'top-left.svg' }, { ActivatedImage: 'bottom-right.svg' }],
  },
  {
    name: 'scene',
    face: faceOf('native://generic-3d', { config: { animation_rules: [{ on: 'click' }] } }),
    tolerance: 0.05,
  },
  { name: 'missing', face: faceOf('native://image', { config: { image: 'Gone' } }) },
]

/** What a viewer is asked to draw; files are on a server. */
export function requestOf({ face, properties, children = [] }: Case, platform: ViewerPlatform, origin: string) {
  const located = (resources: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(resources).map(([name, file]) => [name, `${origin}/files/${file}`]))
  return {
    platform,
    viewMode: 'icon',
    vatom: vatomWith(located(files), properties),
    children: children.map((resources, index) => ({ ...vatomWith(located(resources)), id: `c${index}` })),
    faces: [face],
    face: 0,
  }
}
