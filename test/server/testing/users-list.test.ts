import { expect, test } from 'vitest'
import { testService } from '../../support/service.ts'

test('GET /__vatom/users lists users: what they may do and own, without secrets', async () => {
  const { service, publisher, register } = await testService()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const ada = await register('ada@example.com')
  const list = async (query = '') => (await fetch(`${baseUrl}/__vatom/users${query}`)).json()
  const { payload } = Object(await list())
  expect(payload).toEqual([
    {
      id: publisher.id,
      token: 'publisher@local.vatom',
      token_type: 'email',
      name: '',
      pub_fqdn: 'local.vatom',
      is_admin: true,
      is_merchant: false,
      activated: true,
      vatoms: 0,
    },
    expect.objectContaining({ id: ada.id, token: 'ada@example.com', is_admin: false, vatoms: 0 }),
  ])
  expect(Object.keys(payload[1]).join()).not.toMatch(/password|code|session/)
  expect(Object(await list('?limit=1&page=2')).payload).toHaveLength(1)
  expect(Object(await list('?limit=x')).error).toBe(516)
})
