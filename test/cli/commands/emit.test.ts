import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as bodies from '../../fixtures/bodies.ts'
import { coupon, folderTemplate, red, template, variation } from '../../fixtures/yaml.ts'
import { facing, rival, stocked, transports, watchedDesk } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('emit prints an id a line, and the payload under --json', async () => {
    const { vatom, json } = await stocked(transport)
    const { code, out } = await vatom('emit', red, '--num', '3')
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(3)
    expect(await json('emit', red)).toMatchObject({ num_created: 1, num_errors: 0, ids: [expect.any(String)] })
  })

  test('a terminal shows the first ids and how to list all, with the total behind them; a pipe gets all', async () => {
    const { run, vatom } = await stocked(transport)
    const { out, err } = await run(['emit', red, '--num', '25', '--no-color'], { tty: true, columns: 200 })
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(22)
    expect(lines.slice(20)).toEqual([
      'and 5 more; to list all of this variation:',
      `vatom discover --mine --all --filter 'template_variation = ${red}'`,
    ])
    expect(err).toMatch(/Emitted 25 vAtoms of [^\n]*\n$/)
    const listed = await vatom('discover', '--mine', '--all', '--filter', `template_variation = ${red}`)
    expect(listed.out.trimEnd().split('\n')).toHaveLength(25)
    expect((await vatom('emit', red, '--num', '25')).out.trimEnd().split('\n')).toHaveLength(25)
  })

  test('more than a thousand are asked about on a terminal, and only there', async () => {
    const { run, vatom, json } = await stocked(transport)
    const question = `Emit 1001 vAtoms of ${red} on `
    const { code, err } = await run(['emit', red, '--num', '1001'], {
      tty: true,
      columns: 200,
      answers: { [question]: 'n' },
    })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('the answer was no') })
    expect(await json('inventory')).toMatchObject({ vatoms: [] })
    const given = await run(['emit', red, '--num', '1001', '--yes'], { tty: true })
    expect(given).toMatchObject({ code: 0, err: expect.not.stringContaining(question) })
    expect(await vatom('emit', red, '--num', '1001')).toMatchObject({ code: 0 })
    const ofTemplate = await run(['emit', coupon, '--num', '1001'], { tty: true, answers: { 'Emit 1001': 'y' } })
    expect(ofTemplate).toMatchObject({ code: 0, err: expect.not.stringContaining(`vAtoms of ${coupon} on `) })
    expect(await run(['emit', red, '--num', '1000'], { tty: true })).toMatchObject({ code: 0 })
  })

  test('emit of what another publisher has, itself or inside, says who can emit it, or what to change', async () => {
    const desk = await watchedDesk(transport)
    const other = await rival(desk)
    const open = 'rival.example::Open::v1'
    await other('POST', '/v1/templates', bodies.template({ template: open, public: true, unpublished: false }))
    const theirs = bodies.variation({ template: open, template_variation: `${open}::A`, public: true })
    await other('POST', '/v1/template_variations', { ...theirs, unpublished: false })
    expect(await desk.vatom('emit', `${open}::A`)).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        `error: ${open}::A belongs to another publisher\nhint: only its own publisher emits it: to do so, sign in as an administrator of that: vatom login --context NAME\n`,
      ),
    })
    const folder = {
      root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
      child_policy: [{ template_variation: `${open}::A`, count: 1 }],
    }
    const box = { template: 'local.vatom::Box', unpublished: true, vatom: { 'vAtom::vAtomType': folder } }
    await desk.json('template', 'create', desk.file('box.json', JSON.stringify(box)))
    const set = { template: box.template, template_variation: 'local.vatom::Box::Set', unpublished: true }
    await desk.json('variation', 'create', desk.file('set.json', JSON.stringify(set)))
    expect((await desk.vatom('emit', 'local.vatom::Box::Set')).err).toContain(
      'hint: vAtoms contain only those of their own publisher: name a variation of local.vatom in the child_policy',
    )
  })

  test('emit of a defined folder counts what came to be in it, in a dry run too', async () => {
    const { file, json, vatom } = await stocked(transport)
    const folder = {
      root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
      child_policy: [{ template_variation: red, count: 3 }],
    }
    const box = { template: 'local.vatom::Box', unpublished: true, vatom: { 'vAtom::vAtomType': folder } }
    await json('template', 'create', file('box.json', JSON.stringify(box)))
    const set = { template: box.template, template_variation: 'local.vatom::Box::Set', unpublished: true }
    await json('variation', 'create', file('set.json', JSON.stringify(set)))
    expect((await vatom('emit', 'Set', '--num', '2', '--dry-run')).out).toMatch(
      /^Would emit 2 vAtoms of local\.vatom::Box::Set on .*, with 6 vAtoms inside\n$/,
    )
    const { out, err } = await vatom('emit', 'Set', '--num', '2')
    expect(err).toMatch(/Emitted 2 vAtoms of local\.vatom::Box::Set on .*, with 6 vAtoms inside\n$/)
    expect(out.trimEnd().split('\n')).toHaveLength(2)
    expect(await json('emit', 'Set')).toMatchObject({ num_created: 1, num_contents: 3, ids: { length: 1 } })
    expect((await vatom('emit', red)).err).not.toContain('inside')
  })

  test('a folder whose contents were deleted is not emitted; the files of the contents create them again', async () => {
    const { file, vatom, json } = await publisher({ transport })
    const box = folderTemplate('$publisher::Box::v1', `[{ template_variation: '${red}', count: 1 }]`)
    const files = [box, variation('$publisher::Box::v1::First', '$publisher::Box::v1'), template(), variation()]
    file('all.yaml', files.join('---\n'))
    await json('apply', 'all.yaml', '--yes')
    await json('variation', 'delete', red, '--yes')
    const { code, err } = await vatom('emit', 'Box')
    expect(code).toBe(1)
    expect(err).toContain(`names a template variation that does not exist: ${red}\n`)
    expect(err).toContain('hint: create it from its files: vatom apply PATH; to list what exists: vatom variation list')
    expect((await vatom('emit', 'local.vatom::Box::v1::First')).err).toContain('hint: create it from its files')
    await json('apply', 'all.yaml', '--yes')
    expect(await vatom('emit', 'Box')).toMatchObject({ code: 0 })
  })

  test('a draft variation emits at most ten', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation())
    await json('template', 'create', 'coupon.yaml')
    await json('variation', 'create', 'red.yaml')
    expect(await vatom('emit', red, '--num', '11')).toMatchObject({ code: 1, out: '' })
    expect(await vatom('emit', red, '--num', '10')).toMatchObject({ code: 0 })
  })

  describe('a part of a name', () => {
    const blue = `${coupon}::Blue`
    /** A desk with the variations Red and Blue of a template, and Red of another. */
    const several = async () => {
      const desk = await publisher({ transport })
      desk.file('coupon.yaml', template())
      desk.file('other.yaml', template('$publisher::Other::v1'))
      desk.file('red.yaml', variation())
      desk.file('blue.yaml', variation(blue))
      desk.file('other-red.yaml', variation('$publisher::Other::v1::Red', '$publisher::Other::v1'))
      await desk.json('template', 'create', 'coupon.yaml', 'other.yaml')
      await desk.json('variation', 'create', 'red.yaml', 'blue.yaml', 'other-red.yaml')
      return desk
    }

    test.each(['Blue', 'v1::Blue', 'Coupon::v1::Blue', blue, '$publisher::Coupon::v1::Blue'])(
      '%s stands for the only variation that has it',
      async (given) => {
        const { vatom } = await several()
        expect(await vatom('emit', given)).toMatchObject({ code: 0, err: expect.stringContaining(` of ${blue} on `) })
      },
    )

    test('a template with one variation stands for that', async () => {
      const { vatom } = await several()
      for (const given of ['Other', 'Other::v1', 'local.vatom::Other::v1', '$publisher::Other::v1'])
        expect(await vatom('emit', given)).toMatchObject({
          code: 0,
          err: expect.stringContaining('Emitted 1 vAtom of local.vatom::Other::v1::Red'),
        })
    })

    test.each([
      ['Coupon', [blue, red]],
      [coupon, [blue, red]],
      ['Red', [red, 'local.vatom::Other::v1::Red']],
    ])('that several have, %s, emits nothing and gives the commands', async (given, names) => {
      const { vatom, json } = await several()
      const { code, out, err } = await vatom('emit', given, '--num', '3')
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`error: ${given} can be one of 2 variations\n`)
      for (const name of names) expect(err).toContain(`  vatom emit ${name} --num 3\n`)
      expect(err).toMatch(/hint: name one of them: vatom emit local\.vatom::\S+ --num 3\n$/)
      expect(await json('inventory')).toMatchObject({ vatoms: [] })
    })

    test('that very many have gives some of the commands, and says how many more there are', async () => {
      const { vatom, file } = await several()
      const names = Array.from({ length: 12 }, (_, at) => `${coupon}::Many${at}`)
      file('many.yaml', names.map((name) => variation(name)).join('---\n'))
      expect(await vatom('variation', 'create', 'many.yaml')).toMatchObject({ code: 0 })
      const { err } = await vatom('emit', coupon)
      expect(err).toContain(`error: ${coupon} can be one of 14 variations\n`)
      expect(err.match(/^ {2}vatom emit /gm)).toHaveLength(10)
      expect(err).toContain('\n  and 4 more\n')
    })

    test('that several have is chosen from a list on a terminal', async () => {
      const { run } = await several()
      const { code, err } = await run(['emit', 'Coupon'], { tty: true, answers: { 'Which variation?': '' } })
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`Emitted 1 vAtom of ${blue}`) })
    })

    test.each([
      ['Coup', [blue, red]],
      ['e', [blue, 'local.vatom::Other::v1::Red', red]],
    ])('that stands only within parts, %s, emits nothing and gives the commands', async (given, names) => {
      const { vatom, json } = await several()
      const { code, out, err } = await vatom('emit', given, '--num', '3')
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`has ${given} as a whole part of its name, between ::; ${names.length} contain it\n`)
      expect(err.match(/^ {2}vatom emit .*$/gm)).toEqual(
        expect.arrayContaining(names.map((name) => `  vatom emit ${name} --num 3`)),
      )
      expect(err).toMatch(/hint: name one of them: vatom emit local\.vatom::\S+ --num 3\n$/)
      expect(await json('inventory')).toMatchObject({ vatoms: [] })
    })

    test.each(['Blu', 'blue', 'Coup'])(
      'that stands only within parts, %s, is chosen from a list on a terminal',
      async (given) => {
        const { run } = await several()
        const { code, err } = await run(['emit', given], { tty: true, answers: { 'Which variation?': '' } })
        expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`Emitted 1 vAtom of ${blue}`) })
      },
    )

    test('that no variation has is refused, with the command that may be meant', async () => {
      const { vatom } = await several()
      for (const [given, code, meant] of [
        ['blue', 2, blue],
        ['Bluue', 1, 'Blue'],
      ] as const)
        expect(await vatom('emit', given)).toMatchObject({
          code,
          out: '',
          err: expect.stringContaining(`hint: did you mean: vatom emit ${meant}\n`),
        })
      expect(await vatom('emit', 'lu')).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `has lu as a whole part of its name, between ::; one contains it\nhint: did you mean: vatom emit ${blue}\n`,
        ),
      })
      expect(await vatom('emit', 'Nothing')).toMatchObject({
        code: 1,
        err: expect.stringContaining('hint: list what exists: vatom variation list\n'),
      })
      expect(await vatom('emit', `${coupon}::Bluee`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`did you mean ${blue}?`),
      })
    })
  })
})

test('of many vAtoms that a service does not count the contents are not read, nor of any with --quiet', async () => {
  const asked: string[] = []
  const ids = Array.from({ length: 30 }, () => randomUUID())
  const { run, env } = await facing((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(JSON.stringify({ payload: { num_created: ids.length, num_errors: 0, ids } }))
  })
  for (const more of [[], ['--quiet']]) {
    const { code, out } = await run(['emit', 'acme.com::Box::v1::Set', '--num', '30', ...more], { env })
    expect({ code, out }).toEqual({ code: 0, out: `${ids.join('\n')}\n` })
  }
  expect(asked).toEqual(['POST /v1/vatoms', 'POST /v1/vatoms'])
})

test('an emission that a gateway gave up on may have been done', async () => {
  const desk = await stocked('network')
  const { env } = await lossy(desk.service, ({ method }) =>
    method === 'POST' ? { status: 504, error: 504 } : 'answered',
  )
  const { code, out } = await desk.run(['emit', red, '--json'], { env })
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 5, error: { code: 'http_504', may_be_done: true } })
})

test.each<[what: string, method: string, args: readonly string[]]>([
  ['an emission', 'POST', ['emit', red]],
  ['a publishing', 'PATCH', ['template', 'publish', 'local.vatom::Draft::v1', '--confirm', 'local.vatom::Draft::v1']],
  ['a request', 'PATCH', ['api', 'PATCH', '/v1/user', '--input', 'profile.json']],
])('%s that is interrupted, and whose answer does not come, may have been done', async (_, changing, args) => {
  const desk = await stocked('network')
  desk.file('profile.json', '{"first_name":"Ada"}')
  desk.file('draft.yaml', template('$publisher::Draft::v1'))
  await desk.json('template', 'create', 'draft.yaml')
  const ended = new AbortController()
  const { env } = await lossy(desk.service, ({ method }) => {
    if (method !== changing) return 'answered'
    ended.abort()
    return 'unanswered'
  })
  const { code, out, err } = await desk.run([...args, '--json'], { env, signal: ended.signal })
  const hint = 'the service may have done what was sent: check before you send it again'
  expect({ code, ...JSON.parse(out) }).toMatchObject({
    code: 130,
    error: { code: 'interrupted', message: 'interrupted', hint, may_be_done: true },
  })
  expect(err).toContain(hint)
})

test('what is interrupted before a change is sent has done nothing', async () => {
  const desk = await stocked('network')
  const ended = new AbortController()
  const { env } = await lossy(desk.service, () => {
    ended.abort()
    return 'answered'
  })
  const { code, out } = await desk.run(['discover', '--mine', '--json'], { env, signal: ended.signal })
  expect({ code, ...JSON.parse(out) }).toEqual({
    code: 130,
    error: { code: 'interrupted', message: 'interrupted', hint: null, issues: [] },
  })
})

test.each([
  [0, 3, 1, 'not_emitted'],
  [2, 1, 6, 'partly_done'],
  [0, 0, 1, 'not_emitted'],
  [1, 0, 6, 'partly_done'],
])(
  'of 3 a service that emits %i, and says it of %i that it does not, has not succeeded',
  async (num_created, num_errors, code, error) => {
    const ids = Array.from({ length: num_created }, randomUUID)
    const { run, env } = await facing(({ method }, response) =>
      response.end(JSON.stringify({ payload: method === 'GET' ? {} : { ids, num_created, num_errors } })),
    )
    const text = await run(['emit', red, '--num', '3'], { env })
    expect(text).toMatchObject({
      code,
      err: expect.stringContaining(`${3 - num_created} of 3 vAtoms were not emitted`),
    })
    expect(text.out.trim().split('\n').filter(Boolean)).toEqual(ids)
    const { out } = await run(['emit', red, '--num', '3', '--json'], { env })
    expect(JSON.parse(out)).toMatchObject({ num_created, num_errors, error: { code: error } })
  },
)

test('what a service warns of comes before why the command failed', async () => {
  const warnings = [{ code: 'no-effect', path: 'num', message: 'num has no effect' }]
  const { run, env } = await facing((_, response) =>
    response
      .setHeader('vatom-warning', JSON.stringify(warnings))
      .end(JSON.stringify({ payload: { ids: [randomUUID()], num_created: 1, num_errors: 2 } })),
  )
  const { err } = await run(['emit', red, '--num', '3'], { env })
  expect(err).toMatch(/\nwarning: num has no effect\nerror: 2 of 3 vAtoms were not emitted\n$/)
})
