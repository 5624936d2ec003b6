import { expect, test } from 'vitest'
import { testService, warningsOf } from '../../../support/service.ts'

test('§4.1, §2.1 the profile is the full user object of the caller', async () => {
  const { publisher } = await testService()
  const { status, payload } = await publisher.call('GET', '/v1/user', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(status).toBe(200)
  expect(payload).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    meta: {
      created_by: payload.id,
      modified_by: payload.id,
      data_type: 'blockv::user',
      when_created: '2027-03-01T12:00:00Z',
      when_modified: '2027-03-01T12:00:00Z',
    },
    properties: {
      first_name: '',
      last_name: '',
      name_public: true,
      avatar_uri: '',
      avatar_public: true,
      birthday: '',
      language: '',
      guest_id: '',
      nonpush_notification: false,
      is_password_set: true,
      user_consents: [],
    },
    system_properties: {
      pub_fqdn: 'local.vatom',
      is_admin: true,
      activated: true,
      last_login: '2027-03-01T12:00:00Z',
      is_merchant: false,
    },
  })
})

const profile = {
  first_name: 'Ada',
  last_name: 'Byron',
  name_public: false,
  avatar_public: false,
  birthday: '1815-12-10',
  language: 'en',
}

test('§4.2 every documented field can be set, and the answer is the updated user', async () => {
  const { publisher } = await testService()
  const { payload } = await publisher.call('PATCH', '/v1/user', { body: profile })
  expect(payload.properties).toMatchObject(profile)
  expect((await publisher.call('GET', '/v1/user')).payload).toEqual(payload)
})

test('§4.2 only the submitted fields are updated', async () => {
  const { publisher, advance } = await testService()
  await publisher.call('PATCH', '/v1/user', { body: profile })
  advance(60)
  const { payload } = await publisher.call('PATCH', '/v1/user', { body: { first_name: 'Augusta' } })
  expect(payload.properties).toMatchObject({ ...profile, first_name: 'Augusta' })
  expect(payload.meta).toMatchObject({
    when_created: '2027-03-01T12:00:00Z',
    when_modified: '2027-03-01T12:01:00Z',
  })
})

test('§4.2 changes that arrive together do not undo each other', async () => {
  const { publisher } = await testService()
  await Promise.all([
    publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ada' } }),
    publisher.call('PATCH', '/v1/user', { body: { last_name: 'Byron' } }),
    publisher.call('PATCH', '/v1/user', { body: { language: 'fr' } }),
  ])
  const { payload } = await publisher.call('GET', '/v1/user')
  expect(payload.properties).toMatchObject({ first_name: 'Ada', last_name: 'Byron', language: 'fr' })
})

test('§8 first_name, last_name and password have at most 64 characters', async () => {
  const { publisher } = await testService()
  for (const field of ['first_name', 'last_name', 'password']) {
    const at = (count: number) => publisher.call('PATCH', '/v1/user', { body: { [field]: '𝒜'.repeat(count) } })
    expect(await at(64)).toMatchObject({ status: 200 })
    expect(await at(65)).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: field, message: expect.stringContaining('64 characters') }] },
    })
  }
})

test('§2.1 the password is write-only', async () => {
  const { publisher } = await testService()
  const { text } = await publisher.call('PATCH', '/v1/user', { body: { password: 'a-new-password' } })
  expect(text).not.toContain('a-new-password')
})

test.each(['2001-02-30', '10.12.1815', '1815-12', 'soon'])(
  '§4.2 birthday %s is not a day as YYYY-MM-DD',
  async (birthday) => {
    const { publisher } = await testService()
    expect(await publisher.call('PATCH', '/v1/user', { body: { birthday } })).toMatchObject({
      status: 400,
      body: { error: 527, issues: [{ path: 'birthday' }] },
    })
  },
)

test.each(['english', 'xx', 'EN', ''.padEnd(3)])('§4.2 language %j is not an ISO 639-1 code', async (language) => {
  const { publisher } = await testService()
  expect(await publisher.call('PATCH', '/v1/user', { body: { language } })).toMatchObject({ status: 400 })
})

test('an empty string unsets birthday, language and names', async () => {
  const { publisher } = await testService()
  await publisher.call('PATCH', '/v1/user', { body: profile })
  const empty = { first_name: '', last_name: '', birthday: '', language: '' }
  const { payload } = await publisher.call('PATCH', '/v1/user', { body: empty })
  expect(payload.properties).toMatchObject(empty)
})

test('null is no value of a field', async () => {
  const { publisher } = await testService()
  for (const field of ['password', 'first_name', 'name_public'])
    expect(await publisher.call('PATCH', '/v1/user', { body: { [field]: null } })).toMatchObject({ status: 400 })
})

test('§4.2 the password cannot be emptied while a token authenticates by it', async () => {
  const { publisher } = await testService()
  expect(await publisher.call('PATCH', '/v1/user', { body: { password: '' } })).toMatchObject({
    status: 400,
    body: { error: 9012 },
  })
})

test.each([
  ['avatar_uri', 'https://x.example/a.png'],
  ['system_properties', { is_admin: true }],
  ['id', 'x'],
  ['nickname', 'Ada'],
])('§2.1 %s cannot be set', async (field, value) => {
  const { publisher } = await testService()
  expect(await publisher.call('PATCH', '/v1/user', { body: { [field]: value } })).toMatchObject({
    status: 400,
    body: { issues: [{ path: field }] },
  })
})

test('the misspelling system_properites is understood as what it means, and warned about', async () => {
  const { publisher } = await testService()
  const answer = await publisher.call('PATCH', '/v1/user', { body: { system_properites: { is_admin: false } } })
  expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'system_properties' }] } })
  const message = 'system_properites is read as system_properties'
  expect(warningsOf(answer)).toEqual([{ code: 'read-as', path: 'system_properites', message }])
})

test('what clients send beside the documented fields is taken without effect, and warned about', async () => {
  const { publisher } = await testService()
  const answer = await publisher.call('PATCH', '/v1/user', { body: { nonpush_notification: true, user_consent: 1 } })
  expect(answer).toMatchObject({ status: 200, payload: { properties: { nonpush_notification: false } } })
  expect(warningsOf(answer)).toMatchObject([
    { code: 'no-effect', path: 'nonpush_notification' },
    { code: 'no-effect', path: 'user_consent' },
  ])
})

test('with compat sdk avatar_uri is taken without effect', async () => {
  const { publisher } = await testService({ compat: 'sdk' })
  const answer = await publisher.call('PATCH', '/v1/user', { body: { avatar_uri: 'https://x.example/a.png' } })
  expect(answer).toMatchObject({ status: 200, payload: { properties: { avatar_uri: '' } } })
  expect(warningsOf(answer)).toMatchObject([{ code: 'no-effect', path: 'avatar_uri' }])
})
