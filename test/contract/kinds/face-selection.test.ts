import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  builtInFaces,
  isEverPicked,
  selectFace,
  type Viewer,
  viewerPlatforms,
} from '../../../src/contract/kinds/face-selection.ts'
import { platforms, viewModes } from '../../../src/contract/values.ts'

interface Face {
  readonly display_url: string
  readonly constraints: { readonly view_mode: string; readonly platform: string; readonly quality: string }
}
const face = (view_mode: string, platform: string, display_url = 'native://image', quality = 'high'): Face => ({
  display_url,
  constraints: { view_mode, platform, quality },
})
const viewer = (platform: Viewer['platform'], viewMode: string, more: Partial<Viewer> = {}): Viewer => ({
  platform,
  viewMode,
  natives: builtInFaces,
  webFaces: true,
  ...more,
})

/** The same, told as the SDKs' sources tell it: sorted lists for web, one pass for the others. */
function reference(faces: readonly Face[], { platform, viewMode, natives, webFaces }: Viewer): number | undefined {
  const modes = viewMode === 'engaged' ? ['engaged', 'icon'] : [viewMode]
  for (const mode of modes) {
    const indexed = faces.map((one, index) => ({ one, index })).filter(({ one }) => one.constraints.view_mode === mode)
    if (platform === 'web') {
      const own = indexed.find(({ one }) => one.constraints.platform === 'web')
      const generic = indexed.find(({ one }) => one.constraints.platform === 'generic')
      const found = own ?? generic
      if (found) return found.index
      continue
    }
    const table: Record<string, number> = {
      [`${platform} native`]: 3,
      [`${platform} web`]: 2,
      'generic native': 2,
      'generic web': 1,
    }
    let best: { index: number; rank: number } | undefined
    for (const { one, index } of indexed) {
      const native = one.display_url.startsWith('native://')
      const same = (url: string) =>
        platform === 'ios' ? url.toLowerCase() === one.display_url.toLowerCase() : url === one.display_url
      if (native ? !natives.some(same) : !webFaces) continue
      const rank = table[`${one.constraints.platform} ${native ? 'native' : 'web'}`]
      if (rank !== undefined && (best === undefined || rank > best.rank)) best = { index, rank }
    }
    if (best) return best.index
  }
  return undefined
}

const urls = ['native://image', 'native://IMAGE', 'native://own', 'https://acme.example']
const allViewers = viewerPlatforms.flatMap((platform) =>
  viewModes.flatMap((viewMode) =>
    [true, false].flatMap((webFaces) =>
      [[...builtInFaces], [...builtInFaces, 'native://own'], []].map((natives) =>
        viewer(platform, viewMode, { webFaces, natives }),
      ),
    ),
  ),
)
const allFaces = viewModes.flatMap((mode) =>
  platforms.flatMap((platform) => urls.map((url) => face(mode, platform, url))),
)

describe('which face a viewer picks', () => {
  test('of each pair of faces, for every view mode and platform, what the SDKs pick', () => {
    for (const one of allFaces)
      for (const other of allFaces)
        for (const viewMode of viewModes)
          for (const platform of viewerPlatforms) {
            const asking = viewer(platform, viewMode)
            const picked = selectFace([one, other], asking).face
            if (picked !== reference([one, other], asking))
              expect({ one, other, asking, picked }).toBe('as the reference says')
          }
  })

  test('of any faces, for any viewer', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...allFaces), { maxLength: 8 }),
        fc.constantFrom(...allViewers),
        (faces, asking) => {
          const { face: picked, considered } = selectFace(faces, asking)
          expect(picked).toBe(reference(faces, asking))
          expect(considered.map((one) => one.face)).toEqual(faces.map((_, index) => index))
          expect(considered.filter((one) => one.picked).map((one) => one.face)).toEqual(
            picked === undefined ? [] : [picked],
          )
          for (const { why } of considered) expect(why).toMatch(/^\S/)
        },
      ),
      { numRuns: 700 },
    ))

  test.each<[string, Face[], Viewer, number | undefined, string]>([
    ['engaged falls back to icon', [face('icon', 'generic')], viewer('ios', 'engaged'), 0, 'icon'],
    ['card falls back to nothing', [face('icon', 'generic')], viewer('ios', 'card'), undefined, 'card'],
    ['where neither is there, engaged it is', [], viewer('ios', 'engaged'), undefined, 'engaged'],
    [
      'web takes its own, whatever it is',
      [face('icon', 'generic'), face('icon', 'web', 'native://own')],
      viewer('web', 'icon'),
      1,
      'icon',
    ],
    [
      'a native generic face is as good as an own web face',
      [face('icon', 'generic'), face('icon', 'ios', 'https://a')],
      viewer('ios', 'icon'),
      0,
      'icon',
    ],
    [
      'quality is ignored',
      [face('icon', 'generic', 'native://image', 'low'), face('icon', 'generic')],
      viewer('android', 'icon'),
      0,
      'icon',
    ],
  ])('%s', (_name, faces, asking, index, shownAs) =>
    expect(selectFace(faces, asking)).toMatchObject({ face: index, viewMode: shownAs }),
  )

  test('reasons', () => {
    const why = (faces: Face[], asking: Viewer) => selectFace(faces, asking).considered.map((one) => one.why)
    const faces = [
      face('icon', 'generic'),
      face('icon', 'ios'),
      face('card', 'ios'),
      face('icon', 'web'),
      face('icon', 'ios', 'native://own'),
      face('icon', 'ios'),
    ]
    expect(why(faces, viewer('ios', 'icon'))).toEqual([
      'generic, native: one is better',
      'made for ios, native',
      'for card',
      'for web alone',
      'the viewer does not include native://own',
      'made for ios, native, but an earlier face is as good',
    ])
    expect(why([face('icon', 'ios', 'https://a')], viewer('ios', 'icon', { webFaces: false }))).toEqual([
      'the viewer shows no web faces',
    ])
  })
})

test('a face is never picked if no viewer, however it is made, picks it', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...allFaces), { minLength: 1, maxLength: 5 }), (faces) => {
      for (const [index, one] of faces.entries()) {
        const more = [[], ['native://own'], ['native://IMAGE'], ['native://own', 'native://IMAGE']]
        const brought = more.map((some) => [...builtInFaces, ...some])
        const some = viewerPlatforms.some((platform) =>
          brought.some((natives) =>
            [true, false].some(
              (webFaces) =>
                reference(faces, viewer(platform, one.constraints.view_mode, { natives, webFaces })) === index,
            ),
          ),
        )
        expect({ faces, index, picked: isEverPicked(faces, index) }).toEqual({ faces, index, picked: some })
      }
    }),
  ))

test('nothing throws, whatever faces are', () =>
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(...allViewers), (faces, asking) => {
      selectFace(faces, asking)
      for (const index of faces.keys()) isEverPicked(faces, index)
    }),
  ))
