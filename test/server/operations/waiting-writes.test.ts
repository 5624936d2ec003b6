import { expect, test } from 'vitest'
import { testService } from '../../support/service.ts'

test('the change of a user does not wait for all those that another sent before it', async () => {
  const { register } = await testService()
  const [eve, ann] = [await register('eve@example.com'), await register('ann@example.com')]
  const answered: string[] = []
  const rename = async (user: typeof eve, first_name: string) => {
    expect(await user.call('PATCH', '/v1/user', { body: { first_name } })).toMatchObject({ status: 200 })
    answered.push(first_name)
  }
  await rename(eve, 'first')
  await Promise.all([...Array.from({ length: 40 }, () => rename(eve, 'Eve')), rename(ann, 'Ann')])
  expect(answered.indexOf('Ann')).toBeLessThan(10)
})
