import { describe, expect, test } from 'vitest'
import { viewerPlatforms } from '../../../src/contract/kinds/face-selection.ts'
import { describeDrawing } from '../../../src/web/faces/drawing.ts'
import { planGeneric3d } from '../../../src/web/faces/generic-3d.ts'
import { planImage } from '../../../src/web/faces/image.ts'
import { planImagePolicy } from '../../../src/web/faces/image-policy.ts'
import { planLayeredImage } from '../../../src/web/faces/layered-image.ts'
import { planProgressOverlay } from '../../../src/web/faces/progress-overlay.ts'
import { faceOf, subjectOf, vatomWith } from './subjects.ts'

const onEach = <T>(plan: (platform: (typeof viewerPlatforms)[number]) => T) => viewerPlatforms.map(plan)

describe('native://image', () => {
  const vatom = vatomWith({ ActivatedImage: 'https://a.example/a.png', Other: 'https://a.example/b.png' })
  const shown = (more: object, constraints: object = {}) =>
    onEach((platform) =>
      describeDrawing(planImage(subjectOf(platform, faceOf('native://image', more, constraints), vatom)).drawing),
    )

  test.each([
    ['config', { config: { image: 'Other' }, resources: ['ActivatedImage'] }, 'Other'],
    ['the first of its resources', { resources: ['Other', 'ActivatedImage'] }, 'Other'],
    ['nothing', {}, 'ActivatedImage'],
    ['an empty text', { config: { image: '' } }, 'ActivatedImage'],
  ])('%s names the image', (_, more, name) =>
    expect(shown(more)).toEqual(Array(3).fill(`${name}, which fits into the area`)),
  )
  test.each([
    ['fill', {}, ['fills the area', 'fills the area', 'fills the area']],
    ['fit', { view_mode: 'card' }, ['fits into the area', 'fits into the area', 'fits into the area']],
    ['Fill', {}, ['fits into the area', 'fits into the area', 'fills the area']],
    [undefined, { view_mode: 'card' }, ['fills the area', 'fits into the area', 'fits into the area']],
  ])('scale %s with %o', (scale, constraints, fits) =>
    expect(shown({ config: { scale } }, constraints)).toEqual(fits.map((fit) => `ActivatedImage, which ${fit}`)),
  )
  test('a card without a scale says that platforms differ', () => {
    const { notes } = planImage(subjectOf('web', faceOf('native://image', {}, { view_mode: 'card' }), vatom))
    expect(notes).toEqual([expect.stringContaining('web viewers fill a card')])
  })
  test('a resource that does not exist: web shows its error view, iOS loads without end, Android an error', () => {
    const face = faceOf('native://image', { config: { image: 'Missing' } })
    const drawings = onEach((platform) => planImage(subjectOf(platform, face, vatom)).drawing)
    const why = 'the vAtom has no resource Missing'
    expect(drawings).toEqual([
      { kind: 'fault', fault: { shows: 'error', why, backdrop: expect.objectContaining({ name: 'ActivatedImage' }) } },
      { kind: 'fault', fault: { shows: 'loading', why, backdrop: undefined } },
      { kind: 'fault', fault: { shows: 'error', why, backdrop: undefined } },
    ])
  })
})

describe('native://progress-image-overlay', () => {
  const images = { BaseImage: 'https://a.example/e.png', ActivatedImage: 'https://a.example/f.png' }
  const half = vatomWith(images, { cloning_score: 0.5 })
  const plan = (platform: (typeof viewerPlatforms)[number], config: object | undefined, vatom: unknown = half) =>
    planProgressOverlay(subjectOf(platform, faceOf('native://progress-image-overlay', config && { config }), vatom))
  const fills = (config: object | undefined, vatom: unknown = half) =>
    onEach((platform) => {
      const { drawing } = plan(platform, config, vatom)
      return drawing.kind === 'overlay' ? drawing.fill : drawing
    })

  test.each([
    ['up', ['bottom', 'bottom', 'bottom']],
    ['DOWN', ['top', 'top', 'top']],
    ['left', ['left', 'right', 'right']],
    ['right', ['right', 'left', 'left']],
    ['sideways', ['right', 'bottom', undefined]],
  ])('direction %s starts at', (direction, from) =>
    expect(fills({ direction }).map((fill) => (fill && 'from' in fill && fill.from) || undefined)).toEqual(from),
  )
  test('without a direction, web starts at the right, the others at the bottom', () =>
    expect(fills(undefined)).toMatchObject([{ from: 'right' }, { from: 'bottom' }, { from: 'bottom' }]))
  test('Android swaps the paddings where it fills from the top or the right', () => {
    const paddings = { padding_start: 10, padding_end: 20 }
    expect(fills({ direction: 'up', ...paddings })).toMatchObject(Array(3).fill({ start: 10, end: 20 }))
    expect(fills({ direction: 'down', ...paddings })).toMatchObject([
      { start: 10, end: 20 },
      { start: 10, end: 20 },
      { start: 20, end: 10 },
    ])
  })
  test('iOS reads no numbers in texts', () =>
    expect(fills({ direction: 'up', padding_start: '10' })).toMatchObject([{ start: 10 }, { start: 0 }, { start: 10 }]))
  test.each([
    [-1, 0],
    [0.25, 0.25],
    [1.4, 1],
    [undefined, 0],
  ])('a cloning score of %s fills %s', (cloning_score, fraction) =>
    expect(fills({ direction: 'up' }, vatomWith(images, { cloning_score }))).toMatchObject(Array(3).fill({ fraction })),
  )
  test('only web reads a cloning score in a text', () =>
    expect(fills({ direction: 'up' }, vatomWith(images, { cloning_score: '0.5' }))).toMatchObject([
      { fraction: 0.5 },
      { fraction: 0 },
      { fraction: 0 },
    ]))
  test('settings in private: web adds them one by one, iOS only without config, Android without a direction', () => {
    const vatom = vatomWith(images, { cloning_score: 0.5 }, { private: { direction: 'down', padding_start: 7 } })
    expect(fills({ padding_end: 3 }, vatom)).toMatchObject([
      { from: 'top', start: 7, end: 3 },
      { from: 'bottom', start: 0, end: 3 },
      { from: 'top', start: 0, end: 7 },
    ])
    expect(fills(undefined, vatom)).toMatchObject([{ from: 'top' }, { from: 'top' }, { from: 'top' }])
    expect(plan('android', { padding_end: 3 }, vatom).notes).toEqual([
      'Android reads config only if it has a direction',
    ])
  })
  test('iOS shows the percentage unless it is off, Android if it is on, web never', () => {
    const texts = (config: object) =>
      onEach((platform) => {
        const { drawing } = plan(platform, { direction: 'up', ...config }, vatomWith(images, { cloning_score: 0.256 }))
        return drawing.kind === 'overlay' ? drawing.percentage : drawing
      })
    expect(texts({})).toEqual([undefined, '25%', undefined])
    expect(texts({ show_percentage: true })).toEqual([undefined, '25%', '25%'])
    expect(texts({ show_percentage: false })).toEqual([undefined, undefined, undefined])
    expect(plan('web', { show_percentage: true }).notes).toEqual(['web viewers show no percentage'])
  })
  test('an image that does not exist: web falls back to the usual one', () => {
    expect(onEach((platform) => plan(platform, { direction: 'up', empty_image: 'Gone' }).drawing)).toMatchObject([
      { kind: 'overlay', base: { name: 'BaseImage' } },
      { kind: 'fault', fault: { shows: 'loading', why: 'the vAtom has no resource Gone' } },
      { kind: 'fault', fault: { shows: 'error', why: 'the vAtom has no resource Gone' } },
    ])
    expect(plan('web', {}, vatomWith({ BaseImage: 'https://a.example/e.png' })).drawing).toMatchObject({
      fault: { shows: 'error', why: 'the vAtom has no resource ActivatedImage', backdrop: undefined },
    })
  })
})

describe('native://image-policy', () => {
  const images = Object.fromEntries(
    ['ActivatedImage', 'None', 'One', 'Many', 'Red'].map((name) => [name, `https://a.example/${name}.png`]),
  )
  const counted = [{ count_max: 0, resource: 'None' }, { count_max: 2, resource: 'One' }, { resource: 'Many' }]
  const shown = (image_policy: unknown, more: { children?: number; private?: object } = {}) =>
    onEach((platform) => {
      const vatom = vatomWith(images, {}, { private: more.private ?? {} })
      const children = Array.from({ length: more.children ?? 0 }, () => vatomWith({}))
      const face = faceOf('native://image-policy', { config: { image_policy } })
      const { drawing } = planImagePolicy(subjectOf(platform, face, vatom, children))
      return drawing.kind === 'picture' ? drawing.picture.name : drawing
    })

  test.each([
    [0, ['None', 'None', 'None']],
    [1, ['One', 'One', 'Many']],
    [2, ['One', 'One', 'One']],
    [3, ['Many', 'Many', 'Many']],
  ])('%d children: at most count_max, on Android exactly', (children, names) =>
    expect(shown(counted, { children })).toEqual(names),
  )
  test.each([
    ['private.colour', 'red', { colour: 'red' }, ['Red', 'Red', 'Red']],
    ['private.colour', 'Red', { colour: 'red' }, ['ActivatedImage', 'ActivatedImage', 'ActivatedImage']],
    ['private.count', '1', { count: 1 }, ['ActivatedImage', 'ActivatedImage', 'ActivatedImage']],
    ['private.look.colour', 'red', { look: { colour: 'red' } }, ['Red', 'Red', 'ActivatedImage']],
    ['private."a.b"', 'red', { 'a.b': 'red' }, ['Red', 'Red', 'ActivatedImage']],
    ['private.look', { a: 1 }, { look: { a: 1 } }, ['ActivatedImage', 'Red', 'ActivatedImage']],
    ['vAtom::vAtomType.owner', 'u1', {}, ['Red', 'ActivatedImage', 'ActivatedImage']],
    ['private.absent', 'red', {}, ['ActivatedImage', 'ActivatedImage', 'ActivatedImage']],
  ])('field %s is %o', (field, value, own, names) =>
    expect(shown([{ field, value, resource: 'Red' }], { private: own })).toEqual(names),
  )
  test('a field without a value: iOS and Android take the entry', () =>
    expect(shown([{ field: 'private.a', resource: 'Red' }], { private: { a: 1 } })).toEqual([
      'ActivatedImage',
      'Red',
      'Red',
    ]))
  test('an entry without a resource is passed over; one whose resource does not exist, only on web', () => {
    expect(shown([{ count_max: 9 }, { resource: 'Red' }])).toEqual(['Red', 'Red', 'Red'])
    expect(shown([{ resource: 'Gone' }, { resource: 'Red' }])).toEqual([
      'Red',
      { kind: 'fault', fault: expect.objectContaining({ shows: 'error', why: 'the vAtom has no resource Gone' }) },
      'ActivatedImage',
    ])
  })
  test('the policy in private counts, on iOS only without config; without any, Android fails', () => {
    const vatom = (own: object) => vatomWith(images, {}, { private: own })
    const drawings = (own: object, config: object) =>
      onEach(
        (platform) =>
          planImagePolicy(subjectOf(platform, faceOf('native://image-policy', { config }), vatom(own))).drawing,
      )
    expect(drawings({ image_policy: [{ resource: 'Red' }] }, {})).toMatchObject([
      { picture: { name: 'Red' } },
      { picture: { name: 'ActivatedImage' } },
      { picture: { name: 'Red' } },
    ])
    expect(drawings({}, {})).toMatchObject([
      { picture: { name: 'ActivatedImage' } },
      { picture: { name: 'ActivatedImage' } },
      { fault: { shows: 'error' } },
    ])
  })
  test('notes say which entry fits, what is wrong with others, and what Android does', () => {
    const face = faceOf('native://image-policy', {
      config: { image_policy: [{ count_max: 0 }, { resource: 'Gone', count_max: 5 }, { resource: 'Red' }] },
    })
    const notes = planImagePolicy(subjectOf('android', face, vatomWith(images))).notes
    expect(notes).toEqual([
      'image_policy[2] fits: Red',
      'Android compares count_max for equality, not for at most',
      'image_policy[0] names no resource',
      'image_policy[1] names Gone, which the vAtom does not have',
    ])
  })
})

describe('native://layered-image', () => {
  const url = 'https://a.example/x.png'
  const vatom = vatomWith({ Base: url, LayeredImage: url, ActivatedImage: url })
  const children = [vatomWith({ Base: url }), vatomWith({ ActivatedImage: url }), vatomWith({ LayeredImage: url })]
  const layers = (more: object) =>
    onEach((platform) => {
      const { drawing } = planLayeredImage(subjectOf(platform, faceOf('native://layered-image', more), vatom, children))
      return drawing.kind === 'layers' ? drawing.pictures.map(({ name }) => name) : drawing
    })

  test('layerImage names the layers; web also takes the usual ones', () =>
    expect(layers({ config: { layerImage: 'Base' } })).toEqual([
      ['Base', 'Base', 'ActivatedImage', 'LayeredImage'],
      ['Base', 'Base'],
      ['Base', 'Base'],
    ]))
  test('without layerImage, each platform has its own usual name', () =>
    expect(layers({ resources: ['Base'] })).toEqual([
      ['LayeredImage', 'ActivatedImage', 'LayeredImage'],
      ['Base', 'Base'],
      ['ActivatedImage', 'ActivatedImage'],
    ]))
  test('a config without layerImage: Android takes LayeredImage', () =>
    expect(layers({ config: { scale: 'fit' } })[2]).toEqual(['LayeredImage', 'LayeredImage']))
  test('children without a layer are counted', () => {
    const face = faceOf('native://layered-image', { config: { layerImage: 'Base' } })
    expect(planLayeredImage(subjectOf('ios', face, vatom, children)).notes).toEqual([
      '2 of the children have no resource Base',
    ])
  })
  test('without a base image, all show an error', () =>
    expect(
      onEach(
        (platform) => planLayeredImage(subjectOf(platform, faceOf('native://layered-image'), vatomWith({}))).drawing,
      ),
    ).toMatchObject(Array(3).fill({ fault: { shows: 'error' } })))
})

describe('native://generic-3d', () => {
  const glb = 'https://a.example/scene.glb'
  const plan = (
    config: object,
    resources: Record<string, string> = { Scene: glb, ActivatedImage: 'https://a.example/a.png' },
  ) => planGeneric3d(subjectOf('web', faceOf('native://generic-3d', { config }), vatomWith(resources)))

  test.each([
    [{ scene: 'Mine' }, { Mine: glb, Scene: glb }, 'Mine'],
    [{}, { 'Scene.glb': glb, Scene: glb }, 'Scene.glb'],
    [{}, { Scene: glb }, 'Scene'],
    [{ scene: 'Gone' }, { Scene: glb }, 'Scene'],
  ])('%o of %o is %s', (config, resources, name) =>
    expect(plan(config, resources).drawing).toMatchObject({ kind: 'scene', scene: { name } }),
  )
  test('without a scene, the viewer shows an error', () =>
    expect(plan({}, {}).drawing).toMatchObject({
      fault: { shows: 'error', why: 'the vAtom has no resource Scene.glb or Scene' },
    }))
  test('rules that play an animation are shown, the others named', () => {
    const { drawing, notes } = plan({
      animation_rules: [
        { on: 'start', play: 'Idle' },
        { on: 'click', target: 'Idle', play: 'Jump', delay: 200, sound: { resource_name: 'Hop' } },
        { on: 'action-complete', play: 'Cheer' },
        { on: 'start', play: 'Wave', condition: 'x' },
        { on: 'state', target: 'private.open', value: true, play: 'Open' },
      ],
      transform: {},
      zoom: 2,
      autorotate: true,
    })
    expect(drawing).toMatchObject({
      scene: {
        zoom: 2,
        autoRotate: true,
        placeholder: { name: 'ActivatedImage' },
        rules: [
          { on: 'start', play: 'Idle', delay: 0 },
          { on: 'click', target: 'Idle', play: 'Jump', delay: 200 },
          { on: 'state', target: 'private.open', value: true, play: 'Open', delay: 0 },
        ],
      },
    })
    expect(notes).toEqual([
      'only apps that include native://generic-3d show this face',
      'transform is not shown',
      'animation_rules[1]: sound not shown',
      'animation_rules[2] is not shown: nothing here causes action-complete',
      'animation_rules[3]: condition not shown',
    ])
  })
  test('a .v3d scene is its placeholder, or nothing', () => {
    const v3d = 'https://a.example/scene.V3D?x=1'
    expect(plan({}, { Scene: v3d, ActivatedImage: 'https://a.example/a.png' })).toMatchObject({
      drawing: { kind: 'picture', picture: { name: 'ActivatedImage' } },
      notes: [expect.stringContaining('this is the placeholder'), expect.anything()],
    })
    expect(plan({}, { Scene: v3d }).drawing).toMatchObject({ fault: { shows: 'blank' } })
  })
})
