import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { png } from '../../../fixtures/files.ts'
import { facing, transports, watchedDesk } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const address = /^http:\/\/127\.0\.0\.1:\d+\/assets\/[0-9a-f-]{36}\/avatar$/
const upload = 'POST /v1/user/avatar'

describe.each(transports)('profile avatar on the %s transport', (transport) => {
  test('uploads a picture and prints its address', async () => {
    const { vatom, file, changes, json } = await watchedDesk(transport)
    file('me.png', png)
    const { code, out, err } = await vatom('profile', 'avatar', 'me.png')
    expect([code, out.trim()]).toEqual([0, expect.stringMatching(address)])
    expect(err).toContain('Uploaded me.png as your avatar to ')
    expect(err.includes('its address answers while vatom serve runs')).toBe(transport === 'local')
    expect(changes()).toEqual([upload])
    expect(await json('profile', 'get')).toMatchObject({ properties: { avatar_uri: out.trim() } })
  })

  test('answers the profile under --json, and says nothing else under --quiet', async () => {
    const { run, json, file } = await publisher({ transport })
    file('me.png', png)
    expect(await json('profile', 'avatar', 'me.png')).toMatchObject({
      properties: { avatar_uri: expect.stringMatching(address) },
    })
    const { code, out, err } = await run(['--quiet', 'profile', 'avatar', 'me.png'])
    expect([code, out.trim(), err]).toEqual([0, expect.stringMatching(address), ''])
  })

  test.each([
    ['note.png', 'a note', /an avatar is a PNG, JPEG, GIF or WebP image; the type of this file is unknown/],
    ['note.pdf', '%PDF-1.7\n', /this is application\/pdf/],
    ['large.png', Buffer.concat([png, Buffer.alloc(limits.avatar)]), /an avatar may have/],
    ['empty.png', '', /the type of this file is unknown/],
  ])('%s is refused before anything is sent', async (name, content, message) => {
    const { vatom, run, file, changes } = await watchedDesk(transport)
    file(name, content)
    expect(await vatom('profile', 'avatar', name)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(message),
    })
    const { code, out } = await run(['--json', 'profile', 'avatar', name])
    expect([code, JSON.parse(out)]).toEqual([
      3,
      { error: expect.objectContaining({ code: 'invalid_files', message: expect.stringMatching(message) }) },
    ])
    expect(changes()).toEqual([])
  })

  test.each([
    ['none.png', /no such file/],
    ['.', /it is a folder/],
  ])('%s is no file to upload', async (name, message) => {
    const { vatom, changes } = await watchedDesk(transport)
    expect(await vatom('profile', 'avatar', name)).toMatchObject({ code: 3, err: expect.stringMatching(message) })
    expect(changes()).toEqual([])
  })

  test('shows a bar on a terminal', async () => {
    const { run, file } = await publisher({ transport })
    file('me.png', png)
    const moves = async (tty: boolean) => {
      const { code, err } = await run(['--no-color', 'profile', 'avatar', 'me.png'], { tty })
      expect(code).toBe(0)
      return err.includes('⠋')
    }
    expect([await moves(true), await moves(false)]).toEqual([true, false])
  })
})

test('an avatar that was uploaded is reported where its address cannot be read', async () => {
  const { run, env, file } = await facing((request, response) => {
    request.resume()
    if (request.method === 'GET') return response.socket?.destroy()
    request.on('end', () => response.end(JSON.stringify({ payload: { success_message: 'done' } })))
  })
  file('me.png', png)
  const { code, out, err } = await run(['profile', 'avatar', 'me.png'], { env })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(
    /Uploaded me\.png as your avatar to .*\nwarning: its address cannot be read: No answer .*; to see it: vatom .*profile get\n/,
  )
  const json = await run(['profile', 'avatar', 'me.png', '--json'], { env })
  expect([json.code, JSON.parse(json.out)]).toEqual([0, {}])
})
