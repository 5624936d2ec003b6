import { describe, expect, test } from 'vitest'
import * as bodies from '../../../fixtures/bodies.ts'
import { action, coupon, template } from '../../../fixtures/yaml.ts'
import { draftedTemplate, registered, rival, transports, type WatchedDesk } from '../../../support/desks.ts'

const transfer = `${coupon}::Action::Transfer`
const redeem = `${coupon}::Action::Redeem`
const path = `/v1/publisher/action/${encodeURIComponent(transfer)}`

describe.each(transports)('on the %s transport', (transport) => {
  const designed = () => draftedTemplate(transport)
  /** A desk with a registered action, and its document in transfer.yaml. */
  const withTransfer = (more = '') => registered(transport, 'action', 'transfer.yaml', action('Transfer', more))
  const properties = async ({ json }: WatchedDesk) => {
    const { properties } = (await json('action', 'get', transfer)) as { properties: object }
    return properties
  }

  describe('action register', () => {
    test('takes files, and expands $publisher in names', async () => {
      const desk = await designed()
      const more = 'policy: { pre: ["$publisher::Coupon::v1::Action::Redeem"] }\nconfig: { auto_create_mode: claim }\n'
      desk.file('both.yaml', `${action('Redeem')}---\n${action('Transfer', more)}`)
      expect(await desk.json('action', 'register', 'both.yaml')).toMatchObject({
        results: [
          { file: 'both.yaml', kind: 'action', name: redeem, status: 'created' },
          { name: transfer, status: 'created' },
        ],
        summary: { total: 2, ok: 2, failed: 0 },
      })
      expect(await properties(desk)).toMatchObject({
        reactor: 'blockv://v1/Transfer',
        timeout: 10_000,
        policy: { pre: [redeem], post: [] },
        config: { auto_create_mode: 'claim' },
      })
    })

    test('takes flags, its own --timeout among them', async () => {
      const desk = await designed()
      const named = ['--name', '$publisher::Coupon::v1::Action::Transfer', '--reactor', 'blockv://v1/Transfer']
      const flags = ['--wait', '--timeout', '2500', '--guest-user', '--limit-per-user=3', '--no-abort-on-pre-error']
      const more = ['--abort-on-post-error', '--rollback', '--state-impact', 'this.owner', 'this.parent_id']
      expect(await desk.json('action', 'register', ...named, ...flags, ...more)).toMatchObject({
        results: [{ file: null, kind: 'action', name: transfer, status: 'created' }],
      })
      expect(await properties(desk)).toMatchObject({
        wait: true,
        timeout: 2500,
        guest_user: true,
        limit_per_user: 3,
        abort_on_pre_error: false,
        abort_on_main_error: true,
        abort_on_post_error: true,
        rollback: true,
        state_impact: ['this.owner', 'this.parent_id'],
      })
    })

    test('leaves a --timeout before its noun to the program, and a word that is none to nobody', async () => {
      const { vatom, changes } = await withTransfer()
      const update = ['action', 'update', '--name', transfer]
      expect(await vatom('--timeout', 'x', ...update, '--wait')).toMatchObject({
        code: 2,
        err: expect.stringContaining('number of seconds'),
      })
      expect(await vatom('--timeout', '20', ...update, '--timeout', '10000')).toMatchObject({ code: 0 })
      for (const wrong of ['--timeout=x', '--timeout=-1', '--timeout=1.5', '--limit-per-user='])
        expect(await vatom(...update, wrong)).toMatchObject({ code: 2, err: expect.stringContaining('a whole number') })
      expect(changes()).toEqual([])
      expect(await vatom('action', 'list', coupon, '--timeout', '20')).toMatchObject({ code: 0 })
    })

    test.each([
      [[], 'No action given', '--name, --reactor'],
      [['--name', transfer], 'An action from flags needs --reactor', ''],
      [['transfer.yaml', '--wait'], 'not both', ''],
    ])('%j is a usage error', async (args, message, hint) => {
      const { vatom } = await withTransfer()
      const { code, out, err } = await vatom('action', 'register', ...args)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(message)
      expect(err).toContain(hint)
    })

    test('of what is registered already says how to change it: exit 1', async () => {
      const { vatom } = await withTransfer()
      expect(await vatom('action', 'register', 'transfer.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom action update'),
      })
    })

    test('of a template that is not there, or is not yours, sends nothing or is refused', async () => {
      const { vatom, file, changes } = await designed()
      file('none.yaml', 'name: $publisher::No::v1::Action::Transfer\nreactor: blockv://v1/Transfer\n')
      expect(await vatom('action', 'register', 'none.yaml')).toMatchObject({ code: 1, out: '' })
      changes()
      file('theirs.yaml', 'name: acme.com::A::v1::Action::Transfer\nreactor: blockv://v1/Transfer\n')
      expect(await vatom('action', 'register', 'theirs.yaml')).toMatchObject({
        code: 3,
        err: expect.stringContaining('theirs.yaml:1:7'),
      })
      expect(changes()).toEqual([])
    })

    test('of two documents with one name sends neither: exit 3', async () => {
      const { vatom, file, changes } = await designed()
      file('twice.yaml', `${action()}---\n${action()}`)
      expect(await vatom('action', 'register', 'twice.yaml')).toMatchObject({
        code: 3,
        err: expect.stringContaining(`a second action named ${transfer}; the first is at twice.yaml:1:7`),
      })
      expect(changes()).toEqual([])
    })
  })

  describe('action validate', () => {
    test('tells what is valid', async () => {
      const { vatom } = await withTransfer()
      expect(await vatom('action', 'validate', 'transfer.yaml')).toEqual({
        code: 0,
        out: `valid action ${transfer} (transfer.yaml)\n`,
        err: '',
      })
    })

    test.each([
      ['a YAML trap', action('Transfer', 'wait: yes\n'), '3:7', 'hint: write true'],
      ['an unknown field', action('Transfer', 'time_out: 1\n'), '3:1', 'did you mean timeout?'],
      ['a name that is none', 'name: $publisher::Coupon::v1\nreactor: blockv://v1/Transfer\n', '1:7', '::Action::'],
      ['its kind said outright', 'kind: action\nname: $publisher::Coupon::v1::Action::Go\n', '', 'reactor is required'],
    ])('%s is told with its place', async (_, text, place, words) => {
      const { vatom, file, changes } = await designed()
      file('bad.yaml', text)
      const { code, out, err } = await vatom('action', 'validate', 'bad.yaml')
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toContain(`bad.yaml:${place}`)
      expect(err).toContain(words)
      expect(changes()).toEqual([])
    })

    test('expands the name of a document whose kind alone says what it is', async () => {
      const { run, file } = await designed()
      file('bare.yaml', 'kind: action\nname: $publisher::Coupon::v1::Action::Go\n')
      const { out } = await run(['action', 'validate', 'bare.yaml', '--json'])
      expect(JSON.parse(out)).toMatchObject({ results: [{ kind: 'action', name: `${coupon}::Action::Go` }] })
    })

    test('leaves other documents alone, and counts them', async () => {
      const { vatom, file } = await designed()
      file('mixed.yaml', `${template()}---\n${action()}`)
      expect(await vatom('action', 'validate', 'mixed.yaml')).toMatchObject({
        code: 0,
        err: 'ignored 1 document of other kinds: this command takes actions\n',
      })
      expect(await vatom('action', 'validate', 'coupon.yaml')).toMatchObject({
        code: 3,
        err: expect.stringContaining('holds no action'),
      })
    })

    test('warns about a reactor that the platform is not known to have', async () => {
      const { json, file } = await designed()
      file('odd.yaml', action().replace('v1/Transfer', 'v1/Transfr'))
      expect(await json('action', 'validate', 'odd.yaml')).toMatchObject({
        results: [{ status: 'valid', problems: [{ rule: 'action-reactor', severity: 'warning', line: 2 }] }],
      })
    })
  })

  describe('action list and get', () => {
    test('list shows the actions of a template', async () => {
      const { vatom, json } = await withTransfer('wait: true\n')
      expect(await vatom('action', 'list', '$publisher::Coupon::v1')).toEqual({
        code: 0,
        out: `${transfer}\tblockv://v1/Transfer\tyes\tno\t10000\n`,
        err: '',
      })
      expect(await json('action', 'list', '--template', coupon)).toMatchObject([
        { name: transfer, properties: { reactor: 'blockv://v1/Transfer' } },
      ])
      expect(await vatom('action', 'list', 'x')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom template list'),
      })
    })

    test('get prints a document that makes the same action again', async () => {
      const desk = await withTransfer(
        'limit_per_user: 2\nparams: { input: [this.id] }\naction_notification: { on: true }\n',
      )
      const before = await properties(desk)
      const { out } = await desk.vatom('action', 'get', '$publisher::Coupon::v1::Action::Transfer')
      expect(out).toMatch(/^name: .*\nreactor: /)
      await desk.json('action', 'delete', transfer, '--yes')
      expect(await desk.run(['action', 'register', '-'], { stdin: out })).toMatchObject({ code: 0 })
      expect(await properties(desk)).toEqual(before)
    })

    test.each(['Transfer', 'Coupon::v1::Transfer', 'v1::Action::Transfer'])(
      'a part of a name that no other action has, %s, stands for it',
      async (part) => {
        const { vatom, json } = await withTransfer()
        expect(await vatom('action', 'get', part)).toMatchObject({
          code: 0,
          out: expect.stringContaining(`name: ${transfer}\n`),
        })
        if (part.includes('::')) await json('action', 'update', part, '--timeout', '9000')
        expect((await vatom('action', 'get', 'Trans')).err).toContain(`did you mean: vatom action get ${transfer}\n`)
        expect((await vatom('action', 'delete', part, '--yes')).out).toContain(`Deleted action ${transfer} on `)
      },
    )

    test('get of an action that is not there says how to see those there are', async () => {
      const { vatom } = await withTransfer()
      expect(await vatom('action', 'get', redeem)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(`vatom action list ${redeem.split('::Action')[0]}`),
      })
    })
  })

  describe('action update', () => {
    test('takes the fields that flags give, and leaves the others', async () => {
      const desk = await withTransfer('limit_per_user: 2\nwait: true\n')
      const before = await properties(desk)
      const update = ['action', 'update', '--name', '$publisher::Coupon::v1::Action::Transfer']
      const flags = ['--timeout', '2500', '--no-wait', '--limit-per-user', '2']
      expect(await desk.json(...update, ...flags)).toMatchObject({
        results: [
          {
            file: null,
            kind: 'action',
            name: transfer,
            status: 'updated',
            message: expect.stringMatching(/: timeout, wait$/),
          },
        ],
      })
      expect(desk.changes()).toEqual([`PATCH ${path}`])
      expect(await properties(desk)).toEqual({ ...before, timeout: 2500, wait: false })
      expect(await desk.json(...update, ...flags)).toMatchObject({ results: [{ status: 'unchanged' }] })
      expect(desk.changes()).toEqual([])
    })

    test.each([[[transfer]], [['$publisher::Coupon::v1::Action::Transfer']], [[transfer, '--name', transfer]]])(
      'takes the name as %j',
      async (named) => {
        const desk = await withTransfer()
        expect(await desk.json('action', 'update', ...named, '--timeout', '500')).toMatchObject({
          results: [{ file: null, name: transfer, status: 'updated', message: expect.stringMatching(/: timeout$/) }],
        })
        expect(await properties(desk)).toMatchObject({ timeout: 500 })
      },
    )

    test('takes the whole of what a document says', async () => {
      const desk = await withTransfer('limit_per_user: 2\npolicy: { rule: x }\nwait: true\n')
      desk.file('transfer.yaml', action('Transfer', 'wait: true\npolicy: { pre: [a] }\n'))
      expect(await desk.json('action', 'update', 'transfer.yaml')).toMatchObject({
        results: [{ file: 'transfer.yaml', status: 'updated' }],
      })
      expect(await properties(desk)).toMatchObject({
        limit_per_user: 0,
        wait: true,
        policy: { pre: ['a'], rule: '', post: [] },
      })
      desk.changes()
      expect(await desk.json('action', 'update', 'transfer.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      expect(desk.changes()).toEqual([])
    })

    test('says once what files show, and nothing that a comment switches off there', async () => {
      const desk = await designed()
      const pickup = action('Pickup', 'policy: { pre: [Drop] }\n')
      desk.file('both.yaml', `${action('Drop', 'limit_per_user: 1\n')}---\n${pickup}`)
      const lost = 'Pickup runs Drop without its limit_per_user'
      expect((await desk.vatom('action', 'register', 'both.yaml')).err.split(lost)).toHaveLength(2)
      desk.file('both.yaml', `${action('Drop', 'limit_per_user: 2\n')}---\n${pickup}`)
      expect((await desk.vatom('action', 'update', 'both.yaml')).err.split(lost)).toHaveLength(2)
      desk.file(
        'both.yaml',
        `# vatom-ignore-file policy-guards\n${action('Drop', 'limit_per_user: 3\n')}---\n${pickup}`,
      )
      expect((await desk.vatom('action', 'update', 'both.yaml')).err).not.toContain(lost)
      desk.file('alone.yaml', action('Drop', 'limit_per_user: 4\n'))
      expect((await desk.vatom('action', 'update', 'alone.yaml')).err.split(lost)).toHaveLength(2)
    })

    test('of a published template is done', async () => {
      const { json, file } = await withTransfer()
      await json('template', 'publish', coupon, '--confirm', coupon)
      file('transfer.yaml', action('Transfer', 'wait: true\n'))
      expect(await json('action', 'update', 'transfer.yaml')).toMatchObject({ results: [{ status: 'updated' }] })
    })

    test('of an action that is not there says what to do: exit 1', async () => {
      const { vatom, file } = await withTransfer()
      file('redeem.yaml', action('Redeem'))
      expect(await vatom('action', 'update', 'redeem.yaml', 'transfer.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom action register redeem.yaml'),
      })
      expect(await vatom('action', 'update', '--name', redeem, '--wait')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom action list\n'),
      })
    })

    test.each([
      [[], 2, 'No action given'],
      [['--wait'], 2, 'No action given'],
      [['--name', transfer], 2, 'No change given'],
      [[transfer], 2, 'No change given'],
      [['transfer.yaml', '--wait'], 2, 'not both'],
      [['transfer.yaml', '--wait'], 2, 'hint: write it into the file, or change one action: vatom action update NAME'],
      [['transfer.yaml', '--name', transfer], 2, 'not both'],
      [['transfer.yaml', transfer, '--wait'], 2, 'not both'],
      [[transfer, redeem, '--wait'], 2, 'several are named'],
      [['Transfer'], 2, 'No change given'],
      [['Transfr', '--wait'], 1, 'no action is named Transfr'],
      [[transfer, '--name', redeem, '--wait'], 2, 'several are named'],
      [['--name', transfer, '--timeout', '60001'], 3, '--timeout: must be at most 60000'],
      [
        ['--name', transfer, '--reactor', 'Transfer'],
        3,
        '--reactor: must be the whole address of the reactor: blockv://v1/Transfer',
      ],
    ])('%j exits %i: %s', async (args, code, words) => {
      const { vatom, changes } = await withTransfer()
      expect(await vatom('action', 'update', ...args)).toMatchObject({
        code,
        out: '',
        err: expect.stringContaining(words),
      })
      expect(changes()).toEqual([])
    })
  })

  test('action delete wants --yes, takes several, and says which were not there', async () => {
    const { vatom, json, changes } = await withTransfer()
    expect(await vatom('action', 'delete', transfer)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(changes()).toEqual([])
    const { code, out } = await vatom('action', 'delete', '$publisher::Coupon::v1::Action::Transfer', redeem, '--yes')
    expect({ code, out }).toEqual({ code: 6, out: expect.stringContaining(`Deleted action ${transfer} on `) })
    expect(await json('action', 'list', coupon)).toEqual([])
  })

  test('action delete names the actions whose policy has it, before it asks', async () => {
    const { run, vatom, file, json } = await designed()
    const naming = (name: string) => action(name, 'policy: { pre: [Check] }\n')
    const all = [action('Check'), naming('Redeem'), naming('Transfer'), action('Drop')]
    await json('action', 'register', file('actions.yaml', all.join('---\n')))
    const said = [redeem, transfer].map(
      (name) => `warning: ${name} names ${coupon}::Action::Check in its policy, and fails or warns without it\n`,
    )
    const words = ['action', 'delete', 'Check']
    const answers = { 'Delete action': 'n' }
    const asked = await run(words, { tty: true, columns: 400, answers, env: { NO_COLOR: '1' } })
    expect(asked.err).toMatch(/fails or warns without it\n[\s\S]*Delete action/)
    expect(asked.err).toContain(said.join(''))
    expect((await vatom(...words, '--dry-run')).err).toContain(said.join(''))
    expect((await vatom('action', 'delete', 'Drop', '--yes')).err).not.toContain('warning')
    const { code, err } = await vatom(...words, '--yes')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(said.join('')) })
  })

  test('action delete does not warn of an action that it deletes, too', async () => {
    const { run, vatom, file, json } = await designed()
    const naming = (name: string) => action(name, 'policy: { pre: [Check] }\n')
    await json(
      'action',
      'register',
      file('actions.yaml', [action('Check'), naming('Redeem'), naming('Transfer')].join('---\n')),
    )
    const words = ['action', 'delete', 'Check', 'Redeem']
    const warnings = (err: string) => err.match(/\S+ names \S+ in its policy/g)
    const ofTransfer = [`${transfer} names ${coupon}::Action::Check in its policy`]
    const asked = await run(words, { tty: true, columns: 400, answers: { 'Delete 2': 'n' }, env: { NO_COLOR: '1' } })
    expect(warnings(asked.err)).toEqual(ofTransfer)
    expect(warnings((await vatom(...words, '--dry-run')).err)).toEqual(ofTransfer)
    const { code, err } = await vatom(...words, '--yes')
    expect({ code, warnings: warnings(err) }).toEqual({ code: 0, warnings: ofTransfer })
    expect(await json('action', 'list', coupon)).toHaveLength(1)
  })

  test('another publisher’s action is neither shown, changed nor deleted: exit 4', async () => {
    const desk = await withTransfer()
    const other = await rival(desk)
    const their = 'rival.example::Coupon::v1'
    const name = `${their}::Action::Transfer`
    await other('POST', '/v1/templates', bodies.template({ template: their, unpublished: false }))
    await other('POST', '/v1/publisher/action', bodies.action({ name }))
    for (const args of [
      ['list', their],
      ['get', name],
      ['update', '--name', name, '--wait'],
      ['delete', name, '--yes'],
    ])
      expect(await desk.vatom('action', ...args)).toMatchObject({ code: 4, out: '' })
  })

  describe('action handler', () => {
    const stamp = ['--reactor', 'local.vatom://stamp', '--url', 'http://127.0.0.1:9/stamp']

    test('register, list and delete', async () => {
      const { vatom, json, changes } = await designed()
      expect(await json('action', 'handler', 'register', ...stamp)).toEqual({ success_message: expect.any(String) })
      expect(await vatom('action', 'handler', 'register', ...stamp)).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom action handler delete local.vatom://stamp'),
      })
      expect((await vatom('action', 'handler', 'list')).out).toBe('local.vatom://stamp\thttp://127.0.0.1:9/stamp\n')
      expect(await json('action', 'handler', 'list')).toMatchObject([{ reactor: 'local.vatom://stamp' }])
      changes()
      expect(await vatom('action', 'handler', 'delete', 'local.vatom://stamp')).toMatchObject({
        code: 2,
        err: expect.stringContaining('--yes'),
      })
      expect(changes()).toEqual([])
      expect(await json('action', 'handler', 'delete', 'local.vatom://stamp', '--yes')).toMatchObject({
        results: [{ file: null, kind: 'action_handler', name: 'local.vatom://stamp', status: 'deleted' }],
      })
      expect(await vatom('action', 'handler', 'delete', 'local.vatom://stamp', '--yes')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom action handler list'),
      })
      expect(await json('action', 'handler', 'list')).toEqual([])
    })

    test('delete names the actions that fail without it, before it asks', async () => {
      const { vatom, run, json, file } = await designed()
      await json('action', 'handler', 'register', ...stamp)
      const named = ['A', 'B', 'C', 'D'].map((name) =>
        action(name).replace(`blockv://v1/${name}`, 'local.vatom://stamp'),
      )
      await json('action', 'register', file('stamps.yaml', [...named, action('Transfer')].join('---\n')))
      const told =
        'warning: 4 actions name its reactor and fail without a handler: ' +
        `${['A', 'B', 'C'].map((name) => `${coupon}::Action::${name}`).join(', ')} and 1 more\n`
      const words = ['action', 'handler', 'delete', 'local.vatom://stamp']
      const answers = { 'Delete action handler': 'n' }
      const asked = await run(words, { tty: true, columns: 400, answers, env: { NO_COLOR: '1' } })
      expect(asked.err).toMatch(/warning: 4 actions name its reactor [\s\S]*Delete action handler/)
      expect(await vatom(...words, '--yes')).toMatchObject({ code: 0, err: expect.stringContaining(told) })
    })

    test.each([
      [['--reactor', 'blockv://v1/Mine', '--url', 'https://a.example/'], '--reactor: '],
      [['--reactor', 'local.vatom://stamp', '--url', 'ftp://a.example/'], '--url: '],
      [['--reactor', 'local.vatom://stamp'], '--url'],
      [['--url', 'https://a.example/'], '--reactor'],
    ])('register %j is a usage error', async (args, words) => {
      const { vatom, changes } = await designed()
      expect(await vatom('action', 'handler', 'register', ...args)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(words),
      })
      expect(changes()).toEqual([])
    })
  })
})
