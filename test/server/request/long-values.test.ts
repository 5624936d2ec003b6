import { expect, test } from 'vitest'
import { testService } from '../../support/service.ts'

const long = 'x'.repeat(900_000)

test.each([
  ['token type at a login', 'POST', '/v1/user/login', { token: 'a', token_type: long }],
  ['address at a login', 'POST', '/v1/user/login', { token: long, token_type: 'email' }],
  [
    'address of a new user',
    'POST',
    '/v1/users',
    { password: 'a', user_tokens: [{ token: long, token_type: 'email' }] },
  ],
  ['name of a field', 'POST', '/v1/user/login', { token: 'a', token_type: 'email', [long]: 1 }],
  ['place of a field', 'POST', '/v1/user/login', { token: 'a', token_type: 'email', auth_data: { [long]: { x: 1 } } }],
  ['body that is no JSON', 'POST', '/v1/user/login', long],
])('a refusal repeats only the beginning of a long %s', async (_, method, path, body) => {
  const { send } = await testService()
  const { status, body: answer } = await send(method, path, { body })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(answer).length).toBeLessThan(10_000)
})
