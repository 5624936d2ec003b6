import { expect, test } from 'vitest'
import { newDatabase } from '../support/folders.ts'
import { codeFor, made, testService } from '../support/service.ts'

const tea = { fqdn: 'tea.example', email: 'me@tea.example' }
const acme = { fqdn: 'acme.example', email: 'publisher@acme.example' }

test('a publisher that is named again keeps the address that it was given last', async () => {
  const db = newDatabase()
  const first = await testService({ db, publishers: [tea.fqdn], email: tea.email })
  await first.service.close()
  const { service } = await testService({ db, publishers: [tea.fqdn, acme.fqdn] })
  expect(service.publishers).toEqual([tea, acme])
  const login = { token: tea.email, token_type: 'email', auth_data: { password: 'vatom-local' } }
  const { status } = await service.inject({
    method: 'POST',
    path: '/v1/user/login',
    headers: { 'app-id': service.appId },
    body: JSON.stringify(login),
  })
  expect(status).toBe(200)
})

test('a publisher that nobody names is served also where its address is somebody else’s by now', async () => {
  const db = newDatabase()
  const { service, publisher, register } = await testService({ db, publishers: [acme.fqdn] })
  const own = { token: 'own@acme.example', token_type: 'email' }
  await made(publisher, ['POST', '/v1/user/tokens', own])
  const verify_code = await codeFor(service, own.token)
  await made(publisher, ['POST', '/v1/user/verify_token', { ...own, verify_code }])
  const tokens: { id: string; properties: { token: string } }[] = await made(publisher, ['GET', '/v1/user/tokens'])
  const idOf = (address: string) => tokens.find(({ properties: { token } }) => token === address)?.id
  await made(
    publisher,
    ['PUT', `/v1/user/tokens/${idOf(own.token)}/default`],
    ['DELETE', `/v1/user/tokens/${idOf(acme.email)}`],
  )
  const somebody = await register(acme.email)
  await service.close()
  const again = await testService({ db, publishers: [] })
  expect(again.service.publisher).toMatchObject({ id: publisher.id, fqdn: acme.fqdn })
  expect(again.publisher.id).not.toBe(somebody.id)
  await again.service.close()
  await expect(testService({ db, publishers: [acme.fqdn] })).rejects.toMatchObject({ code: 'email_taken' })
})
