import { describe, expect, test } from 'vitest'
import { publisher } from '../../support/vatom.ts'

const service = async () => {
  const desk = await publisher()
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  return { ...desk, place: ['--base-url', baseUrl, '--app-id', 'local', '--context', 'dev'] }
}
const secret = 'a-secret-of-mine'
const again = { 'The password again': secret }

describe('on a terminal, a secret for standard input is asked for, ends with Enter, and is not shown', () => {
  test('a new password, typed twice', async () => {
    const { run, place } = await service()
    const answers = { 'New password': secret, ...again }
    const set = await run(['profile', 'set', '--password-stdin'], { tty: true, answers })
    expect(set).toMatchObject({ code: 0, out: expect.stringContaining('password: changed') })
    expect(set.err).not.toContain(secret)
    expect(set.err).toMatch(/your other sessions, such as that of a pipeline,\shave ended/)
    const email = ['--email', 'publisher@local.vatom', '--password-stdin']
    const login = await run(['login', ...place, ...email], { tty: true, answers: { Password: secret } })
    expect(login).toMatchObject({ code: 0, err: expect.not.stringContaining(secret) })
  })
  test('the password of a new user', async () => {
    const { run } = await publisher()
    const registered = await run(['user', 'register', '--email', 'ann@example.com', '--password-stdin'], {
      tty: true,
      answers: { "The user's password": secret, ...again },
    })
    expect(registered).toMatchObject({ code: 0, err: expect.not.stringContaining(secret) })
  })
  test('tokens and ids', async () => {
    const { run, json, place } = await service()
    const guest = (await json('user', 'register', '--guest')) as { properties: { guest_id: string } }
    const id = guest.properties.guest_id
    const login = ['login', ...place]
    const asGuest = await run([...login, '--guest-id-stdin'], { tty: true, answers: { 'Guest id': id } })
    expect(asGuest).toMatchObject({ code: 0, err: expect.not.stringContaining(id) })
    const refused = await run([...login, '--refresh-token-stdin'], { tty: true, answers: { 'Refresh token': 'nope' } })
    expect(refused).toMatchObject({ code: 4, err: expect.not.stringContaining('nope') })
  })
})

test('a terminal on which nothing can be asked is refused, with what to write', async () => {
  const { run } = await publisher()
  const refused = await run(['profile', 'set', '--password-stdin', '--no-input'], { tty: true })
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('printf %s "$SECRET" | vatom … --password-stdin'),
  })
})
