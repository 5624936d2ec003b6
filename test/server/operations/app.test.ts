import { describe, expect, test } from 'vitest'
import { notOffered } from '../../../src/contract/api/not-offered.ts'
import { template } from '../../fixtures/bodies.ts'
import { grant } from '../../support/acting.ts'
import { doors, emitted, made, testService } from '../../support/service.ts'

/** What clients call beside the documented operations. */
describe.each(doors)('%s', (door) => {
  test('an app asks which versions are supported, before anybody signs in', async () => {
    const { send } = await testService({}, door)
    expect((await send('GET', '/v1/general/app/version')).payload).toEqual({
      supported_version: '0.0.0',
      update_url: '',
      update_text: '',
    })
  })

  test('a publisher lists the one application that the service has', async () => {
    const { publisher, register } = await testService({ appId: 'shop' }, door)
    const { status, payload, headers } = await publisher.call('GET', '/v1/publisher/apps')
    expect([status, payload]).toEqual([
      200,
      [{ id: 'shop', name: 'shop', FQDN: 'local.vatom', client_secret: '', redirect_uris: [] }],
    ])
    expect(headers['vatom-assumed']).toMatch(/there is one/)
    const bob = await register('bob@example.com')
    expect(await bob.call('GET', '/v1/publisher/apps')).toMatchObject({ status: 403, body: { error: 9001 } })
  })

  test('the action Balance on a wallet says what the publisher can still spend', async () => {
    const { publisher, register } = await testService({ balance: 1000 }, door)
    const balance = async (caller: typeof publisher, wallet: string) => {
      const body = { 'this.id': wallet, 'coin.name': 'vee' }
      return await caller.call('POST', '/v1/user/vatom/action/Balance', { body })
    }
    const walletOf = async (caller: typeof publisher) => (await caller.call('GET', '/v1/user/wallet')).payload.id
    const wallet = await walletOf(publisher)
    expect(JSON.parse((await balance(publisher, wallet)).payload.main.output)).toEqual({ 'coin.numCoins': 1000 })
    const eth = { network: 'mainnet', fields: { a: { type: 'uint', value: 1 } } }
    await made(publisher, ['POST', '/v1/templates', template({ eth })])
    expect(JSON.parse((await balance(publisher, wallet)).payload.main.output)).toEqual({ 'coin.numCoins': 890 })
    const bob = await register('bob@example.com')
    expect(JSON.parse((await balance(bob, await walletOf(bob))).payload.main.output)).toEqual({ 'coin.numCoins': 0 })
    expect(await balance(bob, wallet)).toMatchObject({ status: 404, body: { error: 1701 } })
  })

  test.each(notOffered)('$method $path is known and not offered', async ({ method, path, subject }) => {
    const { publisher, send } = await testService({}, door)
    const doubled = path.replace(/:\w+/, 'local.vatom::Coupon::v1::Red').replace('/v1', '//v1')
    for (const { status, body } of [await publisher.call(method, doubled), await send(method, doubled)]) {
      expect([status, body.error]).toEqual([501, 9019])
      expect(body.message).toBe(`${method} ${path} is known, and this service does not offer it: ${subject}`)
      expect(body).not.toHaveProperty('payload')
    }
  })

  test('what nobody knows is no operation', async () => {
    const { publisher } = await testService({}, door)
    for (const [method, path] of [
      ['GET', '/v1/brains'],
      ['DELETE', '/v1/captcha'],
      ['GET', '/v1/captcha/1'],
    ] as const)
      expect(await publisher.call(method, path)).toMatchObject({ status: 404, body: { error: 9000 } })
  })

  test('with --strict-spec wallets and applications are refused like all that the specification does not name', async () => {
    const { publisher } = await testService({ strictSpec: true }, door)
    for (const path of ['/v1/user/wallet', '/v1/publisher/apps'])
      expect(await publisher.call('GET', path)).toMatchObject({ status: 501, body: { error: 9015 } })
  })

  test('nobody has an account on a chain', async () => {
    const { publisher } = await testService({}, door)
    expect((await publisher.call('GET', '/v1/user/accounts')).payload).toEqual([])
  })

  test.each([
    [{ on: true }, 'on'],
    [{ on: false }, 'off'],
    [{}, 'on'],
  ])('push notifications are confirmed: %j', async (fields, state) => {
    const { publisher } = await testService({}, door)
    const body = { fcm_token: 'x', platform_id: 'ios', more: 1, ...fields }
    const { status, headers, payload } = await publisher.call('POST', '/v1/user/pushnotification', { body })
    expect([status, payload]).toEqual([
      200,
      { success_message: `Push notifications are ${state}; this service sends none.` },
    ])
    expect(headers).toMatchObject({ 'vatom-assumed': expect.stringMatching(/not stored/), 'vatom-ignored': 'more' })
  })

  test('a merchant asks an owner to redeem a vAtom: the owner gets a message and keeps it', async () => {
    const { publisher, service, register } = await testService({}, door)
    const merchant = await register('merchant@example.com')
    await grant(service, merchant, { is_merchant: true })
    const type = { title: 'Coffee', redeemable: true, commerce: {} }
    const [id = ''] = await emitted(publisher, 'local.vatom::Coffee', 1, type)
    await made(merchant, ['POST', '/v1/user/vatom/request/redemption', { object_id: id }])
    const { threads } = await made(publisher, ['POST', '/v1/activity/mythreads', {}])
    expect(threads).toMatchObject([
      {
        name: `${publisher.id}:${merchant.id}`,
        last_message: {
          msg: '<b>Somebody</b> asks you to redeem your <b>Coffee</b> vAtom.',
          action_name: 'Request Redemption',
          vatoms: [id],
          templ_vars: ['local.vatom::Coffee::V'],
          triggered_by: merchant.id,
        },
      },
    ])
    expect(await made(merchant, ['POST', '/v1/activity/mythreads', {}])).toMatchObject({ threads: [] })
    const { payload } = await publisher.call('GET', `/v1/vatoms/${id}`)
    expect(payload).toMatchObject({ sync: 1, 'vAtom::vAtomType': { owner: publisher.id } })
  })

  test('a trashed vAtom cannot be redeemed', async () => {
    const { publisher, service, register } = await testService({}, door)
    const merchant = await register('merchant@example.com')
    await grant(service, merchant, { is_merchant: true })
    const [id] = await emitted(publisher, 'local.vatom::Coffee', 1, { redeemable: true, commerce: {} })
    await made(publisher, ['POST', '/v1/user/vatom/trash', { 'this.id': id }])
    const body = { object_id: id }
    expect(await merchant.call('POST', '/v1/user/vatom/request/redemption', { body })).toMatchObject({
      status: 404,
      body: { error: 1701 },
    })
  })
})
