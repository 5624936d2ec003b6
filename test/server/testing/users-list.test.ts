import { expect, test } from 'vitest'
import { listening } from '../../support/worlds.ts'

test('GET /__vatom/users lists users: what they may do and own, without secrets', async () => {
  const { publisher, register, tool } = await listening()
  const ada = await register('ada@example.com')
  const list = (query = '') => tool('GET', `/__vatom/users${query}`)
  const { payload } = await list()
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
  expect((await list('?limit=1&page=2')).payload).toHaveLength(1)
  expect((await list('?limit=x')).body.error).toBe(516)
})
