import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { newUser } from '../../../src/server/domain/users/user.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'

test('of too many places those that failed longest ago are forgotten, however often others failed', async () => {
  vi.spyOn<{ loginPlaces: number }, 'loginPlaces'>(limits, 'loginPlaces', 'get').mockReturnValue(2)
  onTestFinished(() => void vi.restoreAllMocks())
  const store = await openStore(newDatabase())
  onTestFinished(() => store.close())
  await store.write(() => store.users.insert({ ...newUser({ store, now: new Date() }), id: 'ann' }))
  const fail = (place: string, attempts: number) =>
    store.write(() => store.loginFailures.put({ user_id: 'ann', place, attempts, locked_until: 0 }))
  const known = () => ['a', 'b', 'c'].filter((place) => store.loginFailures.find({ user_id: 'ann', place }))
  await fail('a', 1)
  for (const attempts of [1, 2, 3, 4]) await fail('b', attempts)
  expect(known()).toEqual(['a', 'b'])
  await fail('c', 1)
  expect(known()).toEqual(['b', 'c'])
})
