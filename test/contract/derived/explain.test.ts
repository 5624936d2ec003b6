import { describe, expect, test } from 'vitest'
import { type Explained, explain, explainAll, explainable } from '../../../src/contract/derived/explain.ts'
import { jsonSchemaFor } from '../../../src/contract/derived/json-schema.ts'
import { actionDefaults } from '../../../src/contract/kinds/action.ts'
import { overlayIssues } from '../../../src/contract/rules/overlay-rules.ts'
import {
  filterFields,
  localReactors,
  nativeFaces,
  platformReactors,
  platforms,
  schemaKinds,
  scopeKeys,
  viewModes,
  visibilities,
} from '../../../src/contract/values.ts'
import { bodies } from '../../fixtures/samples.ts'
import { put } from '../../support/issues.ts'

/** What is explained; a path that is not fails the test. */
function explained(path: string): Explained {
  const found = explain(path)
  if ('message' in found) throw new Error(`${path}: ${found.message}`)
  return found
}

/** Every path of every kind, found by following the fields of each. */
const below = (found: Explained): string[] => found.fields.flatMap(({ path }) => [path, ...below(explained(path))])
const allPaths = schemaKinds.flatMap((kind) => [kind, ...below(explained(kind))])

describe('a path', () => {
  test('of a diagnostic tells type, values, default, overwriting and section', () =>
    expect(explain('template.vatom.vAtom::vAtomType.visibility.type')).toEqual({
      kind: 'template',
      path: 'template.vatom.vAtom::vAtomType.visibility.type',
      type: 'string',
      required: false,
      description: expect.stringContaining('container'),
      values: visibilities,
      open: false,
      default: 'owner',
      limits: {},
      variation: { allowed: true, note: '' },
      spec: '2.4',
      fields: [],
    }))
  test.each([
    ['template.visibility', 'template.vatom.vAtom::vAtomType.visibility'],
    ['template.visibility.type', 'template.vatom.vAtom::vAtomType.visibility.type'],
    ['template.vatom.title', 'template.vatom.vAtom::vAtomType.title'],
    ['template.price', 'template.vatom.vAtom::vAtomType.commerce.pricing.value.price'],
    ['template.states[0].name', 'template.vatom.vAtom::vAtomType.states[].name'],
    ['template.states.name', 'template.vatom.vAtom::vAtomType.states[].name'],
    ['template.eth.fields.beans.type', 'template.eth.fields.<name>.type'],
    ['template.private.colour', 'template.vatom.private.<name>'],
    ['template.private.size.width', 'template.vatom.private.<name>'],
    ['template.template', 'template.template'],
    ['face.view_mode', 'face.constraints.view_mode'],
    ['view_mode', 'face.constraints.view_mode'],
    ['discover.filters', 'discover.filters'],
    ['discover.filter_op', 'discover.filters[].filter_elems[].filter_op'],
    ['display_url', 'face.display_url'],
  ])('%s is %s', (short, path) => expect(explained(short).path).toBe(path))
  test.each([
    ['template.titel', 'A template has no field titel', 'did you mean title?'],
    ['template.visibility.typ', 'A template has no field typ', 'did you mean type?'],
    ['templte.title', 'No document has a field templte.title', 'did you mean template?'],
    ['qqqqqqqqq', 'No document has a field qqqqqqqqq', 'kinds: template, variation, face'],
    ['face.zzzzzzzz', 'A face has no field zzzzzzzz', 'its fields: $schema, kind, template, display_url'],
    ['template.hasOwnProperty', 'A template has no field hasOwnProperty', 'its fields'],
    ['', 'No document has a field ', 'kinds: '],
  ])('%s: %s', (path, message, hint) => {
    const found = explain(path)
    expect(found).toMatchObject({ message })
    expect('hint' in found && found.hint).toContain(hint)
  })
  test('several fields that can be meant are listed, as they can be given to explain, without brackets', () => {
    expect(explain('creation_policy')).toEqual({
      message: 'several fields match creation_policy',
      paths: ['template.child_policy.creation_policy', 'variation.child_policy.creation_policy'],
    })
    expect(explained('template.child_policy.creation_policy').path).toBe(
      'template.vatom.vAtom::vAtomType.child_policy[].creation_policy',
    )
    expect(explain('template.value')).toMatchObject({
      paths: expect.arrayContaining(['template.states.value', 'template.resources.value']),
    })
  })
  test('what completion offers can all be explained, and has no brackets', () => {
    const names = explainable()
    expect(names).toContain('template.visibility.type')
    expect(names.filter((name) => 'message' in explain(name) || name.includes('['))).toEqual([])
    const short = (path: string) => path.replaceAll('[]', '').replace('.vatom.vAtom::vAtomType.', '.')
    expect(names.filter((name) => short(explained(name).path) !== short(name))).toEqual([])
  })
  test.each([
    ['discover.scope.key', scopeKeys],
    ['discover.filters.field', filterFields],
    ['template.query.scope.key', scopeKeys],
  ])('%s shows what the specification lists apart from what clients send besides', (path, listed) => {
    const { values, open, unlisted, limits } = explained(path)
    expect([values, open, limits]).toEqual([listed, false, {}])
    expect(unlisted).toEqual(expect.arrayContaining(['id', 'private.NAME', 'vAtom::vAtomType.visibility.type']))
    expect(listed.filter((name) => unlisted?.includes(name))).toEqual([])
  })
  test('discover.return.type shows the one value that the specification lists apart from others', () =>
    expect(explained('discover.return.type')).toMatchObject({ values: ['*'], unlisted: ['count', '', 'PAYLOAD'] }))
  test('of every field leads back to itself', () => {
    expect(allPaths.length).toBeGreaterThan(150)
    for (const path of allPaths) expect(explained(path).path).toBe(path)
  })
  test('with thousands of steps is told to be unknown', () =>
    expect(explain(`template.${'a.'.repeat(5000)}b`)).toMatchObject({ message: 'A template has no field a' }))
})

describe('what is told', () => {
  test('of an open list is every value that is known', () => {
    expect(explained('face.display_url')).toMatchObject({
      open: true,
      values: expect.arrayContaining([...nativeFaces]),
    })
    expect(explained('action.reactor').values).toEqual(expect.arrayContaining([...platformReactors, ...localReactors]))
  })
  test.each([
    ['face.config.image_policy', 'list of objects', ['resource', 'count_max', 'field', 'value']],
    ['face.config.animation_rules.on', 'string', []],
    ['face.config.show_percentage', 'boolean', []],
    ['action.config', 'object', ['activated_users_only', 'auto_create_non_existing_recipient']],
  ])('of %s is what viewers and reactors read', (path, type, names) => {
    const { type: found, fields } = explained(path)
    expect(found).toBe(type)
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })
  test('of a setting is the face that reads it; of a misspelt one the nearest', () => {
    expect(explained('face.config.direction')).toMatchObject({
      values: ['up', 'down', 'left', 'right'],
      description: 'up, down, left, right. Read by native://progress-image-overlay.',
    })
    expect(explained('face.config.padding_start').description).toBe('Read by native://progress-image-overlay.')
    expect(explained('face.config').fields.find(({ name }) => name === 'image_mode')?.description).toBe(
      'For web viewers alone; which values they know is not published. Read by native://image-policy.',
    )
    expect(explain('face.config.imag_policy')).toMatchObject({ hint: 'did you mean image_policy?' })
    expect(explained('face.config.of_my_web_face').path).toBe('face.config.<name>')
  })
  test('of enumerations is the whole list', () => {
    expect(explained('face.view_mode').values).toEqual(viewModes)
    expect(explained('face.platform').values).toEqual(platforms)
    expect(explained('template.currency').values.length).toBeGreaterThan(100)
  })
  test('of a list that is open says so', () =>
    expect(explained('template.valid_from')).toMatchObject({ open: true, values: ['*'] }))
  test.each([
    ['action.timeout', 'integer', { minimum: 1, maximum: 60_000 }],
    ['variation.cloning_gain', 'number', { minimum: 0, maximum: 1 }],
    ['template.price', 'number or string', { pattern: expect.any(String) }],
    ['template.valid_from', 'string or date or date-time', {}],
    ['discover.filters', 'list of objects or null', { max_items: 20 }],
    ['discover.page', 'integer', { minimum: 0 }],
    ['face.resources', 'list of strings', { max_items: 1000 }],
    ['template.private.colour', 'anything', {}],
  ])('of %s: %s %j', (path, type, limits) => expect(explained(path)).toMatchObject({ type, limits }))
  test('as default is what the service fills in, and nothing where it fills in nothing', () => {
    for (const [name, value] of Object.entries(actionDefaults))
      expect(explained(`action.${name}`).default).toEqual(value)
    expect(explained('template.unpublished').default).toBe(true)
    expect(explained('template.resources').default).toEqual([])
    expect(explained('variation.cloning_gain').default).toBe(0.25)
    expect(explained('discover.bool_op').default).toBe('And')
    for (const path of ['template.title', 'template.vatom', 'face.config', 'action.name', 'profile.language'])
      expect(explained(path)).not.toHaveProperty('default')
  })
  test('as required is what the JSON Schema requires', () => {
    for (const kind of schemaKinds) {
      const told = explained(kind)
        .fields.filter(({ required }) => required)
        .map(({ name }) => name)
      expect(told.sort()).toEqual([...(jsonSchemaFor(kind).required ?? [])].sort())
    }
  })
  test('of kinds is one entry each', () => expect(explainAll().map(({ path }) => path)).toEqual(schemaKinds))
  test.each([
    ['template.template', '2.2'],
    ['template.eth.network', '2.3'],
    ['template.title', '2.4'],
    ['variation.title', '2.5'],
    ['face.resources', '4.5'],
    ['face.config', null],
    ['template.eos', null],
    ['discover.sample', null],
    ['discover.scope', '4.4'],
    ['profile.birthday', '4.2'],
  ])('%s is of section %s', (path, spec) => expect(explained(path).spec).toBe(spec))
})

describe('whether a variation can overwrite a field', () => {
  const onChain = { network: 'testnet', fields: { points: { type: 'uint', value: 1 } } }
  const template = { ...bodies.template(), eth: onChain, eos: onChain }
  /** Fields that a variation says otherwise than its template, and what it says. */
  const changes: readonly [path: string, place: string, value: unknown][] = [
    ['title', '~.title', 'Other'],
    ['visibility.type', '~.visibility', { type: 'public' }],
    ['root_type', '~.root_type', 'vAtom::vAtomType::FolderContainerType'],
    ['states', '~.states', [{ name: 'Activated', value: { type: 'boolean', value: 'false' } }]],
    ['states.name', '~.states', [{ name: 'Other', value: { type: 'boolean', value: 'false' } }]],
    [
      'resources',
      '~.resources',
      [{ name: 'CardImage', value: { resourceValueType: 'ResourceValueType::URI', value: 'x' } }],
    ],
    ['resources.name', '~.resources', [{ name: 'Other', value: {} }]],
    [
      'resources.resourceType',
      '~.resources',
      [{ name: 'CardImage', resourceType: 'ResourceType::Image::PNG', value: {} }],
    ],
    ['private.colour', 'vatom.private', { colour: 'blue' }],
    ['eth.network', 'eth', { network: 'mainnet', fields: {} }],
    ['eth.fields.points.value', 'eth', { network: 'testnet', fields: { points: { type: 'uint', value: 2 } } }],
    ['eth.fields.points.type', 'eth', { network: 'testnet', fields: { points: { type: 'string', value: '2' } } }],
    ['eos.fields.points.type', 'eos', { network: 'testnet', fields: { points: { type: 'string', value: '2' } } }],
  ]
  test.each(changes)('%s: as the service decides', (path, place, value) => {
    const refused = overlayIssues(put(bodies.variation(), place, value), template).length > 0
    expect(explained(`template.${path}`).variation?.allowed).toBe(!refused)
  })
  test.each(['template', 'cloneable', 'public', 'unpublished'])('%s: never', (name) =>
    expect(explained(`template.${name}`).variation?.allowed).toBe(false),
  )
  test.each([
    ['cloneable', 'only a template has this field'],
    ['public', 'it has a field of this name itself'],
    ['unpublished', 'it has a field of this name itself'],
  ])('%s: %s', (name, note) => expect(explained(`template.${name}`).variation?.note).toBe(note))
  test('is told of templates alone', () => {
    expect(explained('template')).not.toHaveProperty('variation')
    for (const path of allPaths.filter((path) => !path.startsWith('template')))
      expect(explained(path)).not.toHaveProperty('variation')
    for (const path of allPaths.filter((path) => path.startsWith('template.')))
      expect(explained(path)).toHaveProperty('variation')
  })
})
