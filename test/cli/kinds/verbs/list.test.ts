import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { action, face, template, variation } from '../../../fixtures/yaml.ts'
import { draftedTemplate, transports } from '../../../support/desks.ts'
import { lossy } from '../../../support/lossy.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template list shows every template, under --json with its state', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('many.yaml', ['B', 'A', 'C'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n'))
    await json('template', 'create', 'many.yaml')
    const names = ['A', 'B', 'C'].map((letter) => `local.vatom::${letter}::v1`)
    expect(await json('template', 'list')).toMatchObject(
      names.map((one) => ({ name: one, properties: { unpublished: true } })),
    )
    expect((await vatom('template', 'list')).out).toBe(names.map((one) => `${one}\tdraft\t\n`).join(''))
  })

  test('template list --limit shows a page, and says that there are more; --ndjson prints lines of JSON', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('many.yaml', ['A', 'B', 'C'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n'))
    await json('template', 'create', 'many.yaml')
    const named = (letter: string) => expect.objectContaining({ name: `local.vatom::${letter}::v1` })
    const first = await vatom('template', 'list', '--limit', '2')
    expect(first).toEqual({
      code: 0,
      out: expect.stringMatching(/^.*::A::.*\n.*::B::.*\n$/),
      err: 'There are more: vatom template list --limit 2 --page 2\n',
    })
    expect(await json('template', 'list', '--limit', '2', '--page', '2')).toEqual([named('C')])
    const past = await vatom('template', 'list', '--limit', '2', '--page', '7')
    expect(past).toEqual({ code: 0, out: '', err: 'No templates on page 7: the last page is 2.\n' })
    for (const last of [
      ['--limit', '3'],
      ['--limit', '2', '--page', '2'],
      ['--page', '1'],
    ])
      expect((await vatom('template', 'list', ...last)).err).toBe('')
    const linesOf = async (...words: string[]) =>
      (await vatom('template', 'list', '--ndjson', ...words)).out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(await linesOf()).toEqual(await json('template', 'list'))
    expect(await linesOf('--limit', '1')).toEqual([named('A')])
    expect(await linesOf('--fields', 'public')).toEqual([{ public: false }, { public: false }, { public: false }])
    expect(await vatom('template', 'list', '--ndjson', '--json')).toMatchObject({ code: 2 })
  })

  describe('template list --fields', () => {
    test('prints what was asked for as YAML, or as JSON', async () => {
      const { vatom, json } = await draftedTemplate(transport)
      const fields = ['template', 'list', '--fields', 'name,properties(cloneable)']
      expect((await vatom(...fields)).out).toBe(`- name: ${name}\n  properties:\n    cloneable: false\n`)
      expect(await json(...fields)).toEqual([{ name, properties: { cloneable: false } }])
    })

    test('without the name lists each template all the same', async () => {
      const { file, json } = await draftedTemplate(transport)
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      expect(await json('template', 'list', '--fields', 'public')).toEqual([{ public: false }, { public: false }])
      expect(await json('template', 'list', '--fields', 'properties(cloneable,name,unpublished)')).toEqual([
        { properties: { cloneable: false, unpublished: true } },
        { properties: { cloneable: false, unpublished: true } },
      ])
    })

    test('that do not exist are warned of, with what is meant', async () => {
      const { vatom } = await draftedTemplate(transport)
      const warnings = async (fields: string) =>
        (await vatom('template', 'list', '--fields', fields)).err.match(/^warning: .*$/gm) ?? []
      expect(await warnings('template,publik,properties(unpublished,clonable)')).toEqual([
        'warning: --fields: templates have no field template; write properties(template)',
        'warning: --fields: templates have no field publik; did you mean public?',
        'warning: --fields: templates have no field clonable in properties; did you mean cloneable?',
      ])
      expect(await warnings('vatom.title')).toEqual([
        'warning: --fields: templates have no field vatom.title; there are name, public, meta, properties',
      ])
      expect(await warnings('name,properties(eth,template(private))')).toEqual([])
    })

    test('that are no selection is refused: exit 1', async () => {
      const { vatom } = await draftedTemplate(transport)
      expect(await vatom('template', 'list', '--fields', 'properties(')).toMatchObject({ code: 1, out: '' })
    })
  })
})

test('face list and action list without a template list those of all templates of the publisher', async () => {
  const { file, json, vatom } = await publisher()
  const other = '$publisher::Other::v1'
  file('two.yaml', [template(), template(other)].join('---\n'))
  await json('template', 'create', 'two.yaml')
  for (const name of ['$publisher::Coupon::v1', other]) {
    file('face.yaml', face(name))
    file('action.yaml', action().replaceAll('$publisher::Coupon::v1', name))
    await json('face', 'register', 'face.yaml')
    await json('action', 'register', 'action.yaml')
  }
  const faces = await vatom('face', 'list')
  expect(faces.out).toMatch(/^\S+\tlocal\.vatom::Coupon::v1\t.*\n\S+\tlocal\.vatom::Other::v1\t.*\n$/)
  const actions = await vatom('action', 'list')
  expect(actions.out).toMatch(/^local\.vatom::Coupon::v1::Action::.*\nlocal\.vatom::Other::v1::Action::.*\n$/)
  expect((await vatom('face', 'list', other)).out).not.toContain('Coupon')
})

test('of a service whose pages are shorter than they are asked for, all are read', async () => {
  const { file, home, run, service } = await publisher()
  const { env } = await lossy(service, (request) => {
    request.url = request.url?.replace(/limit=\d+/, (limit) => `limit=${Math.min(Number(limit.slice(6)), 100)}`)
    return 'answered'
  })
  const letters = Array.from({ length: 101 }, (_, index) => `T${100 + index}`)
  file('catalog/vatom.yaml', 'catalog: many\n')
  for (const letter of letters) {
    const named = `$publisher::${letter}::v1`
    file(`catalog/${letter}.yaml`, [template(named), variation(`${named}::Red`, named)].join('---\n'))
  }
  expect(await run(['apply', 'catalog', '--yes'], { env })).toMatchObject({ code: 0 })
  expect((await run(['template', 'list'], { env })).out.match(/\n/g)).toHaveLength(101)
  expect(await run(['template', 'list', '--limit', '150'], { env })).toMatchObject({
    err: 'There are more: vatom template list --limit 150 --page 2\n',
  })
  file('catalog/T200.yaml', template('$publisher::T200::v1'))
  const elsewhere = { ...env, VATOM_DATA_DIR: join(home, 'elsewhere') }
  expect(await run(['plan', 'catalog'], { env: elsewhere })).toMatchObject({
    code: 0,
    out: expect.stringContaining('? variation local.vatom::T200::v1::Red'),
  })
  expect((await run(['pull', 'pulled'], { env })).out.match(/^Wrote /gm)).toHaveLength(202)
}, 60_000)
