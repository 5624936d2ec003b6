import { describe, expect, test } from 'vitest'
import { facing, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('profile get and set, before and after', async () => {
    const { vatom, json, file } = await publisher({ transport })
    const { code, out } = await vatom('profile', 'set', '--first-name', 'Ada', '--no-name-public', '--language', 'en')
    expect(code).toBe(0)
    expect(out).toContain('-> "Ada"\n')
    expect(out).toContain('name_public: true -> false\n')
    expect(await json('profile', 'get')).toMatchObject({
      properties: { first_name: 'Ada', name_public: false, language: 'en' },
    })
    file('me.yaml', 'last_name: Lovelace\nbirthday: "1815-12-10"\n')
    expect(await json('profile', 'set', '-f', 'me.yaml')).toMatchObject({
      properties: { first_name: 'Ada', last_name: 'Lovelace' },
    })
  })

  test('profile set refuses read-only fields with the reason, and bad values', async () => {
    const { vatom, file } = await publisher({ transport })
    for (const field of ['avatar_uri: x', 'nonpush_notification: true', 'user_consent: 1', 'system_properties: {}']) {
      file('me.yaml', `first_name: Ada\n${field}\n`)
      const { code, err } = await vatom('profile', 'set', '-f', 'me.yaml')
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('me.yaml:2:1') })
      expect(err).toContain(`${field.split(':')[0]} cannot be set`)
    }
    for (const flag of ['avatar-uri', 'nonpush-notification', 'system-properties'])
      expect(await vatom('profile', 'set', `--${flag}`, 'x')).toMatchObject({
        code: 2,
        err: expect.stringMatching(/cannot be set: (?:the avatar is uploaded|only the service)/),
      })
    expect(await vatom('profile', 'set', '--birthday', '1815-02-30')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no 1815-02-30'),
    })
    expect(await vatom('profile', 'set')).toMatchObject({ code: 2 })
  })
})

test('profile set warns of what the service did not change, and only of that', async () => {
  const properties = { first_name: 'Ada', last_name: '', name_public: true }
  const { run, env } = await facing(({ method }, response) =>
    response.end(
      JSON.stringify({
        payload: {
          id: '1',
          meta: { data_type: 'v1::UserType', when_created: '', when_modified: '' },
          properties: method === 'GET' ? properties : { ...properties, last_name: 'Lovelace' },
          system_properties: {},
        },
      }),
    ),
  )
  const fields = [
    '--first-name',
    'Zed',
    '--last-name',
    'Lovelace',
    '--no-name-public',
    '--language',
    '',
    '--password-stdin',
  ]
  const { err } = await run(['profile', 'set', ...fields], { env, stdin: 'another-password\n' })
  expect(err.match(/\w+ is what it was/g)).toEqual(['first_name is what it was', 'name_public is what it was'])
})
