import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from '../../../src/contract/printable.ts'
import { kinds } from '../../../src/contract/values.ts'
import { machineName } from '../../../src/processes.ts'
import * as bodies from '../../fixtures/bodies.ts'
import { published } from '../../fixtures/catalog.ts'
import { action, face, template, variation } from '../../fixtures/yaml.ts'
import { registerAnyway, rival, transports, watchedDesk } from '../../support/desks.ts'
import { placed } from '../../support/folders.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const examples = join(import.meta.dirname, '../../../templates-examples')

/** More of everything than the examples have: chains, states, prices, a folder with children, a query, two versions. */
const rich = {
  'a-children.yaml': [
    template('$publisher::Toy::v1', 'cloneable: true\npublic: true\nunpublished: false\n').replace(
      'unpublished: true\n',
      '',
    ),
    variation('$publisher::Toy::v1::Red', '$publisher::Toy::v1', 'unpublished: false\nmax_clones: 7\npublic: true\n'),
    variation('$publisher::Toy::v1::Blue', '$publisher::Toy::v1', 'auto_create_on_acquire: true\ncloning_gain: 0.5\n'),
  ].join('---\n'),
  'b-folder.yaml': `template: $publisher::Toy_Box::v2
unpublished: false
eth:
  network: testnet
  symbol: TOYS
  fields: { serial: { type: uint, value: "0012" }, rare: { type: bool, value: "true" } }
eos: { network: veos-test, fields: { a: { type: string, value: "no" } } }
vatom:
  vAtom::vAtomType:
    root_type: vAtom::vAtomType::DefinedFolderContainerType
    transferable: true
    redeemable: true
    commerce: { pricing: { pricingType: Fixed, value: { value: { currency: EUR, price: 1.5, valid_from: "*" } } } }
    states:
      - { name: Activated, value: { type: boolean, value: "false" } }
    visibility: { type: public }
    child_policy:
      - template_variation: $publisher::Toy::v1::Red
        count: 2
        creation_policy: { policy_count_max: 5, enforce_policy_count_max: true }
  private: { "<<": merge, text: "no", number: "0012", list: [1, { a: null }], color: "#fff", multi: "a\\nb\\n", empty: {} }
---
template_variation: $publisher::Toy_Box::v2::Plain
template: $publisher::Toy_Box::v2
unpublished: false
eth: { network: testnet, fields: { serial: { type: uint, value: "99999999999999999999" } } }
vatom:
  vAtom::vAtomType:
    states: [{ name: Activated, value: { type: boolean, value: "true" } }]
`,
  'c-shelf.yaml': template('$publisher::Shelf::v1').replace(
    'root_type: vAtom::vAtomType',
    `root_type: vAtom::vAtomType::DiscoverContainerType
    query:
      scope: { key: template, value: "$publisher::Toy::v1,$publisher::Toy_Box::v2" }
      filters:
        - filter_elems:
            - { field: template_variation, filter_op: Eq, value: $publisher::Toy::v1::Red, bool_op: Or }
            - { field: publisher_fqdn, filter_op: Eq, value: $publisher }
      limit: 20`,
  ),
  'd-faces.yaml': [
    face('$publisher::Toy::v1', 'icon')
      .replace('platform: generic', 'platform: ios')
      .replace('gps: false', 'gps: true'),
    face('$publisher::Toy::v1', 'card').replace(
      'display_url: native://image',
      'display_url: https://example.com/card\nconfig: { a: [1, "2"], "y": { deep: true } }',
    ),
    face('$publisher::Toy::v1', 'icon'),
  ].join('---\n'),
  'e-actions.yaml': [
    action('Transfer', 'wait: true\nstate_impact: [this.owner]\nparams: { input: [this.id] }\n'),
    action(
      'Pickup',
      'timeout: 5000\nguest_user: true\nabort_on_pre_error: false\nconfig: { a: { b: 1 } }\nlimit_per_user: 3\npolicy: { pre: [$publisher::Toy::v1::Action::Transfer], rule: x }\naction_notification: { on: true, msg: "hello: you" }\n',
    ),
  ]
    .join('---\n')
    .replaceAll('$publisher::Coupon::', '$publisher::Toy::'),
}

/** Makes everything in a folder, its published parts too. */
async function createAll({ run, json }: Desk, folder: string) {
  for (const noun of ['template', 'variation']) {
    const { code, err } = await run([noun, 'create', folder])
    const [, name] = /--confirm '?([^'\n]+)/.exec(err) ?? []
    if (code !== 0) await json(noun, 'create', folder, '--confirm', String(name))
  }
  await json('action', 'register', folder)
  await json('face', 'register', folder)
}

async function stocked(desk: Desk): Promise<void> {
  cpSync(examples, join(desk.home, 'source'), { recursive: true })
  for (const [name, text] of Object.entries(rich)) desk.file(`source/${name}`, text)
  await createAll(desk, 'source')
}

/** Every file of a folder with its text. */
const texts = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml') && name !== 'vatom.yaml')
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

interface Records {
  readonly name?: string
  readonly id?: string
}

const forgotten = ['meta', 'id', 'on_state_change']

/** Everything a service has, without what tells when it was made, and by whom, and what does nothing. */
async function state({ json }: Desk) {
  const names = async (noun: string) => ((await json(noun, 'list')) as Records[]).map(({ name = '' }) => name)
  const templates = await names('template')
  const all = async (noun: string, verb: string, keys: readonly string[]) =>
    Promise.all(keys.map((key) => json(noun, verb, key)))
  const found = [
    await all('template', 'get', templates),
    await all('variation', 'get', await names('variation')),
    await all('face', 'list', templates),
    (await all('action', 'list', templates)).map((some) =>
      (some as Records[]).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
    ),
  ]
  return JSON.parse(JSON.stringify(found, (key, value: unknown) => (forgotten.includes(key) ? undefined : value)))
}

describe.each(transports)('on the %s transport', (transport) => {
  test('what is pulled validates, is all unchanged, and makes the same on an empty service', async () => {
    const desk = await watchedDesk(transport)
    await stocked(desk)
    desk.changes()
    const { results } = (await desk.json('pull', 'shop')) as { results: { status: string }[] }
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['created']))
    expect(desk.changes()).toEqual([])
    for (const noun of kinds) {
      const { code, err } = await desk.vatom(noun, 'validate', 'shop', '--quiet')
      expect({ noun, code, err: code === 0 ? '' : err }).toEqual({ noun, code: 0, err: '' })
      const { results: rows } = (await desk.json(noun, 'update', 'shop')) as { results: { status: string }[] }
      expect({ noun, states: new Set(rows.map(({ status }) => status)) }).toEqual({
        noun,
        states: new Set(['unchanged']),
      })
    }
    const other = await publisher({ transport })
    cpSync(join(desk.home, 'shop'), join(other.home, 'shop'), { recursive: true })
    await createAll(other, 'shop')
    expect(await state(other)).toEqual(await state(desk))
    await other.json('pull', 'again')
    expect(texts(join(other.home, 'again'))).toEqual(texts(join(desk.home, 'shop')))
  })

  test("others' public templates are left out", async () => {
    const desk = await watchedDesk(transport)
    desk.file('coupon.yaml', template())
    await desk.json('template', 'create', 'coupon.yaml')
    const send = await rival(desk)
    const theirs = bodies.template({ template: 'rival.example::Theirs::v1', public: true, unpublished: false })
    await send('POST', '/v1/templates', theirs)
    expect(await desk.json('template', 'list')).toHaveLength(2)
    expect(await desk.json('pull', 'c')).toMatchObject({
      results: [{ file: 'c/coupon.yaml', kind: 'template', name: 'local.vatom::Coupon::v1', status: 'created' }],
      summary: { total: 1, ok: 1, failed: 0 },
    })
    expect(await desk.run(['pull', 'd', '--template', theirs.template, '--json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('not_found'),
    })
    expect(existsSync(join(desk.home, 'd'))).toBe(false)
  })

  test('nothing is there: nothing is written', async () => {
    const desk = await publisher({ transport })
    expect(await desk.vatom('pull', 'c')).toEqual({ code: 0, out: '', err: 'local.vatom has no templates.\n' })
    expect(existsSync(join(desk.home, 'c'))).toBe(false)
  })
})

describe('the files', () => {
  test('a service that knows no selection is asked for each record', async () => {
    const desk = await publisher()
    desk.file('c/a.yaml', [template(), variation()].join('---\n'))
    await desk.json('template', 'create', 'c')
    await desk.json('variation', 'create', 'c')
    const inject = desk.service.inject
    const unselecting: typeof inject = (request) =>
      inject({ ...request, path: request.path.replace(/fields=[^&]*/, 'fields=name') })
    Object.assign(desk.service, { inject: unselecting })
    expect(await desk.json('pull', 'd')).toMatchObject({ summary: { total: 2, ok: 2 } })
    expect(texts(join(desk.home, 'd'))['coupon.variation.yaml']).toContain('color: red')
  })

  test('hold what the publisher says, and no more, with the lines and schemas for editors', async () => {
    const { file, json, vatom, home } = await publisher()
    file('a/coupon.yaml', template())
    file('a/red.yaml', variation())
    file('a/faces.yaml', face())
    file('a/actions.yaml', [action('Transfer'), action('Drop', 'wait: true\n')].join('---\n'))
    for (const [noun, verb] of [
      ['template', 'create'],
      ['variation', 'create'],
      ['face', 'register'],
      ['action', 'register'],
    ] as const)
      await json(noun, verb, 'a')
    expect((await vatom('pull', 'c', '--diff')).err).toContain('Would write c/vatom.yaml')
    const pulled = await vatom('pull', 'c')
    expect(pulled).toMatchObject({
      code: 0,
      err: expect.stringContaining('Wrote c/vatom.yaml, which names a catalog: '),
    })
    expect(texts(join(home, 'c'))).toEqual({
      'coupon.actions.yaml': `# yaml-language-server: $schema=.vatom/action.schema.json
name: $publisher::Coupon::v1::Action::Drop
reactor: blockv://v1/Drop
wait: true
---
# yaml-language-server: $schema=.vatom/action.schema.json
name: $publisher::Coupon::v1::Action::Transfer
reactor: blockv://v1/Transfer
`,
      'coupon.faces.yaml': `# yaml-language-server: $schema=.vatom/face.schema.json
template: $publisher::Coupon::v1
display_url: native://image
package_url: native://image
constraints:
  view_mode: icon
  platform: generic
  quality: high
  bluetooth_le: false
  contact_list: false
  gps: false
  three_d: false
resources:
  - CardImage
`,
      'coupon.variation.yaml': `# yaml-language-server: $schema=.vatom/variation.schema.json
template_variation: $publisher::Coupon::v1::Red
template: $publisher::Coupon::v1
vatom:
  vAtom::vAtomType:
    title: Red coupon
  private:
    color: red
`,
      'coupon.yaml': `# yaml-language-server: $schema=.vatom/template.schema.json
${template().replace('unpublished: true\n', '')}`,
    })
    expect(readdirSync(join(home, 'c')).sort()).toEqual([
      '.vatom',
      ...Object.keys(texts(join(home, 'c'))),
      'vatom.yaml',
    ])
    expect(readdirSync(join(home, 'c/.vatom'))).toEqual([...kinds].sort().map((kind) => `${kind}.schema.json`))
  })

  test('--keep-publisher keeps the domain name', async () => {
    const { file, json, home } = await publisher()
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    await json('pull', 'c', '--keep-publisher')
    expect(texts(join(home, 'c'))['coupon.yaml']).toContain('template: local.vatom::Coupon::v1\n')
  })

  test('--template narrows, and names do not depend on it', async () => {
    const { file, json, home } = await publisher()
    file(
      'a.yaml',
      ['Coupon::v1', 'coupon::v1', 'Other::v1'].map((name) => template(`$publisher::${name}`)).join('---\n'),
    )
    await json('template', 'create', 'a.yaml')
    await json('pull', 'all')
    const names = Object.keys(texts(join(home, 'all')))
    expect(names).toEqual([expect.stringMatching(/^coupon\.[0-9a-f]{12}\.yaml$/), 'coupon.yaml', 'other.yaml'])
    await json('pull', 'one', '--template', '$publisher::coupon::v1')
    expect(Object.keys(texts(join(home, 'one')))).toEqual([names[0]])
    await json('pull', 'two', '--template', '$publisher::coupon::v1', '--template', 'local.vatom::Other::v1')
    expect(Object.keys(texts(join(home, 'two')))).toEqual([names[0], 'other.yaml'])
  })

  test('say strange texts as they are, and nothing that is not visible', async () => {
    const { service, home, json, vatom } = await publisher()
    const text = fc.oneof(
      fc.constantFrom(
        '<<',
        'no',
        'null',
        '~',
        '0012',
        '1e3',
        '#fff',
        ' a',
        '- a',
        'a: b',
        '?',
        '*a',
        '&a',
        '!a',
        '---',
        '%',
      ),
      fc.string({ unit: 'grapheme' }),
    )
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    }))
    let count = 0
    const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
    await fc.assert(
      fc.asyncProperty(values.object, async (own) => {
        const name = `local.vatom::T${++count}::v1`
        const type = { root_type: 'vAtom::vAtomType', title: JSON.stringify(own) }
        const body = JSON.stringify({ template: name, vatom: { 'vAtom::vAtomType': type, private: own } })
        const { status } = await service.inject({ method: 'POST', path: '/v1/templates', headers, body })
        if (status !== 200) return
        await json('pull', 'c', '--template', name)
        const pulled = readFileSync(join(home, `c/t${count}.yaml`), 'utf8')
        expect(printable(pulled)).toBe(pulled)
        expect(await json('template', 'update', `c/t${count}.yaml`)).toMatchObject({
          results: [{ status: 'unchanged' }],
        })
        expect(await vatom('pull', 'c', '--template', name)).toEqual({
          code: 0,
          out: '',
          err: expect.stringMatching(/^1 document: 1 unchanged\n|, 1 unchanged, /),
        })
      }),
      { numRuns: 10, examples: [[{ '': -9007199254740992 }], [{ '\u009b5m': '\u202eLRO\u{e0041}' }]] },
    )
  })
})

describe('files that are there', () => {
  const stockedOne = async () => {
    const desk = await publisher()
    desk.file('a/coupon.yaml', template())
    desk.file('a/red.yaml', variation())
    await desk.json('template', 'create', 'a')
    await desk.json('variation', 'create', 'a')
    return desk
  }

  test('are left as they are where they say the same, in whatever words', async () => {
    const desk = await stockedOne()
    const mine = `# mine\n${template('local.vatom::Coupon::v1', 'cloneable: false\n').replace('title: Coupon', 'title: "Coupon" # good')}`
    desk.file('c/coupon.yaml', mine)
    expect(await desk.json('pull', 'c')).toMatchObject({
      results: [
        { file: 'c/coupon.yaml', status: 'unchanged' },
        { file: 'c/coupon.variation.yaml', status: 'created' },
      ],
    })
    expect(texts(join(desk.home, 'c'))['coupon.yaml']).toBe(mine)
    const before = texts(join(desk.home, 'c'))
    expect(await desk.vatom('pull', 'c')).toEqual({ code: 0, out: '', err: '2 documents: 2 unchanged\n' })
    expect(texts(join(desk.home, 'c'))).toEqual(before)
  })

  test('and say something else are changed only with --yes or --force, and else nothing is written', async () => {
    const desk = await stockedOne()
    const text = `# mine\n${template().replace('color: blue', "color: 'green' # why")}`
    desk.file('c/coupon.yaml', text)
    const { code, out, err } = await desk.run(['pull', 'c', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      results: [
        {
          file: 'c/coupon.yaml',
          status: 'refused',
          changes: [{ path: 'vatom.private.color', before: 'green', after: 'blue' }],
        },
        { file: 'c/coupon.variation.yaml', status: 'not_sent' },
      ],
      summary: { total: 2, ok: 0, failed: 2 },
      error: { code: 'files_differ', hint: expect.stringContaining('vatom pull c --yes') },
    })
    expect(err).toContain('1 document differs from the service; nothing was written')
    expect(readdirSync(join(desk.home, 'c'))).toEqual(['coupon.yaml'])
    expect(texts(join(desk.home, 'c'))).toEqual({ 'coupon.yaml': text })
    expect(await desk.json('pull', 'c', '--yes')).toMatchObject({
      results: [{ status: 'updated' }, { status: 'created' }],
      summary: { ok: 2 },
    })
    const changed = text.replace("'green'", "'blue'")
    expect(texts(join(desk.home, 'c'))['coupon.yaml']).toBe(changed)
    desk.file('c/coupon.yaml', text)
    await desk.json('pull', 'c', '--force')
    expect(texts(join(desk.home, 'c'))['coupon.yaml']).toBe(changed)
  })

  test('keep a setting that differs, and its comment, where the service has the default', async () => {
    const desk = await stockedOne()
    const text = (state: string) =>
      template('local.vatom::Coupon::v1').replace('unpublished: true', `unpublished: ${state} # publishing is final`)
    desk.file('c/coupon.yaml', text('false'))
    expect((await desk.vatom('pull', 'c')).err).toMatch(/unpublished: false -> true\n/)
    expect(await desk.vatom('pull', 'c', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(join(desk.home, 'c/coupon.yaml'), 'utf8')).toBe(text('true'))
  })

  test('that say a default where the service has something else are shown with what they say', async () => {
    const desk = await stockedOne()
    const said = template('local.vatom::Coupon::v1', 'public: false\n').replace(
      'category: Coupons',
      'category: Coupons\n    transferable: true\n    visibility: { type: owner, value: "*" }',
    )
    desk.file('there.yaml', said.replace('transferable: true', 'transferable: false').replace('owner', 'public'))
    await desk.json('template', 'update', 'there.yaml')
    await desk.json('template', 'publish', 'local.vatom::Coupon::v1', '--confirm', 'local.vatom::Coupon::v1')
    desk.file('c/coupon.yaml', said)
    const { err } = await desk.vatom('pull', 'c', '--dry-run')
    expect(err).toContain('unpublished: true -> false\n')
    expect(err).toContain('transferable: true -> false\n')
    expect(err).toContain('visibility.type: "owner" -> "public"\n')
    expect(err).not.toMatch(/\(none\)|public: false/)
  })

  test.each([
    ['what is no document', 'template: [\n'],
    ['nothing', ''],
  ])('and hold %s stop a pull; --force replaces them if they are in its way', async (_, text) => {
    const desk = await stockedOne()
    desk.file('c/coupon.yaml', text)
    desk.file('c/other.yaml', text)
    const { code, out, err } = await desk.vatom('pull', 'c')
    expect({ code, out, err }).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(/^error: c\/coupon\.yaml(:\d)?: .+; nothing was written\nhint: .*vatom validate c;/),
    })
    expect(texts(join(desk.home, 'c'))).toEqual({ 'coupon.yaml': text, 'other.yaml': text })
    await desk.json('pull', 'c', '--force')
    expect(texts(join(desk.home, 'c'))).toMatchObject({
      'coupon.yaml': expect.stringContaining('color: blue'),
      'other.yaml': text,
    })
  })

  test.each([
    ['a link to nothing', (path: string) => symlinkSync('nothing', path)],
    ['a pipe', (path: string) => void spawnSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('have %s beside them: --force leaves that, and takes another name', async (_, make) => {
    const desk = await stockedOne()
    const at = (name: string) => join(desk.home, 'c', name)
    mkdirSync(at(''))
    make(at('coupon.yaml'))
    const before = lstatSync(at('coupon.yaml'))
    expect(await desk.json('pull', 'c', '--force')).toMatchObject({
      results: [{ file: 'c/coupon.2.yaml' }, { file: 'c/coupon.variation.yaml' }],
    })
    expect(readFileSync(at('coupon.2.yaml'), 'utf8')).toContain('color: blue')
    expect(lstatSync(at('coupon.yaml'))).toMatchObject({ ino: before.ino, mode: before.mode, size: before.size })
    expect(existsSync(at('nothing'))).toBe(false)
  })

  test('and differ are shown and named once, with exit code 1, though others are unchanged', async () => {
    const desk = await stockedOne()
    await desk.json('pull', 'c')
    desk.file('c/coupon.yaml', template().replace('blue', 'green'))
    const hint =
      'hint: to see the lines: vatom pull c --diff; to take what the service has: vatom pull c --yes; to keep what the files say: vatom apply c'
    expect(await desk.vatom('pull', 'c')).toEqual({
      code: 1,
      out: '',
      err: [
        '  ~ template local.vatom::Coupon::v1 (c/coupon.yaml)',
        '      vatom.private.color: "green" -> "blue"',
        'error: 1 document differs from the service; nothing was written',
        hint,
        '',
      ].join('\n'),
    })
    const given = ['--template', 'local.vatom::Coupon::v1', '--all-versions', '--keep-publisher']
    const command = ['vatom pull c', ...given].join(' ')
    expect((await desk.vatom('pull', 'c', ...given)).err).toContain(
      `hint: to see the lines: ${command} --diff; to take what the service has: ${command} --yes; to keep what the files say: vatom apply c\n`,
    )
    desk.file('c/coupon.variation.yaml', variation().replace('Red', 'Ticket'))
    expect(await desk.vatom('pull', 'c')).toMatchObject({ code: 1, out: '' })
  })

  test('what other files hold is reported: second copies, and what the service does not have', async () => {
    const desk = await stockedOne()
    desk.file('c/all.yaml', [template(), template('$publisher::Gone::v1'), face('$publisher::Gone::v1')].join('---\n'))
    desk.file('c/deep/more.yaml', template())
    const twice =
      'warning: template local.vatom::Coupon::v1 is both in c/all.yaml and in c/deep/more.yaml: remove one of them\n'
    expect(await desk.vatom('pull', 'c')).toEqual({
      code: 0,
      out: 'Wrote variation local.vatom::Coupon::v1::Red (c/coupon.variation.yaml)\n',
      err: `Wrote c/vatom.yaml, which names a catalog: what is applied from this folder belongs to that catalog
${twice}template local.vatom::Gone::v1 (c/all.yaml) is not on the service
face local.vatom::Gone::v1 icon, generic, high, native://image (c/all.yaml) is not on the service
4 documents: 1 new, 1 unchanged, 2 not on the service
`,
    })
    expect((await desk.vatom('pull', 'c', '--template', '$publisher::Coupon::v1')).err).toBe(
      `${twice}2 documents: 2 unchanged\n`,
    )
  })

  test('a file that cannot be written leaves all as it was', async () => {
    const desk = await stockedOne()
    mkdirSync(join(desk.home, 'c/.vatom/face.schema.json'), { recursive: true })
    expect(await desk.vatom('pull', 'c')).toMatchObject({ code: 1, out: '' })
    expect(readdirSync(join(desk.home, 'c'))).toEqual(['.vatom'])
    desk.file('taken', '')
    expect(await desk.vatom('pull', 'taken')).toMatchObject({ code: 1, out: '' })
  })

  test('no hint says that --force replaces a vatom.yaml that is not valid: no service has it', async () => {
    const { vatom, file } = await stockedOne()
    file('c/vatom.yaml', '')
    const { code, err } = await vatom('pull', 'c')
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('vatom validate c') })
    expect(err).not.toContain('--force')
    file('d/coupon.yaml', 'template: [')
    expect((await vatom('pull', 'd')).err).toContain('with --force')
  })

  test('the vatom.yaml is put in place last, so that the next run writes what a killed one left out', async () => {
    const { vatom, home, file } = await publisher()
    file('shop/vatom.yaml', 'catalog: shop\n')
    file('shop/tea.yaml', [template('$publisher::Tea::v1'), face('$publisher::Tea::v1')].join('---\n'))
    expect(await vatom('apply', 'shop', '--yes')).toMatchObject({ code: 0 })
    mkdirSync(join(home, 'pulled'))
    const order = placed(join(home, 'pulled'), 3)
    expect(await vatom('pull', 'pulled')).toMatchObject({ code: 0 })
    expect((await order).at(-1)).toBe('vatom.yaml')
  })

  test.each([
    ['the vatom.yaml', ['vatom.yaml']],
    ['a schema', ['.vatom/face.schema.json']],
    ['all but the documents', ['vatom.yaml', ...kinds.map((kind) => `.vatom/${kind}.schema.json`)]],
  ])('that all pulls write are completed after one that was killed before it put %s in place', async (_, late) => {
    const { vatom, home } = await stockedOne()
    expect(await vatom('pull', 'whole')).toMatchObject({ code: 0 })
    const namesIn = (folder: string) => readdirSync(join(home, folder), { recursive: true }).sort()
    cpSync(join(home, 'whole'), join(home, 'killed'), { recursive: true })
    const { pid } = spawnSync(process.execPath, ['--version'])
    for (const [n, name] of late.entries()) {
      const path = join(home, 'killed', name)
      renameSync(path, join(dirname(path), `.vatom-${pid}__${machineName()}-${n}.tmp`))
    }
    const left = namesIn('killed')
    expect(await vatom('pull', 'killed', '--diff')).toMatchObject({ code: 0, out: '' })
    expect(namesIn('killed')).toEqual(left)
    expect(await vatom('pull', 'killed')).toMatchObject({ code: 0 })
    expect(namesIn('killed')).toEqual(namesIn('whole'))
  })

  test('are shown by their own paths where they are outside of this folder', async () => {
    const { run, home } = await stockedOne()
    mkdirSync(join(home, 'here'))
    for (const dir of ['../catalog', join(home, 'catalog')]) {
      const { code, out } = await run(['pull', dir, '--diff'], { cwd: 'here' })
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`\n+++ ${dir}/`) })
      expect(out).not.toContain('b/')
    }
  })

  test('of which none is missing are left as they are, and what a killed run was writing is removed', async () => {
    const { vatom, home, file } = await stockedOne()
    expect(await vatom('pull', 'whole')).toMatchObject({ code: 0 })
    cpSync(join(home, 'whole'), join(home, 'killed'), { recursive: true })
    const { pid } = spawnSync(process.execPath, ['--version'])
    file(`killed/.vatom-${pid}__${machineName()}-0.tmp`, '')
    const before = readFileSync(join(home, 'killed/vatom.yaml'), 'utf8')
    expect(await vatom('pull', 'killed')).toMatchObject({ code: 0, err: expect.not.stringContaining('Wrote') })
    expect(readdirSync(join(home, 'killed')).sort()).toEqual(readdirSync(join(home, 'whole')).sort())
    expect(readFileSync(join(home, 'killed/vatom.yaml'), 'utf8')).toBe(before)
  })

  test('of several catalogs below the folder are left alone: all are named', async () => {
    const { vatom, json, file } = await publisher()
    for (const name of ['One', 'Two']) {
      file(`beans/${name}/vatom.yaml`, `catalog: ${name}\n`)
      file(`beans/${name}/coupon.yaml`, template(`local.vatom::${name}::v1`))
      await json('apply', `beans/${name}`, '--yes')
    }
    expect(await vatom('pull', 'beans')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(
        'error: beans is not a catalog, and beans/One, beans/Two in it are\nhint: vatom pull beans/One, or vatom pull beans/Two\n',
      ),
    })
  })

  test('of a catalog below the folder are left alone: that catalog is to be named', async () => {
    const { vatom, run, json, file, home } = await publisher()
    file('all/more.yaml', template('local.vatom::More::v1'))
    await json('apply', 'all', '--yes')
    file('beans/campaign/vatom.yaml', 'catalog: campaign\n')
    file('beans/campaign/coupon.yaml', template())
    expect(await vatom('pull', 'beans')).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^error: beans is not a catalog, and beans\/campaign in it is\nhint: vatom pull beans\/campaign\n$/m,
      ),
    })
    const narrowed = await vatom('pull', 'beans', '--template', 'local.vatom::More::v1', '--keep-publisher')
    expect(narrowed.err).toContain(
      'hint: vatom pull --template local.vatom::More::v1 --keep-publisher beans/campaign\n',
    )
    expect(await run(['pull', '..'], { cwd: 'beans/campaign' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: \.\. is not a catalog, and \. in it is\nhint: vatom pull \.\n$/m),
    })
    expect(readdirSync(join(home, 'beans/campaign')).sort()).toEqual(['coupon.yaml', 'vatom.yaml'])
    expect(await vatom('pull', 'beans/campaign')).toMatchObject({ code: 0 })
  })

  test('an interrupted pull writes nothing', async () => {
    const desk = await stockedOne()
    const signal = AbortSignal.abort()
    expect(await desk.run(['pull', 'c'], { signal })).toMatchObject({ code: 130, out: '' })
    expect(existsSync(join(desk.home, 'c'))).toBe(false)
  })
})

test('of faces for the same viewers the first is written, which plan takes, and the others are named', async () => {
  const desk = await publisher()
  const { file, json, vatom, home } = desk
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  const two = face().replace('resources: [CardImage]', 'resources: []')
  await registerAnyway(desk, face(), two, two, face(undefined, 'card'))
  const ids = ((await json('face', 'list', 'local.vatom::Coupon::v1')) as Records[]).map(({ id }) => id)
  const { code, err } = await vatom('pull', 'c')
  expect({ code, err }).toEqual({
    code: 0,
    err: `warning: local.vatom::Coupon::v1 has 3 faces for icon, generic, high; only the first, ${ids[0]} (native://image), is written, because viewers pick it; the others are ${ids[1]} (native://image), ${ids[2]} (native://image); to delete them: vatom face delete ${ids[1]} ${ids[2]}, or vatom apply --prune\nWrote c/vatom.yaml, which names a catalog: what is applied from this folder belongs to that catalog\n3 documents: 3 new\n`,
  })
  const written = texts(join(home, 'c'))['coupon.faces.yaml'] ?? ''
  expect(written.match(/^template:|view_mode: .*|- CardImage/gm)).toEqual([
    'template:',
    'view_mode: icon',
    '- CardImage',
    'template:',
    'view_mode: card',
    '- CardImage',
  ])
  expect(await json('plan', 'c')).toMatchObject({ summary: { total: 3, unchanged: 3 } })
  expect(await vatom('apply', 'c', '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(await json('face', 'list', 'local.vatom::Coupon::v1')).toMatchObject([{ id: ids[0] }, { id: ids[3] }])
  expect(await vatom('pull', 'c')).toEqual({ code: 0, out: '', err: '3 documents: 3 unchanged\n' })
})

test('a template with more than a file may hold is written in several', async () => {
  const { file, json, home } = await publisher()
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  const text = 'x'.repeat(60_000)
  const many = Array.from(
    { length: 20 },
    (_, index) => `template_variation: $publisher::Coupon::v1::V${index + 10}
template: $publisher::Coupon::v1
vatom: { private: { color: ${text} } }
`,
  )
  file('many.yaml', many.join('---\n'))
  await json('variation', 'create', 'many.yaml')
  await json('pull', 'c')
  expect(Object.keys(texts(join(home, 'c')))).toEqual([
    'coupon.variation.2.yaml',
    'coupon.variation.yaml',
    'coupon.yaml',
  ])
  const { results } = (await json('variation', 'update', 'c')) as { results: { status: string }[] }
  expect(results).toHaveLength(20)
  expect(results.every(({ status }) => status === 'unchanged')).toBe(true)
})

test.each([
  ['a file', 'c/coupon.yaml', 'out/mine.yaml'],
  ['a folder', 'c/.vatom', 'out'],
])('%s that points outside the folder is not written through', async (_, link, target) => {
  const { file, json, vatom, home } = await publisher()
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  file('out/mine.yaml', 'mine')
  file('c/other.txt', '')
  symlinkSync(join(home, target), join(home, link))
  const { code, err } = await vatom('pull', 'c', '--force')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('a link points outside the folder') })
  expect(readdirSync(join(home, 'out'))).toEqual(['mine.yaml'])
  expect(readFileSync(join(home, 'out/mine.yaml'), 'utf8')).toBe('mine')
})

/** A desk, and a pull into `c`, in whose place a link to `out` is made while the service is read. */
async function withSwap() {
  let swap = () => {}
  const desk = await publisher({ service: { log: (line) => /face/.test(line) && swap() } })
  const pullSwapped = () => {
    swap = () => {
      swap = () => {}
      renameSync(join(desk.home, 'c'), join(desk.home, 'moved'))
      symlinkSync(join(desk.home, 'out'), join(desk.home, 'c'))
    }
    return desk.vatom('pull', 'c', '--yes')
  }
  return { ...desk, pullSwapped }
}

test('a folder in whose place a link is made while the service is read is not written through', async () => {
  const { file, json, pullSwapped, home } = await withSwap()
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  file('out/mine.txt', 'mine')
  file('c/other.txt', '')
  const { code, err } = await pullSwapped()
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /c\/\S+ is not written: a link points outside the folder\nhint: no file of this step was changed/,
    ),
  })
  expect(readdirSync(join(home, 'out'))).toEqual(['mine.txt'])
})

test('nor is one in whose place a link to the same files is made', async () => {
  const { file, json, pullSwapped, home } = await withSwap()
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  await json('pull', 'c')
  file('coupon.yaml', template().replace('title: ', 'title: New '))
  await json('template', 'update', 'coupon.yaml')
  cpSync(join(home, 'c'), join(home, 'out'), { recursive: true })
  const before = texts(join(home, 'out'))
  const { code, err } = await pullSwapped()
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('a link points outside the folder') })
  expect(texts(join(home, 'out'))).toEqual(before)
})

test('a file that is edited while the service is read keeps the edit', async () => {
  let edit = () => {}
  const log = (line: string) => /face/.test(line) && edit()
  const { file, json, vatom, home } = await publisher({ service: { log } })
  file('c/coupon.yaml', template())
  await json('template', 'create', 'c/coupon.yaml')
  file('c/coupon.yaml', template().replace('unpublished: true', 'cloneable: true\nunpublished: true'))
  edit = () => void file('c/coupon.yaml', 'mine')
  const { code, err } = await vatom('pull', 'c', '--yes')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('c/coupon.yaml has changed since it was read'),
  })
  expect(readFileSync(join(home, 'c/coupon.yaml'), 'utf8')).toBe('mine')
})

describe('versions of a template', () => {
  const files = (out: string): string[] =>
    JSON.parse(out).results.map(({ file, name }: { file: string; name: string }) => `${name.slice(13)} ${file}`)

  /** A catalog of which one version is published, and the next one is in the files. */
  async function bumped() {
    const desk = await publisher()
    desk.file('c/coupon.yaml', published(template('$publisher::Coupon::v1')))
    await desk.vatom('apply', 'c', '--yes', '--publish')
    desk.file('c/coupon.yaml', template('$publisher::Coupon::v2'))
    await desk.vatom('apply', 'c', '--yes')
    return desk
  }

  test('a published one before that of the files is left out, and named', async () => {
    const { vatom } = await bumped()
    const { code, out, err } = await vatom('pull', 'c', '--json')
    expect({ code, files: files(out) }).toEqual({ code: 0, files: ['Coupon::v2 c/coupon.yaml'] })
    expect((await vatom('pull', 'c', '--keep-publisher', '--yes', '--dry-run')).err).toContain(
      'to write it too: vatom pull c --keep-publisher --all-versions\n',
    )
    expect(err).toContain(
      '1 published template with a later version in the files was left out: local.vatom::Coupon::v1; to write it too: vatom pull c --all-versions\n',
    )
  })

  test.each([['--all-versions'], ['--template', 'local.vatom::Coupon::v1']])(
    '%s %s writes it, to a file with its version',
    async (...more) => {
      const { vatom } = await bumped()
      const { out, err } = await vatom('pull', 'c', '--json', ...more)
      expect(files(out)).toContain('Coupon::v1 c/coupon.v1.yaml')
      expect(err).not.toContain('left out')
      expect(files((await vatom('pull', 'c', '--json')).out)).toHaveLength(2)
    },
  )

  test('an empty folder gets all of them, a draft is never left out', async () => {
    const { vatom, file } = await bumped()
    expect(files((await vatom('pull', 'copy', '--json')).out)).toEqual([
      'Coupon::v1 copy/coupon.yaml',
      'Coupon::v2 copy/coupon.v2.yaml',
    ])
    file('c/coupon.yaml', template('$publisher::Coupon::v3'))
    expect(files((await vatom('pull', 'c', '--json')).out)).toEqual([
      'Coupon::v2 c/coupon.v2.yaml',
      'Coupon::v3 c/coupon.yaml',
    ])
  })

  test('new files end as those of the catalog do', async () => {
    const { vatom, file } = await publisher()
    file('c/coupon.yml', template())
    file('d/red.yaml', variation())
    await vatom('apply', 'c', 'd', '--yes')
    expect(files((await vatom('pull', 'c', '--json')).out)).toContain('Coupon::v1::Red c/coupon.variation.yml')
  })
})
