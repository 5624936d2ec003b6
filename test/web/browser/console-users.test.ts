import { expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { action, face, resource, template, variation } from '../../fixtures/bodies.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, fewLate, openScreen, scrolled } from './console-desk.ts'
import { shop } from './console-shop.ts'

const tiles = '.tile'

/** A face that asks for an action on its vAtom, or on one whose id it was not given. */
const asker = `<!doctype html><html lang="en"><title>asker</title><button id=own>own</button><button id=other>other</button><output></output><script>
  let own
  const ask = (name, payload) => parent.postMessage({ name, payload, version: '2.0.0', request_id: name, source: 'blockv_face_sdk' }, '*')
  addEventListener('message', ({ data }) => {
    if (data.name === 'core.init') own = data.payload.vatom.id
    if (data.name === 'core.action.perform') document.querySelector('output').textContent = JSON.stringify(data)
  })
  const act = (id) => ask('core.action.perform', { action_name: 'Update', payload: { 'this.id': id, 'private.colour': 'from the face' } })
  document.querySelector('#own').onclick = () => act(own)
  document.querySelector('#other').onclick = () => act('00000000-0000-4000-8000-000000000001')
  ask('core.init')
</script>`

/** A shop whose card is a web face of another origin. */
async function shopWithWebFace() {
  const desk = await shop(2)
  const card = 'https://faces.example/card'
  await desk.context.route(card, (route) => route.fulfill({ contentType: 'text/html', body: asker }))
  await desk.good('POST', '/v1/publisher/face', face({ display_url: card }, { view_mode: 'card' }))
  return desk
}

describeInBrowser('users and their vAtoms in the console', () => {
  test('lists users with what they own, makes one, and is accessible in every form', async () => {
    const { page, problems } = await shop()
    await openScreen(page, 'Users')
    const people = page.getByRole('region', { name: 'Users' }).locator('tbody tr')
    await expect.poll(() => people.count()).toBe(2)
    await expect
      .poll(() => people.first().innerText())
      .toMatch(/publisher@local\.vatom[\s\S]*publisher local\.vatom[\s\S]*2 vAtoms/)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.getByRole('searchbox').fill('ada@')
    await expect.poll(() => people.count()).toBe(1)
    await page.getByRole('button', { name: 'Make a user' }).click()
    await expect.poll(() => page.locator('.empty h2').textContent()).toBe('This user owns nothing yet')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Users' }).click()
    await expect.poll(() => people.count()).toBe(3)
    await page.getByLabel('E-mail').fill('till@example.com')
    await page.getByLabel('Merchant').check()
    await page.getByRole('button', { name: 'Make a user' }).click()
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Users' }).click()
    await expect
      .poll(() => people.allInnerTexts())
      .toContainEqual(expect.stringMatching(/till@example\.com\s+merchant/))
    expect(problems).toEqual([])
  }, 60_000)

  test('who goes elsewhere while a user is made stays there', async () => {
    const { page } = await shop()
    await openScreen(page, 'Users')
    await page.route('**/__vatom/users', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue()
      const response = await route.fetch()
      await page.evaluate(() => {
        location.hash = '#/map'
      })
      await page.getByRole('heading', { name: 'Map' }).waitFor()
      await route.fulfill({ response })
    })
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Make a user' }).click()
    await (await answered).finished()
    await page.waitForTimeout(100)
    expect(new URL(page.url()).hash).toBe('#/map')
    await openScreen(page, 'Users')
    await expect.poll(() => page.getByRole('region', { name: 'Users' }).locator('tbody tr').count()).toBe(3)
  }, 60_000)

  test('a guest is called by the beginning of the user id, and nowhere by the guest id, which signs in', async () => {
    const { page, call } = await shop()
    const { body } = await call('POST', '/v1/user/guest')
    const guestId = String(at(body, 'payload', 'properties', 'guest_id'))
    const name = `guest ${String(at(body, 'payload', 'id')).slice(0, 8)}`
    await openScreen(page, 'Users')
    await expect.poll(() => page.getByRole('region', { name: 'Users' }).innerText()).toContain(name)
    expect(await page.content()).not.toContain(guestId)
    await openScreen(page, 'Events')
    await expect.poll(() => page.getByLabel('As').innerText()).toContain(name)
    expect(await page.content()).not.toContain(guestId)
  }, 60_000)

  test('users beyond the first page are scrolled to and searched by address, name and id; those in view are drawn', async () => {
    const { page, service, problems, baseUrl } = await consoleDesk()
    const { makeUser } = await service.testControls()
    for (let n = 0; n < 250; n++)
      await makeUser({
        first_name: n === 3 ? 'Ömer' : 'Ada',
        last_name: `N${n}`,
        user_tokens: [{ token_type: 'email', token: `u${n}@example.com` }],
      })
    await openScreen(page, 'Users')
    const list = page.getByRole('region', { name: 'Users' })
    const people = list.locator('tbody tr')
    await expect.poll(() => page.getByRole('status').innerText()).toBe('251 users')
    await expect.poll(() => people.first().innerText()).toContain('publisher@local.vatom')
    expect(await people.count()).toBeLessThan(60)
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect.poll(() => people.last().innerText()).toContain('u0@example.com')
    expect(await people.count()).toBeLessThan(60)
    const search = page.getByRole('searchbox')
    for (const [words, token] of [
      ['u7@', 'u7@example.com'],
      ['n3 öMER', 'u3@example.com'],
    ] as const) {
      await search.fill(words)
      await expect.poll(() => page.getByRole('status').innerText()).toBe('1 user')
      await expect.poll(() => people.innerText()).toContain(token)
    }
    await people.locator('a').click()
    const id = page.url().split('/').at(-1) ?? ''
    await openScreen(page, 'Users')
    await search.fill(id.slice(0, 20))
    await expect.poll(() => people.innerText()).toContain('u3@example.com')
    await search.fill('nobody')
    await expect.poll(() => page.locator('.empty h2').textContent()).toBe('No user like this')
    // One who was not listed is named on their own page, too.
    await page.goto(`${baseUrl}/#/users/${id}`)
    await page.reload()
    await expect.poll(() => page.locator('.path-line').innerText()).toContain('u3@example.com')
    for (const screen of ['Map', 'Events', 'Discover']) {
      await page.goto(`${baseUrl}/#/users/${id}`)
      await page.locator('main').getByRole('link', { name: screen }).click()
      await expect.poll(() => page.locator('main select').first().inputValue()).toBe(id)
    }
    expect(problems).toEqual([])
  }, 60_000)

  test('an inventory shows icons; a title is a text; what another client transfers leaves at once', async () => {
    const { page, hostile, ids, good, ada, problems } = await shop()
    await openScreen(page, 'Users')
    await page.getByText('publisher@local.vatom').click()
    await expect.poll(() => page.locator(tiles).count()).toBe(2)
    expect(await page.locator(`${tiles} .title`).first().textContent()).toBe(hostile)
    await expect.poll(() => page.locator(`${tiles} [role=img], ${tiles} img`).count()).toBeGreaterThan(0)
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await good('POST', '/v1/user/vatom/action/Transfer', { 'this.id': ids[0], 'new.owner.id': ada.id })
    await expect.poll(() => page.locator(tiles).count()).toBe(1)
    await page.goto(`${new URL(page.url()).origin}/#/users/${ada.id}`)
    await expect.poll(() => page.locator(tiles).count()).toBe(1)
    await good('POST', '/v1/user/vatom/action/Transfer', { 'this.id': ids[1], 'new.owner.id': ada.id })
    await expect.poll(() => page.locator(tiles).count()).toBe(2)
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 60_000)

  test('the count of an inventory says that what is in folders is not counted', async () => {
    const { page, good, publisher, ids, baseUrl } = await shop()
    const box = 'local.vatom::Box::v1'
    const type = { root_type: 'vAtom::vAtomType::FolderContainerType' }
    await good('POST', '/v1/templates', template({ template: box, unpublished: false }, type))
    const one = { template: box, template_variation: `${box}::One`, unpublished: false }
    await good('POST', '/v1/template_variations', { ...variation(), ...one })
    const [folder] = (await good('POST', '/v1/vatoms', { template_variation: one.template_variation, num: 1 })).ids
    await good('PATCH', '/v1/vatoms', { ids: [ids[0]], parent_id: folder })
    await page.goto(`${baseUrl}/#/users/${publisher.id}`)
    await expect.poll(() => page.locator('.count').textContent()).toBe('2 vAtoms, without what is in folders')
    await page.goto(`${baseUrl}/#/users/${publisher.id}?in=${folder}`)
    await expect.poll(() => page.locator('.count').textContent()).toBe('1 vAtom')
  }, 60_000)

  test('a vAtom has faces on each platform, its actions as forms, and what each changed', async () => {
    const { page, ids, publisher, ada, good, call, hostile } = await shop()
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}/vatom/${ids[0]}`)
    await page.getByRole('heading', { name: 'Faces' }).waitFor()
    await inAllForms(page, (found) => expect(found).toEqual([]))
    // Its emission names it in the answer alone.
    expect(await page.locator('.named').innerText()).toMatch(/200 POST emit\b/)
    const icon = page.locator('.faces li[data-mode=icon]')
    await expect.poll(() => icon.innerText()).toContain('ActivatedImage, which fits into the area')
    expect(await page.locator('.faces li[data-mode=card]').innerText()).toContain('no face is for card on web')
    await page.getByLabel('iOS').check()
    await expect
      .poll(() => page.locator('.faces li[data-mode=card]').innerText())
      .toContain('no face is for card on iOS')

    const update = page.getByRole('form', { name: 'Update' })
    await update.getByRole('textbox').fill('{"colour": "blue"}')
    await update.getByRole('button').click()
    await expect.poll(() => page.locator('.moments').innerText()).toMatch(/Update[\s\S]*private\.colour red blue/)
    expect(await page.locator('.moments').innerText()).not.toContain('when_modified')

    // Another client changes it, too.
    await good('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.points': 5 })
    await expect
      .poll(() => page.locator('.moments li').first().innerText())
      .toMatch(/Changed by another client[\s\S]*private\.points 1 5/)
    // What was only predicted is marked.
    const named = page.locator('.named li').first()
    await expect.poll(() => named.innerText()).toMatch(/^200 POST Update\b(?!.*dry run)/)
    const asDryRun = { 'vatom-dry-run': 'true' }
    await call('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.points': 6 }, undefined, asDryRun)
    await expect.poll(() => named.innerText()).toMatch(/^200 POST Update dry run/)
    await page.getByText('Fields').click()
    await expect.poll(() => page.locator('.fields').innerText()).toMatch(/private\.points\s+5/)

    const transfer = page.getByRole('form', { name: 'Transfer' })
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.message())
      void (questions.length === 1 ? question.dismiss() : question.accept())
    })
    const transferTo = async (address: string) => {
      await transfer.getByRole('combobox', { name: 'new.owner.email' }).fill(address)
      await transfer.getByRole('button').click()
    }
    await transferTo('nobody')
    await expect.poll(() => transfer.getByRole('alert').innerText()).toMatch(/e-mail/i)
    expect(questions).toEqual([])
    // A mistyped address is said before it gets the vAtom.
    await transferTo('ada@exampel.com')
    await expect
      .poll(() => questions)
      .toEqual([
        `Transfer ${hostile} to ada@exampel.com? It cannot be taken back.\n\nada@exampel.com is no user's: this makes a guest, who signs in with the guest id sent there`,
      ])
    expect(await named.innerText()).toMatch(/^200 POST Update dry run/)
    await transferTo('ada@example.com')
    await expect
      .poll(() => questions[1])
      .toBe(
        `Transfer ${hostile} to ada@example.com? It cannot be taken back.\n\nada@example.com is not verified: its user cannot use the vAtom until it is`,
      )
    await expect.poll(() => page.locator('.notice').innerText()).toContain('no longer sees this vAtom')
    await page.getByLabel('Seen as').selectOption(ada.id)
    await expect.poll(() => page.locator('.facts').innerText()).toMatch(/owner\s+ada@example\.com/)
    expect(await page.locator('.notice').count()).toBe(0)
    await page.locator('.named a').first().click()
    await expect.poll(() => page.locator('.detail').innerText()).toContain(ids[0])
  }, 90_000)

  test('an action is asked for, and asked about, as what its reactor does, whatever it is called', async () => {
    const { page, ids, hostile, publisher, good } = await shop()
    for (const [name, reactor] of [
      ['Give', 'blockv://v1/Transfer'],
      ['Redeem', 'blockv://v1/Activate'],
    ] as const)
      await good('POST', '/v1/publisher/action', action({ wait: true, reactor }, name))
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}/vatom/${ids[0]}`)
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.message())
      void question.dismiss()
    })
    const give = page.getByRole('form', { name: 'Give' })
    await give.getByRole('combobox', { name: 'new.owner.email' }).fill('ada@example.com')
    await give.getByRole('button').click()
    const question = `Give ${hostile} to ada@example.com? It cannot be taken back.`
    await expect.poll(() => questions).toEqual([expect.stringContaining(question)])
    const redeem = page.getByRole('form', { name: 'Redeem' })
    expect(await redeem.getByRole('combobox').count()).toBe(0)
    await redeem.getByRole('button').click()
    await expect.poll(() => redeem.innerText()).toContain('Done')
    expect(questions.length).toBe(1)
  }, 60_000)

  test('a vAtom that was redeemed offers Redeem no more, unless a handler decides', async () => {
    const { page, publisher, ada, good, baseUrl } = await shop()
    const tea = 'local.vatom::Tea::v1'
    const own = 'local.vatom://use'
    await good(
      'POST',
      '/v1/templates',
      template({ template: tea, unpublished: false }, { redeemable: true, commerce: {} }),
    )
    await good('POST', '/v1/publisher/action_handler', { reactor: own, url: `${baseUrl}/use` })
    for (const [name, reactor] of [
      ['Redeem', 'blockv://v1/Redeem'],
      ['Use', own],
    ])
      await good('POST', '/v1/publisher/action', { name: `${tea}::Action::${name}`, reactor, wait: true })
    const first = { ...variation({ unpublished: false }), template: tea, template_variation: `${tea}::First` }
    await good('POST', '/v1/template_variations', first)
    const [id] = (await good('POST', '/v1/vatoms', { template_variation: `${tea}::First`, num: 1 })).ids
    await good('PATCH', `/__vatom/users/${ada.id}`, { is_merchant: true })
    await page.goto(`${baseUrl}/#/users/${publisher.id}/vatom/${id}`)
    page.on('dialog', (question) => void question.accept())
    const redeem = page.getByRole('form', { name: 'Redeem' })
    await redeem.getByRole('combobox', { name: 'new.owner.email' }).fill('ada@example.com')
    await redeem.getByRole('button').click()
    await expect.poll(() => page.locator('.notice').innerText()).toContain('no longer sees this vAtom')
    await page.getByLabel('Seen as').selectOption(ada.id)
    const actions = page.getByRole('region', { name: 'Actions' })
    await expect.poll(() => actions.innerText()).toContain('Redeem is not offered: this vAtom is not redeemable.')
    expect(await actions.getByRole('form').evaluateAll((forms) => forms.map(({ ariaLabel }) => ariaLabel))).toEqual([
      'Use',
    ])
  }, 60_000)

  test('a guest whom a transfer makes is offered where users are chosen', async () => {
    const { page, ids, publisher } = await shop()
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}/vatom/${ids[0]}`)
    const transfer = page.getByRole('form', { name: 'Transfer' })
    page.on('dialog', (question) => void question.accept())
    await transfer.getByRole('combobox', { name: 'new.owner.email' }).fill('new@example.com')
    await transfer.getByRole('button').click()
    await expect.poll(() => page.getByLabel('Seen as').innerText()).toContain('new@example.com')
  }, 60_000)

  test('resources of a vAtom are shown and played once they are opened; an image that cannot be loaded is said so', async () => {
    const { page, publisher, good, baseUrl, context } = await shop()
    const media = (name: string, kind: string, file: string) => ({
      ...resource(name, `${baseUrl}/media/${file}`),
      resourceType: `ResourceType::${kind}`,
    })
    const wav = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64')
    await context.route('**/media/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)
      if (name === 'a.wav') return route.fulfill({ contentType: 'audio/wav', body: wav })
      return route.fulfill({ contentType: 'text/plain', body: '<b>Hello</b>' })
    })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    const resources = [
      media('ActivatedImage', 'Image::PNG', 'no-image.png'),
      media('Song', 'Audio::WAV', 'a.wav'),
      media('Letter', 'Text::Plain', 'letter.txt'),
      media('Film', 'Video::MP4', 'film.mp4'),
    ]
    const more = 'local.vatom::More::v1'
    await good('POST', '/v1/templates', template({ template: more, unpublished: false }, { resources }))
    await good(
      'POST',
      '/v1/publisher/face',
      face({ template: more, resources: ['ActivatedImage'] }, { view_mode: 'icon' }),
    )
    await good('POST', '/v1/template_variations', {
      ...variation({ unpublished: false }),
      template: more,
      template_variation: `${more}::Red`,
    })
    const { ids } = await good('POST', '/v1/vatoms', { template_variation: `${more}::Red`, num: 1 })
    await page.goto(`${baseUrl}/#/users/${publisher.id}/vatom/${ids[0]}`)
    const caption = page.locator('.faces li[data-mode=icon] .shows')
    await expect.poll(() => caption.innerText()).toContain('ActivatedImage cannot be loaded from')
    expect(loaded.some((url) => url.includes('a.wav'))).toBe(false)
    const section = page.getByRole('region', { name: 'Resources' })
    await section.getByText('4 resources').click()
    await expect.poll(() => section.locator('pre').innerText()).toBe('<b>Hello</b>')
    await expect.poll(() => section.locator('audio').count()).toBe(1)
    await expect
      .poll(() => section.locator('.fault').allInnerTexts())
      .toEqual([expect.stringContaining('cannot be loaded'), expect.stringContaining('Film cannot be played')])
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await section.getByText('4 resources').click()
    await expect.poll(() => section.locator('audio').count()).toBe(0)
  }, 60_000)

  test('a web face acts as the user of the page once that is allowed, and on its own vAtom alone', async () => {
    const { page, ids, publisher, good } = await shopWithWebFace()
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}/vatom/${ids[0]}`)
    const faces = page.getByRole('region', { name: 'Faces' })
    const face = page.locator('.faces li[data-mode=card] iframe').contentFrame()
    const answer = face.locator('output')
    const ask = async (which: string) => {
      await answer.evaluate((element) => element.replaceChildren())
      await face.locator(which).click()
      await expect.poll(() => answer.innerText()).not.toBe('')
      return answer.innerText()
    }
    expect(await ask('#own')).toContain('does not let web faces act')
    await expect.poll(() => faces.getByRole('status').innerText()).toContain('asked for Update')
    await faces.getByLabel('Web faces may act as publisher@local.vatom').check()
    expect(await ask('#other')).toContain('a face acts only on its own vAtom')
    expect(await ask('#own')).not.toContain('error')
    await expect.poll(() => faces.getByRole('status').innerText()).toBe('Performed for a web face: Update')
    expect(JSON.stringify(await good('POST', '/v1/user/vatom/get', { ids: [ids[0]] }))).toContain('from the face')
    expect(JSON.stringify(await good('POST', '/v1/user/vatom/get', { ids: [ids[1]] }))).not.toContain('from the face')
    await inAllForms(page, (found) => expect(found).toEqual([]))
  }, 60_000)

  test('a user who sees no such vAtom is told so, and another user can be chosen', async () => {
    const { page, ids, publisher, ada } = await shop()
    await page.goto(`${new URL(page.url()).origin}/#/users/${ada.id}/vatom/${ids[0]}`)
    await expect.poll(() => page.locator('.empty h2').textContent()).toBe('This user sees no vAtom with this id')
    await page.getByLabel('Seen as').selectOption(publisher.id)
    await page.getByRole('heading', { name: 'Faces' }).waitFor()
    // What the service would refuse is not asked about.
    const transfer = page.getByRole('form', { name: 'Transfer' })
    await transfer.getByRole('combobox', { name: 'new.owner.email' }).fill('publisher@local.vatom')
    await transfer.getByRole('button').click()
    await expect.poll(() => transfer.getByRole('alert').innerText()).toContain('already yours')
    page.once('dialog', (question) => void question.accept())
    await page.getByRole('button', { name: 'Trash' }).click()
    await expect.poll(() => page.locator('.notice').innerText()).toBe('This vAtom was trashed. It is shown as it was.')
    expect(await page.getByRole('button', { name: 'Trash' }).count()).toBe(0)
  }, 60_000)

  test('of ten thousand vAtoms only those in view are drawn, and hardly a frame is late, wherever one scrolls', async () => {
    const { page, publisher } = await shop(10_000)
    await page.goto(`${new URL(page.url()).origin}/#/users/${publisher.id}`)
    await expect.poll(() => page.locator('.count').textContent(), { timeout: 60_000 }).toBe('10000 vAtoms')
    expect(await page.locator(tiles).count()).toBeLessThan(100)
    const { mostDrawn, late } = await scrolled(page, '.tiles', '.title', 90)
    expect(mostDrawn).toBeLessThan(100)
    expect(mostDrawn).toBeGreaterThan(0)
    expect(late).toBeLessThanOrEqual(fewLate)
    expect(await page.locator('.tiles').evaluate((grid) => grid.scrollTop)).toBe(5400)
  }, 120_000)
})
