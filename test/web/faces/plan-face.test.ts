import { describe, expect, test } from 'vitest'
import { describeDrawing } from '../../../src/web/faces/drawing.ts'
import { differencesOf, type FaceRequest, planFace } from '../../../src/web/faces/plan-face.ts'
import { planResource } from '../../../src/web/faces/player.ts'
import { loadableUrl } from '../../../src/web/faces/resource-url.ts'
import { rulesFor } from '../../../src/web/faces/scene-animation.ts'
import { faceOf, vatomWith } from './subjects.ts'

const vatom = vatomWith({ ActivatedImage: 'https://a.example/a.png' })
const request = (more: Partial<FaceRequest>): FaceRequest => ({
  platform: 'web',
  viewMode: 'icon',
  vatom,
  faces: [faceOf('native://image')],
  ...more,
})

describe('the plan of a face', () => {
  test('is that of the picked face', () =>
    expect(planFace(request({}))).toMatchObject({ drawing: { kind: 'picture' }, selection: { face: 0 }, notes: [] }))
  test('engaged falls back to icon, and says so', () =>
    expect(planFace(request({ viewMode: 'engaged' })).notes).toEqual(['no face is for engaged: this is the icon face']))
  test('without a face, nothing is drawn', () =>
    expect(planFace(request({ viewMode: 'card' })).drawing).toEqual({
      kind: 'fault',
      fault: { shows: 'blank', why: 'no face is for card on web', backdrop: undefined },
    }))
  test('web picks a native face that it does not include, and shows an error; iOS does not pick it', () => {
    const faces = [faceOf('native://own')]
    expect(planFace(request({ faces })).drawing).toMatchObject({
      fault: { shows: 'error', why: 'the viewer does not include native://own' },
    })
    expect(planFace(request({ faces, platform: 'ios' })).drawing).toMatchObject({ fault: { shows: 'blank' } })
  })
  test('native faces that a viewer includes can be given', () =>
    expect(
      planFace(request({ faces: [faceOf('native://generic-3d')], natives: ['native://image'] })).drawing,
    ).toMatchObject({ fault: { shows: 'error', why: 'the viewer does not include native://generic-3d' } }))
  test('a web face is a frame', () =>
    expect(planFace(request({ faces: [faceOf('https://faces.example/x')] })).drawing).toEqual({
      kind: 'frame',
      url: 'https://faces.example/x',
    }))
})

describe('the differences between platforms', () => {
  test('are what the others draw, where it is not the same', () => {
    expect(differencesOf(request({}))).toEqual([])
    const card = faceOf('native://image', {}, { view_mode: 'card' })
    expect(differencesOf(request({ viewMode: 'card', faces: [card] }))).toEqual([
      { platform: 'ios', shows: 'ActivatedImage, which fits into the area' },
      { platform: 'android', shows: 'ActivatedImage, which fits into the area' },
    ])
  })
  test('name faces that only one platform has', () =>
    expect(differencesOf(request({ faces: [faceOf('native://image', {}, { platform: 'web' })] }))).toEqual([
      { platform: 'ios', shows: 'nothing: no face is for icon on iOS' },
      { platform: 'android', shows: 'nothing: no face is for icon on Android' },
    ]))
})

describe('a resource on its own', () => {
  test.each([
    ['ResourceType::Image::PNG', 'R, which fits into the area'],
    ['ResourceTypes::Video::MP4', 'video of R'],
    ['ResourceType::Audio::MPEG', 'audio of R'],
    ['ResourceType::text::HTML', 'text of R'],
    ['ResourceType::3D::Scene', 'the 3D model R'],
    ['ResourceType::Code::Javascript', 'nothing: nothing here shows a resource of type ResourceType::Code::Javascript'],
  ])('%s', (type, shown) =>
    expect(describeDrawing(planResource({ name: 'R', type, url: 'https://a.example/r' }).drawing)).toBe(shown),
  )
})

describe('the address of a resource', () => {
  test.each(['https://a.example/a.png', 'http://127.0.0.1:4100/a.png', 'blob:null/1', 'data:image/png;base64,AA=='])(
    '%s is loaded',
    (url) => expect(loadableUrl(url, undefined)).toBe(url),
  )
  test.each(['javascript:alert(1)', 'data:text/html,<script>', 'file:///etc/passwd', 'a.png', ' javascript:alert(1)'])(
    '%s is not',
    (url) => expect(loadableUrl(url, undefined)).toBeUndefined(),
  )
  test('can be resolved by the page', () => {
    const resolve = (url: string) => (url === 'a.png' ? '/files/a.png' : undefined)
    expect(loadableUrl('a.png', resolve)).toBe('/files/a.png')
    expect(loadableUrl('b.png', resolve)).toBeUndefined()
  })
})

describe('the rules of an animation', () => {
  const rules = [
    { on: 'start', play: 'Idle', delay: 0 },
    { on: 'click', play: 'Jump', delay: 0 },
    { on: 'click', target: 'Idle', play: 'Hop', delay: 0 },
    { on: 'animation-complete', target: 'Jump', play: 'Idle', delay: 0 },
    { on: 'animation-start', target: 'Idle', play: 'Idle', delay: 0 },
    { on: 'state', target: 'private.level', value: 2, play: 'Grow', delay: 0 },
  ] as const
  const played = (event: Parameters<typeof rulesFor>[1]) => rulesFor(rules, event).map(({ play }) => play)

  test('of start, click and the end of an animation', () => {
    expect(played({ on: 'start' })).toEqual(['Idle'])
    expect(played({ on: 'click', animation: 'Idle' })).toEqual(['Jump', 'Hop'])
    expect(played({ on: 'click', animation: undefined })).toEqual(['Jump'])
    expect(played({ on: 'animation-complete', animation: 'Jump' })).toEqual(['Idle'])
  })
  test('never start the animation that has just started', () =>
    expect(played({ on: 'animation-start', animation: 'Idle' })).toEqual([]))
  test('of a state, whose value may be a text', () => {
    expect(played({ on: 'state', vatom: { private: { level: '2' } } })).toEqual(['Grow'])
    expect(played({ on: 'state', vatom: { private: { level: 3 } } })).toEqual([])
  })
})
