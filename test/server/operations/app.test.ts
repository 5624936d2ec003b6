import { describe, expect, test } from 'vitest'
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
