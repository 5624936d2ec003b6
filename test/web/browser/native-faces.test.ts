import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ViewerPlatform, viewerPlatforms } from '../../../src/contract/kinds/face-selection.ts'
import { faceOf, vatomWith } from '../faces/subjects.ts'
import { type Desk, describeInBrowser, openDesk } from './browser.ts'
import { type Case, cases, overlay, requestOf } from './face-cases.ts'

/** Written anew with UPDATE=1. */
const golden = (name: string) => join(import.meta.dirname, 'golden', `${name}.png`)

describeInBrowser('native faces in a browser', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.close())

  const requestFor = (drawn: Case, platform: ViewerPlatform) => requestOf(drawn, platform, desk.origin)
  const show = (drawn: Case, platform: ViewerPlatform) =>
    desk.page.evaluate((options) => window.faces.show(options), requestFor(drawn, platform))
  const picture = () => desk.page.locator('main').screenshot()

  test.each(cases.flatMap((one) => viewerPlatforms.map((platform) => ({ ...one, platform }))))(
    '$name on $platform',
    async ({ platform, ...one }) => {
      await show(one, platform)
      const now = await picture()
      const file = golden(`${one.name}-${platform}`)
      if (process.env.UPDATE) {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, now)
      }
      expect(existsSync(file), `${file} is missing: write it with UPDATE=1`).toBe(true)
      const pictures = [now, readFileSync(file)].map((png) => png.toString('base64'))
      const share = await desk.page.evaluate(([a = '', b = '']) => window.faces.difference(a, b), pictures)
      expect(share).toBeLessThanOrEqual(one.tolerance ?? 0.01)
    },
    // The first 3D model takes long where no graphics card draws it.
    60_000,
  )

  test('a percentage is a text', async () => {
    const config = { direction: 'up', show_percentage: true }
    const percent = overlay('', config)
    const texts: (string | null)[] = []
    for (const platform of viewerPlatforms) {
      await show(percent, platform)
      texts.push(await desk.page.locator('main').textContent())
    }
    expect(texts).toEqual(['', '40%', '40%'])
  })

  test('a changed vAtom is drawn anew, and nothing is left of the old one', async () => {
    await show(overlay('', { direction: 'up' }), 'ios')
    const before = await picture()
    const { vatom } = requestFor({ ...overlay('', {}), properties: { cloning_score: 0.9 } }, 'ios')
    await desk.page.evaluate((changed) => window.faces.update(changed), vatom)
    expect((await picture()).equals(before)).toBe(false)
    expect(await desk.page.locator('main img').count()).toBe(2)
    await desk.page.evaluate(() => window.faces.clear())
    expect(await desk.page.locator('main *').count()).toBe(0)
  })

  test('of changes that come one after the other, the last is shown', async () => {
    await show(overlay('', { direction: 'up' }), 'ios')
    const changed = [0.1, 0.5, 1].map(
      (cloning_score) => requestFor({ ...overlay('', {}), properties: { cloning_score } }, 'ios').vatom,
    )
    await desk.page.evaluate((vatoms) => Promise.all(vatoms.map((vatom) => window.faces.update(vatom))), changed)
    expect(await desk.page.locator('main img').count()).toBe(2)
    // All of the image, whose area begins below the top of the square.
    const clip = await desk.page
      .locator('main img')
      .last()
      .evaluate(({ style }) => style.clipPath)
    expect(clip).toMatch(/^inset\(33\.3\d*px 0px 0px\)$/)
  })

  test('a state of the vAtom plays an animation, without loading the scene again', async () => {
    const animation_rules = [{ on: 'state', target: 'private.open', value: true, play: 'Tip' }]
    const scene: Case = { name: '', face: faceOf('native://generic-3d', { config: { animation_rules } }) }
    await show(scene, 'web')
    const viewer = await desk.page.locator('model-viewer').elementHandle()
    const { vatom } = requestFor(scene, 'web')
    await desk.page.evaluate((opened) => window.faces.update(opened), { ...vatom, private: { open: true } })
    await expect.poll(() => viewer?.evaluate((element) => Reflect.get(element, 'animationName'))).toBe('Tip')
    expect(await viewer?.evaluate((element) => element.isConnected)).toBe(true)
  })

  test('rules play the animations of a scene, one after the other', async () => {
    const animation_rules = [
      { on: 'start', play: 'Turn' },
      { on: 'animation-complete', target: 'Turn', play: 'Tip' },
      { on: 'animation-complete', target: 'Tip', play: 'Gone' },
    ]
    await show({ name: '', face: faceOf('native://generic-3d', { config: { animation_rules } }) }, 'web')
    const viewer = desk.page.locator('model-viewer')
    await expect.poll(() => viewer.evaluate((scene) => Reflect.get(scene, 'animationName'))).toBe('Tip')
  })

  test.each([
    [
      'a model that needs a decoder',
      { Scene: 'draco.glb' },
      'native://generic-3d',
      'Scene needs KHR_draco_mesh_compression',
    ],
    ['a model that is no model', { Scene: 'full.svg' }, 'native://generic-3d', 'Scene is no 3D model'],
    [
      'a script as an address',
      { ActivatedImage: 'javascript:alert(1)' },
      'native://image',
      'no address that can be loaded',
    ],
  ])('%s is an error that says so', async (_, resources, url, text) => {
    const entries = Object.entries(resources).map(([name, file]) => [
      name,
      file.includes(':') ? file : `${desk.origin}/files/${file}`,
    ])
    const request = {
      ...requestFor({ name: '', face: faceOf(url) }, 'web'),
      vatom: vatomWith(Object.fromEntries(entries)),
    }
    const before = desk.problems.length
    await desk.page.evaluate((options) => window.faces.show(options), request)
    expect(await desk.page.locator('[role=img]').getAttribute('aria-label')).toContain(text)
    desk.problems.splice(before)
  })

  const showResource = (type: string, file: string) =>
    desk.page.evaluate((given) => window.faces.showResource(given), {
      name: 'Resource',
      type: `ResourceType::${type}`,
      url: `${desk.origin}/files/${file}`,
    })

  test('texts are texts', async () => {
    await showResource('Text::HTML', 'note.html')
    expect(await desk.page.locator('main pre').textContent()).toContain('<script>')
    expect(await desk.page.title()).toBe('')
  })

  test('sounds have a player', async () => {
    await showResource('Audio::WAV', 'silence.wav')
    const player = desk.page.locator('main audio[controls]')
    expect(await player.evaluate((audio) => Reflect.get(audio, 'duration'))).toBeCloseTo(0.1)
  })

  test('a video that cannot be played is an error that says so', async () => {
    await showResource('Video::MPEG', 'silence.wav?')
    expect(await desk.page.locator('main video[controls]').count()).toBe(1)
    await showResource('Video::MPEG', 'full.svg')
    expect(await desk.page.locator('[role=img]').getAttribute('aria-label')).toContain('Resource cannot be played')
  })

  test('nothing is wrong on the console, and no request has left the machine', () => expect(desk.problems).toEqual([]))
})
