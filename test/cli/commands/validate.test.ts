import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { published } from '../../fixtures/catalog.ts'
import { action, face, folderTemplate, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('validate checks without sending', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('coupon.yaml', template())
    expect(await vatom('template', 'validate', 'coupon.yaml')).toEqual({
      code: 0,
      out: `valid template ${name} (coupon.yaml)\n`,
      err: '',
    })
    file('bad.yaml', template().replace('title:', 'titel:'))
    expect(await vatom('template', 'validate', 'bad.yaml')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('bad.yaml:6:5'),
    })
    expect(await json('template', 'list')).toEqual([])
  })
})

test('a narrow terminal shows valid documents broken between words, and a pipe each on a line', async () => {
  const { file, run } = await publisher()
  file('coupon.yaml', template())
  const words = ['template', 'validate', 'coupon.yaml']
  expect((await run([...words, '--no-color'], { tty: true, columns: 44 })).out).toBe(
    `valid template ${name}\n(coupon.yaml)\n`,
  )
  expect((await run(words, { columns: 44 })).out).toBe(`valid template ${name} (coupon.yaml)\n`)
})

test('a typo in the template of a variation has one hint, and not that of a name that is right', async () => {
  const { file, vatom } = await publisher()
  file('c/coupon.yaml', template())
  file('c/red.yaml', variation(undefined, '$publisher::Coupn::v1'))
  const { code, err } = await vatom('validate', 'c')
  expect([code, err]).toEqual([0, expect.stringContaining(`hint: did you mean ${name}?`)])
  expect(err.match(/^warning\[.*?\]/gm)).toEqual(['warning[no-face]', 'warning[template-name]'])
})

test('validate warns of a native face that has nothing to show', async () => {
  const { file, vatom } = await publisher()
  file('c/coupon.yaml', template())
  const progress = face().replaceAll('native://image', 'native://progress-image-overlay')
  file('c/face.yaml', progress)
  const { code, out, err } = await vatom('validate', 'c')
  expect([code, out]).toEqual([0, expect.stringMatching(/^valid face .*progress-image-overlay.*\n/m)])
  expect(err.match(/^warning\[face-needs\]: there is no (\w+) in config/gm)).toHaveLength(2)
  expect(err).toContain('hint: name a resource of the template in config.empty_image: CardImage\n')
  file('c/face.yaml', `${progress}config: { empty_image: CardImage, full_image: CardImage }\n`)
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0, err: expect.not.stringContaining('warning') })
})

describe('a resource that names a file of the catalog', () => {
  const named = async (value: string) => {
    const desk = await publisher()
    desk.file('c/images/cup.png', 'PNG')
    desk.file('c/coupon.yaml', template().replace(/value: https\S+/, `value: ${value}`))
    return desk
  }
  const upload = 'write an https address that everybody can read; to upload the file: vatom asset upload FILE'
  const warned = (err: string) => err.match(/^warning\[private-address\].*$|= hint: (?:did|write).*$/gm)

  test('that exists is warned of as no address', async () => {
    const { vatom } = await named('images/cup.png')
    expect(warned((await vatom('validate', 'c')).err)).toEqual([
      'warning[private-address]: images/cup.png is the path of a file, not an address: apps cannot read it',
      `= hint: ${upload}`,
    ])
  })
  test('that does not exist is said to be missing, with the nearest file, also when it was removed since', async () => {
    const { run, home } = await named('images/cups.png')
    const validate = async () => warned((await run(['validate', 'c'], { build: 'b' })).err)
    const missing =
      'warning[private-address]: images/cups.png is the path of a file, not an address, and there is no such file'
    expect(await validate()).toEqual([missing, `= hint: did you mean images/cup.png? ${upload}`])
    rmSync(join(home, 'c/images'), { recursive: true })
    expect(await validate()).toEqual([missing, `= hint: ${upload}`])
  })
  test('that does not exist is named by plan, too', async () => {
    const { vatom } = await named('images/cups.png')
    const { err } = await vatom('plan', 'c')
    expect(err).toContain('and there is no such file\n')
  })
})

describe('validate of a whole catalog', () => {
  const catalog = async () => {
    const desk = await publisher()
    desk.file('c/action.yaml', action())
    desk.file('c/coupon.yaml', template())
    desk.file('c/face.yaml', face())
    desk.file('c/red.yaml', variation())
    return desk
  }

  test('does not parse files again in which an earlier run found no problem', async () => {
    const { run, home, file } = await catalog()
    file('c/coupon.yaml', template().replace('    title', '    description: D\n    title'))
    const validate = () => run(['validate', 'c'], { build: 'b' })
    const first = await validate()
    expect(first).toMatchObject({ code: 0, err: 'valid: 1 template, 1 variation, 1 action, 1 face\n' })
    const folder = join(home, '.cache/vatom/documents')
    for (const shard of readdirSync(folder).map((one) => join(folder, one)))
      writeFileSync(shard, readFileSync(shard, 'utf8').replaceAll(/local\.vatom::(\w+)::v1/g, 'cached::$1'))
    expect((await validate()).out).toBe(first.out.replaceAll(/local\.vatom::(\w+)::v1/g, 'cached::$1'))
    file('c/red.yaml', variation().replace('color:', 'colour:'))
    expect(await validate()).toMatchObject({ code: 3, err: expect.stringContaining('c/red.yaml') })
  })

  test('counts the valid documents of each kind last, behind warnings, and not among what scripts read', async () => {
    const { vatom, file } = await catalog()
    file('c/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
    file('c/card.yaml', face(undefined, 'card'))
    const total = 'valid: 1 template, 2 variations, 1 action, 2 faces\n'
    const { code, out, err } = await vatom('validate', 'c')
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(6)
    expect(err).toMatch(new RegExp(`\\n2 warnings in 2 files\\n${total}$`))
    expect((await vatom('validate', 'c', '--quiet')).err).toBe(err.replace(total, ''))
    expect((await vatom('validate', 'c', '--json')).err).toBe(err)
    expect((await vatom('variation', 'validate', 'c')).err).toMatch(/valid: 2 variations\n$/)
  })

  test('--fix corrects documents of every kind', async () => {
    const { run, home, file } = await catalog()
    file('c/coupon.yaml', template().replace('unpublished: true', 'unpublished: yes'))
    file('c/action.yaml', action('Transfer', 'wait: no\n'))
    const { code, err } = await run(['validate', 'c', '--fix', '--dry-run'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('would fix[yaml-boolean] c/action.yaml:3:7'),
    })
    expect(readFileSync(join(home, 'c/action.yaml'), 'utf8')).toContain('wait: no')
    const fixed = JSON.parse((await run(['validate', 'c', '--fix', '--json'])).out)
    expect(fixed).toMatchObject({ summary: { failed: 0, total: 4 }, fixed: [{ after: 'false' }, { after: 'true' }] })
    expect(readFileSync(join(home, 'c/action.yaml'), 'utf8')).toContain('wait: false')
    expect(readFileSync(join(home, 'c/coupon.yaml'), 'utf8')).toContain('unpublished: true')
  })

  test('--dry-run is refused without --fix', async () => {
    const { run } = await catalog()
    expect(await run(['validate', 'c', '--dry-run'])).toMatchObject({ code: 2, out: '' })
  })
})

test.runIf(process.platform === 'linux')('a file or folder whose name is not UTF-8 is an error', async () => {
  const { vatom, file, home } = await publisher()
  file('c/coupon.yaml', template())
  const named = (...parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
  writeFileSync(named(`${home}/c/caf`, Buffer.from([0xe9]), '.yaml'), template())
  mkdirSync(named(`${home}/c/th`, Buffer.from([0xe9])))
  for (const given of ['c', 'c/**/*.yaml']) {
    const { code, err } = await vatom('validate', given)
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining('c/caf\ufffd.yaml: cannot be read: its name is not in UTF-8; rename it\n'),
    })
  }
  expect((await vatom('apply', 'c', '--yes')).err).toContain('c/th\ufffd: cannot be read: its name is not in UTF-8')
})

describe('a file that does not exist', () => {
  test.each([
    ['cofee.yaml', 'coffee.yaml'],
    ['coffee', 'coffee.yaml'],
    ['coffee.yml', 'coffee.yaml'],
    ['catalgo/tea.yaml', 'catalog'],
    ['catalog/teas.yaml', 'catalog/tea.yaml'],
  ])('%s is named with the one that may be meant', async (given, meant) => {
    const { vatom, file } = await publisher()
    file('coffee.yaml', template())
    file('catalog/tea.yaml', template())
    for (const words of [['validate'], ['template', 'create'], ['apply']])
      expect(await vatom(...words, given)).toEqual({
        code: 3,
        out: '',
        err: expect.stringMatching(`^error: ${given}: no such file or folder.*\nhint: did you mean ${meant}\\?\n$`),
      })
  })

  test('several are listed; beside an invalid document they are problems as it is', async () => {
    const { vatom, json, file } = await publisher()
    file('bad.yaml', 'x: [')
    expect((await vatom('validate', 'a.yaml', 'b.yaml')).err).toBe(
      'error: 2 inputs cannot be read\n  a.yaml: no such file or folder; this folder has: bad.yaml\n  b.yaml: no such file or folder; this folder has: bad.yaml\n',
    )
    expect((await vatom('validate', 'zz.yaml', 'bad.yaml')).err).toMatch(
      /error\[input].*\n.*zz.yaml[\s\S]*2 errors in 2 files/,
    )
    expect(await json('validate', 'none').catch((error: unknown) => String(error))).toContain('none: no such file')
  })
})

describe('--within', () => {
  test('a file outside of the folder is named: its face may be in its own catalog', async () => {
    const { run, file } = await publisher()
    file('tea/coupon.yaml', template())
    file('guest/guest.yaml', template('$publisher::Guest::v1'))
    const says = 'checked as part of the catalog in tea, and not in that folder: guest/guest.yaml\n'
    expect((await run(['validate', 'guest/guest.yaml', '--within', 'tea'])).err).toContain(says)
    for (const path of ['tea/coupon.yaml', 'tea', '.'])
      expect((await run(['validate', path, '--within', 'tea'])).err).not.toContain('not in that folder')
  })

  test('of an empty folder name, as of a variable that is not set, is an error of usage', async () => {
    const { run, file } = await publisher()
    file('coupon.yaml', template())
    for (const files of [[], ['coupon.yaml']]) {
      const { code, out, err } = await run(['validate', ...files, '--within', ''])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain('error: --within is empty\n')
      expect(err).not.toContain('ignored')
    }
  })

  /** A catalog of two templates, and a file of one of them that was changed. */
  async function changed(document: string) {
    const desk = await publisher()
    desk.file('catalog/coupon.yaml', document)
    desk.file('catalog/red.yaml', variation().replace('title: Red coupon', 'title: Red\n    description: Red'))
    desk.file('catalog/other.yaml', template('$publisher::Other::v1').replace('title:', 'titel:'))
    return desk
  }
  const files = (out: string): string[] => JSON.parse(out).results.map(({ file }: { file: string }) => file)

  test('a folder that does not exist is one problem', async () => {
    const { run } = await publisher()
    const { code, err } = await run(['validate', '--within', 'none/'])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/^error: none\/?: no such file or folder\n/) })
  })

  test('a changed file alone passes what the catalog refuses; within it, what it breaks is reported', async () => {
    const { run } = await changed(template().replace('color:', 'colour:'))
    expect(await run(['validate', 'catalog/coupon.yaml'])).toMatchObject({ code: 0 })
    const { code, out } = await run(['validate', 'catalog/coupon.yaml', '--within', 'catalog', '--json'])
    expect({ code, files: files(out) }).toEqual({ code: 3, files: ['catalog/coupon.yaml', 'catalog/red.yaml'] })
    expect(JSON.parse(out).error.issues).toMatchObject([{ file: 'catalog/red.yaml', rule: 'overlay-private' }])
    // Of a template that the file does not touch nothing is reported.
    expect(out).not.toContain('titel')
  })

  test('a name that a file of another template has as well is reported', async () => {
    const { run, file } = await changed(template())
    file('catalog/tea.yaml', template('$publisher::Tea::v1'))
    file('catalog/first.yaml', variation('$publisher::Tea::v1::First', '$publisher::Tea::v1'))
    file('catalog/own.yaml', variation('$publisher::Tea::v1::First'))
    const { code, out } = await run(['validate', 'catalog/own.yaml', '--within', 'catalog', '--json'])
    expect({ code, issues: JSON.parse(out).error.issues }).toMatchObject({
      code: 3,
      issues: expect.arrayContaining([expect.objectContaining({ rule: 'duplicate-name' })]),
    })
  })

  test('a file that fits its catalog is valid, and the only row', async () => {
    const { run } = await changed(template())
    for (const _ of [1, 2]) {
      const { code, out } = await run(['validate', 'catalog/coupon.yaml', '--within', 'catalog', '--json'])
      expect({ code, files: files(out) }).toEqual({ code: 0, files: ['catalog/coupon.yaml'] })
    }
  })

  test('what the catalog ignores is no mistake where it is named, as a hook names each changed file', async () => {
    const { run, file } = await changed(template())
    const others = ['package.json', '.github/ci.yaml', '.vatom/face.schema.json', 'node_modules/a.json', 'old/red.yaml']
    for (const other of others) file(`catalog/${other}`, '{ "name": 1 }')
    file('catalog/old/red.yaml', variation('$publisher::Gone::v1::Red', '$publisher::Gone::v1'))
    file('catalog/vatom.yaml', 'catalog: shop\nignore: [old/]\n')
    file('catalog/face.yaml', face())
    const named = [...others, 'vatom.yaml'].map((other) => `catalog/${other}`)
    for (const [given, checked] of [
      [[...named, 'catalog/coupon.yaml'], { code: 0, files: ['catalog/coupon.yaml'] }],
      // None is left to check, so all of the catalog is.
      [named, { code: 3, files: expect.arrayContaining(['catalog/coupon.yaml', 'catalog/other.yaml']) }],
      [['catalog/vatom.yaml'], { code: 3, files: expect.arrayContaining(['catalog/other.yaml']) }],
    ] as const) {
      const { code, out, err } = await run(['validate', ...given, '--within', 'catalog', '--json'])
      expect({ code, files: files(out) }).toEqual(checked)
      if (given.length > 1) expect(err).toMatch(/^ignored 5 files that the catalog in catalog ignores: [^\n]*\n/)
      expect(err).not.toContain('vatom.yaml')
    }
    expect(await run(['validate', 'catalog/package.json'])).toMatchObject({ code: 3 })
    file('catalog/vatom.yaml', 'catalogue: shop\n')
    expect(await run(['validate', 'catalog/vatom.yaml', '--within', 'catalog'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('catalogue'),
    })
    file('catalog/coupon.yaml', template().replace('title:', 'titel:'))
    expect(await run(['validate', 'catalog/coupon.yaml', '--within', 'catalog'])).toMatchObject({ code: 3 })
  })

  test('a file outside the folder, and standard input, are checked with it', async () => {
    const { run, file } = await changed(template())
    const document = variation('$publisher::Coupon::v1::Blue').replace('color: red', 'colour: red')
    file('blue.yaml', document)
    for (const [given, stdin] of [
      ['blue.yaml', ''],
      ['-', document],
    ] as const)
      expect(await run(['variation', 'validate', given, '--within', 'catalog'], { stdin })).toMatchObject({
        code: 3,
        err: expect.stringContaining('the template defines no custom field private.colour'),
      })
    expect(await run(['validate', 'blue.yaml', '--within', 'catalog', '--fix'])).toMatchObject({ code: 2 })
    expect(await run(['validate', 'blue.yaml', '--within', 'nowhere'])).toMatchObject({
      code: expect.toSatisfy((code) => code !== 0),
    })
  })
})

/** A template with a warning. */
const warned = `# vatom-ignore-file no-such-rule\n${template()}`

describe('--max-warnings', () => {
  test.each([['validate'], ['template', 'validate'], ['plan'], ['apply', '--yes'], ['template', 'create']])(
    '%s %s fails if there are more, and sends nothing',
    async (...words) => {
      const { run, json, file } = await publisher()
      file('coupon.yaml', warned)
      const warnings = JSON.parse((await run(['validate', 'coupon.yaml', '--json'])).out).results[0].problems.length
      expect(warnings).toBeGreaterThan(0)
      const limited = (most: number) => run([...words, 'coupon.yaml', '--max-warnings', String(most), '--json'])
      const { code, out, err } = await limited(warnings - 1)
      expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 3, error: 'too_many_warnings' })
      expect(err).toMatch(
        /\nerror: \d+ warnings?, more than --max-warnings \d+.*\nhint: the warnings are [\w, -]+; to correct one, or switch its rule off: vatom help rules\n$/,
      )
      expect(await json('template', 'list')).toEqual([])
      expect((await limited(warnings)).code).toBe(0)
    },
  )
})

test.each([
  ['face', face(undefined, 'card')],
  ['action', action('Transfer', '# vatom-ignore-file no-such-rule\n')],
] as const)('%s update fails if there are more warnings than --max-warnings', async (kind, document) => {
  const { run, json, file } = await publisher()
  file('coupon.yaml', template())
  file('one.yaml', `# vatom-ignore-file no-such-rule\n${document}`)
  await json('template', 'create', 'coupon.yaml')
  await json(kind, 'register', 'one.yaml')
  const { code, err } = await run([kind, 'update', 'one.yaml', '--max-warnings', '0'])
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('more than --max-warnings 0') })
  expect(await run([kind, 'update', 'one.yaml', '--max-warnings', '9'])).toMatchObject({ code: 0 })
})

test('of what the vAtoms of many templates lack alike, the first is shown, and where the others are', async () => {
  const { file, run } = await publisher()
  for (let one = 10; one < 30; one++) {
    const name = `$publisher::Coupon${one}::v1`
    file(`menu/${one}.yaml`, `${template(name)}---\n${variation(`${name}::Red`, name)}`)
  }
  const { code, err } = await run(['validate', 'menu'])
  const [block = '', ...others] = err.split('\n\n').filter((text) => text.includes('[ios-drops]'))
  expect([code, others]).toEqual([0, []])
  expect(block).toMatch(/the vAtom has no description\n +--> menu\/10\.yaml/)
  expect(block).toMatch(/also: in menu\/11\.yaml.* and 9 more$/)
})

test('the total of warnings is behind the rows', async () => {
  const { run, file } = await publisher()
  file('coupon.yaml', warned)
  const { code, out, err } = await run(['validate', 'coupon.yaml'])
  expect({ code, out }).toEqual({ code: 0, out: `valid template ${name} (coupon.yaml)\n` })
  expect(err).toMatch(/\n\d+ warnings? in 1 file\n$/)
})

describe('a whole catalog', () => {
  const v2 = '$publisher::Coupon::v2'
  const box = folderTemplate('$publisher::Box::v1', '[{ template_variation: $publisher::Gone::v1::X }]')
  const rules = (out: string): string[] =>
    JSON.parse(out).results.flatMap(({ file, problems }: { file: string; problems: { rule: string }[] }) =>
      problems.filter(({ rule }) => /missing|no-face/.test(rule)).map(({ rule }) => `${basename(file)} ${rule}`),
    )

  async function renamed() {
    const desk = await publisher()
    desk.file('catalog/coupon.yaml', template(v2))
    desk.file('catalog/red.yaml', variation())
    desk.file('catalog/face.yaml', face())
    desk.file('catalog/action.yaml', action())
    return desk
  }

  test('says which documents name a template that no file holds, and which template has no face', async () => {
    const { run, file } = await renamed()
    file('catalog/other.yaml', template('$publisher::Other::v2'))
    const { out, err } = await run(['validate', 'catalog', '--json'])
    expect(rules(out).sort()).toEqual([
      'action.yaml template-missing',
      'coupon.yaml no-face',
      'face.yaml template-missing',
      'other.yaml no-face',
      'red.yaml template-missing',
    ])
    expect(err).toContain(
      'hint: the catalog has: local.vatom::Coupon::v2, local.vatom::Other::v2; if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template local.vatom::Coupon::v1',
    )
    file('catalog/other.yaml', '# none\n')
    file('catalog/coupon.yaml', template())
    expect(rules((await run(['validate', 'catalog', '--json'])).out)).toEqual([])
  })

  test('gives one advice for a template that was renamed in its own file', async () => {
    const { run, file } = await renamed()
    file('catalog/coupon.yaml', template('$publisher::Card::v1'))
    const advice =
      'hint: was it renamed to local.vatom::Card::v1, to which nothing belongs? A renamed template is a new one: put the old name back, or write the new one into catalog/red.yaml, catalog/face.yaml, catalog/action.yaml, too\n'
    for (const command of [['validate'], ['plan'], ['apply', '--yes']]) {
      const { err } = await run([...command, 'catalog'])
      expect(err.split('template-missing').length - 1).toBe(1)
      expect(err).toContain(advice)
      expect(err).not.toContain('vatom pull')
    }
    const { out } = await run(['plan', 'catalog'])
    expect(out.match(/was it renamed to local\.vatom::Card::v1, to which nothing belongs\?/g)).toHaveLength(3)
    file('catalog/red.yaml', variation().replaceAll('Coupon', 'Card'))
    file('catalog/face.yaml', face().replaceAll('Coupon', 'Card'))
    file('catalog/action.yaml', action().replaceAll('Coupon', 'Card'))
    expect(rules((await run(['validate', 'catalog', '--json'])).out)).toEqual([])
  })

  test('says which child_policy names a variation that no file holds', async () => {
    const { run, file } = await renamed()
    file('catalog/coupon.yaml', template())
    file('catalog/box.yaml', box)
    file('catalog/box-face.yaml', face('$publisher::Box::v1'))
    for (const _ of [1, 2])
      expect(rules((await run(['validate', 'catalog', '--json'], { build: 'a' })).out)).toEqual([
        'box.yaml child-missing',
      ])
    file('catalog/gone.yaml', variation('$publisher::Gone::v1::X'))
    expect(rules((await run(['validate', 'catalog', '--json'], { build: 'a' })).out)).toEqual([])
  })

  test('says which name in a query is no template or variation of it, which it can be once that is in a file', async () => {
    const { run, file } = await renamed()
    file('catalog/coupon.yaml', template())
    file('catalog/box-face.yaml', face('$publisher::Box::v1'))
    const found = async (query: string, ...args: string[]) => {
      file(
        'catalog/box.yaml',
        template('$publisher::Box::v1').replace(
          'vAtom::vAtomType\n',
          `vAtom::vAtomType::DiscoverContainerType\n    query: ${query}\n`,
        ),
      )
      const { out } = await run(['validate', ...args, '--json'], { build: 'a' })
      return JSON.parse(out).results.flatMap(({ problems }: { problems: Record<string, string>[] }) =>
        problems.flatMap(({ rule = '', message, hint }) => (/^query/.test(rule) ? `${rule}: ${message}; ${hint}` : [])),
      )
    }
    const scope = (value: string) => `{ scope: { key: template, value: "${value}" } }`
    const filter = (field: string, op: string, value: string) =>
      `{ filters: [{ filter_elems: [{ field: ${field}, filter_op: ${op}, value: "${value}" }] }] }`
    const meant = (name: string) =>
      `query-name: no template in the catalog is named ${name}; did you mean local.vatom::Coupon::v1?`
    for (const name of ['Coupon', 'Coupon::v1', 'local.vatom::Cuopon::v1', 'local.vatom::Coupon'])
      expect(await found(scope(name), 'catalog')).toEqual([meant(name)])
    expect(await found(scope('$publisher::Coupon::v1,Coupon'), 'catalog')).toEqual([meant('Coupon')])
    expect(await found(filter('template', 'Ne', 'Coupon'), 'catalog')).toEqual([meant('Coupon')])
    expect(await found(filter('template_variation', 'Eq', 'Red'), 'catalog')).toEqual([
      'query-name: no variation in the catalog is named Red; did you mean local.vatom::Coupon::v1::Red?',
    ])
    const short =
      'query-name: Tee is no whole name of a template: the query finds nothing by it; write PUBLISHER::Name::v1'
    expect(await found(scope('Tee'), 'catalog')).toEqual([short])
    expect(await found(scope('Tee'), 'catalog/box.yaml')).toEqual([short])
    for (const query of [
      scope('$publisher::Coupon::v1'),
      scope('other.example::Tea::v1'),
      scope('$publisher::Coupon::v1, $publisher::Coupon::v0'),
      filter('template', 'Match', 'Coup'),
      filter('category', 'Eq', 'Coupon'),
      '{ scope: { key: owner, value: $currentuser } }',
    ])
      expect(await found(query, 'catalog')).toEqual([])
    const tea = scope('$publisher::Tea::v1')
    expect(await found(tea, 'catalog/box.yaml')).toEqual([])
    for (const _ of [1, 2])
      expect(await found(tea, 'catalog')).toEqual([
        'query-missing: no template in the catalog is named local.vatom::Tea::v1; the catalog has: local.vatom::Box::v1, local.vatom::Coupon::v1; if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template local.vatom::Tea::v1',
      ])
    file('catalog/tea.yaml', template('$publisher::Tea::v1'))
    expect(await found(tea, 'catalog')).toEqual([])
  })

  test('says which policy names an action that no file holds, once, as plan does', async () => {
    const { run, file } = await renamed()
    file('catalog/coupon.yaml', template())
    file('catalog/action.yaml', action('Drop', 'policy: { pre: [Chek, Drop] }\n'))
    const drop = 'local.vatom::Coupon::v1::Action'
    const missing = `no action in the catalog is named ${drop}::Chek`
    for (const command of ['validate', 'plan']) {
      const { err } = await run([command, 'catalog'], { build: 'a' })
      expect(err).toContain(`warning[action-missing]: ${missing}\n --> catalog/action.yaml:3:17\n`)
      expect(err.split('Chek,')).toHaveLength(2)
      expect(err).not.toContain('missing-action')
    }
    file('catalog/check.yaml', action('Check'))
    expect((await run(['validate', 'catalog'], { build: 'a' })).err).toContain(`did you mean ${drop}::Check?`)
    file('catalog/check.yaml', action('Chek'))
    expect((await run(['validate', 'catalog'], { build: 'a' })).err).not.toContain('action-missing')
  })

  test('says which action another one runs without what guards it, once, as plan does', async () => {
    const { run, file } = await renamed()
    file('catalog/coupon.yaml', template())
    file('catalog/drop.yaml', action('Drop', 'limit_per_user: 1\npolicy: { pre: [Check] }\n'))
    file('catalog/check.yaml', action('Check'))
    const guarded = (fields: string) => file('catalog/action.yaml', action('Pickup', fields))
    guarded('policy: { pre: [Drop] }\n')
    const lost = 'Pickup runs Drop without its policy, limit_per_user'
    for (const command of ['validate', 'plan', 'apply', 'plan']) {
      const { err } = await run([command, 'catalog', ...(command === 'apply' ? ['--yes'] : [])], { build: 'a' })
      expect(err).toContain(`warning[policy-guards]: ${lost}: `)
      expect(err).toContain('\n --> catalog/action.yaml:3:17\n')
      expect(err.split(lost)).toHaveLength(2)
    }
    guarded('limit_per_user: 1\npolicy: { pre: [Check, Drop] }\n')
    for (const command of ['validate', 'plan'])
      expect((await run([command, 'catalog'], { build: 'a' })).err).not.toContain('policy-guards')
  })

  test.each([
    ['$publisher::Coffee::v1::Gold', 'local.vatom::Coffee::v1\n'],
    ['$publisher::Coffee::v1::Gold::v2', 'local.vatom::Coffee::v1\n'],
    ['$publisher::Coffee::v1::Gold::v2::Small', 'NAME, with the name of its template\n'],
    ['$publisher::Coffee::Gold', 'NAME, with the name of its template\n'],
    ["$publisher::It's $(date)::v1::X", "'local.vatom::It'\\''s $(date)::v1'\n"],
  ])(
    'of a variation %s that no file holds, the hint names the template only if its name tells it',
    async (of, said) => {
      const { vatom, file } = await publisher()
      file('catalog/vatom.yaml', 'catalog: shop\n')
      file('catalog/box.yaml', folderTemplate('$publisher::Box::v1', `[{ template_variation: "${of}" }]`))
      const { err } = await vatom('validate', 'catalog')
      expect(err).toContain(
        `if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template ${said}`,
      )
      expect(err).not.toContain('adds it')
    },
  )

  test('of an action that no file holds, the hint names its template', async () => {
    const { vatom, file } = await publisher()
    file('catalog/coupon.yaml', template())
    file('catalog/action.yaml', action('Drop', 'policy: { pre: [Check] }\n'))
    expect((await vatom('validate', 'catalog')).err).toContain(
      `if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template ${name}\n`,
    )
  })

  test('where the publisher is not known, the hint has the placeholder in quotes', async () => {
    const { run, file } = await publisher()
    file('catalog/vatom.yaml', 'catalog: shop\n')
    file('catalog/box.yaml', box)
    const env = { VATOM_BASE_URL: 'https://x.example', VATOM_APP_ID: 'a', VATOM_REFRESH_TOKEN: 't' }
    expect((await run(['validate', 'catalog'], { env })).err).toContain(
      "vatom pull --template '$publisher::Gone::v1'\n",
    )
  })

  test('with a vatom.yaml, is warned of its last template that is gone; without one it may be a part', async () => {
    const { run, file, home } = await publisher()
    file('catalog/coupon.yaml', template())
    file('catalog/red.yaml', variation())
    file('catalog/face.yaml', face())
    file('catalog/vatom.yaml', 'catalog: shop\n')
    const found = async (...words: string[]) => rules((await run(['validate', ...words, '--json'], { build: 'a' })).out)
    expect(await found('catalog')).toEqual([])
    rmSync(join(home, 'catalog/coupon.yaml'))
    const missing = ['red.yaml template-missing', 'face.yaml template-missing']
    expect(await found('catalog')).toEqual(missing)
    expect(await found('--within', 'catalog')).toEqual(missing)
    const { code, err } = await run(['validate', 'catalog', '--max-warnings', '0'])
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining(
        'hint: if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template local.vatom::Coupon::v1',
      ),
    })
    expect(await found('catalog/red.yaml')).toEqual([])
    rmSync(join(home, 'catalog/vatom.yaml'))
    expect(await found('catalog')).toEqual([])
  })

  test('what names a document that was renamed in a changed file is reported', async () => {
    const { run, file } = await publisher()
    file('catalog/coupon.yaml', template())
    file('catalog/face.yaml', face())
    file('catalog/red.yaml', variation())
    file('catalog/box.yaml', box.replace('Gone::v1::X', 'Coupon::v1::Red'))
    file('catalog/box-face.yaml', face('$publisher::Box::v1'))
    const found = async (...words: string[]) => rules((await run(['validate', ...words, '--json'])).out)
    const changed = ['catalog/coupon.yaml', 'catalog/face.yaml', '--within', 'catalog']
    expect(await found(...changed)).toEqual([])
    file('catalog/coupon.yaml', template('$publisher::Coupon::v2'))
    file('catalog/face.yaml', face('$publisher::Coupon::v2'))
    expect(await found(...changed)).toEqual(['red.yaml template-missing'])
    file('catalog/coupon.yaml', template())
    file('catalog/face.yaml', face())
    file('catalog/red.yaml', variation('$publisher::Coupon::v1::Blue'))
    expect(await found('catalog/red.yaml', '--within', 'catalog')).toEqual(['box.yaml child-missing'])
    expect(await found('catalog/face.yaml', '--within', 'catalog')).toEqual([])
  })

  test('is not assumed of the folder of templates alone, where each kind has a folder and there is no vatom.yaml', async () => {
    const { run, file, home } = await publisher()
    file('catalog/templates/coupon.yaml', template())
    file('catalog/templates/box.yaml', box.replace('Gone::v1::X', 'Coupon::v1::Red'))
    file('catalog/variations/red.yaml', variation())
    const found = async (...words: string[]) => rules((await run(['validate', ...words, '--json'], { build: 'a' })).out)
    expect(await found('catalog/templates')).not.toContain('box.yaml child-missing')
    expect(await found('catalog/variations')).toEqual([])
    file('catalog/variations/red.yaml', variation('$publisher::Coupon::v1::Blue'))
    expect(await found('catalog')).toContain('box.yaml child-missing')
    file('catalog/templates/other.yaml', variation('$publisher::Coupon::v1::Green'))
    expect(await found('catalog/templates')).toContain('box.yaml child-missing')
    rmSync(join(home, 'catalog/templates/other.yaml'))
    expect(await found('catalog/templates')).not.toContain('box.yaml child-missing')
    file('catalog/templates/vatom.yaml', 'catalog: templates\n')
    expect(await found('catalog/templates')).toContain('box.yaml child-missing')
  })

  test('is not assumed of files, of a part of it, or of the documents of one kind', async () => {
    const { run, file } = await renamed()
    file('catalog/vatom.yaml', 'catalog: shop\n')
    file('catalog/part/box.yaml', box)
    for (const line of [
      ['validate', 'catalog/part'],
      ['validate', '--within', 'catalog/part'],
      ['validate', 'catalog/part/box.yaml', '--within', 'catalog/part'],
      ['validate', 'catalog/coupon.yaml', 'catalog/red.yaml'],
      ['validate', 'catalog/*.yaml'],
      ['template', 'validate', 'catalog'],
    ])
      expect(rules((await run([...line, '--json'])).out)).toEqual([])
  })

  test('is known to plan, which also looks for faces on the service of what it publishes', async () => {
    const { run, vatom, file } = await renamed()
    file('old/coupon.yaml', template())
    await vatom('apply', 'old', '--yes')
    const found = ['coupon.yaml no-face', 'red.yaml template-missing']
    expect(rules((await run(['plan', 'catalog', '--json'])).out)).toEqual(found)
    file('catalog/coupon.yaml', published(template(v2)))
    const text = async () => (await vatom('plan', 'catalog')).out
    expect(await text()).toContain('warning: it has no face: viewers show nothing of its vAtoms')
    file('faces/face.yaml', face(v2))
    await vatom('apply', 'catalog/coupon.yaml', 'faces', '--yes')
    expect(await text()).not.toContain('no face')
  })
})

test('the summary says how many problems --fix corrects, as long as there are some', async () => {
  const { vatom, file } = await publisher()
  const wrong = template().replace('unpublished: true', 'unpublished: yes').replace('title:', 'titel: x\n    category:')
  file('coupon.yaml', wrong.replace('    category: Coupons\n', ''))
  const { err } = await vatom('validate', 'coupon.yaml')
  expect(err).toMatch(/^error: \d errors in 1 file; with --fix, vatom validate corrects \d$/m)
  const plan = await vatom('plan', 'coupon.yaml')
  expect(plan.err).toMatch(/; with --fix, vatom validate corrects \d; nothing was sent$/m)
  await vatom('validate', 'coupon.yaml', '--fix')
  expect((await vatom('validate', 'coupon.yaml')).err).not.toContain('validate corrects')
  expect((await vatom('discover', '-f', file('query.yaml', 'filter: []'))).err).toMatch(/^error: 1 error in 1 file$/m)
})

test('each member that a face lacks is named with what to write, its booleans in one error', async () => {
  const desk = await publisher()
  desk.file('face.yaml', 'template: $publisher::T::v1\ndisplay_url: native://image\nconstraints: {}\nresources: []\n')
  const { code, out, err } = await desk.vatom('validate', 'face.yaml')
  expect(code).toBe(3)
  for (const hint of [
    'write the address of display_url where there is no package',
    'constraints lacks bluetooth_le, contact_list, gps, three_d',
    'write false for each that it does not need',
    'write icon, engaged, card or fullscreen',
    'write generic if every viewer can show it',
    'write high, medium or low',
  ])
    expect(out + err).toContain(hint)
  expect(err).toContain('5 errors in 1 file')
  desk.file('face.yaml', face().replace(/ *gps: false\n/, ''))
  expect((await desk.vatom('validate', 'face.yaml')).err).toContain('hint: write false if it does not need GPS\n')
})

describe('a file of a catalog with a vatom.yaml', () => {
  const note = 'checked without the rest of the catalog; to check with it: '

  async function inCatalog() {
    const desk = await publisher()
    desk.file('c/vatom.yaml', 'catalog: c\n')
    desk.file('c/coupon.yaml', template())
    desk.file('c/faces/icon.yaml', face().replace('CardImage', 'NoSuchImage'))
    return desk
  }

  test('that is checked alone has a note with the command that finds what it refers to in vain', async () => {
    const { vatom } = await inCatalog()
    const command = 'validate c/faces/icon.yaml --within c'
    expect(await vatom('validate', 'c/faces/icon.yaml')).toMatchObject({
      code: 0,
      err: expect.stringContaining(`${note}vatom ${command}\n`),
    })
    const whole = await vatom(...command.split(' '))
    expect(whole).toMatchObject({ code: 3, err: expect.stringContaining('error[face-resource]') })
    expect(whole.err).not.toContain(note)
    expect((await vatom('face', 'validate', 'c/faces/icon.yaml')).err).toContain(`${note}vatom face ${command}\n`)
  })

  test('has no note with its catalog, and none in no catalog', async () => {
    const { vatom, file } = await inCatalog()
    file('alone/icon.yaml', face())
    for (const path of ['c', 'c/*.yaml', 'alone/icon.yaml'])
      expect((await vatom('validate', path)).err).not.toContain(note)
  })
})

test('a field that stands one level too deep is said to belong further out', async () => {
  const { vatom, file } = await publisher()
  file('coupon.yaml', template().replace('  private:\n    color', '    private:\n      color'))
  const { code, err } = await vatom('validate', 'coupon.yaml')
  expect(code).toBe(3)
  expect(err).toContain('it belongs one level further out, beside vAtom::vAtomType: indent it less')
  expect(err).not.toContain('known fields')
})

test('a field that is there already, further out or spelt right, is to be removed', async () => {
  const { vatom, file } = await publisher()
  const policy = '[{ template: $publisher::Red::v1, template_variation: $publisher::C::v1::X, count: 2 }]'
  file('box.yaml', folderTemplate('$publisher::Box::v1', policy))
  const { code, err } = await vatom('validate', 'box.yaml')
  expect(code).toBe(3)
  expect(err).toContain('hint: remove it: it belongs 4 levels further out, beside vatom, and is there already\n')
  expect(err).not.toContain('publisher-text')
  file('coupon.yaml', template().replace(/^( *)title: .*$/m, '$&\n$1titel: Tea'))
  expect((await vatom('validate', 'coupon.yaml')).err).toContain(
    'hint: did you mean title? it is there already: remove this one\n',
  )
})

test('a child_policy with two different numbers is to have the same number twice', async () => {
  const { vatom, file } = await publisher()
  const policy = '[{ template_variation: $publisher::C::v1::X, count: 2, creation_policy: { auto_create_count: 1 } }]'
  file('box.yaml', folderTemplate('$publisher::Box::v1', policy))
  const { err } = await vatom('validate', 'box.yaml')
  expect(err).toContain('count is 2 and auto_create_count 1: they mean the same, so give both the same number')
})

describe.each(['validate', 'plan'])('an interruption ends %s', (command) => {
  const texts = Array.from({ length: 60 }, (_, index) => template(`$publisher::T${index}::v1`))
  const interrupted = { code: 130, out: '', err: 'error: interrupted\n' }

  test('among many files', async () => {
    const { file, run } = await publisher()
    for (const [index, text] of texts.entries()) file(`many/${index}.yaml`, text)
    expect(await run([command, 'many'], { signal: AbortSignal.abort() })).toEqual(interrupted)
  })

  test('among many files that a catalog ignores', async () => {
    const { file, run } = await publisher()
    file('many/vatom.yaml', 'ignore: [old]\n')
    for (const index of texts.keys()) file(`many/${index}/old/notes.txt`, '')
    expect(await run([command, 'many'], { signal: AbortSignal.abort() })).toEqual(interrupted)
  })

  test('among many files that are no documents', async () => {
    const { file, run } = await publisher()
    for (const index of texts.keys()) file(`many/${index}.txt`, '')
    expect(await run([command, 'many'], { signal: AbortSignal.abort() })).toEqual(interrupted)
  })

  test('among many files of a pattern that a catalog ignores', async () => {
    const { file, run } = await publisher()
    file('many/vatom.yaml', 'ignore: [old]\n')
    for (const [index, text] of texts.entries()) file(`many/old/${index}.yaml`, text)
    expect(await run([command, 'many/old/*.yaml'], { signal: AbortSignal.abort() })).toEqual(interrupted)
  })

  test('among many documents of one file', async () => {
    const { file, run } = await publisher()
    file('many/all.yaml', texts.join('\n---\n'))
    expect(await run([command, 'many'], { signal: AbortSignal.abort() })).toEqual(interrupted)
  })
})

describe('where a catalog ignores all files of an input, that is said', () => {
  const ignored = {
    message: 'all its files are under ignore in shop/vatom.yaml: 1 file, by drafts/',
    hint: 'a file that is named itself is checked in any case',
  }

  test.each(['shop/drafts', 'shop/drafts/*.yaml', 'shop'])('%s', async (input) => {
    const { file, vatom } = await publisher()
    file('shop/vatom.yaml', 'catalog: shop\nignore: [drafts/]\n')
    file('shop/drafts/a.yaml', template())
    for (const words of [['validate'], ['plan'], ['apply', '--yes']]) {
      const { code, err, out } = await vatom(...words, input)
      expect({ code, out, err }).toEqual({
        code: 3,
        out: '',
        err: expect.stringContaining(`error: ${input}: ${ignored.message}`),
      })
      expect(err).toContain(`hint: ${ignored.hint}\n`)
    }
    expect((await vatom('validate', 'shop/drafts/a.yaml')).code).toBe(0)
  })

  test('also of a catalog in the folder, with how many and by what', async () => {
    const { file, vatom } = await publisher()
    file('shop/vatom.yaml', 'catalog: shop\n')
    file('shop/sub/vatom.yaml', "catalog: sub\nignore: [old.yaml, '**/*.yaml']\n")
    for (const name of ['a', 'below/b', 'node_modules/c']) file(`shop/sub/${name}.yaml`, template())
    const message = 'shop: all its files are under ignore in shop/sub/vatom.yaml: 2 files, by **/*.yaml'
    for (const command of ['validate', 'plan'])
      expect(await vatom(command, 'shop')).toMatchObject({ code: 3, err: expect.stringContaining(message) })
  })

  test('the others of a pattern are checked', async () => {
    const { file, vatom } = await publisher()
    file('shop/vatom.yaml', 'catalog: shop\nignore: [b.yaml]\n')
    file('shop/a.yaml', template())
    file('shop/b.yaml', 'template: [\n')
    expect((await vatom('validate', 'shop/*.yaml')).code).toBe(0)
  })
})

test("a face of another publisher's template is a warning where the publisher is known: plan refuses it", async () => {
  const { file, run } = await publisher()
  file('fest.yaml', face('rival.example::Fest::v1'))
  const { code, err } = await run(['validate', 'fest.yaml'], { env: { VATOM_PUBLISHER: 'local.vatom' } })
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('warning[template-publisher]') })
  expect(err).toContain('rival.example::Fest::v1 is of another publisher than local.vatom: plan refuses the face')
  expect(err).toContain('if local.vatom is not your publisher domain name: set VATOM_PUBLISHER')
})
