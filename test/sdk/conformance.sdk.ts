import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../src/contract/schema/path.ts'
import { nativeConstraints } from '../fixtures/bodies.ts'
import { entry } from '../support/binary.ts'
import { app, Blockv, type Ready, type Sdk, until } from './sdk.ts'

const template = 'local.vatom::Coupon::v1'
const variation = `${template}::Red`
const box = 'local.vatom::Box::v1'
const boxVariation = `${box}::Wooden`
const paris = { lat: 48.85, lon: 2.35 }
const [southWest, northEast] = [
  { lat: 48, lon: 2 },
  { lat: 49, lon: 3 },
]

const catalog: readonly (readonly [string, object])[] = [
  [
    '/v1/templates',
    {
      template,
      unpublished: false,
      cloneable: true,
      vatom: {
        'vAtom::vAtomType': {
          root_type: 'vAtom::vAtomType',
          title: 'Coupon',
          category: 'Coupons',
          transferable: true,
          resources: [
            {
              name: 'ActivatedImage',
              resourceType: 'ResourceType::Image::PNG',
              value: { resourceValueType: 'ResourceValueType::URI', value: 'https://example.com/coupon.png' },
            },
          ],
        },
        private: { colour: 'red' },
      },
    },
  ],
  ['/v1/template_variations', { template, template_variation: variation, unpublished: false }],
  [
    '/v1/templates',
    {
      template: box,
      unpublished: false,
      vatom: {
        'vAtom::vAtomType': { root_type: 'vAtom::vAtomType::FolderContainerType', title: 'Box', transferable: true },
      },
    },
  ],
  ['/v1/template_variations', { template: box, template_variation: boxVariation, unpublished: false }],
  ['/v1/publisher/action', { name: `${box}::Action::Transfer`, reactor: 'blockv://v1/Transfer', wait: true }],
  ...['Transfer', 'Clone', 'Drop', 'Pickup'].map(
    (action) =>
      [
        '/v1/publisher/action',
        { name: `${template}::Action::${action}`, reactor: `blockv://v1/${action}`, wait: true },
      ] as const,
  ),
  [
    '/v1/publisher/face',
    {
      template,
      display_url: 'native://image',
      package_url: '.',
      constraints: nativeConstraints,
      resources: ['ActivatedImage'],
    },
  ],
]

/** What the SDK keeps follows what the socket says, a moment later. */
const eventually = (ask: () => Promise<unknown>, answer: unknown) =>
  expect.poll(ask, { timeout: 10_000 }).toEqual(answer)

describe.each([
  ['by default', []],
  ['with --compat sdk', ['--compat', 'sdk']],
])('vatom serve %s', (_, flags) => {
  const home = mkdtempSync(join(tmpdir(), 'vatom-sdk-'))
  const service = spawn(process.execPath, [entry, 'serve', '--port', '0', '--memory', '--json', ...flags], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let ready: Ready
  let publisher: Sdk
  let users = 0

  beforeAll(async () => {
    const [line] = await new Promise<string[]>((resolve) =>
      createInterface({ input: service.stdout }).once('line', (text) => resolve([text])),
    )
    ready = JSON.parse(line ?? '')
    publisher = new Blockv({ appID: ready.app_id, server: ready.base_url, prefix: `publisher ${ready.base_url}` })
    await publisher.UserManager.login(ready.publisher.email, 'email', ready.publisher.password)
    for (const [path, document] of catalog) await publisher.client.request('POST', path, document, true)
  })
  afterAll(() => {
    service.kill()
    rmSync(home, { recursive: true, force: true })
  })

  /** A new user of an app, signed in. */
  async function user(name = 'Ann'): Promise<Sdk & { readonly email: string }> {
    const email = `user${++users}@example.com`
    const sdk = app(ready, `${email} ${ready.base_url}`)
    await sdk.UserManager.register({
      first_name: name,
      last_name: 'Lee',
      password: 'secret',
      user_tokens: [{ token: email, token_type: 'email', is_primary: true }],
    })
    return Object.assign(sdk, { email })
  }

  /** The pin that was sent to an address. */
  async function pinFor(address: string): Promise<string> {
    const outbox = await fetch(`${ready.base_url}/__vatom/outbox?limit=1&to=${encodeURIComponent(address)}`)
    return String(at(await outbox.json(), 'payload', 0, 'code'))
  }

  /** Gives a user new vAtoms; answers their ids. */
  async function given(owner: Sdk, num = 1, template_variation = variation): Promise<string[]> {
    const body = { template_variation, num }
    const { ids } = await publisher.client.request('POST', '/v1/vatoms', body, true)
    for (const id of ids) {
      const input = { 'this.id': id, 'new.owner.id': owner.store.userID }
      await publisher.client.request('POST', '/v1/user/vatom/action/Transfer', input, true)
    }
    return ids
  }

  /** A user whose inventory is loaded and who hears what happens. */
  async function listener(name?: string) {
    const sdk = await user(name)
    const greeting = sdk.WebSockets.when('info')
    const inventory = sdk.dataPool.region('inventory')
    expect(await greeting).toMatchObject({ msg_type: 'info', user_id: sdk.store.userID })
    await inventory.get()
    return { sdk, inventory }
  }
  const has = (id: string) => (vatoms: readonly { readonly id: string }[]) => vatoms.some((one) => one.id === id)
  const hasNot = (id: string) => (vatoms: readonly { readonly id: string }[]) => !has(id)(vatoms)

  describe('users', () => {
    test('register, and are who they said', async () => {
      const { UserManager, store } = await user('Ann')
      expect(UserManager.isLoggedIn).toBe(true)
      const profile = await UserManager.getCurrentUser()
      expect(profile).toMatchObject({ id: store.userID, firstName: 'Ann', lastName: 'Lee', isPasswordSet: true })
      expect(profile.meta.dataType).toBe('blockv::user')
    })

    test('sign in, and are refused with the message of the service', async () => {
      const { email } = await user()
      const sdk = app(ready, `again ${email}`)
      await expect(sdk.UserManager.login(email, 'email', 'wrong')).rejects.toMatchObject({
        code: 2032,
        httpStatus: 403,
      })
      expect(await sdk.UserManager.login(email, 'email', 'secret')).toMatchObject({ firstName: 'Ann' })
    })

    test('renew their access token before it expires', async () => {
      const sdk = await user()
      sdk.store.token = ''
      expect(await sdk.UserManager.getCurrentUser()).toMatchObject({ firstName: 'Ann' })
      expect(sdk.store.token).not.toBe('')
    })

    test('are still signed in when the app starts again', async () => {
      const { email, store } = await user()
      const again = app(ready, `${email} ${ready.base_url}`)
      expect(again.UserManager.isLoggedIn).toBe(true)
      expect(await again.UserManager.getCurrentUser()).toMatchObject({ id: store.userID })
    })

    test('change their profile, which others see as far as it is public', async () => {
      const [ann, bob] = [await user('Ann'), await user('Bob')]
      await ann.UserManager.updateUser({ first_name: 'Anne', birthday: '1990-01-31', language: 'en' })
      expect(await ann.UserManager.getCurrentUser()).toMatchObject({ firstName: 'Anne' })
      expect(await bob.UserManager.getPublicUserProfile(ann.store.userID)).toMatchObject({
        id: ann.store.userID,
        properties: { first_name: 'Anne', last_name: 'Lee' },
      })
    })

    test('have tokens, of which one is the default', async () => {
      const { UserManager, email } = await user()
      const [first] = await UserManager.getCurrentUserTokens()
      expect(first).toMatchObject({ properties: { token: email, token_type: 'email', is_default: true } })
      const added = await UserManager.addUserToken({ token: `new-${email}`, token_type: 'email', is_primary: false })
      await UserManager.setDefaultToken(added.id)
      await UserManager.deleteUserToken(first.id)
      expect(await UserManager.getCurrentUserTokens()).toMatchObject([
        { id: added.id, properties: { token: `new-${email}`, is_default: true } },
      ])
      await expect(UserManager.deleteUserToken(added.id)).rejects.toMatchObject({ code: 2562 })
    })

    test('have codes sent to their tokens, and pins in place of a password', async () => {
      const { UserManager, email } = await user()
      expect(await UserManager.sendTokenVerification(email, 'email')).toMatchObject({ token: email })
      expect(await UserManager.resetPassword(email, 'email')).toMatchObject({ token: email, token_type: 'email' })
      const login = (password: string) => app(ready, `reset ${email}`).UserManager.login(email, 'email', password)
      expect(await login('secret')).toMatchObject({ isPasswordSet: true })
      expect(await login(await pinFor(email))).toMatchObject({ isPasswordSet: false })
      await expect(login('secret')).rejects.toMatchObject({ code: 2032 })
    })

    test('have addresses of assets completed, and no others', async () => {
      const { UserManager } = await user()
      const own = `${ready.base_url}/assets/coupon.png`
      expect(UserManager.encodeAssetProvider(own).split('?')[0]).toBe(own)
      const other = 'https://example.com/coupon.png'
      expect(UserManager.encodeAssetProvider(other)).toBe(other)
    })

    test('have an avatar', async () => {
      const { UserManager } = await user()
      const form = new FormData()
      const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      form.append('avatar', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'avatar.png')
      await UserManager.uploadAvatar(form)
    })

    test('may be guests', async () => {
      const { UserManager } = app(ready, `guest ${ready.base_url}`)
      const guest = await UserManager.getGuestToken()
      expect(await UserManager.loginGuest(guest)).toMatchObject({ isPasswordSet: false })
    })

    test('sign out, after which nothing is theirs', async () => {
      const { UserManager, store } = await user()
      const { token } = store
      await UserManager.logout()
      expect(UserManager.isLoggedIn).toBe(false)
      const answer = await fetch(`${ready.base_url}/v1/user`, {
        headers: { 'app-id': ready.app_id, authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(flags.length > 0 ? 401 : 403)
    })
  })

  describe('the inventory', () => {
    test('is loaded whole, with faces and actions', async () => {
      const ann = await user()
      const ids = await given(ann, 3)
      const vatoms = await ann.Vatoms.getUserInventory()
      expect(vatoms.map(({ id }) => id).sort()).toEqual(ids.sort())
      expect(vatoms[0]).toMatchObject({
        private: { colour: 'red' },
        properties: { title: 'Coupon', owner: ann.store.userID, parent_id: '.' },
        faces: [{ properties: { display_url: 'native://image' } }],
      })
      expect(vatoms[0]?.actions.map(({ name }) => name).sort()).toEqual(
        ['Clone', 'Drop', 'Pickup', 'Transfer'].map((name) => `${template}::Action::${name}`),
      )
    })

    test('hears of what comes and goes', async () => {
      const [ann, bob] = [await listener('Ann'), await listener('Bob')]
      const heard = ann.sdk.WebSockets.when('inventory')
      const [id = ''] = await given(ann.sdk)
      await until(ann.inventory, has(id))
      expect(await heard).toMatchObject({
        msg_type: 'inventory',
        user_id: ann.sdk.store.userID,
        payload: { op: 'insert', id, new_owner: ann.sdk.store.userID, template_variation: variation },
      })
      await ann.sdk.Vatoms.transferTo(bob.sdk.email, 'Transfer', id)
      await until(bob.inventory, has(id))
      await until(ann.inventory, hasNot(id))
      expect((await bob.sdk.Vatoms.getUserVatoms([id]))[0]?.properties).toMatchObject({
        owner: bob.sdk.store.userID,
        transferred_by: ann.sdk.store.userID,
      })
    })

    test('is brought up to date when it is loaded again', async () => {
      const { sdk, inventory } = await listener()
      const [kept = '', gone = ''] = await given(sdk, 2)
      await until(inventory, has(gone))
      sdk.WebSockets.close()
      await sdk.client.request('POST', '/v1/user/vatom/trash', { 'this.id': gone }, true)
      inventory.close()
      expect((await sdk.Vatoms.getUserInventory()).map(({ id }) => id)).toEqual([kept])
    })

    test('loses what is trashed', async () => {
      const { sdk, inventory } = await listener()
      const [id = ''] = await given(sdk)
      await until(inventory, has(id))
      await sdk.Vatoms.trashVatom(id)
      await until(inventory, hasNot(id))
      const discover = new Blockv.Discover(sdk)
      expect(await discover.count()).toBe(0)
    })
  })

  test('vAtoms are put into a folder, found in it, and taken out again', async () => {
    const { sdk, inventory } = await listener()
    const [[id = ''], [folder = '']] = [await given(sdk), await given(sdk, 1, boxVariation)]
    await until(inventory, (vatoms) => has(id)(vatoms) && has(folder)(vatoms))
    /** The SDK's own region of children throws before it asks: this is what it would ask. */
    const inside = async () => {
      const discover = new Blockv.Discover(sdk)
      discover.setScope('vAtom::vAtomType.parent_id', folder)
      return (await discover.execute()).map((one) => one.id)
    }
    const elsewhere = app(ready, `${sdk.email} ${ready.base_url}`)
    const children = async () => (await elsewhere.Vatoms.getVatomChildren(folder)).map((one) => one.id)
    const parent = async () => (await sdk.Vatoms.getUserVatoms([id]))[0]?.properties.parent_id
    expect(await inside()).toEqual([])
    await sdk.Vatoms.setParentID(id, folder)
    expect([await inside(), await parent()]).toEqual([[id], folder])
    expect(await children()).toEqual([id])
    expect((await sdk.Vatoms.getVatomChildren(folder)).map((one) => one.id)).toEqual([id])
    await sdk.Vatoms.setParentID(id, '.')
    expect([await inside(), await parent()]).toEqual([[], '.'])
    await eventually(() => sdk.Vatoms.getVatomChildren(folder), [])
  })

  test('vAtoms are searched and counted', async () => {
    const ann = await user()
    await given(ann, 3)
    const discover = new Blockv.Discover(ann)
    expect(await discover.count()).toBe(3)
    discover.appendFilter('vAtom::vAtomType.category', 'Coupons')
    expect((await discover.execute()).map(({ properties }) => properties.category)).toEqual(Array(3).fill('Coupons'))
    discover.appendFilter('private.colour', 'blue')
    expect(await discover.count()).toBe(0)
  })

  test('a vAtom is cloned for another', async () => {
    const [ann, bob] = [await user('Ann'), await listener('Bob')]
    const [id = ''] = await given(ann)
    await ann.Vatoms.transferTo({ userID: bob.sdk.store.userID }, 'Clone', id)
    await until(bob.inventory, (vatoms) => vatoms.some(({ properties }) => properties.cloned_from === id))
    const [original] = await ann.Vatoms.getUserVatoms([id])
    expect(original?.properties).toMatchObject({ owner: ann.store.userID, num_direct_clones: 1 })
  })

  test('a vAtom is dropped, found on the map and picked up by another, whose map hears of it', async () => {
    const [ann, bob] = [await listener('Ann'), await listener('Bob')]
    const [id = ''] = await given(ann.sdk)
    await until(ann.inventory, has(id))
    const map = bob.sdk.dataPool.region('geopos', { bottom_left: southWest, top_right: northEast })
    await map.get()
    const dropped = ann.sdk.WebSockets.when('stateUpdate')
    await ann.sdk.Vatoms.performAction(id, 'Drop', { 'geo.pos': paris })
    expect(await dropped).toMatchObject({ payload: { id, op: 'update', action_name: 'Drop' } })
    await until(map, has(id))
    expect((await bob.sdk.Vatoms.geoDiscover(southWest, northEast)).map((one) => one.id)).toEqual([id])
    expect(await bob.sdk.Vatoms.geoDiscoverGroups(southWest, northEast, 3)).toMatchObject({ groups: [{ count: 1 }] })
    await bob.sdk.Vatoms.performAction(id, 'Pickup', {})
    await until(map, hasNot(id))
    await until(bob.inventory, has(id))
    await until(ann.inventory, hasNot(id))
    await expect(ann.sdk.Vatoms.performAction(id, 'Pickup', {})).rejects.toMatchObject({
      httpStatus: expect.any(Number),
    })
    expect(await ann.sdk.Vatoms.geoDiscover(southWest, northEast)).toEqual([])
    map.close()
  })

  test('users write to each other, and hear of what they are sent', async () => {
    const [ann, bob] = [await user('Ann'), await listener('Bob')]
    const heard = bob.sdk.WebSockets.when('activity')
    await ann.Activity.sendMessage(bob.sdk.store.userID, 'Hello')
    expect(await heard).toMatchObject({
      msg_type: 'my_events',
      payload: { msg: 'Hello', triggered_by: ann.store.userID },
    })
    const [thread] = await bob.sdk.Activity.myThreads()
    expect(thread).toMatchObject({ last_message: { msg: 'Hello' }, last_message_user_info: { name: 'Ann Lee' } })
    expect(await bob.sdk.Activity.myThreadMessages(thread.name)).toMatchObject({
      cursor: expect.any(String),
      messages: [{ message: { msg: 'Hello' } }],
    })
  })

  test('who is sent a vAtom finds that in their activity', async () => {
    const ann = await user('Ann')
    const [id = ''] = await given(ann)
    const [thread] = await ann.Activity.myThreads()
    expect(thread).toMatchObject({ last_message: { action_name: 'Transfer', vatoms: [id] } })
  })
})
