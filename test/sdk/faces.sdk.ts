import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at } from '../../src/contract/schema/path.ts'
import { bridgeAnswer } from '../../src/web/faces/bridge.ts'
import { planFace } from '../../src/web/faces/plan-face.ts'
import { type Desk, describeInBrowser, openDesk } from '../web/browser/browser.ts'
import { cases, requestOf } from '../web/browser/face-cases.ts'
import { faceOf, vatomWith } from '../web/faces/subjects.ts'

/** Children that name the vAtom they are in, by which the SDK finds them. */
const within = <R extends { readonly children: readonly Record<string, unknown>[] }>(request: R) => ({
  ...request,
  children: request.children.map((child) => {
    const type = at(child, 'vAtom::vAtomType')
    return { ...child, 'vAtom::vAtomType': { ...(typeof type === 'object' ? type : {}), parent_id: 'v1' } }
  }),
})

describeInBrowser('faces as the web SDK draws them', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({}, 'test/sdk/face-page.mjs')
  }, 60_000)
  afterAll(() => desk?.close())

  const call = (expression: string, argument: unknown): Promise<unknown> =>
    desk.page.evaluate(`(${expression})(${JSON.stringify(argument)})`)
  const picture = async () => (await desk.page.locator('main').screenshot()).toString('base64')

  // The SDK has no 3D models; its error view is its own picture.
  test.each(cases.filter(({ name }) => name !== 'scene' && name !== 'missing'))('$name', async (one) => {
    const request = within(requestOf(one, 'web', desk.origin))
    expect(await call('(request) => sdkFaces.show(request)', request)).toBeUndefined()
    const theirs = await picture()
    await call('() => sdkFaces.clear()', undefined)
    await call('(request) => faces.show(request)', request)
    // A background may begin a pixel beside an image.
    expect(await call('([a, b]) => faces.difference(a, b)', [theirs, await picture()])).toBeLessThan(0.01)
  })

  test('any image policy names the same image', async () => {
    const resource = fc.constantFrom('ActivatedImage', 'One', 'Two', 'Gone', undefined)
    const value = fc.constantFrom<unknown>('red', 1, '1', true, null, 0, undefined)
    const entry = fc.record(
      {
        resource,
        value,
        count_max: fc.constantFrom<unknown>(0, 1, '2', undefined),
        field: fc.constantFrom('private.a', 'private."b.c"', 'private.d.e', 'id', undefined),
      },
      { requiredKeys: [] },
    )
    const own = fc.record({ a: value, 'b.c': value, d: fc.record({ e: value }) }, { requiredKeys: [] })
    const requests = fc.sample(
      fc.record({
        policy: fc.array(entry, { maxLength: 4 }),
        own,
        names: fc.subarray(['ActivatedImage', 'One', 'Two']),
        children: fc.nat(3),
      }),
      500,
    )
    const whole = requests.map(({ policy, own, names, children }) =>
      within({
        platform: 'web' as const,
        viewMode: 'icon',
        vatom: vatomWith(
          Object.fromEntries(names.map((name) => [name, `https://a.example/${name}`])),
          {},
          { private: own },
        ),
        children: Array.from({ length: children }, () => vatomWith({})),
        faces: [faceOf('native://image-policy', { config: { image_policy: policy } })],
      }),
    )
    const given: typeof whole = JSON.parse(JSON.stringify(whole))
    const theirs = await call('(requests) => requests.map((request) => sdkFaces.policyUrl(request) ?? null)', given)
    const ours = given.map((request) => {
      const { drawing } = planFace(request)
      return drawing.kind === 'picture' ? drawing.picture.url : null
    })
    expect(ours).toEqual(theirs)
  })

  test('the bridge starts a web face with the same data', async () => {
    const vatom = vatomWith({ Icon: 'https://a.example/i.png' }, { title: 'Cup' }, { private: { level: 3 } })
    const face = faceOf('https://faces.example/x')
    const host = {
      platform: 'web',
      viewMode: 'icon',
      face,
      vatom,
      children: [],
      resolve: (url: string) => url,
      onMessage: undefined,
    } as const
    const theirs = await call('(request) => sdkFaces.init(request)', { vatom, faces: [face] })
    const ours = await bridgeAnswer({ name: 'vatom.init' }, host)
    expect(theirs).toMatchObject({ _responseName: at(ours, 'name') })
    expect(at(ours, 'data', 'vatomInfo')).toEqual(at(theirs, 'vatomInfo'))
  })
})
