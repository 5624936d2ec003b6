import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { Connection } from '../../../../src/server/store/query.ts'
import { action, folderType, owned, perform } from '../../../support/acting.ts'
import { type Caller, codeFor, emitted, made, outbox, testService, warningsOf } from '../../../support/service.ts'

const victim = { token: 'victim@example.com', token_type: 'email' }
const mine = { token: 'mine@example.com', token_type: 'email' }
const name = 'local.vatom::Coupon'
const guestId = 'b7f0c9b4-4d3c-4b39-8d6c-0d3f9f5f3a11'
const held = { status: 403, body: { error: 1015 } }

/** A user who says that addresses are theirs, and a vAtom that was sent to the first of them. */
async function claimed(...others: readonly { readonly token: string; readonly token_type: string }[]) {
  const opened = await testService()
  const { publisher, send, as, service } = opened
  const { payload } = await send('POST', '/v1/users', { body: { password: 'x', user_tokens: [victim, ...others] } })
  const claimant = as(payload.user.id, payload.access_token.token)
  const [id = '', further = ''] = await emitted(publisher, name, 2, {
    transferable: true,
    redeemable: true,
    commerce: {},
    root_type: folderType,
  })
  for (const one of ['Transfer', 'Clone', 'Drop', 'Redeem', 'Combine']) await action(publisher, name, one)
  const login = async (key: object, password?: string) => {
    const auth_data = password === undefined ? undefined : { password }
    const { status, body, payload } = await send('POST', '/v1/user/login', { body: { ...key, auth_data } })
    return { status, body, caller: as(payload?.user.id, payload?.access_token.token) }
  }
  /** Signs in with the pin that is sent to an address. */
  const recover = async (key: { readonly token: string }) => {
    await send('POST', '/v1/user/reset_token', { body: key })
    return await login(key, await codeFor(service, key.token))
  }
  const give = () => perform(publisher, 'Transfer', id, { 'new.owner.email': victim.token })
  const verify = async (caller: Caller, key: { readonly token: string }) =>
    caller.call('POST', '/v1/user/verify_token', { body: { ...key, verify_code: await codeFor(service, key.token) } })
  return { ...opened, claimant, id, further, login, recover, give, verify, refresh: payload.refresh_token.token }
}

const dropped = (id: string) =>
  ['/v1/user/vatom/action/Drop', { 'this.id': id, 'geo.pos': { lat: 1, lon: 2 } }] as const
const away = { 'new.owner.email': 'publisher@local.vatom' }

describe('what is sent to an address that is not verified', () => {
  test('is seen by who says that it is theirs, who cannot take it away until they verify it', async () => {
    const { claimant, id, further, give, verify, publisher } = await claimed()
    const given = await give()
    expect([given.status, ...warningsOf(given)]).toEqual([
      200,
      {
        code: 'held',
        path: 'new.owner.email',
        message: 'victim@example.com is not verified: its user cannot use the vAtom until it is',
        about: id,
      },
    ])
    await made(publisher, [
      'POST',
      '/v1/user/vatom/action/Transfer',
      { 'this.id': further, 'new.owner.id': claimant.id },
    ])
    expect(await owned(claimant)).toEqual([id, further].sort())
    const attempts = async () => [
      await perform(claimant, 'Transfer', id, away),
      await perform(claimant, 'Redeem', id),
      await perform(claimant, 'Drop', id, { 'geo.pos': { lat: 1, lon: 2 } }),
      await claimant.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': id } }),
    ]
    for (const answer of await attempts()) expect(answer).toMatchObject(held)
    expect(await owned(claimant)).toEqual([id, further].sort())
    expect(await verify(claimant, victim)).toMatchObject({ status: 200 })
    expect(await perform(claimant, 'Transfer', id, away)).toMatchObject({ status: 200 })
  })

  test('cannot be put into a folder, which somebody else could pick up with it, until it is verified', async () => {
    const { claimant, id, further, give, verify, publisher, register } = await claimed()
    await give()
    await action(publisher, name, 'Pickup')
    await made(publisher, [
      'POST',
      '/v1/user/vatom/action/Transfer',
      { 'this.id': further, 'new.owner.id': claimant.id },
    ])
    const move = async (parent_id: string) =>
      (await claimant.call('PATCH', '/v1/vatoms', { body: { ids: [id], parent_id } })).payload
    const why = 'the vAtom was sent to victim@example.com: verify that address first'
    for (const isDropped of [false, true]) {
      if (isDropped) await made(claimant, ['POST', ...dropped(further)])
      expect(await move(further)).toEqual({ num_updated: 0, num_errors: 1, error_messages: { [id]: why }, ids: [] })
      expect(await perform(claimant, 'Combine', further, { 'child.id': id })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(why) },
      })
    }
    const accomplice = await register('accomplice@example.com')
    expect(await perform(accomplice, 'Pickup', further)).toMatchObject({ status: 200 })
    expect([await owned(accomplice), await owned(claimant)]).toEqual([[further], [id]])
    expect(await move('.')).toMatchObject({ num_updated: 1 })
    await verify(claimant, victim)
    const [other = ''] = await emitted(publisher, 'local.vatom::Box', 1, { root_type: folderType, transferable: true })
    await action(publisher, 'local.vatom::Box', 'Transfer')
    await perform(publisher, 'Transfer', other, { 'new.owner.id': claimant.id })
    expect(await move(other)).toMatchObject({ num_updated: 1, num_errors: 0 })
  })

  test('is refused where more is held already than others can wait for, and nothing is put into it', async () => {
    const { claimant, id, further, give, verify, publisher } = await claimed()
    const [own = ''] = await emitted(publisher, 'local.vatom::Own', 1, { transferable: true })
    await action(publisher, 'local.vatom::Own', 'Transfer')
    await perform(publisher, 'Transfer', own, { 'new.owner.id': claimant.id })
    await give()
    const move = async () =>
      (await claimant.call('PATCH', '/v1/vatoms', { body: { ids: [own], parent_id: id } })).payload
    expect((await move()).error_messages[own]).toContain('verify that address first')
    const most = vi.spyOn<{ held: number }, 'held'>(limits, 'held', 'get').mockReturnValue(1)
    onTestFinished(() => most.mockRestore())
    const send = () => perform(publisher, 'Transfer', further, { 'new.owner.email': victim.token })
    expect(await send()).toMatchObject({
      status: 400,
      body: {
        issues: [{ path: 'new.owner.email', message: expect.stringContaining('more than 1 vAtoms would be held') }],
      },
    })
    expect([await owned(publisher), await owned(claimant)]).toEqual([[further], [id, own].sort()])
    await verify(claimant, victim)
    expect((await move()).num_updated).toBe(1)
    expect(await send()).toMatchObject({ status: 200 })
  })

  test('is looked for in a folder no further than a change may go; only a change of more is refused for that', async () => {
    const { claimant, further: box, give, publisher } = await claimed()
    await give()
    for (const one of ['Activate', 'Split']) await action(publisher, name, one)
    const inside = await emitted(publisher, 'local.vatom::Thing', 100, { transferable: true })
    await made(
      publisher,
      ['PATCH', '/v1/vatoms', { ids: inside, parent_id: box }],
      ['POST', '/v1/user/vatom/action/Transfer', { 'this.id': box, 'new.owner.id': claimant.id }],
    )
    const contents = vi.spyOn<{ contents: number }, 'contents'>(limits, 'contents', 'get').mockReturnValue(25)
    onTestFinished(() => contents.mockRestore())
    const first = vi.spyOn(Connection.prototype, 'first')
    const refused = await perform(claimant, 'Drop', box, { 'geo.pos': { lat: 1, lon: 2 } })
    const read = first.mock.calls.length
    first.mockRestore()
    expect(refused.body.message).toContain('vAtoms are in what is to be changed')
    expect(read).toBeLessThan(inside.length)
    expect(await perform(claimant, 'Activate', box)).toMatchObject({ status: 200 })
    expect(await perform(claimant, 'Split', box, { 'child.id': inside[0] })).toMatchObject({ status: 200 })
  })

  test('is not taken by somebody else who may acquire it, or the folder it is in, and who does not learn the address', async () => {
    const { publisher, claimant, register, verify } = await claimed()
    const template = 'local.vatom::Open'
    const [box = '', inside = ''] = await emitted(publisher, template, 2, {
      transferable: true,
      acquirable: true,
      root_type: folderType,
      visibility: { type: 'public', value: '*' },
    })
    for (const one of ['Transfer', 'Acquire', 'Dispense']) await action(publisher, template, one)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [inside], parent_id: box }])
    expect(await perform(publisher, 'Transfer', box, { 'new.owner.email': victim.token })).toMatchObject({
      status: 200,
    })
    const accomplice = await register('accomplice@example.com')
    for (const [name, id] of [
      ['Acquire', box],
      ['Acquire', inside],
      ['Dispense', box],
    ] as const) {
      const answer = await perform(accomplice, name, id)
      expect(answer).toMatchObject({ status: 400, body: { error: 1708 } })
      expect(answer.text).toContain('was sent to an address that is not verified')
      expect(answer.text).not.toContain(victim.token)
    }
    expect([await owned(accomplice), await owned(claimant)]).toEqual([[], [box, inside].sort()])
    await verify(claimant, victim)
    expect(await perform(accomplice, 'Acquire', box)).toMatchObject({ status: 200 })
  })

  test('is the true holder’s, who recovers the account by a pin and is alone in it', async () => {
    const { claimant, id, give, recover, login, send, refresh } = await claimed({
      token: guestId,
      token_type: 'guest_id',
    })
    await give()
    const { caller } = await recover(victim)
    expect(caller.id).toBe(claimant.id)
    expect(await claimant.call('GET', '/v1/user')).toMatchObject({ status: 403 })
    expect(await send('POST', '/v1/access_token', { headers: { authentication: refresh } })).toMatchObject({
      status: 403,
    })
    expect(await login({ token: guestId, token_type: 'guest_id' })).toMatchObject({ status: 403 })
    expect(await login(victim, 'x')).toMatchObject({ status: 403 })
    expect((await caller.call('GET', '/v1/user')).payload.properties.guest_id).toBe('')
    expect(await perform(caller, 'Transfer', id, away)).toMatchObject({ status: 200 })
  })

  test('is not lost by a new password of who claims it, nor by pins for their other address', async () => {
    const { claimant, send, service, login, recover } = await claimed(mine)
    await send('POST', '/v1/user/reset_token', { body: mine })
    const early = await codeFor(service, mine.token)
    await send('POST', '/v1/user/reset_token', { body: victim })
    await made(claimant, ['PATCH', '/v1/user', { password: 'again' }])
    const { status, caller } = await login(victim, await codeFor(service, victim.token))
    expect([status, caller.id]).toEqual([200, claimant.id])
    expect(await login(victim, 'again')).toMatchObject({ status: 403 })
    expect((await login(mine, early)).caller.id).not.toBe(claimant.id)
    expect((await recover(mine)).caller.id).not.toBe(claimant.id)
    expect(await caller.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('goes with the address to its holder, where the account is somebody else’s by another address', async () => {
    const { claimant, id, give, recover, verify, login } = await claimed(mine)
    await verify(claimant, mine)
    await give()
    expect(await perform(claimant, 'Transfer', id, away)).toMatchObject(held)
    const { caller } = await recover(victim)
    expect(caller.id).not.toBe(claimant.id)
    expect([await owned(caller), await owned(claimant)]).toEqual([[id], []])
    const { payload } = await claimant.call('GET', '/v1/user/tokens')
    expect(payload).toMatchObject([{ properties: { token: mine.token, is_default: true } }])
    expect(await login(mine, 'x')).toMatchObject({ status: 200 })
    expect(await perform(caller, 'Transfer', id, away)).toMatchObject({ status: 200 })
  })

  test.each(['removes the address', 'deletes the account'])(
    'waits for the holder when who claims it %s',
    async (what) => {
      const { claimant, id, give, recover, verify, service } = await claimed(mine)
      await give()
      if (what === 'deletes the account') await made(claimant, ['DELETE', '/v1/user'])
      else {
        await verify(claimant, mine)
        const { payload } = await claimant.call('GET', '/v1/user/tokens')
        await made(claimant, ['PUT', `/v1/user/tokens/${payload[1].id}/default`])
        await made(claimant, ['DELETE', `/v1/user/tokens/${payload[0].id}`])
        expect(await owned(claimant)).toEqual([])
      }
      expect((await outbox(service)).at(-1)).toMatchObject({ to: victim.token, kind: 'guest_id' })
      const { caller } = await recover(victim)
      expect(await owned(caller)).toEqual([id])
    },
  )

  test('a clone is held likewise, and what was sent by id is not', async () => {
    const { claimant, further, publisher } = await claimed()
    const [id = ''] = await emitted(publisher, 'local.vatom::Free', 1, { transferable: true })
    await action(publisher, 'local.vatom::Free', 'Transfer')
    expect(await perform(publisher, 'Clone', further, { 'new.owner.email': victim.token })).toMatchObject({
      status: 400,
    })
    await perform(publisher, 'Transfer', id, { 'new.owner.id': claimant.id })
    expect(await perform(claimant, 'Transfer', id, away)).toMatchObject({ status: 200 })
  })

  test('is at once theirs for whom the service made a guest, who alone was sent the guest id', async () => {
    const { publisher, service, login } = await testServiceWithGuests()
    const [id = '', second = ''] = await emitted(publisher, 'local.vatom::Gift', 2, { transferable: true })
    await action(publisher, 'local.vatom::Gift', 'Transfer', {
      guest_user: true,
      config: { auto_create_non_existing_recipient: true },
    })
    for (const one of [id, second]) await perform(publisher, 'Transfer', one, { 'new.owner.email': 'new@example.com' })
    const sent = (await outbox(service)).find(({ kind }) => kind === 'guest_id')
    const guest = await login({ token: sent?.code, token_type: 'guest_id' })
    for (const one of [id, second]) expect(await perform(guest, 'Transfer', one, away)).toMatchObject({ status: 200 })
  })
})

async function testServiceWithGuests() {
  const opened = await testService()
  const login = async (key: object) => {
    const { payload } = await opened.send('POST', '/v1/user/login', { body: key })
    return opened.as(payload.user.id, payload.access_token.token)
  }
  return { ...opened, login }
}

test('a new password ends all other sessions, and not the one that sets it', async () => {
  const { claimant, login } = await claimed()
  const { caller } = await login(victim, 'x')
  await made(caller, ['PATCH', '/v1/user', { first_name: 'Ann' }])
  expect(await claimant.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  await made(caller, ['PATCH', '/v1/user', { password: 'y' }])
  expect(await claimant.call('GET', '/v1/user')).toMatchObject({ status: 403 })
  expect(await caller.call('GET', '/v1/user')).toMatchObject({ status: 200 })
})

test('by id, a pin goes to the default address only if that is verified or none is', async () => {
  const { claimant, verify, service } = await claimed(mine)
  const sentTo = async () => {
    await made(claimant, ['POST', `/v1/users/${claimant.id}/reset_token`])
    return (await outbox(service)).at(-1)?.to
  }
  expect(await sentTo()).toBe(victim.token)
  await verify(claimant, mine)
  expect(await sentTo()).toBe(mine.token)
})
