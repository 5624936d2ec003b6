import { expect, test } from 'vitest'
import type { Service } from '../../src/server/service.ts'
import { newDatabase } from '../support/folders.ts'
import { codeFor, made, send, testService } from '../support/service.ts'
import { listening } from '../support/worlds.ts'

const tea = { fqdn: 'tea.example', email: 'me@tea.example' }
const acme = { fqdn: 'acme.example', email: 'publisher@acme.example' }
const own = 'own@acme.example'

type World = Awaited<ReturnType<typeof testService>>

async function statusOfLogin(service: Service, token: string): Promise<number> {
  const body = { token, token_type: 'email', auth_data: { password: 'vatom-local' } }
  return (await send(service, 'POST', '/v1/user/login', { body })).status
}

const phone = '+41791234567'

/** Gives the publisher an address of its own, with which it signs in by default. */
async function addOwn({ service, publisher }: World, token = own, token_type = 'email'): Promise<void> {
  const key = { token, token_type }
  const { id } = await made(publisher, ['POST', '/v1/user/tokens', key])
  const verify_code = await codeFor(service, token)
  await made(
    publisher,
    ['POST', '/v1/user/verify_token', { ...key, verify_code }],
    ['PUT', `/v1/user/tokens/${id}/default`],
  )
}

/** Removes an address of the publisher's. */
async function remove({ publisher }: World, address: string): Promise<void> {
  const tokens: { id: string; properties: { token: string } }[] = await made(publisher, ['GET', '/v1/user/tokens'])
  const id = tokens.find(({ properties: { token } }) => token === address)?.id
  await made(publisher, ['DELETE', `/v1/user/tokens/${id}`])
}

test('a publisher that is named again keeps the address that it was given last', async () => {
  const db = newDatabase()
  const first = await testService({ db, publishers: [tea.fqdn], email: tea.email })
  await first.service.close()
  const { service } = await testService({ db, publishers: [tea.fqdn, acme.fqdn] })
  expect(service.publishers).toEqual([tea, acme])
  expect(await statusOfLogin(service, tea.email)).toBe(200)
})

test.each([
  ['nobody names', []],
  ['is named', [acme.fqdn]],
])(
  'a publisher that %s is served with its own address where the one it was given is somebody else’s',
  async (_, publishers) => {
    const db = newDatabase()
    const world = await testService({ db, publishers: [acme.fqdn] })
    await addOwn(world)
    await remove(world, acme.email)
    const somebody = await world.register(acme.email)
    await world.service.close()
    const { service, publisher } = await testService({ db, publishers })
    expect(service.publisher).toMatchObject({ id: publisher.id, fqdn: acme.fqdn, email: own })
    expect(service.publishers).toEqual([{ fqdn: acme.fqdn, email: own }])
    expect(publisher.id).not.toBe(somebody.id)
    expect(await statusOfLogin(service, own)).toBe(200)
    expect(await statusOfLogin(service, acme.email)).toBe(403)
    await service.close()
    // Its own address was not given to it, so that another one does not take its place.
    const renamed = await testService({ db, publishers, email: tea.email })
    expect(renamed.service.publisher.email).toBe(tea.email)
    for (const address of [own, tea.email]) expect(await statusOfLogin(renamed.service, address)).toBe(200)
    await renamed.service.close()
    await expect(testService({ db, publishers, email: acme.email })).rejects.toMatchObject({ code: 'email_taken' })
  },
)

test('a publisher with a phone number alone gets another address of its name where the first is somebody else’s', async () => {
  const db = newDatabase()
  const world = await testService({ db, publishers: [acme.fqdn] })
  await addOwn(world, phone, 'phone_number')
  await remove(world, acme.email)
  await world.register(acme.email)
  await world.service.close()
  for (const publishers of [[], [tea.fqdn, acme.fqdn], [acme.fqdn]]) {
    const { service } = await testService({ db, publishers })
    expect(service.publishers).toContainEqual({ fqdn: acme.fqdn, email: 'publisher2@acme.example' })
    expect(await statusOfLogin(service, 'publisher2@acme.example')).toBe(200)
    expect(await statusOfLogin(service, acme.email)).toBe(403)
    await service.close()
  }
  await expect(testService({ db, publishers: [acme.fqdn], email: acme.email })).rejects.toMatchObject({
    code: 'email_taken',
    message: expect.stringContaining(acme.fqdn),
  })
})

test('a new publisher is refused where the first address of its name is somebody else’s', async () => {
  const db = newDatabase()
  const world = await testService({ db, publishers: [tea.fqdn] })
  await world.register(acme.email)
  await world.service.close()
  for (const publishers of [[acme.fqdn], [tea.fqdn, acme.fqdn]])
    await expect(testService({ db, publishers })).rejects.toMatchObject({ code: 'email_taken' })
})

test('a publisher that gets another name keeps its address', async () => {
  const db = newDatabase()
  const { service, publisher, tool } = await listening({ db, publishers: [tea.fqdn], email: tea.email })
  const { status } = await tool('PATCH', `/__vatom/users/${publisher.id}`, { pub_fqdn: 'other.example' })
  expect(status).toBe(200)
  await service.close()
  const again = await testService({ db, publishers: [] })
  expect(again.service.publishers).toEqual([{ fqdn: 'other.example', email: tea.email }])
  expect(await statusOfLogin(again.service, tea.email)).toBe(200)
  expect(await statusOfLogin(again.service, 'publisher@other.example')).toBe(403)
  await again.service.close()
  const former = await testService({ db, publishers: [tea.fqdn] })
  expect(former.service.publishers).toEqual([{ fqdn: tea.fqdn, email: 'publisher@tea.example' }])
  expect(await statusOfLogin(former.service, tea.email)).toBe(200)
})

test('an address of its own that is named once stays the one of the publisher', async () => {
  const db = newDatabase()
  const world = await testService({ db, publishers: [acme.fqdn] })
  await addOwn(world)
  await world.service.close()
  for (const [email, stated] of [
    [undefined, acme.email],
    [own, own],
    [undefined, own],
  ]) {
    const { service } = await testService({ db, publishers: [acme.fqdn], ...(email && { email }) })
    expect(service.publisher.email).toBe(stated)
    for (const address of [own, acme.email]) expect(await statusOfLogin(service, address)).toBe(200)
    await service.close()
  }
})

test('a publisher becomes as new with the address that is stated for it', async () => {
  const db = newDatabase()
  const world = await testService({ db, publishers: [acme.fqdn] })
  await addOwn(world)
  await world.service.close()
  const { service } = await testService({ db, publishers: [acme.fqdn], email: tea.email })
  await service.reset()
  expect(await statusOfLogin(service, service.publisher.email)).toBe(200)
  for (const address of [own, acme.email]) expect(await statusOfLogin(service, address)).toBe(403)
  await service.close()
  const again = await testService({ db })
  expect(again.service.publishers).toEqual([{ fqdn: acme.fqdn, email: tea.email }])
})

test('the first publisher is the one that was made first, whatever the clock said', async () => {
  const db = newDatabase()
  await (await testService({ db, publishers: [acme.fqdn] })).service.close()
  const early = () => new Date('2020-01-01T00:00:00Z')
  await (await testService({ db, publishers: [tea.fqdn], clock: early })).service.close()
  const { service } = await testService({ db })
  expect(service.publishers.map(({ fqdn }) => fqdn)).toEqual([acme.fqdn, tea.fqdn])
  await service.reset()
  await service.close()
  const again = await testService({ db })
  expect(again.service.publisher.fqdn).toBe(acme.fqdn)
})
