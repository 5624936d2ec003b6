import { describe, expect, test } from 'vitest'
import { FaceRecord } from '../../../src/contract/kinds/face-schemas.ts'
import { faceResourceIssues } from '../../../src/contract/rules/face-rules.ts'
import { nativeFaces, platforms, qualities, viewModes } from '../../../src/contract/values.ts'
import { meta } from '../../fixtures/records.ts'
import { bodies } from '../../fixtures/samples.ts'
import { type Case, cases, issuesOf, put, warningsOf } from '../../support/issues.ts'

const accepted = (place: string, values: readonly unknown[]) => values.map((value): Case => [place, value, 'ok'])
const flags = ['bluetooth_le', 'contact_list', 'gps', 'three_d']

describe('face', () => {
  cases('4.5', 'face', [
    ...['template', 'display_url', 'package_url', 'constraints', 'resources'].map(
      (field): Case => [field, undefined, 'required', new RegExp(`${field} is required`)],
    ),
    ['template', '', 'length'],
    ['template', '$publisher::Coupon::v1', 'ok'],
    ['template', 'other.example::Coupon::v1', 'ok'],
    ['template', `$\{publisher}::Coupon::v1`, 'publisher-placeholder', /write \$publisher::Coupon::v1/],
    ['template', '$Publisher::Coupon::v1', 'publisher-placeholder', /\$Publisher is no domain name/],
    ['template', '{{publisher}}::Coupon::v1', 'publisher-placeholder'],
    ['template', 'acme::Price $5::v1', 'ok'],
    ...accepted('display_url', nativeFaces),
    ...accepted('display_url', ['https://acme.example/face', 'https://acme.example:8080/a?b#c', 'native://custom']),
    ['display_url', 'http://acme.example/face', 'format', /native:\/\/<view> or https:\/\/<url>/],
    ['display_url', 'native://', 'format'],
    ['display_url', 'https://', 'format'],
    ['display_url', 'https:///path', 'format'],
    ['display_url', 'https://acme example', 'format'],
    ['display_url', 'image', 'format'],
    ['display_url', 'xnative://image', 'format'],
    ['display_url', '', 'format'],
    ['display_url', 1, 'type'],
    ...accepted('package_url', ['.', 'native://image', 'https://acme.example/face.zip']),
    ['package_url', '', 'length', /must not be empty/],
    ...[...flags, 'view_mode', 'platform', 'quality'].map(
      (field): Case => [`constraints.${field}`, undefined, 'required'],
    ),
    ...flags.flatMap((field): Case[] => [
      [`constraints.${field}`, true, 'ok'],
      [`constraints.${field}`, 0, 'type', /true or false, not 0/],
    ]),
    ...accepted('constraints.view_mode', viewModes),
    ['constraints.view_mode', 'Icon', 'value', /icon, engaged, card, fullscreen.*did you mean icon/],
    ['constraints.view_mode', 'list', 'value'],
    ...accepted('constraints.platform', platforms),
    ['constraints.platform', 'iOS', 'value', /generic, ios, android, web.*did you mean ios/],
    ...accepted('constraints.quality', qualities),
    ['constraints.quality', 'best', 'value', /low, medium, high/],
    ['constraints.camera', true, 'unknown-field'],
    ['resources', [], 'ok'],
    ['resources', ['A', 'B'], 'ok'],
    ['resources', 'A', 'type', /must be a list/],
    ['resources', [1], 'type @ resources.0'],
    ['resources', [''], 'length @ resources.0'],
    ['config', { image: 'A' }, 'ok'],
    ['config', [], 'type'],
    ['url', 'x', 'unknown-field'],
  ])

  test('§4.5 the values are those of the tables', () => {
    expect(viewModes).toEqual(['icon', 'engaged', 'card', 'fullscreen'])
    expect(platforms).toEqual(['generic', 'ios', 'android', 'web'])
    expect(qualities).toEqual(['low', 'medium', 'high'])
    expect(nativeFaces).toHaveLength(5)
  })
  test('§4.5 a native face that viewers must register is accepted with a warning', () => {
    const shownAt = (url: string) => put(put(bodies.face(), 'display_url', url), 'package_url', url)
    const warned = (url: string) => warningsOf('face', shownAt(url))
    expect(warned('native://custom')).toEqual(['display_url native-face'])
    expect([...nativeFaces, 'https://acme.example'].flatMap(warned)).toEqual([])
    const hint = (url: string) => issuesOf('face', shownAt(url))[0]?.hint
    expect(hint('native://Image')).toBe('did you mean native://image?')
    expect(hint('native://layred-image')).toBe('did you mean native://layered-image?')
    expect(hint('native://map')).toMatch(/^known ones: native:\/\/image, .*native:\/\/generic-3d$/)
  })
})

test('a stored face has an id, its template, meta, and the properties that viewers select it by', () => {
  const record = { id: 'x', template: 'acme::Coupon::v1', meta, properties: bodies.face() }
  const taken = (place: string, value?: unknown) => FaceRecord().safeParse(put(record, place, value)).success
  for (const place of ['more', 'properties.more', 'properties.config', 'meta.in_sync'])
    expect(taken(place, {})).toBe(true)
  for (const value of [undefined, null, []]) expect(taken('properties.resources', value)).toBe(true)
  for (const place of ['resources', 'display_url', 'constraints.platform'])
    expect(taken(`properties.${place}`, 1)).toBe(false)
  const needed = ['display_url', 'constraints', 'constraints.view_mode', 'constraints.platform']
  const places = [...Object.keys(record), 'meta.created_by', ...needed.map((place) => `properties.${place}`)]
  for (const place of places) expect([place, taken(place)]).toEqual([place, false])
})

describe('resources of a face', () => {
  const template = bodies.template()
  const found = (...resources: unknown[]) => faceResourceIssues({ resources }, template)

  test('§4.5 resources name entries of the template', () => expect(found('ActivatedImage', 'CardImage')).toEqual([]))
  test('§4.5 another name is refused, with the nearest', () =>
    expect(found('CardImage', 'ActivateImage')).toMatchObject([
      { path: ['resources', 1], rule: 'face-resource', hint: 'did you mean ActivatedImage?' },
    ]))
  test('§4.5 another name is refused, with the names there are', () =>
    expect(found('Scene')).toMatchObject([{ hint: 'its resources: ActivatedImage, CardImage' }]))
  test('§4.5 a template without resources has none to name', () =>
    expect(faceResourceIssues({ resources: ['A', {}] }, {})).toMatchObject([
      { hint: 'its resources: none' },
      { message: 'the template has no resource an object' },
    ]))
})
