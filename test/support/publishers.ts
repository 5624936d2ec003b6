import { type doors, testService } from './service.ts'

/** A service with two publishers: the seeded one, another that is signed in, and a user who is none. */
export async function twoPublishers(options: Parameters<typeof testService>[0] = {}, door?: (typeof doors)[number]) {
  const world = await testService({ publishers: ['local.vatom', 'other.example'], ...options }, door)
  const session = await world.send('POST', '/v1/user/login', {
    body: { token: 'publisher@other.example', token_type: 'email', auth_data: { password: 'vatom-local' } },
  })
  const other = world.as(session.payload.user.id, session.payload.access_token.token)
  return { ...world, other, bob: await world.register('bob@example.com') }
}
