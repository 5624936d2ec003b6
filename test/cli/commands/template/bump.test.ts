import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { face, folderTemplate, template, variation } from '../../../fixtures/yaml.ts'
import { swapOnNextFile } from '../../../support/file-calls.ts'
import { placed } from '../../../support/folders.ts'
import { lossy } from '../../../support/lossy.ts'
import { type Desk, publisher } from '../../../support/vatom.ts'

const examples = join(import.meta.dirname, '../../../../templates-examples')
const read = ({ home }: Desk, name: string) => readFileSync(join(home, name), 'utf8')

describe('template bump', () => {
  test('writes the template last, so that the next run finishes what a killed one began', async () => {
    const desk = await publisher()
    desk.file('c/a.yaml', template('local.vatom::Tea::v1'))
    desk.file('c/b.yaml', variation('local.vatom::Tea::v1::Red', 'local.vatom::Tea::v1'))
    const order = placed(join(desk.home, 'c'), 2)
    expect(await desk.vatom('template', 'bump', 'c/a.yaml', 'c')).toMatchObject({ code: 0 })
    expect(await order).toEqual(['b.yaml', 'a.yaml'])
    desk.file('c/a.yaml', template('local.vatom::Tea::v1'))
    expect(await desk.vatom('template', 'bump', 'c/a.yaml', 'c')).toMatchObject({ code: 0 })
    expect(read(desk, 'c/a.yaml')).toContain('local.vatom::Tea::v2')
    expect(read(desk, 'c/b.yaml')).toContain('local.vatom::Tea::v2::Red')
  })

  test('breaks its lines between words on a terminal', async () => {
    const desk = await publisher()
    desk.file('c/a.yaml', template('local.vatom::Tea::v1'))
    const { out } = await desk.run(['template', 'bump', 'c/a.yaml', 'c', '--yes'], { tty: true, columns: 40 })
    expect(out.split('\n').filter((line) => line.length > 40)).toEqual([])
    expect(out.replace(/\n\s*/g, ' ')).toContain(
      'Bumped local.vatom::Tea::v1 to local.vatom::Tea::v2: 1 place in 1 file',
    )
  })

  test('names the next step to a person, once files were written', async () => {
    const { run, file } = await publisher()
    file('c/a.yaml', template('local.vatom::Tea::v1'))
    const bump = async (tty: boolean, ...more: string[]) =>
      (await run(['template', 'bump', 'c/a.yaml', 'c', '--yes', ...more], { tty })).err
    expect(await bump(true, '--dry-run')).not.toContain('Next:')
    expect(await bump(true)).toMatch(/^Next: vatom plan c\/a\.yaml c\n$/m)
    expect(await bump(false)).not.toContain('Next:')
  })

  test('warns of a version that is earlier than that of the files, and of no later one', async () => {
    const desk = await publisher()
    desk.file('c/a.yaml', template('local.vatom::Tea::v10'))
    const bump = (version: string) => desk.vatom('template', 'bump', 'c/a.yaml', 'c', '--to', version, '--yes')
    expect(await bump('v9')).toMatchObject({
      code: 0,
      err: 'warning: local.vatom::Tea::v9 is an earlier version than local.vatom::Tea::v10\n',
    })
    expect(await bump('v10')).toMatchObject({ code: 0, err: '' })
  })

  test.skipIf(process.platform === 'win32')(
    'a link that points outside the folder is not written through',
    async () => {
      const desk = await publisher()
      desk.file('elsewhere/a.yaml', template('local.vatom::Tea::v1'))
      desk.file('c/b.yaml', variation('local.vatom::Tea::v1::Red', 'local.vatom::Tea::v1'))
      symlinkSync('../elsewhere/a.yaml', join(desk.home, 'c/a.yaml'))
      const { code, err } = await desk.vatom('template', 'bump', 'local.vatom::Tea::v1', 'c')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('a link points outside the folder') })
      expect(read(desk, 'elsewhere/a.yaml') + read(desk, 'c/b.yaml')).not.toContain('v2')
      expect(await desk.vatom('template', 'bump', 'c/a.yaml', 'c/b.yaml')).toMatchObject({ code: 0 })
      expect(read(desk, 'elsewhere/a.yaml')).toContain('local.vatom::Tea::v2')
    },
  )

  test.skipIf(process.platform === 'win32')(
    'a link that points outside the folder is not written through where it is made while others are written',
    async () => {
      const desk = await publisher()
      const [tea, red] = [
        template('local.vatom::Tea::v1'),
        variation('local.vatom::Tea::v1::Red', 'local.vatom::Tea::v1'),
      ]
      desk.file('elsewhere/a.yaml', tea)
      desk.file('c/sub/a.yaml', tea)
      desk.file('c/b.yaml', red)
      swapOnNextFile(join(desk.home, 'c'), join(desk.home, 'c/sub'), join(desk.home, 'elsewhere'))
      const { code, err } = await desk.vatom('template', 'bump', 'local.vatom::Tea::v1', 'c', '--yes')
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining('c/sub/a.yaml is not written: a link points outside the folder'),
      })
      expect([read(desk, 'elsewhere/a.yaml'), read(desk, 'c/b.yaml')]).toEqual([tea, red])
    },
  )

  test('the examples: every place that names the template, and no other byte', async () => {
    const desk = await publisher()
    cpSync(examples, join(desk.home, 'c'), { recursive: true })
    const documents = readdirSync(examples).filter((name) => name.endsWith('.yaml'))
    const { code, out, err } = await desk.vatom('template', 'bump', '$publisher::CoffeeCoupon::v1', 'c')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^warning: .*CoffeeCoupon::v1 is a draft in c\/coffee-coupon\.yaml: .*\n$/),
    })
    expect(out).toMatch(
      /^Bumped local.vatom::CoffeeCoupon::v1 to local.vatom::CoffeeCoupon::v2: \d+ places in 6 files\n$/m,
    )
    for (const name of documents) {
      const before = readFileSync(join(examples, name), 'utf8')
      const comment = /^\s*#/
      const wanted = before
        .split('\n')
        .map((line) => (comment.test(line) ? line : line.replace(/(\$publisher::CoffeeCoupon::)v1/, '$1v2')))
      expect(read(desk, `c/${name}`).split('\n')).toEqual(wanted)
    }
    const changed = documents.filter((name) => read(desk, `c/${name}`) !== readFileSync(join(examples, name), 'utf8'))
    expect(changed).toEqual([
      'coffee-coupon.actions.yaml',
      'coffee-coupon.faces.yaml',
      'coffee-coupon.variation.yaml',
      'coffee-coupon.yaml',
      'discover-container.yaml',
      'welcome-pack.yaml',
    ])
    for (const noun of ['template', 'variation', 'face', 'action'])
      expect(await desk.vatom(noun, 'validate', 'c')).toMatchObject({
        code: 0,
        err: expect.not.stringContaining('warning'),
      })
  })

  test.each(['$publisher::Coupon::v1', 'local.vatom::Coupon::v1'])(
    '%s is found where only the service knows the publisher, as a hint of plan names it',
    async (given) => {
      const desk = await publisher()
      const { env } = await lossy(desk.service, () => 'answered')
      const { VATOM_PUBLISHER: _, ...unnamed } = env
      desk.file('c/coupon.yaml', template())
      desk.file('c/red.yaml', variation())
      const { code, out } = await desk.run(['template', 'bump', given, 'c'], { env: unnamed })
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Bumped .*Coupon::v1 to .*Coupon::v2/m) })
      expect(read(desk, 'c/red.yaml')).toContain('$publisher::Coupon::v2::Red')
    },
  )

  test('what is published is a draft again; comments, quotes and layout stay', async () => {
    const desk = await publisher()
    const before = [
      template('"local.vatom::Coupon::v9"').replace('unpublished: true', 'unpublished:   false  # final'),
      variation("'$publisher::Coupon::v9::Red'", 'local.vatom::Coupon::v9  # it', 'unpublished: false\n'),
      face('$publisher::Coupon::v9'),
      'name: $publisher::Coupon::v9::Action::Drop\nreactor: blockv://v1/Drop\npolicy: {pre: [$publisher::Coupon::v9::Action::Pickup, local.vatom::Coupon::v90::Action::X]}\n',
      template('$publisher::Coupon::v90'),
    ].join('---\n')
    desk.file('all.yaml', before)
    expect((await desk.vatom('template', 'bump', '$publisher::Coupon::v9', '.')).code).toBe(0)
    const wanted = before
      .replaceAll(/Coupon::v9(?!0)/g, 'Coupon::v10')
      .replace('unpublished:   false  # final', 'unpublished:   true  # final')
      .replace('unpublished: false\n', 'unpublished: true\n')
    expect(read(desk, 'all.yaml')).toBe(wanted)
  })

  test('queries and lists of names, anchors and JSON', async () => {
    const desk = await publisher()
    const shelf = template('$publisher::Shelf::v1', '').replace(
      'root_type: vAtom::vAtomType',
      'root_type: vAtom::vAtomType::DiscoverContainerType\n    query: {scope: {key: template, value: "local.vatom::Coupon::v1,$publisher::Other::v1,$publisher::Coupon::v10"}, filters: [{filter_elems: [{field: template_variation, filter_op: Eq, value: $publisher::Coupon::v1::Red}]}]}',
    )
    desk.file('shelf.yaml', shelf)
    desk.file(
      'a.yaml',
      `template_variation: $publisher::Coupon::v1::Red\ntemplate: &t $publisher::Coupon::v1\n---\n${template()}`,
    )
    desk.file(
      'v.json',
      JSON.stringify({ template_variation: 'local.vatom::Coupon::v1::Blue', template: 'local.vatom::Coupon::v1' }),
    )
    expect((await desk.vatom('template', 'bump', '$publisher::Coupon::v1', '.')).code).toBe(0)
    expect(read(desk, 'shelf.yaml')).toBe(shelf.replaceAll(/Coupon::v1(?!0)/g, 'Coupon::v2'))
    expect(read(desk, 'a.yaml')).toContain('template: &t $publisher::Coupon::v2\n')
    expect(read(desk, 'v.json')).toBe(
      '{"template_variation":"local.vatom::Coupon::v2::Blue","template":"local.vatom::Coupon::v2"}',
    )
  })

  test('--dry-run says the same, and writes nothing', async () => {
    const desk = await publisher()
    desk.file('t.yaml', template())
    const { out } = await desk.vatom('template', 'bump', 't.yaml', '--dry-run')
    expect(out).toBe(
      't.yaml:1 template -> $publisher::Coupon::v2\nWould bump local.vatom::Coupon::v1 to local.vatom::Coupon::v2: 1 place in 1 file\n',
    )
    expect(read(desk, 't.yaml')).toBe(template())
    expect(await desk.json('template', 'bump', 't.yaml', '--dry-run')).toMatchObject({
      dry_run: true,
      results: [{ status: 'updated' }],
    })
    expect(await desk.json('template', 'bump', 't.yaml')).toEqual({
      results: [
        {
          file: 't.yaml',
          kind: 'template',
          name: 'local.vatom::Coupon::v1',
          status: 'updated',
          message: 'bumped',
          problems: [],
        },
      ],
      summary: { total: 1, ok: 1, failed: 0 },
      from: 'local.vatom::Coupon::v1',
      to: 'local.vatom::Coupon::v2',
      dry_run: false,
      changes: [
        {
          file: 't.yaml',
          line: 1,
          path: 'template',
          column: 11,
          before: '$publisher::Coupon::v1',
          after: '$publisher::Coupon::v2',
        },
      ],
    })
    expect(read(desk, 't.yaml')).toBe(template('$publisher::Coupon::v2'))
  })

  test('--to writes that version, which no template of the files may have', async () => {
    const desk = await publisher()
    desk.file('c/vatom.yaml', 'catalog: tour\n')
    desk.file('c/t/t.yaml', template())
    desk.file('c/red.yaml', variation())
    const bump = (path: string, version: string) => desk.vatom('template', 'bump', 'Coupon', path, '--to', version)
    expect(await bump('c/t', 'v12')).toMatchObject({
      code: 1,
      err: expect.stringContaining('vatom template bump local.vatom::Coupon::v1 c --to v12\n'),
    })
    expect(await bump('c', 'v1')).toMatchObject({ code: 1, err: expect.stringContaining('v1 already exists in c/t/t') })
    for (const version of ['3', 'v', 'Coupon::v3', 'v1234567890123456'])
      expect(await bump('c', version)).toMatchObject({ code: 2, err: expect.stringContaining('such as v3') })
    expect(read(desk, 'c/t/t.yaml')).toBe(template())
    expect(await bump('c', 'v12')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Bumped local.vatom::Coupon::v1 to local.vatom::Coupon::v12'),
    })
    expect(read(desk, 'c/t/t.yaml')).toBe(template('$publisher::Coupon::v12'))
    expect(read(desk, 'c/red.yaml')).toContain('$publisher::Coupon::v12::Red')
  })

  test('takes parts of a name that one template of the files has', async () => {
    const desk = await publisher()
    for (const given of ['Coupon', 'Coupon::v1', '$publisher::Coupon::v1']) {
      desk.file('c/t.yaml', template())
      desk.file('c/other.yaml', template('$publisher::Other::v1'))
      expect(await desk.vatom('template', 'bump', given, 'c')).toMatchObject({
        code: 0,
        out: expect.stringContaining('Bumped local.vatom::Coupon::v1 to local.vatom::Coupon::v2'),
      })
      expect(read(desk, 'c/other.yaml')).toBe(template('$publisher::Other::v1'))
    }
    desk.file('c/t.yaml', template())
    const { code, out, err } = await desk.vatom('template', 'bump', 'v1', 'c')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('error: v1 can be one of 2 templates\n')
    expect(err).toContain('  vatom template bump local.vatom::Other::v1 c\n')
    expect(err).toMatch(/hint: name one of them: vatom template bump local\.vatom::\w+::v1 c\n$/)
    expect(read(desk, 'c/t.yaml')).toBe(template())
  })

  test('what stands in the way leaves every file as it was', async () => {
    const desk = await publisher()
    desk.file('plain.yaml', template('$publisher::Coupon'))
    desk.file('two.yaml', `${template()}---\n${template('$publisher::Coupon::v2')}`)
    desk.file('bad.yaml', `${template()}nonsense: 1\n`)
    desk.file('d/t.yaml', template())
    desk.file(
      'd/v.yaml',
      'template_variation: "local.vatom::Coupon\\u003a:v1::Red"\ntemplate: $publisher::Coupon::v1\n',
    )
    const failing = async (...args: string[]) => {
      const { code, err, out } = await desk.vatom('template', 'bump', ...args)
      expect(out).toBe('')
      return `${code} ${err}`
    }
    expect(await failing('plain.yaml')).toMatch(/^1 .*no version.*\nhint: .*::v1/s)
    expect(await failing('two.yaml')).toMatch(/^2 .*holds 2 templates/)
    expect(await failing('$publisher::Coupon::v1', 'two.yaml')).toMatch(/^1 .*already exists in two.yaml/)
    expect(await failing('bad.yaml')).toMatch(/^3 .*unknown-field/)
    expect(await failing('$publisher::Cupon::v1', 'd')).toMatch(/^3 .*\nhint: did you mean local.vatom::Coupon::v1\?/s)
    expect(await failing('Coup', 'd')).toMatch(/^3 .*No template in these files is named Coup\n/s)
    const unlike = 'hint: they have: local.vatom::Coupon::v1; if it is in another file, name that too\n'
    expect(await failing('Nope', 'd')).toContain(unlike)
    expect(await failing('$publisher::Nope::v1', 'd')).toContain(unlike)
    expect(await failing('$publisher::Coupon::v1')).toMatch(/^3 .*unknown-field/)
    expect(await failing('$publisher::Coupon::v1', '-')).toMatch(/^2 .*Standard input/)
    expect(await failing('$publisher::Coupon::v1', 'd')).toMatch(
      /^1 .*d\/v.yaml names local.vatom::Coupon::v1 at \S+ in a way/,
    )
    expect(read(desk, 'd/t.yaml')).toBe(template())
  })

  test('changing what is published offers it', async () => {
    const desk = await publisher()
    desk.file('t.yaml', template())
    await desk.vatom('template', 'create', 't.yaml')
    await desk.vatom('template', 'publish', '$publisher::Coupon::v1', '--confirm', '$publisher::Coupon::v1')
    desk.file('t.yaml', template().replace('title: Coupon', 'title: Changed'))
    const { code, err } = await desk.vatom('template', 'update', 't.yaml')
    expect(code).toBe(1)
    expect(err).toContain('differs in vatom.vAtom::vAtomType.title')
    expect(err).toContain(
      "make the next version, in all files of the catalog: vatom template bump 'local.vatom::Coupon::v1' .",
    )
    expect((await desk.vatom('template', 'bump', 'local.vatom::Coupon::v1', 't.yaml')).code).toBe(0)
    expect((await desk.vatom('template', 'create', 't.yaml')).out).toContain('Created template local.vatom::Coupon::v2')
  })

  test('what is offered names the files of the catalog, and none of folders beside them', async () => {
    const desk = await publisher()
    desk.file('coupon.yaml', template().replace('unpublished: true', 'unpublished: false'))
    desk.file('red.yaml', variation())
    desk.file('fest/broken.yaml', 'template: 1\nvatom: {}\n')
    const files = ['coupon.yaml', 'red.yaml']
    expect(await desk.vatom('apply', ...files, '--yes', '--publish')).toMatchObject({ code: 0 })
    desk.file('coupon.yaml', read(desk, 'coupon.yaml').replace('title: Coupon', 'title: Changed'))
    const hint = "in all files of the catalog: vatom template bump 'local.vatom::Coupon::v1' coupon.yaml red.yaml\n"
    expect((await desk.vatom('plan', ...files)).out).toContain(hint)
    expect((await desk.vatom('template', 'update', 'coupon.yaml')).err).toContain(hint)
    expect(await desk.vatom('template', 'bump', 'local.vatom::Coupon::v1', ...files)).toMatchObject({ code: 0 })
    expect(read(desk, 'red.yaml')).toContain('$publisher::Coupon::v2')
  })

  test.each([
    ['says that it is one', (text: string) => text],
    ['does not say that it is published', (text: string) => text.replace('unpublished: true\n', '')],
  ])('a draft that %s needs no next version: a person is asked, a script is warned', async (_what, written) => {
    const desk = await publisher()
    desk.file('t.yaml', written(template()))
    const bump = ['template', 'bump', 'Coupon', 't.yaml']
    const refused = await desk.run(bump, { tty: true, answers: { 'is a draft': 'n' } })
    expect(refused.err).toContain('local.vatom::Coupon::v1 is a draft in t.yaml')
    expect(refused.code).toBe(1)
    expect(read(desk, 't.yaml')).toBe(written(template()))
    const silent = await desk.vatom(...bump, '--yes', '--dry-run')
    expect(silent).toMatchObject({ code: 0, err: '' })
    expect(await desk.vatom(...bump)).toMatchObject({
      code: 0,
      err: 'warning: local.vatom::Coupon::v1 is a draft in t.yaml: unless it has been published since, it can be changed as it is, and needs no next version\n',
    })
    expect(read(desk, 't.yaml')).toBe(written(template('$publisher::Coupon::v2')))
  })

  test('a published variation whose name does not begin with that of its template is to be renamed by hand', async () => {
    const desk = await publisher()
    const [apply, bump] = [
      ['apply', 'c', '--yes', '--publish'],
      ['template', 'bump', 'local.vatom::Tea::v1', 'c'],
    ]
    desk.file('c/a.yaml', template('local.vatom::Tea::v1').replace('unpublished: true', 'unpublished: false'))
    const misnamed = variation('local.vatom::Red', 'local.vatom::Tea::v1', 'unpublished: false\n')
    desk.file('c/b.yaml', misnamed)
    expect(await desk.vatom(...apply)).toMatchObject({ code: 0 })
    desk.file('c/b.yaml', misnamed.replace('color: red', 'color: pink'))
    expect((await desk.vatom(...apply)).err).toContain(
      "vatom template bump 'local.vatom::Tea::v1' c; then write its new name yourself",
    )
    const write = 'in c/b.yaml, write template_variation: local.vatom::Tea::v2::Red\n'
    expect((await desk.vatom(...bump)).err).toContain(
      `warning: local.vatom::Red does not begin with local.vatom::Tea::v1, so its name stays; if it is published, that is final: ${write}`,
    )
    const { err } = await desk.vatom(...apply)
    expect(err).toContain(write)
    expect(err).not.toContain('vatom template bump')
    desk.file('c/b.yaml', read(desk, 'c/b.yaml').replace('local.vatom::Red', 'local.vatom::Tea::v2::Red'))
    expect(await desk.vatom(...apply)).toMatchObject({ code: 0 })
  })

  test('warns of a published container whose child_policy changes along', async () => {
    const desk = await publisher()
    const policy = '[{template_variation: $publisher::Coupon::v1::Red, count: 1}]'
    const box = folderTemplate('$publisher::Box::v1', policy)
    desk.file('c/t.yaml', template().replace('unpublished: true', 'unpublished: false'))
    desk.file('c/red.yaml', variation())
    desk.file('c/box.yaml', box)
    expect(await desk.vatom('template', 'bump', 'Coupon', 'c', '--dry-run')).toMatchObject({ code: 0, err: '' })
    desk.file('c/box.yaml', box.replace('unpublished: true', 'unpublished: false'))
    expect(await desk.vatom('template', 'bump', 'Coupon', 'c')).toMatchObject({
      code: 0,
      err: 'warning: local.vatom::Box::v1 says unpublished: false and names local.vatom::Coupon::v1, so c/box.yaml changes: what is published cannot. Bump it, too: vatom template bump local.vatom::Box::v1 c\n',
    })
    expect(await desk.vatom('template', 'bump', 'Box', 'c')).toMatchObject({ code: 0, err: '' })
  })

  test('a part of a catalog is not bumped alone, and the hint of a refused change names the whole catalog', async () => {
    const desk = await publisher()
    desk.file('my tour/vatom.yaml', 'catalog: tour\n')
    desk.file('my tour/tickets/t.yaml', template())
    desk.file('my tour/red.yaml', variation())
    await desk.vatom('template', 'create', 'my tour/tickets/t.yaml')
    await desk.vatom('template', 'publish', '$publisher::Coupon::v1', '--confirm', '$publisher::Coupon::v1')
    desk.file('my tour/tickets/t.yaml', template().replace('title: Coupon', 'title: Changed'))
    const hint = "vatom template bump 'local.vatom::Coupon::v1' 'my tour'\n"
    for (const args of [
      ['plan', 'my tour'],
      ['template', 'update', 'my tour/tickets/t.yaml'],
    ]) {
      const { out, err } = await desk.vatom(...args)
      expect(out + err).toContain(hint)
    }
    expect(await desk.vatom('template', 'bump', 'Coupon', 'my tour/tickets')).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(
        "1 other file of my tour would still name local.vatom::Coupon::v1: my tour/red.yaml; nothing was changed\nhint: bump it in the whole catalog: vatom template bump local.vatom::Coupon::v1 'my tour'\n",
      ),
    })
    expect(read(desk, 'my tour/tickets/t.yaml')).toContain('Coupon::v1')
    expect(await desk.vatom('template', 'bump', 'Coupon', 'my tour')).toMatchObject({ code: 0 })
    expect(read(desk, 'my tour/red.yaml')).toContain('Coupon::v2::Red')
  })
})
