import { describe, expect, test } from 'vitest'
import { RenewedToken, Session } from '../../../src/contract/api/session.ts'
import { ProfileDocument, ProfileUpdate, User } from '../../../src/contract/api/user.ts'
import { cases } from '../../support/issues.ts'

const of64 = 'x'.repeat(64)
const of65 = 'x'.repeat(65)
const emoji = (count: number) => '😀'.repeat(count)

describe('Update Profile', () => {
  cases('4.2', 'profile', [
    ['first_name', 'Ada', 'ok'],
    ['last_name', 'Lovelace', 'ok'],
    ['first_name', '', 'ok'],
    ['first_name', 1, 'type', /must be a string, not 1/],
    ['first_name', null, 'type', /not null/],
    ['name_public', false, 'ok'],
    ['name_public', 'no', 'type', /must be true or false, not the string "no"/],
    ['avatar_public', true, 'ok'],
    ['avatar_public', 0, 'type', /true or false, not 0/],
    ['password', 'secret', 'ok'],
    ['password', null, 'type'],
    ['birthday', '1990-12-31', 'ok'],
    ['birthday', '', 'ok'],
    ['birthday', '1990-1-1', 'format', /YYYY-MM-DD/],
    ['birthday', '1990-12-31T00:00:00Z', 'format', /YYYY-MM-DD/],
    ['birthday', '31.12.1990', 'format', /YYYY-MM-DD/],
    ['birthday', '1990-02-30', 'format'],
    ['birthday', '1990-13-01', 'format'],
    ['birthday', '2024-02-29', 'ok'],
    ['birthday', '2000-02-29', 'ok'],
    ['birthday', '2023-02-29', 'format'],
    ['birthday', '1900-02-29', 'format'],
    ['birthday', null, 'value', /YYYY-MM-DD/],
    ['language', 'en', 'ok'],
    ['language', '', 'ok'],
    ['language', 'EN', 'value', /ISO 639-1.*did you mean en/],
    ['language', 'eng', 'value', /ISO 639-1/],
    ['language', 'xx', 'value', /ISO 639-1/],
    ['language', 'en-GB', 'value', /ISO 639-1/],
  ])
  cases('8', 'profile', [
    ['first_name', of64, 'ok'],
    ['first_name', of65, 'length', /at most 64 characters/],
    ['first_name', emoji(64), 'ok'],
    ['first_name', emoji(65), 'length', /at most 64 characters/],
    ['last_name', of64, 'ok'],
    ['last_name', of65, 'length'],
    ['last_name', emoji(65), 'length'],
    ['password', of64, 'ok'],
    ['password', of65, 'length'],
    ['password', emoji(64), 'ok'],
  ])
  cases('2.1', 'profile', [
    ['avatar_uri', 'https://acme/a.png', 'unknown-field', /uploading an avatar/],
    ['system_properties', { is_admin: true }, 'unknown-field', /the service sets/],
    ['system_properites', { is_admin: true }, 'unknown-field', /the service sets/],
    ['is_admin', true, 'unknown-field'],
    ['id', 'x', 'unknown-field'],
    ['nonpush_notification', true, 'ok'],
    ['user_consent', 1, 'ok'],
    ['user_consent', 1.5, 'type', /a whole number, not 1.5/],
    ['frist_name', 'Ada', 'unknown-field', /unknown field frist_name.*did you mean first_name/],
  ])

  test('§4.2 all fields are optional', () => expect(ProfileUpdate().safeParse({}).success).toBe(true))
  test('§4.2 its fields are the documented ones', () =>
    expect(Object.keys(ProfileDocument().shape)).toEqual([
      'first_name',
      'last_name',
      'name_public',
      'password',
      'avatar_public',
      'birthday',
      'language',
    ]))
})

describe('answers', () => {
  const user = {
    id: '00000000-0000-4000-8000-000000000000',
    meta: {
      data_type: 'vatom::user',
      when_created: '2018-01-01T00:00:00+00:00',
      when_modified: '2018-01-01T00:00:00Z',
    },
    properties: { first_name: 'Ada', birthday: '', nonpush_notification: false, avatar_uri: '' },
    system_properties: { pub_fqdn: 'acme', is_admin: true, activated: true, is_merchant: false, last_login: '' },
  }
  test.each(['id', 'meta', 'properties', 'system_properties'])('§2.1 a user has %s', (field) => {
    expect(User().safeParse(user).success).toBe(true)
    expect(User().safeParse({ ...user, [field]: undefined }).success).toBe(false)
  })
  test('§2.1 a user of a newer service keeps its further fields', () =>
    expect(User().parse({ ...user, badges: [1] })).toEqual({ ...user, badges: [1] }))
  test.each(['token', { token: 'x', token_type: 'Bearer' }])('§4.3 access_token may be %j', (access_token) =>
    expect(RenewedToken().safeParse({ access_token }).success).toBe(true),
  )
  test('§5 login answers the user, an access token and a refresh token', () => {
    const token = { token: 'x', token_type: 'Bearer', expires_in: 5 }
    const session = { user, asset_provider: [], access_token: token, refresh_token: token }
    expect(Session().safeParse(session).success).toBe(true)
    for (const field of Object.keys(session))
      expect(Session().safeParse({ ...session, [field]: undefined }).success).toBe(false)
  })
  test.each([undefined, 5, { token: 'x' }])('§4.3 access_token is not %j', (access_token) =>
    expect(RenewedToken().safeParse({ access_token }).success).toBe(false),
  )
})
