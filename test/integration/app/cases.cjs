// The tests of an app for coupons, as [name, test] pairs, for any test runner.
const assert = require('node:assert/strict')
const { connect, ServiceError, UnreachableError } = require('vatom/client')

const red = 'Coffee::v1::Red'
/** The app, signed in as a user. */
const appOf = (service, { refreshToken } = {}) =>
  connect({ baseUrl: service.baseUrl, timeout: 2000, ...(refreshToken && { refreshToken }) })
const inventory = async (app) => (await app.getInventory({ body: {} })).vatoms.map(({ id }) => id)
const perform = async (service, app, action, vatom, input = {}) => {
  const done = await app.performAction({ action, body: { 'this.id': vatom, ...input } })
  await service.settled()
  return done
}

module.exports = [
  [
    'a user registers and verifies an address',
    async (service) => {
      const user_tokens = [{ token: 'ann@example.com', token_type: 'email' }]
      const { user, refresh_token } = await appOf(service).registerUser({ body: { password: 'secret', user_tokens } })
      assert.equal(user.system_properties.activated, false)
      const app = appOf(service, { refreshToken: refresh_token.token })
      const verify_code = service.outbox.codeFor('ann@example.com')
      await app.verifyUserToken({ body: { ...user_tokens[0], verify_code } })
      assert.equal((await app.getProfile({})).system_properties.activated, true)
    },
  ],
  [
    'a user signs in',
    async (service) => {
      const { id, token, tokenType: token_type, password } = await service.createUser()
      const { user } = await appOf(service).login({ body: { token, token_type, auth_data: { password } } })
      assert.equal(user.id, id)
    },
  ],
  [
    'a wrong password is refused',
    async (service) => {
      const { token, tokenType: token_type } = await service.createUser()
      const body = { token, token_type, auth_data: { password: 'wrong' } }
      await assert.rejects(appOf(service).login({ body }), { kind: 'loginFailed', status: 403 })
    },
  ],
  [
    'an account is locked after five wrong passwords, until the time is over',
    async (service) => {
      const { token, tokenType: token_type, password } = await service.createUser()
      const login = (given) => appOf(service).login({ body: { token, token_type, auth_data: { password: given } } })
      for (let time = 0; time < 5; time++) await assert.rejects(login('wrong'), ServiceError)
      await assert.rejects(login(password), { kind: 'loginLocked' })
      service.clock.advance({ minutes: 6 })
      await login(password)
    },
  ],
  [
    'an access token that has expired is renewed',
    async (service) => {
      const app = appOf(service, await service.createUser())
      await app.getProfile({})
      service.clock.advance({ minutes: 6 })
      await app.getProfile({})
      assert.equal(service.journal.count({ operation: 'refreshAccessToken' }), 2)
    },
  ],
  [
    'a profile is changed',
    async (service) => {
      const app = appOf(service, await service.createUser({ first_name: 'Ann' }))
      await app.updateProfile({ body: { first_name: 'Anna' } })
      assert.equal((await app.getProfile({})).properties.first_name, 'Anna')
    },
  ],
  [
    'the inventory of a new user is empty',
    async (service) => assert.deepEqual(await inventory(appOf(service, await service.createUser())), []),
  ],
  [
    'a coupon that was sent is in the inventory',
    async (service) => {
      const ann = await service.createUser()
      const ids = await service.emit(red, { to: ann })
      assert.deepEqual(await inventory(appOf(service, ann)), ids)
    },
  ],
  [
    'ids are the same in every run of a test',
    async (service) => {
      const ids = await service.emit(red)
      await service.reset()
      assert.deepEqual(await service.emit(red), ids)
    },
  ],
  [
    'whoever receives a coupon gets an event',
    async (service) => {
      const ann = await service.createUser()
      const [id] = await service.emit(red, { to: ann })
      assert.equal(service.events({ type: 'inventory', user: ann })[0].payload.id, id)
    },
  ],
  [
    'a coupon is given to a friend',
    async (service) => {
      const [ann, bob] = [await service.createUser(), await service.createUser()]
      const [id] = await service.emit(red, { to: ann })
      await perform(service, appOf(service, ann), 'Transfer', id, { 'new.owner.email': bob.token })
      assert.deepEqual(await inventory(appOf(service, bob)), [id])
    },
  ],
  [
    'a coupon of somebody else cannot be given away',
    async (service) => {
      const ann = await service.createUser()
      const [id] = await service.emit(red)
      const given = perform(service, appOf(service, ann), 'Transfer', id, { 'new.owner.email': 'bob@example.com' })
      await assert.rejects(given, ServiceError)
    },
  ],
  [
    'exactly two requests transfer two coupons',
    async (service) => {
      const [ann, bob] = [await service.createUser(), await service.createUser()]
      const ids = await service.emit(red, { num: 2, to: ann })
      service.journal.clear()
      const app = appOf(service, ann)
      for (const id of ids) await perform(service, app, 'Transfer', id, { 'new.owner.id': bob.id })
      assert.equal(service.journal.count({ operation: 'performAction', user: ann, status: 200 }), 2)
    },
  ],
  [
    'a merchant redeems a coupon, once',
    async (service) => {
      const [ann, merchant] = [await service.createUser(), await service.createUser({ is_merchant: true })]
      const [id] = await service.emit(red, { to: ann })
      await perform(service, appOf(service, merchant), 'Redeem', id)
      assert.deepEqual(await inventory(appOf(service, merchant)), [id])
      await assert.rejects(perform(service, appOf(service, ann), 'Redeem', id), { kind: 'foreignVatom' })
    },
  ],
  [
    'a coupon that is out of date is not redeemed',
    async (service) => {
      const merchant = await service.createUser({ is_merchant: true })
      const [id] = await service.emit(red)
      service.clock.freeze('2031-01-01T00:00:00Z')
      await assert.rejects(perform(service, appOf(service, merchant), 'Redeem', id), { kind: 'redeemPeriod' })
    },
  ],
  [
    'a coupon is dropped on the map and picked up',
    async (service) => {
      const [ann, bob] = [await service.createUser(), await service.createUser()]
      const [id] = await service.emit(red, { to: ann })
      await perform(service, appOf(service, ann), 'Drop', id, { 'geo.pos': { Lat: 48.85, Lon: 2.35 } })
      await perform(service, appOf(service, bob), 'Pickup', id)
      assert.deepEqual(await inventory(appOf(service, bob)), [id])
    },
  ],
  [
    'the app copes with a service that is busy',
    async (service) => {
      const app = appOf(service, await service.createUser())
      // biome-ignore lint/suspicious/noThenProperty: the word of the format
      service.scenario.set([{ match: { operation: 'getInventory' }, times: 1, then: { status: 503 } }])
      await assert.rejects(inventory(app), { status: 503 })
      assert.deepEqual(await inventory(app), [])
    },
  ],
  [
    'the app copes with a connection that is closed',
    async (service) => {
      const app = appOf(service, await service.createUser())
      // biome-ignore lint/suspicious/noThenProperty: the word of the format
      service.scenario.set([{ match: { path: '/v1/user' }, times: 1, then: { drop: true } }])
      await assert.rejects(app.getProfile({}), UnreachableError)
    },
  ],
  [
    'data is brought back by a snapshot',
    async (service) => {
      const ann = await service.createUser()
      await service.emit(red, { to: ann })
      const before = await service.snapshot()
      await appOf(service, ann).trashVatom({ body: { 'this.id': (await inventory(ann.client))[0] } })
      assert.equal((await inventory(ann.client)).length, 0)
      await service.restore(before)
      assert.equal((await inventory(ann.client)).length, 1)
    },
  ],
  [
    'nothing of an earlier test is left',
    async (service) => {
      assert.deepEqual(await inventory(service.client), [])
      assert.equal(service.journal.count(), 1)
      assert.deepEqual(service.outbox.messages(), [])
    },
  ],
]
