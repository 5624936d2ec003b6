import { describe, expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { transports, watchedDesk } from '../../../support/desks.ts'
import { testClock } from '../../../support/host.ts'
import { codeFor } from '../../../support/service.ts'
import { publisher } from '../../../support/vatom.ts'

const second = 'second@example.com'

describe.each(transports)('on the %s transport', (transport) => {
  test('user token add, list, verify, default and delete', async () => {
    const { vatom, json, service } = await publisher({ transport })
    const added = await vatom('user', 'token', 'add', 'Second@Example.com')
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining(`Added ${second} to your tokens on `) })
    expect(added.err).toContain(`vatom user token verify ${second}`)
    expect(await vatom('user', 'token', 'add', second)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`it is yours; for a code to verify it: vatom user token resend ${second}\n`),
    })
    expect((await vatom('user', 'token', 'list')).out).toMatch(
      /^publisher@local\.vatom\temail\tdefault, verified\t\S+\nsecond@example\.com\temail\tnot verified\t\S+\n$/,
    )
    const verified = await vatom('user', 'token', 'verify', second, '--code', await codeFor(service, second))
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining(`Verified ${second} on `) })
    expect(await vatom('user', 'token', 'default', second)).toMatchObject({ code: 0 })
    expect(await json('user', 'token', 'list')).toMatchObject([
      { properties: { token: second, is_default: true, confirmed: true } },
      { properties: { token: 'publisher@local.vatom', is_default: false } },
    ])
    expect(await vatom('user', 'token', 'delete', second, '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('vatom user token default TOKEN'),
    })
    await json('user', 'token', 'default', 'publisher@local.vatom')
    expect(await vatom('user', 'token', 'delete', second, '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Deleted user token ${second} on `),
    })
    expect(await json('user', 'token', 'list')).toHaveLength(1)
  })

  test('user token list has whole lines in 80 columns, and its short ids are taken', async () => {
    const { json, run, vatom } = await publisher()
    await json('user', 'token', 'add', 'ada.lovelace@example.com')
    const { out, err } = await run(['user', 'token', 'list'], { tty: true, columns: 80 })
    expect(err).not.toContain('No room')
    const [id = ''] =
      out
        .split('\n')
        .find((line) => line.includes('ada.lovelace@'))
        ?.split(' ') ?? []
    expect(id).toMatch(/^[\da-f]{8}$/)
    expect(await vatom('user', 'token', 'delete', id, '--yes')).toMatchObject({ code: 0 })
    expect((await vatom('user', 'token', 'list')).out).not.toContain('ada.lovelace@')
  })

  test('user token verify of an address that another user has says to sign in as that user', async () => {
    const { vatom, json, service } = await publisher({ transport })
    await json('user', 'register', '--email', second)
    const verified = await vatom('user', 'token', 'verify', second, '--code', await codeFor(service, second))
    expect(verified).toMatchObject({
      code: expect.any(Number),
      out: '',
      err: expect.stringContaining(
        'hint: if another user has it, sign in as that user: vatom login --context NAME; else ',
      ),
    })
  })

  test('user token add --default; delete by the id', async () => {
    const { json, vatom } = await publisher({ transport })
    await json('user', 'token', 'add', '+41 79 123 45 67', '--default')
    const tokens = await json('user', 'token', 'list')
    expect(tokens).toMatchObject([{ properties: { token: '+41791234567', is_default: true } }, {}])
    expect(await vatom('user', 'token', 'delete', String(at(tokens, 1, 'id')), '--yes')).toMatchObject({ code: 0 })
    expect(await json('user', 'token', 'list')).toHaveLength(1)
  })

  test('user token resend sends another code, once a minute, and a wrong code says so', async () => {
    let now = testClock()
    const { vatom, json, service, changes } = await watchedDesk(transport, { clock: () => now })
    await json('user', 'token', 'add', second)
    const first = await codeFor(service, second)
    changes()
    const said = { code: 0, out: expect.stringContaining('unless one was sent within the last minute') }
    expect(await vatom('user', 'token', 'resend', second)).toMatchObject(said)
    expect(await codeFor(service, second)).toBe(first)
    now = new Date(now.getTime() + 60_000)
    expect(await vatom('user', 'token', 'resend', second)).toMatchObject(said)
    expect(changes()).toEqual(Array(2).fill('POST /v1/user/reset_token_verification'))
    expect(await codeFor(service, second)).not.toBe(first)
    expect(await vatom('user', 'token', 'verify', second, '--code', first)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`vatom user token resend ${second}`),
    })
  })

  test.each([
    [['add', 'second'], 2, 'second is neither an e-mail address nor a phone number'],
    [['verify', second], 2, '--code'],
    [['verify', second, '--code', 'x'.repeat(65)], 2, '--code: must have at most 64 characters'],
    [['default', second], 1, 'hint: list what exists: vatom user token list'],
    [['delete', second, '--yes'], 1, 'vatom user token list'],
  ])('user token %j is refused without a request that changes anything', async (words, code, message) => {
    const { vatom, changes } = await watchedDesk(transport)
    expect(await vatom('user', 'token', ...words)).toMatchObject({ code, err: expect.stringContaining(message) })
    expect(changes()).toEqual([])
  })
})

test('user token verify of an address that one does not have says how to add it', async () => {
  const { vatom } = await publisher()
  expect(await vatom('user', 'token', 'verify', second, '--code', '123456')).toMatchObject({
    code: 4,
    err: expect.stringContaining(`; else add it first: vatom user token add ${second}; list what exists: `),
  })
})

test('user token verify asks for the code on a terminal', async () => {
  const { run, json, service } = await publisher()
  await json('user', 'token', 'add', second)
  const answers = { [`The code that was sent to ${second}`]: await codeFor(service, second) }
  expect(await run(['user', 'token', 'verify', second], { tty: true, answers })).toMatchObject({ code: 0 })
})
