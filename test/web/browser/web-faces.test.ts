import { afterAll, beforeAll, expect, test } from 'vitest'
import { faceOf, vatomWith } from '../faces/subjects.ts'
import { type Desk, describeInBrowser, openDesk } from './browser.ts'

/** A face that says through the bridge what it was answered. */
const polite = `<!doctype html><script>
  const ask = (message) => parent.postMessage(message, '*')
  addEventListener('message', ({ data }) => {
    if (data.name !== 'reported') ask({ name: 'report', responseID: 'reported', data })
  })
  ask({ name: 'vatom.init' })
  ask({ name: 'vatom.performAction', responseID: 'acted', data: { actionName: 'Drop', actionData: { 'this.id': 'v1' } } })
</script>`

/** A face that speaks version 2 of the bridge. */
const modern = `<!doctype html><script>
  const ask = (name, payload = {}) =>
    parent.postMessage({ name, payload, version: '2.0.0', request_id: name, source: 'blockv_face_sdk' }, '*')
  addEventListener('message', ({ data }) => {
    if (data.response_id !== 'report') ask('report', data)
  })
  ask('core.init')
</script>`

/** A face that tries what it must not be able to do, and reports what came of each. */
const hostile = `<!doctype html><body><script>
  const attempts = {
    cookie: () => document.cookie,
    parentCookie: () => parent.document.cookie,
    parentPage: () => parent.document.body.append('changed'),
    parentGlobals: () => parent.faces.asked.length,
    storage: () => localStorage.getItem('secret'),
    parentStorage: () => parent.localStorage.getItem('secret'),
    navigate: () => { top.location = 'about:blank#gone' },
    open: () => { if (open('about:blank')) return 'opened'; throw new Error('no window') },
    dialog: () => { if (confirm('really?')) return 'confirmed'; throw new Error('no dialog') },
  }
  const results = Object.entries(attempts).map(([name, attempt]) => {
    try { attempt(); return [name, 'done'] } catch { return [name, 'refused'] }
  })
  parent.postMessage({ name: 'report', responseID: 'r', data: Object.fromEntries(results) }, '*')
  parent.postMessage({ name: 'vatom.get', responseID: 'r', data: { id: 'somebody-elses' } }, '*')
</script>`

describeInBrowser('web faces in a browser', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ '/polite': polite, '/modern': modern, '/hostile': hostile })
  }, 60_000)
  afterAll(() => desk?.close())

  const vatom = () => vatomWith({ Icon: `${desk.origin}/files/full.svg` }, { title: 'Cup' }, { private: { level: 1 } })
  async function show(path: string) {
    await desk.page.evaluate(() => window.faces.asked.splice(0))
    const options = {
      platform: 'web',
      viewMode: 'icon',
      vatom: vatom(),
      faces: [faceOf(`${desk.faces}${path}`)],
      face: 0,
    } as const
    await desk.page.evaluate((given) => window.faces.show(given), options)
  }
  const asked = () => desk.page.evaluate(() => window.faces.asked)
  const reported = async () => (await asked()).filter(([name]) => name === 'report').map(([, data]) => data)

  test('version 1 of the bridge: the vAtom, an action, a change', async () => {
    await show('/polite')
    await expect.poll(reported).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source: 'VatomicSDK',
          name: 'vatom.init-complete',
          data: {
            vatomInfo: expect.objectContaining({
              id: 'v1',
              properties: expect.objectContaining({ title: 'Cup', level: 1 }),
              resources: { Icon: `${desk.origin}/files/full.svg` },
            }),
          },
        }),
        expect.objectContaining({ name: 'acted', data: { ok: true } }),
      ]),
    )
    expect(await asked()).toContainEqual([
      'vatom.performAction',
      { actionName: 'Drop', actionData: { 'this.id': 'v1' } },
    ])

    const frame = await desk.page.locator('iframe').elementHandle()
    const changed = { ...vatom(), private: { level: 2 } }
    await desk.page.evaluate((given) => window.faces.update(given), changed)
    await expect.poll(reported).toContainEqual(
      expect.objectContaining({
        name: 'vatom.updated',
        data: { vatomInfo: expect.objectContaining({ properties: expect.objectContaining({ level: 2 }) }) },
      }),
    )
    expect(await frame?.evaluate((element) => element.isConnected)).toBe(true)
  })

  test('version 2 of the bridge', async () => {
    await show('/modern')
    await expect.poll(reported).toContainEqual(
      expect.objectContaining({
        source: 'BLOCKv SDK',
        response_id: 'core.init',
        payload: {
          vatom: expect.objectContaining({ id: 'v1' }),
          face: expect.objectContaining({ properties: expect.anything() }),
        },
      }),
    )
  })

  test('a face reaches neither the page, its cookies and its storage, nor another address', async () => {
    await desk.page.context().addCookies([{ name: 'session', value: 'secret', url: desk.origin }])
    await desk.page.evaluate(() => localStorage.setItem('secret', 'x'))
    const before = desk.problems.length
    await show('/hostile')
    await expect.poll(reported).toEqual([
      {
        cookie: 'refused',
        parentCookie: 'refused',
        parentPage: 'refused',
        parentGlobals: 'refused',
        storage: 'refused',
        parentStorage: 'refused',
        navigate: 'refused',
        open: 'refused',
        dialog: 'refused',
      },
    ])
    expect(desk.page.url()).toBe(`${desk.origin}/`)
    expect(desk.page.context().pages()).toHaveLength(1)
    // The browser itself reports what it has refused.
    desk.problems.splice(before)
  })

  test('the frame runs scripts, and is allowed nothing else', async () => {
    await show('/polite')
    const frame = desk.page.locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    expect(await frame.getAttribute('allow')).toBe('')
  })

  test('messages of others are not answered, and none after the face is gone', async () => {
    await show('/polite')
    await expect.poll(reported).toHaveLength(2)
    await desk.page.evaluate(() => window.postMessage({ name: 'report', responseID: 'x' }, '*'))
    await desk.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await reported()).toHaveLength(2)
    await desk.page.evaluate(() => window.faces.clear())
    expect(await desk.page.locator('iframe').count()).toBe(0)
  })

  test('nothing is wrong on the console, and no request has left the machine', () => expect(desk.problems).toEqual([]))
})
