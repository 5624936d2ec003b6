import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { published } from '../../fixtures/catalog.ts'
import { action, face, folderTemplate, red, template, variation } from '../../fixtures/yaml.ts'
import { facing, transports, watchedDesk } from '../../support/desks.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

/** A draft template with a draft variation. */
async function drafted() {
  const desk = await watchedDesk('local')
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml')
  desk.changes()
  return desk
}

describe('the next step', () => {
  describe('a file that holds none of the noun says what it holds and which command takes it', () => {
    const reds = `${variation()}---\n${variation('$publisher::Coupon::v1::Blue')}`
    test.each([
      ['template create', reds, 'it holds 2 variations: vatom variation create held.yaml'],
      ['template validate', reds, 'it holds 2 variations: vatom variation validate held.yaml'],
      ['template update', reds, 'it holds 2 variations: vatom variation update held.yaml'],
      ['variation create', face(), 'it holds 1 face: vatom face register held.yaml'],
      ['variation create', action(), 'it holds 1 action: vatom action register held.yaml'],
      [
        'action register',
        `${template()}---\n${face()}`,
        'it holds 1 template: vatom template create held.yaml; 1 face: vatom face register held.yaml',
      ],
    ])('%s', async (command, held, hint) => {
      const { file, vatom, changes } = await watchedDesk('local')
      file('held.yaml', held)
      const { code, err } = await vatom(...command.split(' '), 'held.yaml')
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`hint: ${hint}\n`) })
      expect(err).not.toContain(' a action')
      expect(changes()).toEqual([])
    })
  })

  test('standard input is named - in what takes it', async () => {
    const { run } = await watchedDesk('local')
    const { err } = await run(['template', 'create', '-'], { stdin: variation() })
    expect(err).toContain('vatom variation create -\n')
  })

  test('questions come after the service that they are about', async () => {
    const { vatom, json, changes, file } = await drafted()
    const second = 'local.vatom::Second::v1'
    const inOrder = (question: string) => expect.stringMatching(new RegExp(`^context .*\\n[\\s\\S]*${question}`))
    const gone = 'with its faces and actions and 1 variation\\?'
    const final = template('$publisher::Other::v1').replace('unpublished: true', 'unpublished: false')
    file('final.yaml', final)
    file('second.yaml', template(second))
    await json('template', 'create', 'second.yaml')
    changes()
    file('charged.yaml', template('$publisher::Third::v1', 'eth:\n  network: mainnet\n  fields: {}\n'))
    expect((await vatom('template', 'delete', name)).err).toEqual(inOrder(`Delete template ${name} ${gone}`))
    expect((await vatom('template', 'delete', name, second)).err).toEqual(inOrder('with their faces and actions: '))
    expect((await vatom('variation', 'delete', red)).err).toEqual(inOrder(`Delete variation ${red}\\?`))
    expect((await vatom('template', 'create', 'final.yaml')).err).toEqual(inOrder('unpublished is false'))
    expect((await vatom('template', 'create', 'charged.yaml')).err).toEqual(inOrder('will be charged'))
    expect(changes()).toEqual([])
    const { err } = await vatom('template', 'publish', name, '--confirm', name)
    expect(err).toEqual(inOrder('This becomes final'))
  })

  test('a variation of a draft template is refused before anything is shown', async () => {
    const { vatom, changes } = await drafted()
    const { code, out, err } = await vatom('variation', 'publish', red, '--confirm', red)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`hint: publish the template first: vatom template publish ${name}\n`)
    expect(err).not.toContain('becomes final')
    expect(changes()).toEqual([])
    await vatom('template', 'publish', name, '--confirm', name)
    expect(await vatom('variation', 'publish', red, '--confirm', red)).toMatchObject({ code: 0 })
  })

  test('a variation that is created published names its draft template', async () => {
    const { file, vatom } = await drafted()
    file('blue.yaml', variation('$publisher::Coupon::v1::Blue', undefined, 'unpublished: false\n'))
    const { code, err } = await vatom('variation', 'create', 'blue.yaml', '--confirm', `${name}::Blue`)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`vatom template publish ${name}\n`),
    })
  })

  test('flags that name what is not there are no document', async () => {
    const { vatom, file } = await drafted()
    const flags = ['--display-url', 'native://image', '--view-mode', 'icon']
    const { code, err } = await vatom('face', 'register', '--template', 'local.vatom::No::v1', ...flags)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('hint: first create the records that the flags name\n'),
    })
    file('face.yaml', face('$publisher::No::v1'))
    expect((await vatom('face', 'register', 'face.yaml')).err).toContain(
      'first create the records that the document names',
    )
  })

  test('a document whose template is not there yet names the commands that create it', async () => {
    const { vatom, file } = await drafted()
    file('new/template.yaml', template('$publisher::No::v1'))
    file('new/variation.yaml', variation('$publisher::No::v1::Red', '$publisher::No::v1'))
    file('new/face.yaml', face('$publisher::No::v1'))
    for (const words of [
      ['variation', 'create'],
      ['face', 'register'],
    ])
      expect((await vatom(...words, 'new')).err).toContain(
        'names: vatom template create FILE; or all of a catalog at once: vatom apply FOLDER\n',
      )
  })

  test.each([
    ['template', 'get'],
    ['template', 'delete'],
    ['template', 'publish'],
    ['variation', 'get'],
    ['variation', 'delete'],
    ['variation', 'publish'],
    ['action', 'get'],
    ['action', 'delete'],
    ['emit'],
    ['face', 'list'],
  ])('%s %s of a name that a shell expanded says to quote it', async (...words) => {
    const { vatom, changes } = await watchedDesk('local')
    const { code, err } = await vatom(...words, '::Coupon::v1')
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: the name begins with ::\nhint: in a shell put '$publisher::…' in single quotes\n",
    })
    expect(changes()).toEqual([])
  })

  describe('a name that is not there', () => {
    const near: readonly [string, readonly string[], string][] = [
      ['template get', ['local.vatom::Cuopon::v1'], name],
      ['template delete', ['local.vatom::Cuopon::v1', '--yes'], name],
      ['template publish', ['local.vatom::Cuopon::v1'], name],
      ['face list', ['local.vatom::Cuopon::v1'], name],
      ['variation get', [`${name}::Redd`], red],
      ['variation delete', [`${name}::Redd`, '--yes'], red],
      ['variation publish', [`${name}::Redd`], red],
      ['emit', ['local.vatom::Cuopon::v1::Red'], red],
      ['action get', [`${name}::Action::Transfr`], `${name}::Action::Transfer`],
      ['action delete', [`${name}::Action::Transfr`, '--yes'], `${name}::Action::Transfer`],
    ]
    test.each(near)('%s %j: did you mean', async (command, args, meant) => {
      const { file, json, vatom, changes } = await drafted()
      file('action.yaml', action())
      await json('action', 'register', 'action.yaml')
      file('more.yaml', `${variation('$publisher::Coupon::v1::Blue')}---\n${variation('$publisher::Coupon::v1::Rosy')}`)
      await json('variation', 'create', 'more.yaml')
      changes()
      const { code, err } = await vatom(...command.split(' '), ...args)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`hint: did you mean ${meant}?\n`) })
    })

    test.each([
      ['template get', 'local.vatom::Nothing::v1', 'template list'],
      ['template get', 'local.vatom::Coupon::v2', 'template list'],
      ['variation get', `${name}::Latte`, 'variation list'],
      ['emit', `${name}::Latte`, 'variation list'],
      ['action get', `${name}::Action::Redeem`, `action list ${name}`],
      ['action get', 'x', 'action list'],
    ])('%s %s: how to see those there are', async (command, given, list) => {
      const { vatom } = await drafted()
      const { code, err } = await vatom(...command.split(' '), given)
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`hint: list what exists: vatom ${list}\n`),
      })
      expect(err).not.toContain('create first')
    })
  })

  test('of a draft with vAtoms is told how many there are, and how many more there can be', async () => {
    const { json, vatom } = await drafted()
    await json('emit', red, '--num', '7')
    const { code, err } = await vatom('emit', red, '--num', '4')
    expect(code).toBe(1)
    expect(err).toContain('at most 10 vAtoms: it has 7, so 3 more can be emitted')
    expect(err).toContain(
      `hint: emit fewer; or delete the draft, with its vAtoms, and create it again; or publish what limits it, in this order, which is final: vatom template publish ${name}; vatom variation publish ${red}\n`,
    )
    expect(await vatom('emit', red, '--num', '3')).toMatchObject({ code: 0 })
    const first = at(await json('inventory'), 'vatoms', 0, 'id')
    expect(await vatom('trash', String(first), '--yes')).toMatchObject({ code: 0 })
    const { err: none } = await vatom('emit', red)
    expect(none).toContain('at most 10 vAtoms: all are emitted, 1 of them trashed or redeemed\n')
    expect(none).toContain('hint: delete the draft, with its vAtoms, and create it again; or publish what limits it')
  })

  test('of a full draft inside a box is told what the box needs, and not to emit fewer', async () => {
    const { json, vatom, file } = await drafted()
    const box = '$publisher::Box::v1'
    file('box.yaml', published(folderTemplate(box, `[{ template_variation: '${red}', count: 2 }]`)))
    file('first.yaml', published(variation(`${box}::First`, box)))
    await json('apply', 'box.yaml', 'first.yaml', '--yes', '--publish')
    await json('emit', red, '--num', '9')
    const { err: some } = await vatom('emit', `${box}::First`, '--num', '2')
    expect(some).toContain('it has 9, so 1 more can be emitted; local.vatom::Box::v1::First contains it: ')
    expect(some).toContain('hint: delete the draft, with its vAtoms')
    await json('emit', red)
    const { err } = await vatom('emit', `${box}::First`)
    expect(err).toContain(
      'at most 10 vAtoms: all are emitted; local.vatom::Box::v1::First contains it: what is to be emitted needs at least 2\n',
    )
    expect(err).not.toContain('emit fewer')
  })

  test('of a published box that contains a draft is told what the draft has, not what was asked for', async () => {
    const { json, vatom, file } = await drafted()
    const box = '$publisher::Box::v1'
    file('box.yaml', published(folderTemplate(box, `[{ template_variation: '${red}', count: 20 }]`)))
    file('first.yaml', variation(`${box}::First`, box, 'unpublished: false\n'))
    await json('apply', 'box.yaml', 'first.yaml', '--yes', '--publish')
    const { code, err } = await vatom('emit', `${box}::First`)
    expect(code).toBe(1)
    expect(err).toContain(
      `${red} is a draft, which can have at most 10 vAtoms: it has 0, so 10 more can be emitted; local.vatom::Box::v1::First contains it`,
    )
    expect(err).toContain('needs at least 20')
    const publishing = `publish what limits it, in this order, which is final: vatom template publish ${name}; vatom variation publish ${red}\n`
    expect(err).toContain(`hint: ${publishing}`)
    expect(err).not.toMatch(/variation publish .*First/)
    expect((await vatom('emit', red, '--num', '11')).err).toContain(`hint: emit fewer; or ${publishing}`)
    await json('emit', red, '--num', '2')
    expect((await vatom('emit', `${box}::First`)).err).toContain(`hint: ${publishing}`)
    expect((await vatom('emit', red, '--num', '10')).err).toContain('hint: emit fewer; or delete the draft')
  })

  test.each([
    ['variation', red],
    ['template', name],
  ])(
    'to delete a %s that a draft of a published box contains is warned of, before and with --yes',
    async (noun, which) => {
      const { json, vatom, run, file } = await drafted()
      const box = '$publisher::Box::v1'
      file('box.yaml', published(folderTemplate(box, `[{ template_variation: '${red}', count: 2 }]`)))
      file('first.yaml', variation(`${box}::First`, box))
      await json('apply', 'box.yaml', 'first.yaml', '--yes', '--publish')
      const warning = `${red} is in the child_policy of local.vatom::Box::v1::First, which no longer emits vAtoms until it exists again`
      expect((await vatom(noun, 'delete', which, '--dry-run')).err).toContain(warning)
      const asked = await run([noun, 'delete', which], { tty: true, columns: 300, answers: { Delete: 'n' } })
      expect(asked.err).toContain(warning)
      const { code, err } = await vatom(noun, 'delete', which, '--yes')
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(warning) })
    },
  )

  test('of drafts inside one another is told how many more can be emitted, and what to publish, contents first', async () => {
    const { json, vatom, file } = await drafted()
    const [inner, outer] = ['$publisher::Inner::v1', '$publisher::Outer::v1']
    file('inner.yaml', published(folderTemplate(inner, `[{ template_variation: '${red}', count: 2 }]`)))
    file('outer.yaml', folderTemplate(outer, `[{ template_variation: '${inner}::First', count: 2 }]`))
    file('first.yaml', `${variation(`${inner}::First`, inner)}---\n${variation(`${outer}::First`, outer)}`)
    await json('apply', 'inner.yaml', 'outer.yaml', 'first.yaml', '--yes', '--publish')
    const emitting = (num: number, ...more: string[]) =>
      vatom('emit', 'local.vatom::Outer::v1::First', '--num', String(num), ...more)
    for (const more of [[], ['--dry-run']]) {
      const { code, err } = await emitting(3, ...more)
      expect(code).toBe(1)
      expect(err).toContain(`${red} is a draft`)
      expect(err).toContain('so 10 more can be emitted; local.vatom::Outer::v1::First contains it: ')
      expect(err).toContain('needs at least 12')
      // The other two have room for all.
      expect(err).toContain(`: vatom template publish ${name}; vatom variation publish ${red}\n`)
    }
    const { err } = await emitting(6)
    expect(err).toContain(
      `: vatom template publish ${name}; vatom variation publish ${red}; vatom variation publish local.vatom::Inner::v1::First\n`,
    )
    expect(await emitting(2)).toMatchObject({ code: 0 })
  })

  test('what template get and variation get print validates without a warning, and changes nothing', async () => {
    const { vatom, run, changes } = await drafted()
    for (const [noun, of] of [
      ['template', name],
      ['variation', red],
    ] as const) {
      const { out: stdin } = await vatom(noun, 'get', of)
      expect(stdin).not.toContain('on_state_change')
      expect(await run([noun, 'validate', '-'], { stdin })).toMatchObject({ code: 0, err: '' })
      const { out } = await run([noun, 'update', '-', '--json'], { stdin })
      expect(JSON.parse(out)).toMatchObject({ results: [{ status: 'unchanged', problems: [] }] })
    }
    expect(changes()).toEqual([])
  })

  test('a state change that somebody wrote is shown, and is a difference', async () => {
    const { file, vatom, run, json } = await watchedDesk('local')
    const states = (more: string) =>
      template().replace(
        '    resources:',
        `    states: [{ name: Activated, value: { type: boolean, value: 'true' }${more} }]\n    resources:`,
      )
    file('coupon.yaml', states(", on_state_change: { reactor: '' }"))
    await json('template', 'create', 'coupon.yaml')
    expect(await json('template', 'update', 'coupon.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
    file('coupon.yaml', states(', on_state_change: { reactor: r }'))
    expect(await json('template', 'update', 'coupon.yaml')).toMatchObject({ results: [{ status: 'updated' }] })
    const { out: stdin } = await vatom('template', 'get', name)
    expect(stdin).toContain('reactor: r')
    expect((await run(['template', 'update', '-', '--json'], { stdin })).out).toContain('"unchanged"')
  })

  test.each(transports)(
    'asset upload tells of addresses that answer only while they are served, on local alone (%s)',
    async (transport) => {
      const { file, vatom } = await publisher({ transport })
      file('note.txt', 'a note')
      file('more.txt', 'a note')
      const { err } = await vatom('asset', 'upload', 'note.txt', 'more.txt')
      const note = 'no vatom serve runs: the addresses are those of one at port 4100, and answer while it runs there'
      expect(err.split(note)).toHaveLength(transport === 'local' ? 2 : 1)
      expect((await vatom('asset', 'list')).err.includes(note)).toBe(transport === 'local')
      const { err: failed } = await vatom('asset', 'upload', 'none.txt')
      expect(failed).not.toContain('vatom serve')
    },
  )

  test('face list keeps beginnings of ids, and view modes, platforms and qualities whole in 80 columns', async () => {
    const { file, json, run } = await drafted()
    const far = face().replaceAll('native://image', `https://faces.example/${'long/'.repeat(8)}`)
    const wide = face('$publisher::Coupon::v1', 'fullscreen')
    file('faces.yaml', `${far}---\n${wide}`)
    await json('face', 'register', 'faces.yaml')
    const { out } = await run(['face', 'list', name, '--no-color'], { tty: true, columns: 80 })
    const [head = '', ...rows] = out.trimEnd().split('\n')
    expect(head).toMatch(/^ID +VIEW +PLATFORM +QUALITY +URL +R/)
    expect(rows[0]).toMatch(/^[0-9a-f]{8} {2}icon +generic +high +…/)
    expect(rows[1]).toMatch(/^[0-9a-f]{8} {2}fullscreen +generic +high +/)
    for (const line of [head, ...rows]) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('an empty list on a terminal is one note without a head', async () => {
    const { run } = await drafted()
    expect(await run(['face', 'list', name], { tty: true })).toMatchObject({ code: 0, out: '', err: 'No faces.\n' })
  })
})

test('where names cannot be listed the hint says how to see them', async () => {
  const { run, env } = await facing(({ url = '' }, response) => {
    const [status, error] = url.startsWith('/v1/templates/') ? [404, 9007] : [403, 9001]
    response
      .writeHead(status ?? 500, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error, message: 'no' }))
  })
  const { code, err } = await run(['template', 'get', 'acme.com::Coupon::v1'], { env })
  expect({ code, err }).toEqual({ code: 1, err: 'error: no\nhint: list what exists: vatom template list\n' })
})

describe('a service of this machine that does not answer', () => {
  const database = 'if it had a database of its own, add that: --db FILE\n'
  const gone = async (): Promise<{ desk: Desk; port: string }> => {
    const desk = await publisher({ transport: 'network' })
    const { err } = await desk.vatom('template', 'delete', 'x', '--yes')
    await desk.service.close()
    return { desk, port: /127\.0\.0\.1:(\d+)/.exec(err)?.[1] ?? '' }
  }

  test('is started on its port, or left, where it is the current context', async () => {
    const { desk, port } = await gone()
    const { code, err } = await desk.vatom('template', 'list')
    expect(code).toBe(5)
    expect(err).toContain(
      `vatom serve --port ${port}, or use the service on this machine: vatom context use local; ${database}`,
    )
    const job = await desk.run(['template', 'list'], { env: { CI: 'true' } })
    expect(job).toMatchObject({ code: 2, err: expect.not.stringContaining('use local') })
  })

  test('is not left where a flag or the environment chose it', async () => {
    const { desk, port } = await gone()
    const given = ['--base-url', `http://127.0.0.1:${port}`, '--app-id', 'local']
    const env = { VATOM_BASE_URL: `http://127.0.0.1:${port}`, VATOM_APP_ID: 'local', VATOM_ACCESS_TOKEN: 'y' }
    for (const { code, err } of [
      await desk.vatom('template', 'list', ...given),
      await desk.run(['template', 'list'], { env }),
    ]) {
      expect({ code, err }).toEqual({
        code: 5,
        err: expect.stringContaining(`vatom serve --port ${port}; ${database}`),
      })
      expect(err).not.toContain('context use')
    }
  })
})

test('a locked account says how to open it', async () => {
  const { run, service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const args = [
    'login',
    '--base-url',
    baseUrl,
    '--app-id',
    'local',
    '--email',
    'publisher@local.vatom',
    '--password-stdin',
  ]
  for (let attempt = 0; attempt < limits.loginAttempts; attempt++) await run(args, { stdin: 'wrong\n' })
  expect((await run(args, { stdin: 'wrong\n' })).err).toMatch(
    /too many failed logins; try again at \S+\nhint: .*: vatom .*user reset-password ADDRESS\n/,
  )
})

test('a locked account of a new context says how to open it by the address, as the context does not exist yet', async () => {
  const { run, service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const flags = ['--base-url', baseUrl, '--app-id', 'local']
  const args = ['login', '--context', 'kim', ...flags, '--email', 'publisher@local.vatom', '--password-stdin']
  for (let attempt = 0; attempt < limits.loginAttempts; attempt++) await run(args, { stdin: 'wrong\n' })
  const { err } = await run(args, { stdin: 'wrong\n' })
  expect(err).toContain(`: vatom ${flags.join(' ')} user reset-password ADDRESS\n`)
})

test('a locked account of a service that several contexts have says how to open it by the address', async () => {
  const { run, vatom, service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const flags = ['--base-url', baseUrl, '--app-id', 'local']
  for (const name of ['dev', 'ann']) await vatom('context', 'add', name, ...flags)
  await vatom('context', 'use', 'local')
  const args = ['login', '--context', 'kim', ...flags, '--email', 'publisher@local.vatom', '--password-stdin']
  for (let attempt = 0; attempt < limits.loginAttempts; attempt++) await run(args, { stdin: 'wrong\n' })
  const { err } = await run(args, { stdin: 'wrong\n' })
  const [, hint = ''] = /: vatom (.* user reset-password) ADDRESS\n/.exec(err) ?? []
  expect(hint).toBe(`${flags.join(' ')} user reset-password`)
  expect(await vatom(...hint.split(' '), 'publisher@local.vatom', '--yes')).toMatchObject({ code: 0 })
})

test.each(['publisher@local.vatom', 'nobody@local.vatom'])(
  'a refused login of %s says what to check',
  async (email) => {
    const { run, service } = await publisher()
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    const args = ['login', '--base-url', baseUrl, '--app-id', 'local', '--email', email, '--password-stdin']
    const { code, err } = await run(args, { stdin: 'wrong\n' })
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringContaining('hint: check the e-mail or phone number and the password\n'),
    })
  },
)
