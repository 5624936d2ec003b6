import { expect, test } from 'vitest'
import { faceResourceIssues } from '../../../src/contract/rules/face-rules.ts'
import { printPath } from '../../../src/contract/schema/path.ts'
import { resource, template } from '../../fixtures/bodies.ts'

/** What is missing for a native face of a template with these resources and custom properties. */
const lacking = (face: string, more: object, resources: readonly string[], custom = {}) =>
  faceResourceIssues(
    { display_url: `native://${face}`, resources: [], ...more },
    template({}, { resources: resources.map((name) => resource(name)) }, custom),
  )
    .filter(({ rule }) => rule === 'face-needs')
    .map(({ severity, path, message }) => `${severity} ${printPath(path)}: ${message}`)

const missing = (setting: string, usual: string, place = 'display_url') =>
  `warning ${place}: there is no ${setting} in config, and the template has no resource ${usual}, which viewers show then`
const noPolicy = 'warning display_url: there is no image_policy in config: Android shows nothing then'
const noEntry =
  'warning config: image_policy has no entry that fits every vAtom, and the template has no resource ActivatedImage, which viewers show then'
const policy = (...entries: object[]) => ({ config: { image_policy: entries } })

test.each<[string, object, string[], string[]]>([
  ['image', {}, ['Card'], [missing('image', 'ActivatedImage')]],
  ['image', { resources: ['Card'] }, ['Card'], []],
  ['image', { config: { image: 'Card' } }, ['Card'], []],
  ['image', {}, ['ActivatedImage'], []],
  ['progress-image-overlay', {}, ['BaseImage', 'ActivatedImage'], []],
  ['progress-image-overlay', {}, ['ActivatedImage'], [missing('empty_image', 'BaseImage')]],
  [
    'progress-image-overlay',
    { resources: ['Card'] },
    ['Card'],
    [missing('empty_image', 'BaseImage'), missing('full_image', 'ActivatedImage')],
  ],
  [
    'progress-image-overlay',
    { config: { empty_image: 'Card' } },
    ['Card'],
    [missing('full_image', 'ActivatedImage', 'config')],
  ],
  ['progress-image-overlay', { config: { empty_image: 'Card', full_image: 'Card' } }, ['Card'], []],
  ['layered-image', { resources: ['Card'] }, ['Card'], [missing('layerImage', 'ActivatedImage')]],
  ['layered-image', { config: { layerImage: 'Card' } }, ['Card'], []],
  ['generic-3d', {}, ['Card'], [missing('scene', 'Scene.glb or Scene')]],
  ['generic-3d', {}, ['Scene'], []],
  ['generic-3d', { resources: ['Card'] }, ['Card'], []],
  ['image-policy', {}, ['ActivatedImage'], [noPolicy]],
  ['image-policy', policy({ resource: 'Card', count_max: 1 }), ['Card'], [noEntry]],
  ['image-policy', policy({ resource: 'Card', count_max: 1 }), ['Card', 'ActivatedImage'], []],
  ['image-policy', policy({ resource: 'Card', field: 'private.a', value: 1 }, { resource: 'Card' }), ['Card'], []],
  ['custom', {}, [], []],
])('%s %j of a template with %j: %j', (face, more, resources, expected) =>
  expect(lacking(face, more, resources)).toEqual(expected),
)

test('what vAtoms have in private counts where viewers look there', () => {
  const images = { empty_image: 'Card', full_image: 'Card' }
  expect(lacking('progress-image-overlay', {}, ['Card'], images)).toEqual([])
  expect(lacking('progress-image-overlay', { config: {} }, ['Card'], images)).toHaveLength(2)
  expect(lacking('image-policy', {}, ['Card'], { image_policy: [{ resource: 'Card' }] })).toEqual([])
})

test('the hint names what the template has', () => {
  const hint = (resources: string[]) =>
    faceResourceIssues(
      { display_url: 'native://layered-image', resources: [] },
      template({}, { resources: resources.map((name) => resource(name)) }),
    )[0]?.hint
  expect(hint(['Card', 'Icon'])).toBe('name a resource of the template in config.layerImage: Card, Icon')
  expect(hint([])).toBe('add a resource ActivatedImage to the template')
})
