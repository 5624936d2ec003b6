import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { template } from '../../fixtures/bodies.ts'
import { emitted, made } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

/** So much that a list of 200 does not fit into the kernel, which takes 8 MB for a connection, about. */
const description = 'x'.repeat(60_000)
const bob = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }

/** A service with long lists, and an administrator of its publisher who is signed in twice. */
async function world() {
  const place = await listening()
  const { port, publisher, as, send, tool } = place
  await emitted(publisher, 'local.vatom::Large', 200, { description, visibility: { type: 'public', value: '*' } })
  for (let count = 100; count < 300; count++)
    await made(publisher, ['POST', '/v1/templates', template({ template: `local.vatom::T${count}` }, { description })])
  const rights = { pub_fqdn: 'local.vatom', is_admin: true }
  const { token, token_type } = bob
  const created = await tool('POST', '/__vatom/users', {
    ...rights,
    user_tokens: [{ token, token_type }],
    password: 'secret',
  })
  const { user, access_token } = created.payload
  const again = await send('POST', '/v1/user/login', { body: bob })
  const [reader, other] = [as(user.id, access_token), as(user.id, again.payload.access_token.token)]
  /** Asks and reads nothing; the function reads all that comes. */
  const ask = ([method, path, body = '']: readonly string[]) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\nAuthorization: Bearer ${reader.token}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return async () => {
      let text = ''
      socket.setEncoding('latin1').on('data', (part) => {
        text += part
      })
      socket.resume()
      await once(socket, 'close')
      return { isWhole: text.endsWith('\r\n0\r\n\r\n'), isLong: text.length > 2 ** 20, text }
    }
  }
  return { ...place, reader, other, ask }
}
type World = Awaited<ReturnType<typeof world>>

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const drafts = ['GET', '/v1/templates?fields=name,properties&limit=1000']
const found = ['POST', '/v1/vatom/discover', '{"limit":1000}']
const logout = ({ reader }: World) => made(reader, ['POST', '/v1/user/logout'])
const newPassword = ({ other }: World) => made(other, ['PATCH', '/v1/user', { password: 'another' }])
const deletion = ({ other }: World) => made(other, ['DELETE', '/v1/user'])
const demotion = ({ reader, tool }: World) => tool('PATCH', `/__vatom/users/${reader.id}`, { is_admin: false })

test.each([
  ['vAtoms', 'a new password', found, newPassword],
  ['vAtoms', 'a logout', found, logout],
  ['drafts', 'a logout', drafts, logout],
  ['drafts', 'the deletion of the user', drafts, deletion],
  ['drafts', 'the loss of the rights of an administrator', drafts, demotion],
])('a list of %s that is read slowly ends with %s', async (_, _end, request, end) => {
  const place = await world()
  const read = place.ask(request)
  await soon(400)
  await end(place)
  const secret = template({}, { description: 'written later' })
  await made(place.publisher, ['PATCH', '/v1/templates/local.vatom::T299', { vatom: secret.vatom }])
  const { isLong, isWhole, text } = await read()
  expect({ isLong, isWhole }).toEqual({ isLong: true, isWhole: false })
  expect(text).not.toContain('written later')
})

test('a list that is read slowly by who stays signed in shows what was written meanwhile', async () => {
  const place = await world()
  const read = place.ask(drafts)
  await soon(400)
  await made(place.other, ['POST', '/v1/user/logout'])
  const later = template({}, { description: 'written later' })
  await made(place.publisher, ['PATCH', '/v1/templates/local.vatom::T299', { vatom: later.vatom }])
  const { isWhole, text } = await read()
  expect(isWhole).toBe(true)
  expect(text).toContain('written later')
})
