import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { faceResourceIssues } from '../../../src/contract/rules/face-rules.ts'
import { printPath } from '../../../src/contract/schema/path.ts'
import { nativeFaces } from '../../../src/contract/values.ts'
import { resource, template } from '../../fixtures/bodies.ts'
import { bodies } from '../../fixtures/samples.ts'
import { errorsOf, issuesOf, put } from '../../support/issues.ts'

/** What is said of a config: `place: message (hint)`. */
function told(face: string, config: unknown): string[] {
  const document = { ...bodies.face(), display_url: `native://${face}`, config }
  return issuesOf('face', document)
    .filter(({ rule }) => rule === 'face-config')
    .map(({ path, message, hint, severity, spec }) => {
      expect([severity, spec]).toEqual(['warning', '4.5'])
      return `${printPath(path)}: ${message}${hint ? ` (${hint})` : ''}`
    })
}

const policy = (...entries: unknown[]) => ({ image_policy: entries })
const rules = (...entries: unknown[]) => ({ animation_rules: entries })
const every = {
  image: { image: 'A', scale: 'fit' },
  'progress-image-overlay': {
    empty_image: 'A',
    full_image: 'B',
    direction: 'up',
    padding_start: 0.5,
    padding_end: 12.5,
    show_percentage: false,
  },
  'image-policy': { image_policy: [], image_mode: 'cover' },
  'layered-image': { layerImage: 'A' },
  'generic-3d': {
    placeholder_image: 'A',
    scene: 'Scene',
    animation_rules: [],
    autorotate: true,
    zoom: 1.5,
    transform: { rotate: { x: 1 } },
  },
}
const fullRule = {
  on: 'click',
  target: 'private.open',
  play: 'Wave',
  value: [1],
  delay: 200,
  sound: { resource_name: 'CardImage', volume: 1, is_positional: false },
  action: { name: 'Drop', payload: {}, modify: {} },
  condition: 'x',
  custom: 'close',
  alert: { text: 'a', title: 'b' },
  remove: true,
}

describe('config of a native face', () => {
  test('the faces are those of the table', () =>
    expect(
      Object.keys(every)
        .map((face) => `native://${face}`)
        .sort(),
    ).toEqual([...nativeFaces].sort()))
  test.each(Object.entries(every))('%s: every setting that a viewer reads is taken', (face, config) => {
    expect(told(face, config)).toEqual([])
    expect(told(face, {})).toEqual([])
    expect(told(face, undefined)).toEqual([])
  })
  test.each(Object.entries(every))('%s: each setting of a wrong type is told, at its place', (face, config) => {
    for (const key of Object.keys(config)) {
      const [problem, ...more] = told(face, { ...config, [key]: null })
      expect(more).toEqual([])
      expect(problem).toMatch(new RegExp(`^config\\.${key}: must .*, not null$`))
    }
  })
  test.each(Object.keys(every))('%s: a setting that none reads is told, with those it reads', (face) =>
    expect(told(face, { zzz: 1 })).toEqual([
      expect.stringMatching(/^config\.zzz: this face does not read config\.zzz \(it reads \w+/),
    ]),
  )

  test.each<[string, object, string[]]>([
    ['image', { scale: 'fill' }, []],
    ['image', { scale: 'Fit' }, ['config.scale: must be one of fit, fill, not the string "Fit" (did you mean fit?)']],
    ['image', { image: 1 }, ['config.image: must name a resource, not 1']],
    ['image', { imgae: 'A' }, ['config.imgae: this face does not read config.imgae (did you mean image?)']],
    ['image', { toString: 'A' }, ['config.toString: this face does not read config.toString (it reads image, scale)']],
    [
      'image',
      { image_policy: [1] },
      ['config.image_policy: this face does not read config.image_policy (it reads image, scale)'],
    ],
    ...['up', 'down', 'left', 'right', 'Up', 'RIGHT'].map((direction): [string, object, string[]] => [
      'progress-image-overlay',
      { direction },
      [],
    ]),
    [
      'progress-image-overlay',
      { direction: 'upwards' },
      ['config.direction: must be one of up, down, left, right, not the string "upwards"'],
    ],
    ['progress-image-overlay', { padding_start: '12px' }, ['config.padding_start: iOS reads only a number: write 12']],
    ['progress-image-overlay', { padding_end: '-0.5' }, ['config.padding_end: iOS reads only a number: write -0.5']],
    [
      'progress-image-overlay',
      { padding_end: 'none' },
      ['config.padding_end: must be a number, not the string "none"'],
    ],
    [
      'progress-image-overlay',
      { show_percentage: 'true' },
      ['config.show_percentage: must be true or false, not the string "true"'],
    ],
    [
      'progress-image-overlay',
      { emptyImage: 'A' },
      ['config.emptyImage: this face does not read config.emptyImage (did you mean empty_image?)'],
    ],
    ['layered-image', { image: 'A' }, ['config.image: this face does not read config.image (it reads layerImage)']],
    [
      'layered-image',
      { layer_image: 'A' },
      ['config.layer_image: this face does not read config.layer_image (did you mean layerImage?)'],
    ],
    ['generic-3d', { zoom: '2' }, ['config.zoom: iOS reads only a number: write 2']],
    ['generic-3d', { transform: [] }, ['config.transform: must be an object, not a list']],
    ['image-policy', { image_mode: 'contain' }, []],
    ['image-policy', { image_policy: {} }, ['config.image_policy: must be a list, not an object']],
  ])('%s %j: %j', (face, config, expected) => expect(told(face, config)).toEqual(expected))

  const p = (index: number, key = '') => `config.image_policy[${index}]${key && `.${key}`}`
  test.each<[unknown[], string[]]>([
    [[{ count_max: 0, resource: 'A' }, { resource: 'B' }], []],
    [[{ field: 'private.colour', value: 'red', resource: 'A' }], []],
    [[{ field: '"private"."my.field"', value: null, resource: 'A' }], []],
    [[{ count_max: 1, field: 'private.a', resource: 'A' }], []],
    [[{ resource: 'A' }, 'B'], [`${p(1)}: ${p(1)} must be an object, not the string "B"`]],
    [[{ count_max: 1 }], [`${p(0)}: ${p(0)} has no resource: viewers skip it`]],
    [
      [{ count_max: '1' }],
      [`${p(0)}: ${p(0)} has no resource: viewers skip it`, `${p(0, 'count_max')}: iOS reads only a number: write 1`],
    ],
    [[{ resource: 'A' }, { resource: null }], [`${p(1, 'resource')}: must name a resource, not null`]],
    [[{ count_max: '3', resource: 'A' }], [`${p(0, 'count_max')}: iOS reads only a number: write 3`]],
    [[{ count_max: 1.5, resource: 'A' }], [`${p(0, 'count_max')}: must be a whole number, not 1.5`]],
    [[{ count_max: true, resource: 'A' }], [`${p(0, 'count_max')}: must be a whole number, not true`]],
    [
      [{ field: 'private.a', resource: 'A' }],
      [`${p(0)}: ${p(0)} has a field and no value: iOS shows its resource whatever the field holds`],
    ],
    [
      [{ field: 'vAtom::vAtomType.title', value: 'x', resource: 'A' }],
      [`${p(0, 'field')}: iOS reads only fields of private, such as private.colour, not vAtom::vAtomType.title`],
    ],
    [
      [{ field: 'private.', value: 1, resource: 'A' }],
      [`${p(0, 'field')}: iOS reads only fields of private, such as private.colour, not private.`],
    ],
    [[{ field: 1, value: 1, resource: 'A' }], [`${p(0, 'field')}: must be a string, not 1`]],
    [
      [{ resources: 'A', resource: 'A' }],
      [`${p(0, 'resources')}: this face does not read ${p(0, 'resources')} (did you mean resource?)`],
    ],
    [
      [{ colour: 'A', resource: 'A' }],
      [`${p(0, 'colour')}: this face does not read ${p(0, 'colour')} (it reads resource, count_max, field, value)`],
    ],
  ])('image_policy %j: %j', (entries, expected) => expect(told('image-policy', policy(...entries))).toEqual(expected))

  const r = (index: number, key = '') => `config.animation_rules[${index}]${key && `.${key}`}`
  const events = ['start', 'click', 'state', 'animation-start', 'animation-complete', 'action-complete', 'action-fail']
  test.each<[unknown[], string[]]>([
    [[fullRule], []],
    ...events.map((on): [unknown[], string[]] => [[{ on }], []]),
    [[{ on: 'tap' }], [`${r(0, 'on')}: must be one of ${events.join(', ')}, not the string "tap"`]],
    [[{ on: 'start' }, { play: 'A' }], [`${r(1)}: ${r(1)} has no on: nothing starts it`]],
    [[null], [`${r(0)}: ${r(0)} must be an object, not null`]],
    [[{ on: 'start', delay: '100' }], [`${r(0, 'delay')}: iOS reads only a number: write 100`]],
    [
      [{ on: 'start', play: 1, target: 2 }],
      [`${r(0, 'play')}: must be a string, not 1`, `${r(0, 'target')}: must be a string, not 2`],
    ],
    [
      [{ on: 'start', sound: 'A', action: 'B' }],
      [
        `${r(0, 'sound')}: must be an object, not the string "A"`,
        `${r(0, 'action')}: must be an object, not the string "B"`,
      ],
    ],
    [
      [{ on: 'start', plays: 'A' }],
      [`${r(0, 'plays')}: this face does not read ${r(0, 'plays')} (did you mean play?)`],
    ],
  ])('animation_rules %j: %j', (entries, expected) => expect(told('generic-3d', rules(...entries))).toEqual(expected))

  test.each(['native://custom', 'https://acme.example/face', 'native://Image', 'toString'])(
    'the settings of %s are its own',
    (url) => {
      const document = { ...bodies.face(), display_url: url, config: { image: 1, ...policy(1), ...rules(1) } }
      expect(issuesOf('face', document).filter(({ rule }) => rule === 'face-config')).toEqual([])
    },
  )
  test('a config that is no object is an error of its schema alone', () => {
    expect(told('image', [1])).toEqual([])
    expect(errorsOf('face', put(bodies.face(), 'config', [1]))).toEqual(['config type'])
  })
})

describe('fields that a policy looks at', () => {
  const custom = { used: false, seat: { row: 1, 'a.b': 2 }, none: null }
  const found = (face: object, own: object = custom) =>
    faceResourceIssues(
      { display_url: 'native://image-policy', resources: [], ...face },
      template({}, { resources: [resource('ActivatedImage')] }, own),
    )
      .filter(({ rule }) => rule === 'face-config-field')
      .map(({ path, severity, message, hint }) => `${severity} ${printPath(path)}: ${message} (${hint})`)
  const entry = (field: unknown, more: object = {}) => ({ resource: 'ActivatedImage', field, value: 1, ...more })
  const missing = (field: string, hint: string) =>
    `warning config.image_policy[0].field: the template has no field ${field}: no vAtom fits this entry (${hint})`
  const all = 'its fields: private.used, private.seat.row, private.seat."a.b", private.none'

  test.each<[unknown, string[]]>([
    ['private.used', []],
    ['"private"."seat"."a.b"', []],
    ['private.none', []],
    ['private.usd', [missing('private.usd', 'did you mean private.used?')]],
    ['private.seat.raw', [missing('private.seat.raw', 'did you mean private.seat.row?')]],
    ['private.elsewhere', [missing('private.elsewhere', all)]],
    ['vAtom::vAtomType.title', []],
    ['private', []],
    [1, []],
  ])('%j: %j', (field, expected) => expect(found({ config: policy(entry(field)) })).toEqual(expected))

  test('are reported up to a number, and the nearest only to the first of them', () => {
    const many = Array.from({ length: 540 }, () => entry('private.usd'))
    const lines = found({ config: { image_policy: many } })
    expect(lines).toHaveLength(limits.issues)
    expect(lines.filter((line) => line.endsWith('(did you mean private.used?)'))).toEqual(lines.slice(0, limits.hints))
    expect(lines.filter((line) => line.endsWith('(undefined)'))).toEqual(lines.slice(limits.hints))
  })
  test('are not looked at where the number of children decides, and by other faces', () => {
    expect(found({ config: policy(entry('private.usd', { count_max: 1 })) })).toEqual([])
    expect(found({ display_url: 'native://custom', config: policy(entry('private.usd')) })).toEqual([])
  })
  test('are those of private.image_policy of the template, where the face has no config', () => {
    expect(found({}, { used: 1, ...policy(entry('private.usd')) })).toEqual([
      'warning display_url: the template has no field private.usd, which its private.image_policy[0] names: no vAtom fits this entry (did you mean private.used?)',
    ])
  })
})

describe('resources that a config names', () => {
  const found = (face: string, config: object) =>
    faceResourceIssues({ display_url: `native://${face}`, resources: [], config }, bodies.template()).map(
      ({ path, rule, severity, message, hint }) => `${severity} ${rule} ${printPath(path)}: ${message} (${hint})`,
    )
  const missing = (place: string, name: string) =>
    `warning face-config-resource config.${place}: the template has no resource ${name} (its resources: ActivatedImage, CardImage)`

  test.each<[string, object, string[]]>([
    ['image', { image: 'CardImage', scale: 'Nope' }, []],
    ['image', { image: 'Nope' }, [missing('image', 'Nope')]],
    ['image', { image: 1 }, []],
    ['image', { scene: 'Nope' }, []],
    [
      'progress-image-overlay',
      { empty_image: 'A1', full_image: 'B2' },
      [missing('empty_image', 'A1'), missing('full_image', 'B2')],
    ],
    ['layered-image', { layerImage: 'Nope' }, [missing('layerImage', 'Nope')]],
    [
      'generic-3d',
      { placeholder_image: 'A1', scene: 'B2' },
      [missing('placeholder_image', 'A1'), missing('scene', 'B2')],
    ],
    [
      'image-policy',
      { image_mode: 'Nope', ...policy({ resource: 'CardImage' }, { resource: 'Nope' }, 1) },
      [missing('image_policy[1].resource', 'Nope')],
    ],
    ['image-policy', policy({ sound: { resource_name: 'Nope' }, resource: 'CardImage' }), []],
    [
      'generic-3d',
      { scene: 'CardImage', ...rules(fullRule, { on: 'start', sound: { resource_name: 'Boing' } }) },
      [missing('animation_rules[1].sound.resource_name', 'Boing')],
    ],
    [
      'generic-3d',
      {
        scene: 'CardImage',
        ...rules({ on: 'start', resource: 'Nope', sound: { resource_name: '$'.concat('{result}') } }),
      },
      [],
    ],
    ['custom', { image: 'Nope', scene: 'Nope' }, []],
  ])('%s %j: %j', (face, config, expected) => expect(found(face, config)).toEqual(expected))
  test('a near name is told', () =>
    expect(found('image', { image: 'ActivateImage' })).toEqual([
      expect.stringContaining('(did you mean ActivatedImage?)'),
    ]))
})
