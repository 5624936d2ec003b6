import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { action, actionName, template, templateName } from '../../fixtures/bodies.ts'
import { doors, emitted, made, testService, warningsOf } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const path = '/v1/publisher/action'
const one = (name = actionName) => `${path}/${name}`
const list = (query: object = {}) => `${path}?${new URLSearchParams({ template: templateName, ...query })}`

async function world(fields: object = {}) {
  const opened = await testService()
  await made(opened.publisher, ['POST', '/v1/templates', template(fields)])
  const register = (body: object) => opened.publisher.call('POST', path, { body })
  return { ...opened, register }
}

const noon = '2027-03-01T12:00:00Z'
/** A record as it is answered where the document says no more than it must. */
const record = (made_by: string) => ({
  name: actionName,
  meta: {
    created_by: made_by,
    when_created: noon,
    modified_by: made_by,
    when_modified: noon,
    data_type: 'v1::ActionType',
  },
  properties: {
    name: actionName,
    reactor: 'blockv://v1/Transfer',
    wait: false,
    rollback: false,
    abort_on_pre_error: true,
    abort_on_post_error: false,
    abort_on_main_error: true,
    timeout: 10_000,
    guest_user: false,
    state_impact: [],
    policy: { pre: [], rule: '', post: [] },
    params: { input: [], output: [] },
    config: {},
    limit_per_user: 0,
    action_notification: { on: false, msg: '', custom: {} },
  },
})

describe('register', () => {
  test('the answer names the action and its template', async () => {
    const { register } = await world()
    expect(await register(action())).toMatchObject({
      status: 200,
      payload: { success_message: `Action ${actionName} registered for template ${templateName}.` },
    })
  })

  test('an action is stored with every property, in the order of the record', async () => {
    const { publisher, register } = await world()
    await register(action())
    const { payload } = await publisher.call('GET', one())
    expect(payload).toEqual(record(publisher.id))
    expect(JSON.stringify(payload)).toBe(JSON.stringify(record(publisher.id)))
  })

  test('submitted values are stored, and incomplete objects are completed', async () => {
    const { publisher, register } = await world()
    const said = {
      wait: true,
      rollback: true,
      abort_on_pre_error: false,
      abort_on_post_error: true,
      abort_on_main_error: false,
      timeout: 100,
      guest_user: true,
      state_impact: ['this.owner'],
      config: { auto_create_mode: 'claim' },
      limit_per_user: 3,
    }
    const parts = {
      policy: { pre: [`${templateName}::Action::None`] },
      params: { output: ['vAtomic::v1::Error'] },
      action_notification: { msg: 'Yours' },
    }
    await register(action({ ...said, ...parts }))
    expect((await publisher.call('GET', one())).payload.properties).toEqual({
      name: actionName,
      reactor: 'blockv://v1/Transfer',
      ...said,
      policy: { pre: [`${templateName}::Action::None`], rule: '', post: [] },
      params: { input: [], output: ['vAtomic::v1::Error'] },
      action_notification: { on: false, msg: 'Yours', custom: {} },
    })
  })

  test('what of it has no effect is warned of', async () => {
    const { register } = await world()
    const answer = await register(action({ rollback: true, config: { auto_create_non_existing_recipients: true } }))
    expect(answer.status).toBe(200)
    expect(warningsOf(answer)).toEqual([
      {
        code: 'action-config',
        path: 'config.auto_create_non_existing_recipients',
        message: expect.stringMatching(
          /^auto_create_non_existing_recipients is not a known setting of config.*; did you mean auto_create_non_existing_recipient\?$/,
        ),
      },
      { code: 'action-ignored', path: 'rollback', message: expect.stringMatching(/^rollback has no effect/) },
    ])
    expect((await register(action({ policy: { pre: [], post: [] } }, 'Drop'))).headers).not.toHaveProperty(
      'vatom-warning',
    )
  })

  test('what its policy names and is not there is warned of, then and whenever it changes', async () => {
    const { publisher, register } = await world()
    const pre = ['Pickup', `${templateName}::Action::Drop`, actionName]
    const none = (name: string, index: number, about: string) => ({
      code: 'missing-action',
      path: `policy.pre[${index}]`,
      message: `policy.pre names ${name}, but no action is named ${about} yet`,
      about,
    })
    const [pickup, drop] = [`${templateName}::Action::Pickup`, `${templateName}::Action::Drop`]
    const answer = await register(action({ policy: { pre } }))
    expect(answer.status).toBe(200)
    expect(warningsOf(answer)).toEqual([none('Pickup', 0, pickup), none(drop, 1, drop)])
    await register(action({}, 'Pickup'))
    const changed = await publisher.call('PATCH', one(), { body: { timeout: 1000 } })
    expect(warningsOf(changed)).toEqual([none(drop, 1, drop)])
    await register(action({}, 'Drop'))
    const body = { policy: { post: ['Pickup', 'Drop'] } }
    expect((await publisher.call('PATCH', one(), { body })).headers).not.toHaveProperty('vatom-warning')
  })

  test('a reactor of its own without a handler of its publisher is warned of, then and whenever it changes', async () => {
    const { publisher, register } = await world()
    const reactor = 'acme://stamp'
    const warned = {
      code: 'missing-handler',
      path: 'reactor',
      message: `no handler is registered for ${reactor}, so the action fails: register one with vatom action handler register`,
    }
    const answer = await register({ ...action({}), reactor })
    expect({ status: answer.status, warnings: warningsOf(answer) }).toEqual({ status: 200, warnings: [warned] })
    expect(warningsOf(await publisher.call('PATCH', one(), { body: { timeout: 1000 } }))).toEqual([warned])
    const handler = { reactor, url: 'http://127.0.0.1:9000/stamp' }
    await publisher.call('POST', '/v1/publisher/action_handler', { body: handler })
    const quiet = [
      await publisher.call('PATCH', one(), { body: { timeout: 1000 } }),
      await register({ ...action({}, 'Stamp'), reactor }),
      await register(action({}, 'Drop')),
    ]
    for (const { status, headers } of quiet) {
      expect(status).toBe(200)
      expect(headers).not.toHaveProperty('vatom-warning')
    }
  })

  test('what guards an action is warned of where another one runs it without that, whichever is changed', async () => {
    const { publisher, register } = await world()
    const lost = (what: string, path: string, about: string) => ({
      code: 'policy-guards',
      path,
      message: `Transfer runs Drop without its ${what}: of an action that a policy names, only the reactor runs`,
      about: `${templateName}::Action::${about}`,
    })
    await register(action({ limit_per_user: 1 }, 'Drop'))
    expect((await register(action({ limit_per_user: 1 }, 'Pickup'))).headers).not.toHaveProperty('vatom-warning')
    const answer = await register(action({ policy: { pre: ['Drop'] } }))
    expect(warningsOf(answer)).toEqual([lost('limit_per_user', 'policy.pre[0]', 'Drop')])
    const config = { activated_users_only: true }
    const changed = await publisher.call('PATCH', one(`${templateName}::Action::Drop`), { body: { config } })
    expect(warningsOf(changed)).toEqual([lost('limit_per_user, config.activated_users_only', '', 'Transfer')])
    const heard = await publisher.call('PATCH', one(), { body: { config, limit_per_user: 1 } })
    expect(heard.headers).not.toHaveProperty('vatom-warning')
    const body = { config: {} }
    expect(warningsOf(await publisher.call('PATCH', one(), { body }))).toEqual([
      lost('config.activated_users_only', 'policy.pre[0]', 'Drop'),
    ])
  })

  test('name and reactor are required, others are of their kind', async () => {
    const { register } = await world()
    for (const [fields, at] of [
      [{ name: undefined }, 'name'],
      [{ reactor: undefined }, 'reactor'],
      [{ reactor: 'Transfer' }, 'reactor'],
      [{ timeout: 0 }, 'timeout'],
      [{ timeout: limits.actionTimeout + 1 }, 'timeout'],
      [{ limit_per_user: -1 }, 'limit_per_user'],
      [{ wait: 'yes' }, 'wait'],
      [{ policy: { before: [] } }, 'policy.before'],
      [{ policy: { pre: Array(limits.policyActions + 1).fill('Pay') } }, 'policy.pre'],
      [{ policy: { post: Array(limits.policyActions + 1).fill('Pay') } }, 'policy.post'],
    ] as const)
      expect(await register(action(fields))).toMatchObject({ status: 400, body: { issues: [{ path: at }] } })
  })

  test('it is named after a template, by the infix, with something behind it', async () => {
    const { register } = await world()
    for (const name of [templateName, `${templateName}::Action::`, `${templateName}::action::A`, `${actionName}::B`])
      expect(await register(action({ name }))).toMatchObject({ status: 400, body: { error: 516 } })
    for (const name of ['other.example::A::Action::B', '$publisher::A::Action::B'])
      expect(await register(action({ name }))).toMatchObject({
        status: 400,
        body: { error: 9003, issues: [{ path: 'name' }] },
      })
    expect(await register(action({ name: 'local.vatom::None::Action::B' }))).toMatchObject({
      status: 400,
      body: { error: 9006, issues: [{ path: 'name' }] },
    })
  })

  test('its name is unique', async () => {
    const { register } = await world()
    await register(action())
    expect(await register(action())).toMatchObject({
      status: 400,
      body: { error: 9004, issues: [{ path: 'name' }] },
    })
  })

  test('of many registrations of one name at once, one is made', async () => {
    const { publisher, register } = await world()
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(action())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    expect((await publisher.call('GET', list())).payload).toHaveLength(1)
  })

  test('the actions of a template have a bounded size together', async () => {
    const { publisher, register } = await world()
    const long = (name: string, length = 60_000) => register(action({ config: { note: 'x'.repeat(length) } }, name))
    for (const name of ['A', 'B', 'C', 'D']) expect(await long(name)).toMatchObject({ status: 200 })
    const message = expect.stringMatching(`^the actions of ${templateName} would have \\d+ bytes of JSON together`)
    const refused = { status: 400, body: { error: 516, issues: [{ path: '', message }] } }
    expect(await long('E')).toMatchObject(refused)
    expect(await long('E', 100)).toMatchObject({ status: 200 })
    const change = { body: { config: { note: 'x'.repeat(60_000) } } }
    expect(await publisher.call('PATCH', one(`${templateName}::Action::E`), change)).toMatchObject(refused)
  })

  test('a template has a bounded number of actions, however they race, and room again once one is deleted', async () => {
    const { publisher, register } = await world()
    await Promise.all(Array.from({ length: limits.actions - 1 }, (_, n) => register(action({}, `A${n}`))))
    const race = await Promise.all([register(action({}, 'B')), register(action({}, 'C'))])
    const message = `${templateName} has 100 actions, the most a template can have; delete one first`
    expect(race).toMatchObject([
      { status: 200 },
      { status: 400, body: { error: 516, issues: [{ path: 'name', message }] } },
    ])
    expect((await publisher.call('GET', list({ limit: 0 }))).payload).toHaveLength(limits.actions)
    await made(publisher, ['DELETE', one(`${templateName}::Action::B`)], ['POST', path, action({}, 'C')])
  })

  test('an action that goes while it is changed is not there, nor one that is registered while its template goes', async () => {
    const { publisher, register } = await world()
    await register(action())
    const change = [publisher.call('DELETE', one()), publisher.call('PATCH', one(), { body: {} })]
    expect(await Promise.all(change)).toMatchObject([{ status: 200 }, { status: 404, body: { error: 9007 } }])
    const registration = [publisher.call('DELETE', `/v1/templates/${templateName}`), register(action())]
    const [removed, registered] = await Promise.all(registration)
    // Which of them is first is open: the deletion is made in steps.
    const before = { status: 200 }
    const after = { status: 400, body: { error: 9006 } }
    expect(removed).toMatchObject({ status: 200 })
    expect(registered).toMatchObject(registered?.status === before.status ? before : after)
    expect(await publisher.call('GET', one())).toMatchObject({ status: 404 })
  })

  test('a reactor the platform is not known to have is taken with a warning', async () => {
    const { register } = await world()
    const { status, headers } = await register(action({ reactor: 'blockv://v1/Sing' }))
    expect([status, headers['vatom-warning']]).toEqual([200, expect.stringContaining('blockv://v1/Sing')])
  })
})

describe.each(['draft', 'published'])('an action of a %s template', (state) => {
  async function registered(fields: object = {}) {
    const opened = await world({ unpublished: state === 'draft' })
    await made(opened.publisher, ['POST', path, action(fields)])
    const properties = async () => (await opened.publisher.call('GET', one())).payload.properties
    return { ...opened, properties, update: (body: object) => opened.publisher.call('PATCH', one(), { body }) }
  }

  test('is changed: what is sent replaces what it had, whole, and is completed', async () => {
    const { publisher, advance, update, properties } = await registered({
      wait: true,
      policy: { pre: ['a'], rule: 'r' },
      params: { input: ['this.id'] },
      action_notification: { on: true, msg: 'Yours' },
    })
    const before = await properties()
    advance(60)
    expect(await update({ timeout: 5000, policy: { post: ['b'] } })).toMatchObject({
      status: 200,
      payload: { success_message: `Action ${actionName} updated.` },
    })
    expect(await properties()).toEqual({ ...before, timeout: 5000, policy: { pre: [], rule: '', post: ['b'] } })
    expect((await publisher.call('GET', one())).payload.meta).toEqual({
      ...record(publisher.id).meta,
      when_modified: '2027-03-01T12:01:00Z',
    })
    await update({ params: {}, action_notification: { on: true } })
    expect(await properties()).toMatchObject({
      wait: true,
      timeout: 5000,
      params: { input: [], output: [] },
      action_notification: { on: true, msg: '', custom: {} },
    })
  })

  test('the result of a change is checked against the rules; if one is broken, nothing changes', async () => {
    const { properties, update } = await registered({ config: { text: 'x'.repeat(limits.section / 2) } })
    const before = await properties()
    for (const [body, at] of [
      [{ name: `${templateName}::Action::B` }, 'name'],
      [{ reactor: 'Transfer' }, 'reactor'],
      [{ timeout: 0 }, 'timeout'],
      [{ action_notification: { msg: 'x'.repeat(limits.section / 2) } }, ''],
    ] as const)
      expect(await update(body)).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: at }] } })
    expect(await properties()).toEqual(before)
    expect((await update({ reactor: 'blockv://v1/Sing' })).headers['vatom-warning']).toMatch(/Sing/)
  })

  test('is removed, and its name is free again', async () => {
    const { publisher } = await registered()
    expect(await publisher.call('DELETE', one())).toMatchObject({
      status: 200,
      payload: { success_message: `Action ${actionName} deleted.` },
    })
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      expect(await publisher.call(method, one(), { body })).toMatchObject({ status: 404, body: { error: 9007 } })
    expect((await publisher.call('GET', list())).payload).toEqual([])
    await made(publisher, ['POST', path, action()])
  })
})

describe('lists', () => {
  const names = ['Transfer', 'Clone', 'Drop']
  const full = names.map((name) => `${templateName}::Action::${name}`)
  async function three() {
    const opened = await twoPublishers()
    const { publisher } = opened
    for (const template_ of [templateName, 'local.vatom::Other::v1'])
      await made(publisher, ['POST', '/v1/templates', template({ template: template_ })])
    await made(publisher, ['POST', path, action({ name: 'local.vatom::Other::v1::Action::Drop' })])
    for (const name of names) await made(publisher, ['POST', path, action({}, name)])
    return opened
  }

  test('the actions of a template, in order of registration, by pages', async () => {
    const { publisher } = await three()
    const listed = async (query: object) =>
      (await publisher.call('GET', list(query))).payload.map(({ name }: { name: string }) => name)
    expect(await listed({})).toEqual(full)
    expect(await listed({ limit: '2', page: '2' })).toEqual(full.slice(2))
    expect(await listed({ page: '2' })).toEqual([])
    const { payload } = await publisher.call('GET', list({ limit: '1' }))
    expect(payload).toEqual([(await publisher.call('GET', one())).payload])
  })

  test('a template that is not named, or not there, is refused', async () => {
    const { publisher } = await world()
    expect(await publisher.call('GET', path)).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: 'template' }] },
    })
    expect(await publisher.call('GET', list({ template: 'local.vatom::None' }))).toMatchObject({
      status: 400,
      body: { error: 9006, issues: [{ path: 'template' }] },
    })
  })

  test('every viewer gets the names alone', async () => {
    const { publisher, other, bob } = await three()
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
    for (const viewer of [publisher, other, bob])
      expect((await viewer.call('GET', `/v1/user/actions/${templateName}`)).payload).toEqual(
        full.map((name) => ({ name })),
      )
    expect(await bob.call('GET', '/v1/user/actions/local.vatom::None')).toMatchObject({
      status: 404,
      body: { error: 9007 },
    })
  })

  test('a search answers the actions of the templates on its page, each once, in order', async () => {
    const { publisher } = await testService()
    await emitted(publisher, 'local.vatom::A', 2)
    await emitted(publisher, 'local.vatom::B', 1)
    for (const name of ['A::Action::Drop', 'B::Action::Drop', 'A::Action::Clone'])
      await made(publisher, ['POST', path, action({ name: `local.vatom::${name}` })])
    const search = async (body: object) => (await publisher.call('POST', '/v1/vatom/discover', { body })).payload
    const scope = (value: string) => ({ scope: { key: 'vAtom::vAtomType.template', value } })
    const { actions } = await search(scope('local.vatom::A'))
    expect(actions).toEqual([
      (await publisher.call('GET', one('local.vatom::A::Action::Drop'))).payload,
      (await publisher.call('GET', one('local.vatom::A::Action::Clone'))).payload,
    ])
    expect((await search({})).actions).toHaveLength(3)
    expect((await search(scope('local.vatom::None'))).actions).toEqual([])
    expect((await search({ return: { type: 'count' } })).actions).toEqual([])
  })
})

describe('handlers', () => {
  const handlers = '/v1/publisher/action_handler'
  const handler = (reactor: string) => ({ reactor, url: 'https://hooks.example/stamp' })
  const stamp = 'local.vatom://stamp'
  const reactorPath = (reactor: string) => `${handlers}/${encodeURIComponent(reactor)}`

  test('a handler is registered and answered as it was sent', async () => {
    const { publisher } = await testService()
    expect(await made(publisher, ['POST', handlers, handler(stamp)])).toEqual({
      success_message: `Action handler for ${stamp} registered.`,
    })
    expect((await publisher.call('GET', handlers)).payload).toEqual([
      {
        reactor: stamp,
        url: 'https://hooks.example/stamp',
        meta: { ...record(publisher.id).meta, data_type: 'v1::ActionHandlerType' },
      },
    ])
  })

  test('handlers are listed by reactor, by pages', async () => {
    const { publisher } = await testService()
    for (const name of ['c', 'a', 'b']) await made(publisher, ['POST', handlers, handler(`local.vatom://${name}`)])
    const listed = async (query: string) =>
      (await publisher.call('GET', handlers + query)).payload.map(({ reactor }: { reactor: string }) => reactor)
    expect(await listed('')).toEqual(['a', 'b', 'c'].map((name) => `local.vatom://${name}`))
    expect(await listed('?limit=2&page=2')).toEqual(['local.vatom://c'])
  })

  test('a reactor has one handler, not the platform’s, at a web address', async () => {
    const { publisher } = await testService()
    const register = (body: object) => publisher.call('POST', handlers, { body })
    const many = await Promise.all(Array.from({ length: 8 }, () => register(handler(stamp))))
    expect(many.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    expect(await register(handler(stamp))).toMatchObject({
      status: 400,
      body: { error: 9004, issues: [{ path: 'reactor' }] },
    })
    expect(await register(handler('blockv://v1/Transfer'))).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'reactor' }] },
    })
    expect(await register({ ...handler('local.vatom://b'), url: 'ftp://hooks.example' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'url' }] },
    })
  })

  test.each(doors)('a handler is removed by its reactor, percent-encoded, %s', async (door) => {
    const { publisher } = await testService({}, door)
    for (const reactor of [stamp, 'local.vatom://stamp/of?kind=a&b#%25'])
      await made(publisher, ['POST', handlers, handler(reactor)], ['DELETE', reactorPath(reactor)])
    expect((await publisher.call('GET', handlers)).payload).toEqual([])
    expect(await publisher.call('DELETE', reactorPath(stamp))).toMatchObject({ status: 404, body: { error: 9007 } })
  })

  test('two publishers register one reactor, each for themselves', async () => {
    const { publisher, other } = await twoPublishers()
    for (const who of [publisher, other]) await made(who, ['POST', handlers, handler(stamp)])
    await made(other, ['DELETE', reactorPath(stamp)])
    expect((await other.call('GET', handlers)).payload).toEqual([])
    expect((await publisher.call('GET', handlers)).payload).toMatchObject([{ reactor: stamp }])
  })
})
