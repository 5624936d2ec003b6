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
  /** Its private section. */
  readonly secrets?: object
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

/** An image policy of a vAtom whose private section says that it is used. */
const policy = (name: string, ...image_policy: readonly object[]): Case => ({
  name,
  face: faceOf('native://image-policy', { config: { image_policy } }),
  properties: { dropped: true },
  secrets: { state: 'used', coupon: { state: 'used' } },
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
  policy(
    'policy-field',
    { field: 'private.state', value: 'new', resource: 'One' },
    { field: 'private.state', value: 'used', resource: 'Two' },
  ),
  policy('policy-nested', { field: 'private.coupon.state', value: 'used', resource: 'Two' }),
  policy('policy-property', { field: 'vAtom::vAtomType.dropped', value: true, resource: 'Two' }),
  policy('policy-fallback', { field: 'private.state', value: 'new', resource: 'One' }, { resource: 'Two' }),
  policy('policy-unfit', { field: 'private.state', value: 'new', resource: 'One' }),
  policy('policy-missing', { resource: 'Gone' }, { resource: 'Two' }),
  { name: 'policy-none', face: faceOf('native://image-policy') },
  {
    name: 'layers',
    face: faceOf('native://layered-image', { config: { layerImage: 'LayeredImage' } }),
    children: [{ LayeredImage: 'top-left.svg' }, { ActivatedImage: 'bottom-right.svg' }],
  },
  {
    name: 'layers-unnamed',
    face: faceOf('native://layered-image', { resources: ['BaseImage'] }),
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
export function requestOf(
  { face, properties, secrets = {}, children = [] }: Case,
  platform: ViewerPlatform,
  origin: string,
) {
  const located = (resources: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(resources).map(([name, file]) => [name, `${origin}/files/${file}`]))
  return {
    platform,
    viewMode: 'icon',
    vatom: vatomWith(located(files), properties, { private: secrets }),
    children: children.map((resources, index) => ({ ...vatomWith(located(resources)), id: `c${index}` })),
    faces: [face],
    face: 0,
  }
}
