import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template create prints a row a document under --json', async () => {
    const { file, json } = await publisher({ transport })
    file('coupon.yaml', template())
    expect(await json('template', 'create', 'coupon.yaml')).toEqual({
      results: [
        {
          file: 'coupon.yaml',
          kind: 'template',
          name,
          status: 'created',
          message: expect.stringContaining(name),
          problems: [],
        },
      ],
      summary: { total: 1, ok: 1, failed: 0 },
    })
  })

  test('template create takes standard input', async () => {
    const { run } = await publisher({ transport })
    expect(await run(['template', 'create', '-'], { stdin: template() })).toMatchObject({ code: 0 })
  })

  test('template create takes several documents and says which failed: exit 6', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('one.yaml', template())
    await json('template', 'create', 'one.yaml')
    file('two.yaml', template('$publisher::Other::v1'))
    const { code, out, err } = await vatom('template', 'create', 'one.yaml', 'two.yaml')
    expect({ code, out }).toEqual({
      code: 6,
      out: expect.stringMatching(/^Created template local\.vatom::Other::v1 .*\n$/),
    })
    expect(err).toContain(`a template named ${name} already exists`)
    expect(err).toContain('1 of 2 documents were not done')
  })

  test('several documents that fail alike exit with that code', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('both.yaml', `${template()}---\n${template('$publisher::Other::v1')}`)
    await json('template', 'create', 'both.yaml')
    expect(await vatom('template', 'create', 'both.yaml')).toMatchObject({ code: 1 })
  })

  test('a name of another publisher exits 3 with its line, and nothing is sent', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('foreign.yaml', template('acme.com::Coupon::v1'))
    const { code, out, err } = await vatom('template', 'create', 'foreign.yaml')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('foreign.yaml:1:11')
    expect(err).toContain('local.vatom::')
    expect(await json('template', 'list')).toEqual([])
  })

  test('one invalid document keeps all others from being sent', async () => {
    const { file, run, json } = await publisher({ transport })
    file('good.yaml', template())
    file('bad.yaml', template('$publisher::Bad::v1').replace('title:', 'titel:'))
    const { code, out } = await run(['template', 'create', 'good.yaml', 'bad.yaml', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      results: [
        { file: 'good.yaml', status: 'not_sent', problems: [] },
        {
          file: 'bad.yaml',
          status: 'invalid',
          problems: [{ rule: 'unknown-field', line: 6, column: 5, severity: 'error' }],
        },
      ],
      summary: { total: 2, ok: 0, failed: 2 },
      error: { code: 'invalid_documents' },
    })
    expect(await json('template', 'list')).toEqual([])
  })

  test('--confirm of drafts has a note that it publishes nothing', async () => {
    const { run } = await publisher({ transport })
    const nothing = '--confirm publishes nothing: no document says unpublished: false\n'
    const errors = async (stdin: string, ...confirm: string[]) =>
      (await run(['template', 'create', '-', '--dry-run', ...confirm], { stdin })).err
    expect(await errors(template(), '--confirm', name)).toContain(nothing)
    expect(await errors(template())).not.toContain(nothing)
    const final = template().replace('unpublished: true', 'unpublished: false')
    expect(await errors(final, '--confirm', name)).not.toContain(nothing)
  })

  test('unpublished: false wants --confirm, and publishes', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('final.yaml', template().replace('unpublished: true', 'unpublished: false'))
    expect(await vatom('template', 'create', 'final.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`hint: give it with --confirm ${name}\n`),
    })
    expect(await json('template', 'list')).toEqual([])
    expect(await json('template', 'create', 'final.yaml', '--confirm', name)).toMatchObject({
      results: [{ status: 'published' }],
    })
    expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: false } })
  })

  test('a document that leaves unpublished out is a draft', async () => {
    const { file, json } = await publisher({ transport })
    file('draft.yaml', template().replace('unpublished: true\n', ''))
    await json('template', 'create', 'draft.yaml')
    expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: true } })
  })

  test('what stops a run before the first is sent stands in every row', async () => {
    const { file, run } = await publisher({ transport })
    const final = (letter: string) =>
      template(`$publisher::${letter}::v1`).replace('unpublished: true', 'unpublished: false')
    file('final.yaml', `${final('A')}---\n${final('B')}`)
    const { code, out } = await run(['template', 'create', 'final.yaml', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      results: [{ status: 'not_sent' }, { status: 'not_sent' }],
      summary: { total: 2, ok: 0, failed: 2 },
      error: { code: 'usage', hint: "give it with --confirm 'publish 2'" },
    })
  })

  test('warnings stand in the rows of what was created', async () => {
    const { file, json } = await publisher({ transport })
    file('bare.yaml', template('$publisher::Coupon'))
    expect(await json('template', 'create', 'bare.yaml')).toMatchObject({
      results: [{ status: 'created', problems: [{ rule: 'name-version', severity: 'warning', line: 1 }] }],
    })
  })

  test('--format tells programs what was refused, too', async () => {
    const { home, file, run, json } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const github = await run(['template', 'create', 'coupon.yaml', '--format', 'github'])
    expect(github).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^::error file=coupon\.yaml,line=1,.*already exists/),
    })
    const sarif = await run(['template', 'create', 'coupon.yaml', '--format', 'sarif'])
    expect(JSON.parse(sarif.out)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'name_taken' }], invocations: [{ executionSuccessful: false, exitCode: 1 }] }],
    })
    expect(sarif.err).toContain('already exists')
    file('other.yaml', template('$publisher::Other::v1'))
    const valid = await run(['template', 'validate', 'other.yaml', '--format', 'sarif'])
    expect(JSON.parse(valid.out).runs[0].invocations).toEqual([{ executionSuccessful: true, exitCode: 0 }])
    const below = { env: { GITHUB_WORKSPACE: dirname(home) } }
    expect((await run(['template', 'create', 'coupon.yaml', '--format', 'github'], below)).out).toContain(
      `file=${basename(home)}/coupon.yaml`,
    )
    const plain = await run(['template', 'create', 'other.yaml', '--format', 'json'])
    expect(JSON.parse(plain.out)).toMatchObject({ summary: { ok: 1 } })
  })
})

test('a template is created on the local context without any set-up', async () => {
  const { vatom, file } = await publisher()
  file('coupon.yaml', template())
  expect(await vatom('template', 'create', 'coupon.yaml')).toEqual({
    code: 0,
    out: 'Created template local.vatom::Coupon::v1 (draft) on local\n',
    err: expect.stringMatching(/^context local: this machine only, .*\/local\.db\n$/),
  })
})

test('creating what exists again says so, with the command that changes a draft, or makes the next version of what is published', async () => {
  const { vatom, file } = await publisher()
  file('shop/coupon.yaml', template())
  file('shop/red.yaml', variation())
  const again = async (noun: string, path: string) => {
    const { code, out, err } = await vatom(noun, 'create', path)
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining('already exists') })
    return err.split('\nhint: ')[1]
  }
  const created = [
    ['template', 'shop/coupon.yaml', name],
    ['variation', 'shop/red.yaml', `${name}::Red`],
  ] as const
  for (const [noun, path] of created) await vatom(noun, 'create', path)
  for (const [noun, path] of created)
    expect(await again(noun, path)).toBe(`change the draft: vatom ${noun} update ${path}\n`)
  for (const [noun, , record] of created) await vatom(noun, 'publish', record, '--confirm', record)
  const bump = `vatom template bump '${name}' shop\n`
  expect(await again('template', 'shop/coupon.yaml')).toBe(
    `${name} is published, which is final: make the next version, in all files of the catalog: ${bump}`,
  )
  expect(await again('variation', 'shop/red.yaml')).toBe(
    `${name}::Red is published, which is final: make the next version of its template: ${bump}`,
  )
})

test('creating several that exist says of each what to do, and names nothing of those that did not', async () => {
  const { vatom, file } = await publisher()
  file('shop/a.yaml', template('$publisher::A::v1'))
  file('shop/b.yaml', template('$publisher::B::v1'))
  await vatom('template', 'create', 'shop')
  await vatom('template', 'publish', 'local.vatom::B::v1', '--confirm', 'local.vatom::B::v1')
  file('shop/c.yaml', template('$publisher::C::v1'))
  const { code, err } = await vatom('template', 'create', 'shop')
  expect({ code, hints: err.match(/(?<=hint: ).*/g) }).toEqual({
    code: 6,
    hints: [
      "change the draft: vatom template update shop/a.yaml; local.vatom::B::v1 is published, which is final: make the next version, in all files of the catalog: vatom template bump 'local.vatom::B::v1' shop",
    ],
  })
})

test('one from the standard input is changed from there', async () => {
  const { run, file } = await publisher()
  file('a.yaml', template())
  await run(['template', 'create', 'a.yaml'])
  const { err } = await run(['template', 'create', '-'], { stdin: template() })
  expect(err).toContain('hint: change the draft: vatom template update -\n')
})
