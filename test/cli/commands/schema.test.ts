import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { cautionCatalogue } from '../../../src/cli/kinds/cautions.ts'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { warningCatalogue } from '../../../src/contract/api/warnings.ts'
import { jsonSchemaFor } from '../../../src/contract/derived/json-schema.ts'
import { openApi } from '../../../src/contract/derived/openapi.ts'
import { standardActions } from '../../../src/contract/kinds/standard-actions.ts'
import { schemaKinds } from '../../../src/contract/values.ts'
import { ruleNotes } from '../../../src/documents/report/rule-notes.ts'
import { newFolder } from '../../support/folders.ts'
import { publisher } from '../../support/vatom.ts'

test.each(schemaKinds)('schema %s prints its JSON Schema, with and without --json', async (kind) => {
  const { vatom } = await publisher()
  for (const more of [[], ['--json']]) {
    const { code, out, err } = await vatom('schema', kind, ...more)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual(jsonSchemaFor(kind))
  }
})

test('schema --out writes a file, and a second time in its place', async () => {
  const { vatom, json, home, file } = await publisher()
  file('face.json', '{\n  "$schema": "http://json-schema.org/draft-07/schema#"}')
  expect(await vatom('schema', 'face', '--out', 'face.json')).toEqual({
    code: 0,
    out: 'Wrote the face schema to face.json\n',
    err: '',
  })
  expect(JSON.parse(readFileSync(join(home, 'face.json'), 'utf8'))).toEqual(jsonSchemaFor('face'))
  expect(await json('schema', 'face', '--out', 'a/b.json')).toEqual({ kind: 'face', file: 'a/b.json' })
})

test('schema --out replaces nothing but a schema and an empty file', async () => {
  const { vatom, home, file } = await publisher()
  for (const text of [
    'template: a\n',
    `${'\n'.repeat(600)}template: a\n`,
    '{"$schema": "face.schema.json", "template": "a"}',
    '[]',
  ]) {
    file('drink.json', text)
    expect(await vatom('schema', 'face', '--out', 'drink.json')).toMatchObject({
      code: 1,
      out: '',
      err: 'error: drink.json exists and is not a schema; it was not replaced\nhint: choose another file: --out face.schema.json\n',
    })
    expect(readFileSync(join(home, 'drink.json'), 'utf8')).toBe(text)
  }
  file('drink.json', '')
  expect(await vatom('schema', 'face', '--out', 'drink.json')).toMatchObject({ code: 0 })
  expect(await vatom('schema', 'api', '--out', 'drink.json')).toMatchObject({ code: 0 })
  expect(await vatom('schema', 'face', '--out', 'drink.json')).toMatchObject({ code: 0 })
})

test('schema --out replaces nothing outside the folder through a link', async () => {
  const { vatom, home, file } = await publisher()
  const elsewhere = newFolder()
  writeFileSync(join(elsewhere, 'kept.json'), 'mine')
  symlinkSync(join(elsewhere, 'kept.json'), join(home, 'face.json'))
  symlinkSync(elsewhere, join(home, 'folder'))
  for (const out of ['face.json', 'folder/kept.json', 'folder/new.json'])
    expect(await vatom('schema', 'face', '--out', out)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${out} is outside this folder: a link leads out of it`),
    })
  expect(readdirSync(elsewhere)).toEqual(['kept.json'])
  expect(readFileSync(join(elsewhere, 'kept.json'), 'utf8')).toBe('mine')
  file('inside.json', '')
  symlinkSync('inside.json', join(home, 'link.json'))
  expect(await vatom('schema', 'face', '--out', 'link.json')).toMatchObject({ code: 0 })
})

test('schema --out that cannot be written fails', async () => {
  const { vatom, file } = await publisher()
  file('taken', '')
  expect(await vatom('schema', 'face', '--out', 'taken/face.json')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('taken/face.json cannot be written'),
  })
})

test('schema of what has none is a usage error that names the kinds', async () => {
  const { vatom } = await publisher()
  expect(await vatom('schema', 'asset')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/variation.*discover/),
  })
})

test('explain tells of a field in lines that fit', async () => {
  const { run, vatom } = await publisher()
  expect(await vatom('explain', 'template.visibility.type')).toEqual({
    code: 0,
    err: '',
    out: `template.vatom.vAtom::vAtomType.visibility.type
owner, public, or container (the visibility of its folder).

  type       string
  required   no
  values     "owner", "public", "container"
  default    "owner"
  variation  can overwrite it
  spec       2.4 (vatom help specification)
`,
  })
  expect((await vatom('explain', 'action.timeout')).out).toContain('  limits     from 1 to 60000\n')
  expect((await vatom('explain', 'action.name')).out).toContain('from 1 to 256 characters; no control characters\n')
  expect((await vatom('explain', 'discover.field')).out).toContain('  values     "vAtom::vAtomType.publisher_fqdn"')
  expect((await vatom('explain', 'template.resources.name')).out).toContain('  variation  cannot overwrite it: ')
  for (const columns of [80, 60])
    for (const path of [[], ['template'], ['action'], ['template.currency'], ['discover.filters']]) {
      const { out } = await run(['explain', ...path, '--no-color'], { tty: true, columns })
      const long = out.split('\n').filter((line) => line.length > columns && line.trim().includes(' '))
      expect(long).toEqual([])
    }
})

test('explain says what each error of the service means, and where rules and errors are listed', async () => {
  const { vatom, json } = await publisher()
  const explained = { code: 'overlay', name: 'overlay', status: 400, error: 9011, title: errorCatalogue.overlay.title }
  expect(await json('explain', 'overlay')).toEqual(explained)
  expect(await vatom('explain', 'missing_reference')).toMatchObject({
    code: 0,
    out: `missing_reference\n${errorCatalogue.missingReference.title}\n\n  severity   error: the service refuses the request\n  status     400\n  error      9006 (vatom help operations)\n`,
  })
  for (const [name, { title }] of Object.entries(errorCatalogue)) {
    const code = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    expect(await json('explain', code)).toMatchObject({ code, name, title })
  }
  for (const [name, { code: number }] of Object.entries(errorCatalogue))
    for (const given of [name, String(number)])
      expect(await json('explain', given)).toMatchObject({ name, error: number })
  const { code, err } = await vatom('explain', 'qqqqqqqqq')
  expect({ code, err: err.replace(/\s+/g, ' ') }).toEqual({
    code: 2,
    err: expect.stringContaining('rules: vatom help rules; errors and warnings of the service: vatom help operations'),
  })
})

test.each([
  { severity: 'warning', catalogue: warningCatalogue },
  { severity: 'caution', catalogue: cautionCatalogue },
])('explain says what each $severity that a plan may have means', async ({ severity, catalogue }) => {
  const { json } = await publisher()
  for (const [code, title] of Object.entries(catalogue))
    expect(await json('explain', code)).toEqual({ code, severity, title })
})

test('explain says of a warning of the service that nothing is refused because of it', async () => {
  const { vatom } = await publisher()
  expect(await vatom('explain', 'missing-variation')).toEqual({
    code: 0,
    out: `missing-variation\n${warningCatalogue['missing-variation']}\n\n  severity   warning: the service accepts the request (vatom help operations)\n`,
    err: '',
  })
})

test('explain says what a standard action does, who may perform it, what it needs and takes, and whether it is final', async () => {
  const { vatom, json } = await publisher()
  const { code, out } = await vatom('explain', 'Transfer')
  expect(code).toBe(0)
  for (const line of [
    'does       gives it, with what is in it, to the user whom the inputs name',
    'by         its owner',
    'needs      transferable: true, which is the default',
    'final      yes: its owner cannot take it back',
    'perform    vatom act Transfer ID (vatom act --help)',
  ])
    expect(out).toContain(`  ${line}\n`)
  for (const { name, reactor } of standardActions)
    expect(await json('explain', name)).toMatchObject({
      name,
      reactor,
      does: expect.stringMatching(/^\w+s /),
      inputs: expect.any(Array),
    })
  expect((await vatom('explain', 'combine')).out).toContain('  on         folders\n')
  expect((await vatom('explain', 'AcquirePubVariation')).out).toContain(
    '  needs      public: true and auto_create_on_acquire: true in the variation\n',
  )
})

test('explain --json gives the same as data, and of no path every kind', async () => {
  const { json } = await publisher()
  expect(await json('explain', 'face.view_mode')).toMatchObject({
    path: 'face.constraints.view_mode',
    values: ['icon', 'engaged', 'card', 'fullscreen'],
    required: true,
    spec: '4.5',
    fields: [],
  })
  expect(await json('explain')).toMatchObject(schemaKinds.map((kind) => ({ kind, fields: expect.any(Array) })))
})

test('explain of an unknown field is a usage error with the nearest one', async () => {
  const { vatom } = await publisher()
  expect(await vatom('explain', 'template.titel')).toEqual({
    code: 2,
    out: '',
    err: 'error: A template has no field titel\nhint: did you mean title?\n',
  })
  const { code, out } = await vatom('explain', 'template.titel', '--json')
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 2, error: { code: 'usage', hint: 'did you mean title?' } })
})

describe('explain RULE', () => {
  test.each([
    ['icon-face', ['a template that has faces has an icon face', '# vatom-ignore icon-face']],
    ['yaml-boolean', ['error: the service would refuse the document', 'vatom validate FILE --fix']],
    ['type', ['a value has the type of its field']],
  ])('%s says what it checks', async (name, texts) => {
    const { vatom } = await publisher()
    const { code, out, err } = await vatom('explain', name)
    expect([code, err, out.split('\n')[0]]).toEqual([0, '', name])
    for (const text of texts) expect(out).toContain(text)
    if (name !== 'icon-face') expect(out).not.toContain('vatom-ignore')
  })

  test('gives programs the row of --rules', async () => {
    const { json } = await publisher()
    const rows = (await json('explain', '--rules')) as { name: string }[]
    expect(await json('explain', 'icon-face')).toEqual(rows.find(({ name }) => name === 'icon-face'))
  })

  test('names the rule that a misspelt one may be', async () => {
    const { vatom } = await publisher()
    expect(await vatom('explain', 'icon-fase')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('hint: did you mean icon-face?'),
    })
  })
})

test('explain shows values that are known in place of a regular expression', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('explain', 'action.reactor')
  expect(out).toContain('blockv://custom/privateproperties')
  expect(out).not.toContain('matches')
})

describe('explain --rules', () => {
  test('tells programs of every rule, and what switches it off', async () => {
    const { vatom, json } = await publisher()
    const rows = (await json('explain', '--rules')) as { name: string }[]
    expect(rows.map(({ name }) => name)).toEqual(ruleNotes.map(({ name }) => name))
    const row = (name: string) => rows.find((one) => one.name === name)
    expect(row('icon-face')).toEqual({
      name: 'icon-face',
      severity: 'warning',
      spec: expect.stringMatching(/^\d/),
      summary: 'a template that has faces has an icon face',
      fixes: false,
      fixes_only: null,
      switched_off_by: '# vatom-ignore icon-face',
    })
    expect(row('yaml-boolean')).toMatchObject({ severity: 'error', spec: null, fixes: true, switched_off_by: null })
    for (const name of ['ignore-unused', 'unrecorded-owner', 'session-end', 'stays-published', 'checkout'])
      expect(row(name)).toMatchObject({ severity: 'warning', switched_off_by: null })
    const lines = (await vatom('explain', '--rules')).out.trimEnd().split('\n')
    expect(lines).toHaveLength(rows.length)
    expect(lines).toContain(
      'yaml-boolean\terror\t\t--fix\t\tbooleans are written true or false: yes, no, on and off are texts',
    )
  })

  test.each([60, 80, 200])('tells people in %i columns, errors first', async (columns) => {
    const { run } = await publisher()
    const { code, out } = await run(['explain', '--rules', '--no-color'], { tty: true, columns })
    expect(code).toBe(0)
    for (const { name } of ruleNotes) expect(out).toMatch(new RegExp(`^  ${name}( |$)`, 'm'))
    expect(out.split('\n').filter((line) => line.length > columns)).toEqual([])
    expect(out).toMatch(/^Errors\n.*\n\nWarnings\n# vatom-ignore RULE .*icon-face/s)
  })

  test('goes with no field', async () => {
    const { vatom } = await publisher()
    expect(await vatom('explain', 'template', '--rules')).toMatchObject({ code: 2, out: '' })
  })
})

test('schema api prints the API as an OpenAPI document, with the routes of the service itself, and needs no service', async () => {
  const { vatom, json, home } = await publisher()
  const { code, out, err } = await vatom('schema', 'api')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual(openApi())
  expect(Object.keys(JSON.parse(out).paths)).toEqual(
    expect.arrayContaining(['/v1/templates', '/__vatom/reset', '/__vatom/users', '/__vatom/journal/count']),
  )
  expect(await json('schema', 'api', '--out', 'api.json')).toEqual({ kind: 'api', file: 'api.json' })
  expect(JSON.parse(readFileSync(join(home, 'api.json'), 'utf8'))).toEqual(openApi())
})

test('schema --out of a named pipe is written as its reader reads, and fails without one', async () => {
  const { vatom, home } = await publisher()
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(await vatom('schema', 'api', '--out', 'pipe')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('pipe cannot be written: nobody reads from it'),
  })
  const read = once(spawn('sh', ['-c', 'cat pipe > copy'], { cwd: home }), 'close')
  while ((await vatom('schema', 'api', '--out', 'pipe')).code !== 0) await setTimeout(5)
  await read
  const document = readFileSync(join(home, 'copy'), 'utf8')
  expect(document.length).toBeGreaterThan(2 * 65_536)
  expect(JSON.parse(document)).toEqual(openApi())
})
