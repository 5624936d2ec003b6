import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { standardActions } from '../../../src/contract/kinds/standard-actions.ts'
import { limits } from '../../../src/contract/limits.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { action, grant, outputOf, owned, packageType, perform, seen } from '../../support/acting.ts'
import { newDatabase } from '../../support/folders.ts'
import { doors, emitted, made, testService, warningsOf } from '../../support/service.ts'
import { twoPublishers, watched } from '../../support/worlds.ts'

const name = 'local.vatom::Coin'
const full = (short: string) => `${name}::Action::${short}`

/** Users, and a publisher with a vAtom that has custom properties. */
async function world(options: Parameters<typeof testService>[0] = {}) {
  const opened = await twoPublishers(options)
  const [id = ''] = await emitted(opened.publisher, name, 1, { transferable: true }, { one: 0, two: 0 })
  return { ...opened, id }
}
const update = { reactor: 'blockv://custom/privateproperties' }
const open = { reactor: 'blockv://v1/Open' }

test.each(standardActions)('$name is performed by whom the manual names: $by', async ({ name: short, by, inputs }) => {
  const { service, publisher, bob } = await twoPublishers()
  const visibility = { visibility: { type: 'public' } }
  const [id = ''] = await emitted(publisher, name, 1, { ...visibility, redeemable: true, commerce: {} })
  await action(publisher, name, short)
  const given = Object.fromEntries(inputs.map(({ keys: [key = ''] }) => [key.replace(/\.$/, ''), bob.id]))
  const isRefused = async () => /neither yours|not yours/.test((await perform(bob, short, id, given)).text)
  expect(await isRefused()).toBe(/^its owner|^nobody/.test(by))
  await grant(service, bob, { is_merchant: true })
  expect(await isRefused()).toBe(/^its owner|^nobody/.test(by) && !by.endsWith('any merchant'))
})

describe('what a policy names', () => {
  const both = { policy: { pre: ['Before', full('Before2')], post: ['After'] } }

  test('is run before and after, with the same inputs, each told by its own name', async () => {
    const { db, events } = watched()
    const { publisher, id } = await world({ db })
    for (const one of ['Before', 'Before2', 'After']) await action(publisher, name, one, update)
    await action(publisher, name, 'Do', { ...update, ...both })
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 1 }))
    expect((await seen(publisher, id)).private).toEqual({ one: 1, two: 0 })
    expect((await events()).map(({ action_name }) => action_name)).toEqual(['Before', 'Before2', 'Do', 'After'])
  })

  test('ends the action where it fails before and the action aborts on that', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Before', open)
    await action(publisher, name, 'Do', { ...update, policy: { pre: ['Before'] } })
    const answer = await perform(publisher, 'Do', id, { 'private.one': 1 })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 516, message: expect.stringMatching(/only a package/) },
    })
    expect((await seen(publisher, id)).private.one).toBe(0)
  })

  test('is warned of where the action goes on', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Fails', open)
    const fields = { policy: { pre: ['Fails', 'Nothing'], post: ['Fails'] }, abort_on_pre_error: false }
    await action(publisher, name, 'Do', { ...update, ...fields })
    const answer = await perform(publisher, 'Do', id, { 'private.one': 1 })
    expect(answer.status).toBe(200)
    const failed = (stage: string, about: string) => ({
      code: 'action-failed',
      path: '',
      message: expect.stringContaining(`the ${stage}-action ${about} failed: `),
      about,
    })
    expect(warningsOf(answer)).toEqual([failed('pre', 'Fails'), failed('pre', 'Nothing'), failed('post', 'Fails')])
    expect((await seen(publisher, id)).private.one).toBe(1)
  })

  test('fails the action where it aborts on what comes after; what was done stays done', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Fails', open)
    await action(publisher, name, 'Do', { ...update, policy: { post: ['Fails'] }, abort_on_post_error: true })
    expect(await perform(publisher, 'Do', id, { 'private.one': 1 })).toMatchObject({
      status: 400,
      body: { error: 516 },
    })
    expect((await seen(publisher, id)).private.one).toBe(1)
  })

  test('is run without reading the config of any, which may be long, where nothing needs it', async () => {
    const { publisher, id } = await world()
    const config = { colour: 'vermilion' }
    for (const one of ['Before', 'Before2', 'After']) await action(publisher, name, one, { ...update, config })
    await action(publisher, name, 'Do', { ...update, ...both, config })
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 1 }))
    const texts = parse.mock.calls.map(([text]) => text)
    expect(texts.some((text) => text.includes(update.reactor))).toBe(true)
    expect(texts.filter((text) => text.includes(config.colour))).toEqual([])
  })

  test('is run however often those may run it who ask for it', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Before', { ...update, limit_per_user: 1 })
    await action(publisher, name, 'Do', { ...update, policy: { pre: ['Before'] } })
    const run = (short: string) => perform(publisher, short, id, { 'private.one': 1 })
    for (const short of ['Do', 'Do', 'Before']) outputOf(await run(short))
    expect(await run('Before')).toMatchObject({ status: 400, body: { error: 9040 } })
    outputOf(await run('Do'))
  })

  test('reaches what it may by itself, where the action has given it away', async () => {
    const { publisher, bob, id } = await world()
    await action(publisher, name, 'After', update)
    await action(publisher, name, 'Transfer', { policy: { post: ['After'] }, abort_on_post_error: true })
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id, 'private.one': 1 }))
    expect((await seen(bob, id)).private.one).toBe(1)
  })

  test('does not run policies of its own', async () => {
    const { db, events } = watched()
    const { publisher, id } = await world({ db })
    await action(publisher, name, 'Do', { ...update, policy: { pre: ['Do'], post: ['Do'] } })
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 1 }))
    expect(await events()).toHaveLength(3)
  })
})

test('an action that fails without aborting says so in its result, and what comes after is run', async () => {
  const { publisher, id } = await world()
  await action(publisher, name, 'After', update)
  await action(publisher, name, 'Do', { ...open, policy: { post: ['After'] }, abort_on_main_error: false })
  const answer = await perform(publisher, 'Do', id, { 'private.one': 1 })
  const error = { Code: 516, Msg: expect.stringMatching(/only a package/) }
  expect(answer).toMatchObject({ status: 200, payload: { main: { output: '{}', error } } })
  expect((await seen(publisher, id)).private.one).toBe(1)
})

describe('who may run it', () => {
  test('guests are refused unless it is for them; who has a password is none', async () => {
    const { db } = watched()
    const { publisher, bob, id } = await world({ db })
    for (const [one, guest_user] of [
      ['Acquire', false],
      ['Pickup', true],
    ] as const)
      await action(publisher, name, one, { guest_user })
    const sqlite = await openSqlite(db)
    const change = (sql: string) => sqlite.prepare(`UPDATE users SET ${sql} WHERE id = ?`).run(bob.id)
    change("password = NULL, properties = json_set(properties, '$.guest_id', 'x')")
    sqlite.prepare('UPDATE vatoms SET public = 1').run()
    expect(await perform(bob, 'Acquire', id)).toMatchObject({ status: 403, body: { error: 1006 } })
    expect(await perform(bob, 'Pickup', id)).toMatchObject({ status: 400, body: { error: 1645 } })
    change("password = 'x'")
    sqlite.close()
    expect(await perform(bob, 'Acquire', id)).toMatchObject({ status: 400, body: { error: 1708 } })
  })

  test('the publisher that the service began with is no guest, without a password of their own', async () => {
    const { db } = watched()
    const { publisher, id } = await world({ db })
    await action(publisher, name, 'Do', { ...update, guest_user: false })
    const sqlite = await openSqlite(db)
    const sql = "UPDATE users SET properties = json_set(properties, '$.guest_id', 'x') WHERE id = ?"
    sqlite.prepare(sql).run(publisher.id)
    sqlite.close()
    expect(await perform(publisher, 'Do', id, { 'private.one': 1 })).toMatchObject({ status: 200 })
  })

  test('where it is for activated users alone, others are refused', async () => {
    const { service, publisher, bob, id } = await world()
    await action(publisher, name, 'Transfer')
    await action(publisher, name, 'Do', { ...update, config: { activated_users_only: true } })
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 1 }))
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    const again = () => perform(bob, 'Do', id, { 'private.one': 2 })
    expect(await again()).toMatchObject({ status: 403, body: { error: 1015 } })
    await grant(service, bob, { activated: true })
    expect(await again()).toMatchObject({ status: 200 })
  })

  test('each user runs it as often as they may, and what failed does not count', async () => {
    const { publisher, bob, id } = await world()
    await action(publisher, name, 'Transfer')
    await action(publisher, name, 'Do', { ...update, limit_per_user: 2 })
    await action(publisher, name, 'Other', { ...update, limit_per_user: 1 })
    const run = (value: number) => perform(publisher, 'Do', id, { 'private.one': value })
    expect(await perform(publisher, 'Do', id, { 'private.none': 1 })).toMatchObject({ body: { error: 516 } })
    const answers = await Promise.all([1, 2, 3].map(run))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400])
    expect(await run(4)).toMatchObject({ status: 400, body: { error: 9040, issues: [{ path: '' }] } })
    outputOf(await perform(publisher, 'Other', id, { 'private.one': 5 }))
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    expect(await perform(bob, 'Do', id, { 'private.one': 6 })).toMatchObject({ status: 200 })
  })

  test('a limit goes with its action, and begins when it is set', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Do', update)
    const run = () => perform(publisher, 'Do', id, { 'private.one': 1 })
    const limit = ['PATCH', `/v1/publisher/action/${full('Do')}`, { limit_per_user: 1 }] as const
    outputOf(await run())
    await made(publisher, limit)
    expect([(await run()).status, (await run()).status]).toEqual([200, 400])
    await made(publisher, ['DELETE', `/v1/publisher/action/${full('Do')}`])
    await action(publisher, name, 'Do', { ...update, limit_per_user: 1 })
    expect((await run()).status).toBe(200)
  })
})

test.each([
  ['disabled', /is disabled/],
  ['in_contract', /bound in a contract/],
])('a vAtom that is %s is not acted on', async (property, why) => {
  const { db } = watched()
  const { publisher, id } = await world({ db })
  await action(publisher, name, 'Do', update)
  const sqlite = await openSqlite(db)
  sqlite.prepare(`UPDATE vatoms SET json = json_set(json, '$."vAtom::vAtomType".${property}', json('true'))`).run()
  sqlite.close()
  const answer = await perform(publisher, 'Do', id, { 'private.one': 1 })
  expect(answer).toMatchObject({ status: 400, body: { error: 1708, message: expect.stringMatching(why) } })
})

describe('an action that is not waited for', () => {
  test.each(doors)('%s is answered, then run', async (door) => {
    const { publisher, register } = await testService({}, door)
    const bob = await register('bob@example.com')
    const [id = ''] = await emitted(publisher, name, 1, { transferable: true })
    await action(publisher, name, 'Transfer', { wait: false })
    const { payload, headers } = await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id })
    expect(payload).toEqual({ main: { output: '{}' } })
    expect(headers['vatom-warning']).toMatch(/is not waited for/)
    await vi.waitFor(async () => expect(await owned(bob)).toEqual([id]))
  })

  test('is refused where it could not be run at all', async () => {
    const { publisher, bob, id } = await world()
    await action(publisher, name, 'Do', { ...update, wait: false })
    expect(await perform(bob, 'Do', id, {})).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(await perform(publisher, 'Nothing', id, {})).toMatchObject({ status: 400, body: { error: 13 } })
  })

  test.each([
    ['an unknown recipient', { 'new.owner.email': 'friend@example.com' }, 1702],
    ['an invalid address', { 'new.owner.email': 'friend' }, 2571],
    ['a recipient that is missing', {}, 516],
  ])('is refused at once for %s, and changes nothing', async (_what, input, error) => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Transfer', { wait: false })
    const before = await seen(publisher, id)
    expect(await perform(publisher, 'Transfer', id, input)).toMatchObject({ status: 400, body: { error } })
    expect(await seen(publisher, id)).toEqual(before)
  })

  test('has as many warnings in the log as an answer would have, each once', async () => {
    const lines: string[] = []
    const log = (line: string) => void (line.includes(', not waited for: ') && lines.push(line))
    const { publisher } = await testService({ db: newDatabase(), log })
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]))
    const [id = ''] = await emitted(publisher, name, 1, {}, fields)
    await action(publisher, name, 'Do', { ...update, wait: false })
    const texts = Object.fromEntries(Object.keys(fields).map((key) => [`private.${key}`, 'text']))
    outputOf(await perform(publisher, 'Do', id, texts))
    await vi.waitFor(() => expect(lines.at(-1)).toMatch(/: and \d+ more$/))
    expect((await seen(publisher, id)).private.k0).toBe('text')
    expect(lines.length).toBeLessThanOrEqual(limits.warningCount)
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('has no value of a custom property in the log or an answer, only its type', async () => {
    const { service, publisher, lines, id } = await world()
    await action(publisher, name, 'Do', update)
    await action(publisher, name, 'Later', { ...update, wait: false })
    const answer = await perform(publisher, 'Do', id, { 'private.one': 'born 1970' })
    expect(warningsOf(answer)[0]?.message).toBe('private.one was a number, and is a string now')
    outputOf(await perform(publisher, 'Later', id, { 'private.one': 1970 }))
    await service.close()
    expect(lines.join('\n')).toMatch(/Later, not waited for: private\.one was a string, and is a number now$/m)
    expect([...lines, answer.headers['vatom-warning']].join()).not.toContain('1970')
  })

  test('counts once', async () => {
    const { publisher, id } = await world()
    await action(publisher, name, 'Do', { ...update, wait: false, limit_per_user: 1 })
    expect(await perform(publisher, 'Do', id, { 'private.one': 1 })).toMatchObject({ status: 200 })
    await vi.waitFor(async () => expect((await seen(publisher, id)).private.one).toBe(1))
    expect(await perform(publisher, 'Do', id, { 'private.one': 2 })).toMatchObject({
      status: 400,
      body: { error: 9040 },
    })
  })

  test('is done when the service has closed, and what failed is in the log', async () => {
    const { db } = watched()
    const { service, publisher, id, lines } = await world({ db })
    await action(publisher, name, 'Before', update)
    await action(publisher, name, 'Do', {
      ...update,
      wait: false,
      policy: { pre: ['Before'] },
      abort_on_pre_error: true,
    })
    for (const input of [{ 'private.one': 1 }, { 'private.none': 1 }])
      expect(await perform(publisher, 'Do', id, input)).toMatchObject({ status: 200 })
    await service.close()
    const again = await testService({ db, publishers: ['local.vatom', 'other.example'] })
    expect((await seen(again.publisher, id)).private.one).toBe(1)
    expect(lines.join('\n')).toMatch(/Do, not waited for: .*private\.none/)
  })

  test('that does not abort when it fails is in the log all the same', async () => {
    const { service, publisher, id, lines } = await world()
    await action(publisher, name, 'Do', { ...open, wait: false, abort_on_main_error: false })
    expect(await perform(publisher, 'Do', id, {})).toMatchObject({ status: 200 })
    await service.close()
    expect(lines.filter((line) => line.includes('not waited for'))).toEqual([
      expect.stringMatching(/Do, not waited for: .*only a package/),
    ])
  })
})

describe('action_notification', () => {
  const notification = (msg: string, on = true) => ({ action_notification: { on, msg } })
  /** What users are told after a vAtom was given to bob by an action with such a notification. */
  async function messages(fields: object) {
    const { db, events } = watched()
    const { publisher, bob, id } = await world({ db })
    await action(publisher, name, 'Transfer', fields)
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    const told = (await events()).filter(({ type }) => type === 'my_events')
    return { told: told.map(({ user, msg }) => [user, msg]), bob: bob.id }
  }

  test.each([
    [notification('You have one'), 'You have one'],
    [notification('You have one', false), '<b>Somebody</b> sent you a <b></b> vAtom.'],
    [notification(''), '<b>Somebody</b> sent you a <b></b> vAtom.'],
  ])('%j', async (fields, msg) => {
    const { told, bob } = await messages(fields)
    expect(told).toEqual([[bob, msg]])
  })

  test('tells nobody of what is nobody’s any more', async () => {
    const { db, events } = watched()
    const { publisher } = await world({ db })
    const [pack] = await emitted(publisher, 'local.vatom::Pack', 1, { root_type: packageType })
    await action(publisher, 'local.vatom::Pack', 'Open', notification('It was opened'))
    expect(await perform(publisher, 'Open', pack)).toMatchObject({ status: 200 })
    expect((await events()).map(({ type }) => type)).toEqual(['inventory'])
  })

  test('tells the owner of what another did, where the action has no words of its own', async () => {
    const { db, events } = watched()
    const { publisher, bob, id } = await world({ db })
    await action(publisher, name, 'Transfer')
    await action(publisher, name, 'Do', { ...update, ...notification('It was changed') })
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 1 }))
    outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
    const before = (await events()).length
    outputOf(await perform(publisher, 'Do', id, { 'private.one': 2 }))
    const told = (await events()).slice(before).filter(({ type }) => type === 'my_events')
    expect(told).toMatchObject([{ user: bob.id, msg: 'It was changed', triggered_by: publisher.id, action_name: 'Do' }])
    expect((await events()).filter(({ msg }) => msg === 'It was changed')).toHaveLength(1)
  })
})
