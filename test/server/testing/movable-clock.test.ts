import { describe, expect, test } from 'vitest'
import { expiryOf } from '../../../src/client/session.ts'
import { template } from '../../fixtures/bodies.ts'
import { testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const login = (password: string) => ({ token: 'publisher@local.vatom', token_type: 'email', auth_data: { password } })

describe('the clock', () => {
  test('shows the time of the service', async () => {
    const { tool } = await listening()
    expect(await tool('GET', '/__vatom/clock')).toMatchObject({
      status: 200,
      payload: { now: '2027-03-01T12:00:00Z', offset_seconds: 0, frozen: false },
    })
  })

  test('is set to an instant or moved by seconds, forward and back, and runs on', async () => {
    const { tool, advance } = await listening()
    const put = async (body: object) => (await tool('PUT', '/__vatom/clock', body)).payload
    expect(await put({ now: '2030-01-01T00:00:00Z' })).toEqual({
      now: '2030-01-01T00:00:00Z',
      offset_seconds: (Date.parse('2030-01-01T00:00:00Z') - Date.parse('2027-03-01T12:00:00Z')) / 1000,
      frozen: false,
    })
    expect(await put({ advance_seconds: 60 })).toMatchObject({ now: '2030-01-01T00:01:00Z' })
    expect(await put({ advance_seconds: -120 })).toMatchObject({ now: '2029-12-31T23:59:00Z' })
    advance(30)
    expect((await tool('GET', '/__vatom/clock')).payload).toMatchObject({ now: '2029-12-31T23:59:30Z' })
  })

  test('DELETE returns to the real time', async () => {
    const { tool } = await listening()
    await tool('PUT', '/__vatom/clock', { advance_seconds: 3600 })
    const real = { now: '2027-03-01T12:00:00Z', offset_seconds: 0, frozen: false }
    expect((await tool('DELETE', '/__vatom/clock')).payload).toEqual(real)
    expect((await tool('GET', '/__vatom/clock')).payload).toEqual(real)
  })

  test.each([
    [{}, 'must have now, advance_seconds or frozen'],
    [{ now: '2030-01-01T00:00:00Z', advance_seconds: 1 }, 'either now or advance_seconds'],
    [{ now: 'tomorrow' }, 'an instant'],
    [{ now: '2030-02-30T00:00:00Z' }, 'an instant'],
    [{ now: '2030-01-01T00:00:00+01:00' }, 'an instant'],
    [{ now: '1969-12-31T23:59:59Z' }, '1970'],
    [{ now: '9999-01-01T00:00:00Z' }, '9998'],
    [{ advance_seconds: 1e300 }, '9998'],
    [{ advance_seconds: -1e12 }, '1970'],
    [{ advance_seconds: '60' }, 'a number'],
    [{ noww: '2030-01-01T00:00:00Z' }, 'did you mean now'],
    [[], 'an object'],
    [undefined, 'required'],
  ])('refuses %j: %s', async (body, message) => {
    const { tool } = await listening()
    const { status, body: answer } = await tool('PUT', '/__vatom/clock', body)
    expect(status).toBe(400)
    expect(JSON.stringify(answer.issues)).toContain(message)
    expect((await tool('GET', '/__vatom/clock')).payload).toMatchObject({ offset_seconds: 0 })
  })

  test('an access token expires after five minutes of it, and one given out afterwards is good', async () => {
    const { ask, tool, service } = await listening()
    await tool('PUT', '/__vatom/clock', { advance_seconds: 299 })
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
    await tool('PUT', '/__vatom/clock', { advance_seconds: 1 })
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 403, body: { error: 401 } })
    expect(expiryOf(service.localToken())).toBe(Date.parse('2027-03-01T12:10:00Z') / 1000)
    await tool('DELETE', '/__vatom/clock')
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('a session ends after thirty days of it', async () => {
    const { ask, tool, send } = await listening()
    const { refresh_token } = (await ask('POST', '/v1/user/login', login('vatom-local'))).payload
    const renew = () => send('POST', '/v1/access_token', { headers: { authentication: refresh_token.token } })
    await tool('PUT', '/__vatom/clock', { advance_seconds: 30 * 86_400 - 1 })
    expect(await renew()).toMatchObject({ status: 200 })
    await tool('PUT', '/__vatom/clock', { advance_seconds: 1 })
    expect(await renew()).toMatchObject({ status: 403, body: { error: 2049 } })
  })

  test('records and the journal have its time, and a locked account opens by it', async () => {
    const { ask, tool } = await listening()
    await tool('PUT', '/__vatom/clock', { advance_seconds: 60 })
    await ask('POST', '/v1/templates', template())
    expect((await ask('GET', '/v1/templates/local.vatom::Coupon::v1')).payload.meta).toMatchObject({
      when_created: '2027-03-01T12:01:00Z',
    })
    expect((await tool('GET', '/__vatom/journal?limit=1')).payload).toMatchObject([{ when: '2027-03-01T12:01:00Z' }])
    for (let wrong = 0; wrong < 5; wrong++) await ask('POST', '/v1/user/login', login('wrong'))
    expect(await ask('POST', '/v1/user/login', login('vatom-local'))).toMatchObject({ body: { error: 2051 } })
    await tool('PUT', '/__vatom/clock', { advance_seconds: 300 })
    expect(await ask('POST', '/v1/user/login', login('vatom-local'))).toMatchObject({ status: 200 })
  })

  test('is a service’s own: another has its own time', async () => {
    const { tool } = await listening()
    const other = await testService()
    await tool('PUT', '/__vatom/clock', { advance_seconds: 3600 })
    await other.publisher.call('POST', '/v1/templates', { body: template() })
    const { payload } = await other.publisher.call('GET', '/v1/templates/local.vatom::Coupon::v1')
    expect(payload.meta.when_created).toBe('2027-03-01T12:00:00Z')
  })
})

test('a clock that is frozen stands still until it is moved or unfrozen', async () => {
  const { tool } = await listening({ clock: () => new Date() })
  const clock = async (body: object) => (await tool('PUT', '/__vatom/clock', body)).payload
  const wait = () => new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await clock({ now: '2030-01-01T00:00:00Z', frozen: true })).toMatchObject({ frozen: true })
  await wait()
  expect((await tool('GET', '/__vatom/clock')).payload.now).toBe('2030-01-01T00:00:00Z')
  expect((await clock({ advance_seconds: 60 })).now).toBe('2030-01-01T00:01:00Z')
  expect(await clock({ frozen: false })).toMatchObject({ now: '2030-01-01T00:01:00Z', frozen: false })
  await wait()
  expect((await tool('GET', '/__vatom/clock')).payload.now).not.toBe('2030-01-01T00:01:00Z')
})
