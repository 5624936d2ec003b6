import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { template } from '../../fixtures/bodies.ts'
import { doors, testService } from '../../support/service.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe.each(doors)('%s', (door) => {
  describe('a body', () => {
    test.each([
      ['cut off', '{"first_name":'],
      ['no JSON', 'first_name=Ada'],
      ['a list', '[]'],
      ['a string', '"x"'],
      ['null', 'null'],
      ['empty', ''],
      ['two documents', '{}{}'],
      ['a key that changes what objects inherit', '{"__proto__":{"first_name":"x"}}'],
      ['a constructor’s prototype', '{"constructor":{"prototype":{}}}'],
      ['a hidden one', '{"first_name":{"\\u005f_proto__":1}}'],
      ['a number beyond range', '{"first_name":1e999}'],
    ])('that is %s is a 400', async (_what, raw) => {
      const { publisher } = await testService({}, door)
      const answer = await publisher.call('PATCH', '/v1/user', { raw })
      expect(answer).toMatchObject({ status: 400, body: { error: 516, message: expect.any(String) } })
    })

    test('that is not JSON is refused with the position', async () => {
      const { publisher } = await testService({}, door)
      const { body } = await publisher.call('PATCH', '/v1/user', { raw: '{"first_name": Ada}' })
      expect(body.message).toMatch(/^the body is not JSON: .*A/)
    })

    test.each([limits.depth + 1, 5000, 100_000])('%d deep is a 400', async (depth) => {
      const { publisher } = await testService({}, door)
      const raw = `{"template":"local.vatom::A","vatom":{"vAtom::vAtomType":{"root_type":"vAtom::vAtomType"},"private":{"a":${nested(depth)}}}}`
      expect(await publisher.call('POST', '/v1/templates', { raw })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('deep') },
      })
    })

    test('has keys in each other of so many characters together, and no more', async () => {
      const { publisher } = await testService({}, door)
      const around = 'vatomprivatea'.length
      const send = (characters: number) => {
        const longest = { ['k'.repeat(characters - around)]: 1 }
        return publisher.call('POST', '/v1/templates', { body: template({}, {}, { a: [longest], b: longest }) })
      }
      expect(await send(limits.fieldPath)).toMatchObject({ status: 200 })
      expect(await send(limits.fieldPath + 1)).toMatchObject({
        status: 400,
        body: { error: 516, message: expect.stringContaining('the keys to a value of the body have more than 1024') },
      })
    })

    test.each([
      ['nested too deeply', '['.repeat(100_000), `the body is nested deeper than ${limits.depth} levels`],
      ['nested in its keys', '{"a":'.repeat(100_000), `the body is nested deeper than ${limits.depth} levels`],
      ['too many values', `[${'1,'.repeat(limits.values + 1)}`, `more than ${limits.values} keys and values`],
      ['too many keys', `{${'"a":1,'.repeat(limits.values / 2 + 1)}`, `more than ${limits.values} keys and values`],
    ])('is refused for %s before it is parsed', async (_what, raw, message) => {
      const { publisher } = await testService({}, door)
      expect(await publisher.call('POST', '/v1/templates', { raw })).toMatchObject({
        status: 400,
        body: { error: 516, message: expect.stringContaining(message) },
      })
    })

    test('of a user has fewer values than that of a publisher', async () => {
      const { publisher } = await testService({}, door)
      const raw = `{${'"a":1,'.repeat(limits.valuesOfUser / 2)}"b":1}`
      const message = expect.stringContaining(`more than ${limits.valuesOfUser} keys and values`)
      for (const path of ['/v1/user/vatom/action/Drop', '/v1/user/login'])
        expect(await publisher.call('POST', path, { raw })).toMatchObject({ status: 400, body: { message } })
    })

    test('may have any number of brackets, commas, quotes and backslashes in its texts', async () => {
      const { publisher } = await testService({}, door)
      const custom = { a: '[{'.repeat(limits.depth), b: ',:'.repeat(15_000), c: '\\"[\\\\"\\', '\\"[': '"' }
      expect(await publisher.call('POST', '/v1/templates', { body: template({}, {}, custom) })).toMatchObject({
        status: 200,
      })
    })

    test('with a poisonous key where any key may stand is a 400', async () => {
      const { publisher } = await testService({}, door)
      for (const custom of ['{"__proto__":{"a":1}}', '{"a":[{"constructor":{"prototype":{"a":1}}}]}']) {
        const raw = JSON.stringify(template({}, {}, { here: 1 })).replace('{"here":1}', custom)
        expect(await publisher.call('POST', '/v1/templates', { raw })).toMatchObject({
          status: 400,
          body: { error: 516 },
        })
      }
    })

    test('as deep as it may be is taken, and answered again', async () => {
      const { publisher } = await testService({}, door)
      const custom = { a: JSON.parse(nested(limits.depth - 3)) }
      expect(await publisher.call('POST', '/v1/templates', { body: template({}, {}, custom) })).toMatchObject({
        status: 200,
      })
    })

    test('beyond a megabyte is a 413', async () => {
      const { publisher } = await testService({}, door)
      const raw = JSON.stringify(template({}, { description: 'x'.repeat(limits.body) }))
      expect(await publisher.call('POST', '/v1/templates', { raw })).toMatchObject({
        status: 413,
        body: { error: 9013 },
      })
    })

    test('is read as JSON whatever its content type says', async () => {
      const { publisher } = await testService({}, door)
      for (const type of [
        undefined,
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'nonsense',
        ';;',
      ]) {
        const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
        const answer = await publisher.call('PATCH', '/v1/user', { body: { first_name: type ?? 'none' }, headers })
        expect([type, answer.status]).toEqual([type, 200])
      }
    })

    test('with a byte order mark is read', async () => {
      const { publisher } = await testService({}, door)
      expect(await publisher.call('PATCH', '/v1/user', { raw: '\ufeff{"first_name":"Ada"}' })).toMatchObject({
        status: 200,
      })
    })
  })

  describe('an operation without a body', () => {
    test.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
      'takes an empty one of type %s',
      async (type) => {
        const { publisher } = await testService({}, door)
        const headers = { 'content-type': type }
        expect(await publisher.call('GET', '/v1/user', { headers })).toMatchObject({ status: 200 })
        expect(await publisher.call('DELETE', '/v1/templates/x', { headers })).toMatchObject({ status: 404 })
        expect(await publisher.call('POST', '/v1/user/logout', { headers })).toMatchObject({ status: 200 })
      },
    )

    test.each(['{}', '{', 'x=y'])('does not look at %j', async (raw) => {
      const { publisher } = await testService({}, door)
      expect(await publisher.call('POST', '/v1/user/logout', { raw })).toMatchObject({ status: 200 })
    })
  })

  describe('a search of which every field is optional', () => {
    test.each([
      ['/v1/activity/mythreads', { cursor: null, count: null }, { threads: [] }],
      ['/v1/user/vatom/inventory', { parent_id: null, limit: null, page: null }, { vatoms: [] }],
      ['/v1/vatom/discover', {}, { results: [] }],
    ])('%s needs no body', async (path, nulls, payload) => {
      const { publisher } = await testService({}, door)
      for (const sent of [{}, { raw: '' }, { raw: ' ' }, { raw: '{}' }, { body: nulls }])
        expect(await publisher.call('POST', path, sent)).toMatchObject({ status: 200, payload })
      for (const raw of ['null', '[]', '""'])
        expect(await publisher.call('POST', path, { raw })).toMatchObject({ status: 400, body: { error: 516 } })
    })

    test('takes null for what is left out', async () => {
      const { publisher } = await testService({}, door)
      const none = { filter: null, limit: null, publisher_fqdn: null, precision: null }
      const body = { bottom_left: { lon: 0, lat: 0 }, top_right: { lon: 1, lat: 1 }, ...none }
      for (const path of ['/v1/vatom/geodiscover', '/v1/vatom/geodiscovergroups'])
        expect(await publisher.call('POST', path, { body })).toMatchObject({ status: 200 })
      for (const sent of [{}, { body: { name: null } }])
        expect(await publisher.call('POST', '/v1/activity/mythreadmessages', sent)).toMatchObject({
          status: 403,
          body: { message: 'the name of a thread is missing' },
        })
    })

    test('which others need is missed where it is left out', async () => {
      const { publisher } = await testService({}, door)
      for (const path of ['/v1/vatom/geodiscover', '/v1/user/vatom/get', '/v1/user/message'])
        expect(await publisher.call('POST', path, {})).toMatchObject({
          status: 400,
          body: { issues: [{ message: 'a body is required' }] },
        })
    })
  })

  describe('a path', () => {
    test('that is unknown is a 404, whoever asks', async () => {
      const { publisher, send } = await testService({}, door)
      for (const path of ['/', '/v1', '/v2/user', '/v1/user/', '/v1/users/x/y', '/__vatom/none'])
        for (const call of [publisher.call, send])
          expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: 9000 } })
    })

    test('with doubled slashes is the same path', async () => {
      const { publisher } = await testService({}, door)
      for (const path of ['//v1/user', '/v1//user', '///v1///user'])
        expect(await publisher.call('GET', path)).toMatchObject({ status: 200 })
      for (const path of ['//v1/user/vatom/inventory', '//v1/vatom/geodiscover', '//v1/vatom/discover']) {
        const body = path.includes('geo') ? { bottom_left: { lon: 0, lat: 0 }, top_right: { lon: 1, lat: 1 } } : {}
        expect(await publisher.call('POST', path, { body })).toMatchObject({ status: 200, payload: { faces: [] } })
      }
    })

    test('without its prefix is understood where a client leaves that out', async () => {
      const { publisher } = await testService({}, door)
      for (const path of ['/vatom/discover', '//vatom/discover'])
        expect(await publisher.call('POST', path, { body: {} })).toMatchObject({ status: 200, payload: { count: 0 } })
      expect(await publisher.call('GET', '/vatom/discover')).toMatchObject({ status: 400, body: { error: 9021 } })
    })

    test('that is badly encoded is a 400', async () => {
      const { publisher } = await testService({}, door)
      for (const path of ['/v1/templates/%', '/v1/templates/%zz', '/v1/templates/%c0%af'])
        expect(await publisher.call('GET', path)).toMatchObject({ status: 400, body: { error: 516 } })
    })

    test('may hold names encoded or as they are, however long', async () => {
      const { publisher } = await testService({}, door)
      const name = 'local.vatom::Größe / 50%'
      await publisher.call('POST', '/v1/templates', { body: template({ template: name }) })
      for (const path of [encodeURIComponent(name), encodeURIComponent(name).replaceAll('%3A', ':')])
        expect(await publisher.call('GET', `/v1/templates/${path}`)).toMatchObject({ status: 200, payload: { name } })
      expect(await publisher.call('GET', `/v1/templates/${'x'.repeat(5000)}`)).toMatchObject({ status: 404 })
    })
  })
})

test('a failure that nobody expected tells the caller nothing', async () => {
  const { publisher, lines } = await testService({
    clock: (() => {
      let calls = 0
      return () => new Date(calls++ > 3 ? Number.NaN : 0)
    })(),
  })
  const answer = await publisher.call('POST', '/v1/templates', { body: template() })
  expect(answer).toMatchObject({ status: 500, body: { error: 11, message: 'Internal error' } })
  expect(answer.text).not.toMatch(/RangeError|\.ts/)
  expect(lines.join('\n')).toMatch(/RangeError/)
})

test('the log has a line a request, and no secrets', async () => {
  const { publisher, send, lines } = await testService()
  await send('POST', '/v1/user/login', {
    body: { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'vatom-local' } },
  })
  await publisher.call('GET', '/v1/templates?fields=hidden')
  for (const dot of ['.', '%2E']) await publisher.call('GET', `/v1/none/eyJhbGci${dot}eyJzdWIi${dot}c2ln`)
  const log = lines.join('\n')
  expect(log).toMatch(/^POST \/v1\/user\/login 200 [\d.]+ms [0-9a-f-]{36}$/m)
  expect(log.match(/^GET \/v1\/none\/\[redacted\] 404 /gm)).toHaveLength(2)
  expect(log).not.toMatch(/vatom-local|hidden|eyJ/)
})
