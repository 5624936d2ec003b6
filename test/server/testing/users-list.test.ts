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
      seeded: true,
      vatoms: 0,
    },
    expect.objectContaining({ id: ada.id, token: 'ada@example.com', is_admin: false, seeded: false, vatoms: 0 }),
  ])
  expect(Object.keys(payload[1]).join()).not.toMatch(/password|code|session/)
  expect((await list('?limit=1&page=2')).payload).toHaveLength(1)
  expect((await list('?limit=x')).body.error).toBe(516)
})

test('users are searched by words of their addresses, names, ids and publishers in any case, page by page, and counted', async () => {
  const { publisher, service, tool } = await listening()
  const { makeUser } = await service.testControls()
  const make = async (first_name: string, ...tokens: string[]) => {
    const user_tokens = tokens.map((token) => ({ token_type: 'email' as const, token }))
    return (await makeUser({ first_name, last_name: 'Kaya', user_tokens })).user.id
  }
  const ada = await make('Ada', 'ada@example.com', 'second@example.org')
  const omer = await make('Ömer', 'omer@example.com')
  const found = async (search: string, more = '') => {
    const query = `?search=${encodeURIComponent(search)}`
    const { payload } = await tool('GET', `/__vatom/users${query}${more}`)
    const counted = await tool('GET', `/__vatom/users/count${query}`)
    return [payload.map(({ id }: { id: string }) => id), counted.payload.count]
  }
  expect(await found('kaya')).toEqual([[omer, ada], 2])
  expect(await found('kaya', '&limit=1&page=2')).toEqual([[ada], 2])
  expect(await found('kaya', '&limit=1&page=3')).toEqual([[], 2])
  expect(await found('SECOND@')).toEqual([[ada], 1])
  expect(await found('öMER kaya')).toEqual([[omer], 1])
  expect(await found('ada omer')).toEqual([[], 0])
  expect(await found(omer.slice(3))).toEqual([[omer], 1])
  expect(await found('local.vatom')).toEqual([[publisher.id], 1])
  expect(await found(' ')).toEqual([[publisher.id, omer, ada], 3])
  // Not what the record calls its fields, nor what a pattern would match.
  for (const none of ['first_name', '%', 'true']) expect(await found(none)).toEqual([[], 0])
  for (const query of [`search=${'x'.repeat(201)}`, 'name=ada'])
    expect((await tool('GET', `/__vatom/users/count?${query}`)).body.error).toBe(516)
})

test('a search of hundreds of users is in steps, and finds those of each', async () => {
  const { service, tool } = await listening()
  const { makeUser } = await service.testControls()
  for (let n = 0; n < 501; n++) await makeUser({ last_name: n % 250 === 0 ? 'Rare' : 'Common' })
  expect((await tool('GET', '/__vatom/users/count?search=rare')).payload).toEqual({ count: 3 })
  expect((await tool('GET', '/__vatom/users?search=rare&limit=2&page=2')).payload).toHaveLength(1)
  expect((await tool('GET', '/__vatom/users/count')).payload).toEqual({ count: 502 })
})
