import { describe, expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const compose = 'services:\n  db:\n    image: postgres\n'
const chart = 'kind: Deployment\nspec:\n  template: { metadata: {} }\n  replicas: {{ .Values.replicas }}\n'

async function desk() {
  const one = await publisher()
  one.file('c/coupon.yaml', template())
  return one
}

test.each([
  ['validate', 'c/coupon.yaml', 'c/vatom.yaml'],
  ['plan', 'c/coupon.yaml', 'c/vatom.yaml'],
  ['template', 'bump', 'c/coupon.yaml', 'c/vatom.yaml'],
])('the project file among the named files is no document: %s %s', async (...words) => {
  const { vatom, file } = await desk()
  file('c/vatom.yaml', 'catalog: shop\n')
  expect(await vatom(...words)).toMatchObject({ code: 0, err: expect.not.stringContaining('vatom.yaml') })
})

test.each(['vatom.yml', 'Vatom.yaml'])(
  'a project file that is named %s is an error, as its name would not count',
  async (name) => {
    const { vatom, file } = await desk()
    file(`c/${name}`, 'catalog: shop\n')
    for (const words of [
      ['validate', 'c'],
      ['validate', 'c/coupon.yaml', '--within', 'c'],
      ['plan', 'c'],
    ]) {
      const { code, err } = await vatom(...words)
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`error: c/${name}: does not describe`) })
      expect(err).toContain('rename it to vatom.yaml')
      expect(err).not.toContain('ignored')
    }
  },
)

test('a document in braces is found, however its keys are indented and quoted', async () => {
  const { json, file } = await desk()
  file(
    'c/transfer.yaml',
    "{\n  wait: true,\n    reactor: 'blockv://v1/Transfer',\n  'name': $publisher::Coupon::v1::Action::Transfer # mine\n}\n",
  )
  file(
    'c/drop.yaml',
    "# mine\n{\n  'name': $publisher::Coupon::v1::Action::Drop\n  , 'reactor': 'blockv://v1/Drop' }\n",
  )
  file(
    'c/pickup.yaml',
    '%YAML 1.2\n--- {\n            \'reactor\' : "blockv://v1/Pickup", # }\n\t\t\tname: $publisher::Coupon::v1::Action::Pickup }\n',
  )
  expect(await json('plan', 'c')).toMatchObject({ summary: { total: 4 } })
})

test.each([
  ['an action', '- name: $publisher::Coupon::v1::Action::Transfer\n  reactor: blockv://v1/Transfer\n'],
  ['variations behind a comment', '# mine\n---\n- public: true\n  template_variation: "acme.example::T::v1::A"\n'],
  ['a template', '- vatom: {}\n  template: $publisher::Tea::v1\n'],
  ['items in braces', '- {reactor: blockv://v1/Redeem, "name": "$publisher::Coupon::v1::Action::Redeem"}\n'],
  ['a list in brackets', '[{name: $publisher::Coupon::v1::Action::Redeem, reactor: blockv://v1/Redeem}]\n'],
])('a list of documents is an error, whatever its file is called: %s', async (_, text) => {
  const { vatom, file } = await desk()
  file('c/more.yaml', text)
  for (const words of [
    ['validate', 'c'],
    ['plan', 'c', '--prune'],
  ])
    expect(await vatom(...words)).toMatchObject({
      code: 3,
      err: expect.stringMatching(/a document is a set of "key: value" fields, not a list\n --> c\/more.yaml/),
    })
})

describe('files of other tools beside a catalog', () => {
  test.each([
    [['validate', 'c']],
    [['template', 'validate', 'c']],
    [['plan', 'c']],
    [['apply', 'c', '--yes']],
    [['validate', 'c/**/*.yaml']],
  ])('%j ignores them, and says so', async (words) => {
    const { vatom, file } = await desk()
    file('c/docker-compose.yaml', compose)
    file('c/charts/deployment.yaml', chart)
    file('c/charts/braces.yaml', '{ kind: Deployment, spec: {\n  template: { reactor: x }, "b": \'template: x\' } }\n')
    file('c/charts/tasks.yaml', '- name: shop::web\n  template: src=a.j2\n- name: a.b\n  vars: { name: $publisher }\n')
    file('c/charts/list.yaml', 'command:\n[ "a" ]\nservices:\n  web:\n    reactor: x\n')
    file('c/charts/other.yaml', `{{- if .Values.on }}\nspec:\n  template: { metadata: {} }\n{{- end }}\n`)
    const manifest = { name: 'shop', templates: false, devDependencies: { vatom: '0.1.0' } }
    file('c/package.json', JSON.stringify(manifest, null, 2))
    file(
      'c/tsconfig.json',
      '\ufeff{\n  // strict\n  "compilerOptions": { "paths": { "@/*": ["./*",], }, /* all */ },\n}\n',
    )
    file('c/package-lock.json', '{}\n')
    const { code, err } = await vatom(...words)
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/ignored [69] files without documents of a publisher: c\/charts/),
    })
    expect(err).toContain('docker-compose.yaml')
    expect(err).not.toContain('error')
  })

  test('a folder with nothing else is an error', async () => {
    const { vatom, file } = await publisher()
    file('other/docker-compose.yaml', compose)
    for (const words of [
      ['validate', 'other'],
      ['plan', 'other'],
    ])
      expect(await vatom(...words)).toMatchObject({
        code: 3,
        err: expect.stringMatching(
          /^error\[no-document\]: holds no document of a publisher\n --> other\/docker-compose.yaml/,
        ),
      })
  })

  test('a file that is named itself is checked', async () => {
    const { vatom, file } = await desk()
    file('c/docker-compose.yaml', compose)
    expect(await vatom('validate', 'c', 'c/docker-compose.yaml')).toMatchObject({ code: 3 })
  })

  test.each([
    ['json', '{'],
    ['json', '{"na'],
    ['json', '{\n  "name": { "a": 1 },\n  "b": "'],
    ['json', '{}'],
    ['json', '[]\n'],
    ['yaml', '{}'],
  ])("what is left of a document is an error, not another tool's: %s %s", async (ending, text) => {
    const { vatom, file } = await desk()
    file(`c/tea.${ending}`, text)
    const refused = { code: 3, err: expect.stringContaining(` --> c/tea.${ending}:`) }
    expect(await vatom('validate', 'c')).toMatchObject(refused)
    expect(await vatom('apply', 'c', '--prune', '--yes')).toMatchObject(refused)
  })

  test('a document with a slip still is one', async () => {
    const { vatom, file } = await desk()
    for (const text of [
      'templat: $publisher::X::v1\n',
      'template: $publisher::X::v1\n',
      'kind: template\n',
      'vatom:\n  vAtom::vAtomType: [\n',
      'vatm:\n  vAtom::vAtomType:\n    title: X\n',
      '{ "vatm": { "root_type": "vAtom::vAtomType" } }\nx: 1\n',
      '{ "templat": "$publisher::X::v1" }\n',
      '{ "$schema": "../.vatom/face.schema.json", "url": "native://image" }\n',
      'titel: X # vatom-ignore icon-face\n',
      '# yaml-language-server: $schema=.vatom/face.schema.json\nurl: native://image\n',
    ]) {
      file('c/slip.yaml', text)
      expect(await vatom('validate', 'c'), text).toMatchObject({ code: 3, err: expect.stringContaining('slip.yaml') })
    }
  })
})

test.each([
  ['of apply', ['apply', 'c', '--yes']],
  ['of plan', ['plan', 'c']],
  ['of validate', ['validate', 'c']],
  ['of a dry run', ['template', 'update', 'c/coupon.yaml', '--dry-run']],
])('a JSON report %s in the folder is no document, whatever it has of those', async (_, words) => {
  const { vatom, json, file } = await desk()
  await vatom('apply', 'c', '--yes')
  file('c/coupon.yaml', template().replace('title: Coupon', 'title: Voucher'))
  const report = await json(...words)
  for (const text of [JSON.stringify(report), JSON.stringify(report, null, 2)]) {
    file('c/report.json', text)
    expect(await vatom('validate', 'c')).toMatchObject({ code: 0, err: expect.stringContaining('ignored 1 file') })
  }
})

test.each([
  ['notes.json', '{ "note": "see vatom.vAtom::vAtomType.title" }'],
  ['notes.yaml', 'key: "vAtom::vAtomType"\n'],
  ['notes.yaml', 'jobs:\n  emit:\n    run: vatom emit $publisher::Tea::v1::First\n'],
  ['notes.yaml', 'path: shop/.vatom/face.schema.json\nsee: vatom-ignore\n'],
])('a file that only mentions what documents have is none: %s %s', async (name, text) => {
  const { vatom, file } = await desk()
  file(`c/${name}`, text)
  expect(await vatom('validate', 'c')).toMatchObject({ code: 0, err: expect.stringContaining('ignored 1 file') })
})

describe('vatom.yaml', () => {
  test('lists what is ignored, as .gitignore does', async () => {
    const { json, file } = await desk()
    const names = ['old/a.yaml', 'sub/old/b.yaml', 'sub/draft-1.yaml', 'sub/keep.yaml', 'top.yaml', 'sub/top.yaml']
    names.forEach((name, index) => {
      file(`c/${name}`, template(`$publisher::T${index}::v1`))
    })
    file('c/vatom.yaml', 'catalog: shop\nignore:\n  - old/\n  - draft-*.yaml\n  - /top.yaml\n  - "**/b.yaml"\n')
    for (const given of ['c', 'c/sub', 'c/**/*.yaml']) {
      const { results } = (await json('validate', given)) as { results: { file: string }[] }
      const all = ['c/coupon.yaml', 'c/sub/keep.yaml', 'c/sub/top.yaml']
      expect(results.map((one) => one.file)).toEqual(given === 'c/sub' ? all.slice(1) : all)
    }
  })

  test('is no document, and is checked itself', async () => {
    const { vatom, file } = await desk()
    file('c/vatom.yaml', 'catalogue: shop\nignore: old\n')
    const { code, err } = await vatom('validate', 'c')
    expect(code).toBe(3)
    expect(err).toMatch(/c\/vatom\.yaml:1:1/)
    expect(err).toMatch(/c\/vatom\.yaml:2:9/)
    expect(err).toContain('did you mean catalog?')
  })

  test('of a subfolder holds for that folder', async () => {
    const { json, file } = await desk()
    file('c/a/vatom.yaml', 'ignore: [x.yaml]\n')
    file('c/a/x.yaml', template('$publisher::A::v1'))
    file('c/b/x.yaml', template('$publisher::B::v1'))
    const { results } = (await json('validate', 'c')) as { results: { file: string }[] }
    expect(results.map((one) => one.file)).toEqual(['c/b/x.yaml', 'c/coupon.yaml'])
  })
})

test('a saved plan in the folder is no document, also if it is named .json', async () => {
  const { vatom } = await desk()
  expect(await vatom('plan', 'c', '--out', 'c/my.json')).toMatchObject({ code: 0 })
  for (const words of [
    ['validate', 'c'],
    ['plan', 'c'],
  ]) {
    const { code, err } = await vatom(...words)
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('ignored 1 file') })
  }
})

test('a document that an editor saved with .txt at its end is a warning, unless the catalog ignores it', async () => {
  const { vatom, file } = await desk()
  file('c/faces.yaml.txt', 'template: $publisher::Coupon::v1\n')
  file('c/notes.txt', 'not a document\n')
  for (const words of [['validate'], ['plan'], ['plan', '--prune']]) {
    const { code, err } = await vatom(...words, 'c')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('warning[file-name]: is not read: its name ends with .txt\n --> c/faces.yaml.txt\n'),
    })
    expect(err).toContain('hint: rename it to c/faces.yaml\n')
    expect(err).not.toContain('notes.txt')
  }
  file('c/vatom.yaml', 'ignore: ["*.txt"]\n')
  expect((await vatom('validate', 'c')).err).not.toContain('faces.yaml.txt')
})
