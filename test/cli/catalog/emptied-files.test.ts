import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const milk = '$publisher::Milk::v1'

/** A catalog in which `milk.yaml` describes a template and its variation, as it was applied, with a vAtom of it. */
async function applied(): Promise<Desk> {
  const desk = await publisher()
  desk.file('cat/vatom.yaml', 'catalog: cat\n')
  desk.file('cat/coupon.yaml', `${template()}---\n${face()}`)
  desk.file(
    'cat/milk.yaml',
    `${template(milk)}---\n${variation(`${milk}::First`).replaceAll('$publisher::Coupon::v1', milk)}`,
  )
  expect(await desk.vatom('apply', 'cat', '--yes')).toMatchObject({ code: 0 })
  await desk.json('emit', `${milk}::First`)
  return desk
}

const variations = async ({ json }: Desk) => JSON.stringify(await json('variation', 'list'))

const pruning = [
  ['plan', 'cat', '--prune'],
  ['apply', 'cat', '--prune', '--yes'],
] as const

/** Each of the commands is refused, and what was described is there still. */
async function refused(desk: Desk, commands: readonly (readonly string[])[], refusal: object): Promise<void> {
  for (const words of commands) expect(await desk.vatom(...words)).toMatchObject(refusal)
  expect(await variations(desk)).toContain('Milk::v1::First')
}

const badCredentials = '{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","status":"401"}'

describe.each([
  ['a download that was refused', '404: Not Found'],
  ['a download that was refused with more words', '503: Service Unavailable (nginx), try later.'],
  ['a field that is not closed', 'x: [\n'],
  ['a quote that is not closed', 'a: "1\nb: 2\n'],
  ['a quote that is not closed beside a block of text', 'jobs:\n  - run: |\n      make\n    name: "1\n    on: push\n'],
])('%s in a file of a catalog is an error', (_, text) => {
  test.each([['validate'], ['plan'], ['apply', '--prune', '--yes']])('of %s', async (...words) => {
    const { vatom, file } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file('cat/milk.yaml', text)
    const [verb = '', ...flags] = words
    expect(await vatom(verb, 'cat', ...flags)).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^error.*(?:\n --> |: )cat\/milk\.yaml|^error: cat\/milk\.yaml: holds no document, but the status of a failed download/m,
      ),
    })
  })
})

describe.each([
  ['the answer of a failed download', 'json', badCredentials],
  ['the same in YAML', 'yaml', badCredentials],
  ['the same without its status', 'json', '{"title":"Not Found","type":"about:blank"}'],
  ['a template that was not filled in', 'yaml', '{% include "milk.j2" %}\n'],
  ['lines that are no fields', 'yaml', 'a: 1\nb\nc: 2\n'],
  ['what SOPS has encrypted', 'yaml', '{"data":"ENC[AES256_GCM,data:x]","sops":{"mac":"x"}}'],
])('%s in a catalog', (_, ending, text) => {
  test('is a warning that is counted, and that all reports name', async () => {
    const { vatom, json, file } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file(`cat/milk.${ending}`, text)
    const path = `cat/milk.${ending}`
    for (const words of [
      ['validate', 'cat'],
      ['plan', 'cat'],
    ]) {
      const { code, err } = await vatom(...words)
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('warning[stray-file]: is ignored') })
      expect(err).toContain(` --> ${path}`)
      expect(await vatom(...words, '--max-warnings', '0')).toMatchObject({ code: 3 })
      expect(JSON.stringify(await json(...words))).toContain(path)
      expect((await vatom(...words, '--format', 'github')).out).toContain(`::warning file=${path}`)
    }
    expect((await vatom('plan', 'cat', '--format', 'markdown')).out).toContain(path)
    file('cat/vatom.yaml', `ignore: [milk.${ending}]\n`)
    expect((await vatom('validate', 'cat')).err).not.toContain('warning')
  })

  test('is no reason to delete what was described there', async () => {
    const desk = await applied()
    rmSync(join(desk.home, 'cat/milk.yaml'))
    desk.file(`cat/milk.${ending}`, text)
    await refused(desk, pruning, {
      code: 2,
      err: expect.stringContaining(
        `cat/milk.${ending} is ignored: it holds no document, and may be what came in the place of one`,
      ),
    })
  })
})

test('a file that held documents when it was applied, and is of another tool now, is no reason to delete them', async () => {
  const desk = await applied()
  desk.file('cat/milk.yaml', 'services:\n  db:\n    image: postgres\n')
  await refused(desk, pruning, {
    code: 2,
    err: expect.stringContaining('cat/milk.yaml held documents that were applied, and holds none any more'),
  })
  expect(await desk.vatom('plan', 'cat')).toMatchObject({ code: 0 })
  desk.file('cat/vatom.yaml', 'catalog: cat\nignore: [milk.yaml]\n')
  expect(await desk.vatom('apply', 'cat', '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(await variations(desk)).not.toContain('Milk::v1::First')
})

test('a text by status that the catalog ignores is no reason to refuse to delete', async () => {
  const desk = await applied()
  rmSync(join(desk.home, 'cat/milk.yaml'))
  desk.file('cat/statuses.yaml', '404: nicht gefunden\n')
  expect(await desk.vatom('plan', 'cat', '--prune')).toMatchObject({ code: 3 })
  desk.file('cat/vatom.yaml', 'catalog: cat\nignore: [statuses.yaml]\n')
  expect(await desk.vatom('apply', 'cat', '--prune', '--yes')).toMatchObject({ code: 0 })
})

test('what may have come in the place of documents of another catalog is no reason to delete them, unless that ignores it', async () => {
  const desk = await applied()
  rmSync(join(desk.home, 'cat/milk.yaml'))
  desk.file('other/vatom.yaml', 'catalog: other\n')
  desk.file('other/milk.json', badCredentials)
  const prune = ['apply', 'cat', '--prune', '--yes']
  expect(await desk.vatom(...prune)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'other/milk.json, of another catalog, is ignored: it holds no document, and may be what came',
    ),
  })
  expect(await variations(desk)).toContain('Milk::v1::First')
  desk.file('other/vatom.yaml', 'catalog: other\nignore: [milk.json]\n')
  expect(await desk.vatom(...prune)).toMatchObject({ code: 0 })
})

test.each([
  ['applied by its folder, and then by a link to that', 'cat', 'link'],
  ['applied by a link to its folder, and then by the folder', 'link', 'cat'],
])('so is one of a catalog that was %s', async (_, before, after) => {
  const desk = await publisher()
  desk.file('cat/coupon.yaml', template())
  desk.file('cat/red.yaml', variation())
  symlinkSync('cat', join(desk.home, 'link'))
  expect(await desk.vatom('apply', before, '--yes')).toMatchObject({ code: 0 })
  await desk.json('emit', '$publisher::Coupon::v1::Red')
  desk.file('cat/red.yaml', 'services:\n  db:\n    image: postgres\n')
  expect(await desk.vatom('apply', after, '--prune', '--yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${after}/red.yaml held documents that were applied`),
  })
  expect(await variations(desk)).toContain('Coupon::v1::Red')
})

const compose = 'services:\n  db:\n    image: postgres\n'
const prune = ['apply', 'cat', '--prune', '--yes'] as const

test('so it stays while it is of another tool, also once the catalog was applied without it', async () => {
  const desk = await applied()
  desk.file('cat/milk.yaml', compose)
  expect(await desk.vatom('apply', 'cat', '--yes')).toMatchObject({ code: 0 })
  expect(await desk.vatom(...prune)).toMatchObject({ code: 2 })
  expect(await variations(desk)).toContain('Milk::v1::First')
})

test.each([
  ['removed', (desk: Desk) => rmSync(join(desk.home, 'cat/milk.yaml'))],
  ['emptied on purpose', (desk: Desk) => desk.file('cat/milk.yaml', '# moved\n')],
])('a file that was %s before the whole catalog was applied can be of another tool later', async (_, leaveOut) => {
  const desk = await applied()
  leaveOut(desk)
  expect(await desk.vatom('apply', 'cat', '--prune', '--yes', '--dry-run')).toMatchObject({ code: 0 })
  expect(await desk.vatom('apply', 'cat/coupon.yaml', '--yes')).toMatchObject({ code: 0 })
  desk.file('cat/milk.yaml', compose)
  expect(await desk.vatom(...prune)).toMatchObject({ code: 2 })
  leaveOut(desk)
  expect(await desk.vatom(...prune)).toMatchObject({ code: 0 })
  desk.file('cat/milk.yaml', compose)
  expect(await desk.vatom(...prune)).toMatchObject({ code: 0 })
})

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/null', path)],
])('%s in the place of a file is no reason to delete what that described', async (_, make) => {
  const desk = await applied()
  rmSync(join(desk.home, 'cat/milk.yaml'))
  make(join(desk.home, 'cat/milk.yaml'))
  await refused(desk, [['validate', 'cat'], ...pruning], {
    code: 3,
    err: expect.stringContaining('cat/milk.yaml: is no regular file'),
  })
})

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['more comments than are read', (path) => writeFileSync(path, '# moved\n'.repeat(limits.file / 8 + 1))],
])('%s in the place of a file that the catalog now ignores is not read, and the file stays known', async (_, make) => {
  const desk = await applied()
  const path = join(desk.home, 'cat/milk.yaml')
  rmSync(path)
  make(path)
  desk.file('cat/vatom.yaml', 'catalog: cat\nignore: [milk.yaml]\n')
  expect(await desk.vatom('apply', 'cat', '--yes')).toMatchObject({ code: 0 })
  rmSync(path)
  desk.file('cat/vatom.yaml', 'catalog: cat\n')
  desk.file('cat/milk.yaml', compose)
  await refused(desk, pruning, { code: 2, err: expect.stringContaining('milk.yaml held documents that were applied') })
})

test('a file that iCloud Drive has moved out of a folder is no reason to delete what it describes', async () => {
  const desk = await applied()
  rmSync(join(desk.home, 'cat/milk.yaml'))
  desk.file('cat/.milk.yaml.icloud', 'bplist00')
  await refused(desk, [['validate', 'cat'], ...pruning], {
    code: 3,
    err: expect.stringMatching(
      /cat\/milk\.yaml: is not on this machine: iCloud Drive has moved it out of the folder.*\nhint: download it first/,
    ),
  })
  for (const ignored of ['milk.yaml', '"*.icloud"']) {
    desk.file('cat/vatom.yaml', `catalog: cat\nignore: [${ignored}]\n`)
    expect(await desk.vatom('validate', 'cat')).toMatchObject({ code: 0 })
  }
})

test('what iCloud Drive has left beside a file that is there, or of one that is no document, is passed over', async () => {
  const { vatom, file } = await publisher()
  file('cat/coupon.yaml', `${template()}---\n${face()}`)
  file('cat/.coupon.yaml.icloud', 'bplist00')
  file('cat/.logo.png.icloud', 'bplist00')
  expect(await vatom('validate', 'cat', '--max-warnings', '0')).toMatchObject({ code: 0 })
})

test.each([
  ['an empty folder', {}],
  ['a folder with documents', { 'cat/milk.yaml/tea.yaml': template('$publisher::Tea::v1') }],
] as const)(
  '%s in the place of a file that was applied is no reason to delete what that described',
  async (_, files) => {
    const desk = await applied()
    rmSync(join(desk.home, 'cat/milk.yaml'))
    mkdirSync(join(desk.home, 'cat/milk.yaml'))
    for (const [name, text] of Object.entries(files)) desk.file(name, text)
    await refused(desk, pruning, {
      code: 2,
      err: expect.stringContaining('cat/milk.yaml is a folder in the place of a file that held documents'),
    })
    renameSync(join(desk.home, 'cat/milk.yaml'), join(desk.home, 'cat/milk'))
    expect(await desk.vatom('apply', 'cat', '--prune', '--yes')).toMatchObject({ code: 0 })
    expect(await variations(desk)).not.toContain('Milk::v1::First')
  },
)

describe('a file that is too large to be read', () => {
  const comments = `# ${'x'.repeat(98)}\n`.repeat(limits.file / 100)
  test.each([
    ['yaml', `${comments}${template(milk)}`],
    ['json', JSON.stringify({ note: comments, template: milk })],
    ['json', `{ "note": ${JSON.stringify(comments)}, "kind" : "face", }`],
    ['json', JSON.stringify([{ note: comments, more: [comments] }, { unpublished: true }])],
  ])('is an error also where its first document is far behind: %s', async (ending, text) => {
    const { vatom, file } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file(`cat/milk.${ending}`, text)
    expect(await vatom('validate', 'cat')).toMatchObject({
      code: 3,
      err: expect.stringContaining(`error[file-size]`),
    })
  })

  test.each([
    ['package-lock.json', JSON.stringify({ packages: { note: comments, template: milk } })],
    ['pnpm-lock.yaml', `lockfileVersion: 9\npackages:\n${'  a: { template: 1 }\n'.repeat(limits.file / 15)}`],
    ['settings.json', `{ "note": ${JSON.stringify(comments)},\n"list": [{\n"template": "a"\n}],\n}`],
    ['rows.json', JSON.stringify([{ note: comments, rows: { template: milk } }])],
  ])('is of another tool if it has no document anywhere: %s', async (name, text) => {
    const { vatom, file } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file(`cat/${name}`, text)
    const { code, err } = await vatom('validate', 'cat', '--max-warnings', '0')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('ignored 1 file') })
  })
})

describe('a file that is not looked through', () => {
  const comments = `# ${'x'.repeat(98)}\n`
  const isUnsearched = {
    code: 0,
    err: expect.stringMatching(
      /warning\[stray-file\]: is ignored: it begins with no document, and is not looked through/,
    ),
  }

  test.each([
    ['yaml', comments.repeat(limits.searchedFile / 100)],
    ['json', `{ "note": "${'x'.repeat(limits.searchedFile)}" }`],
    ['yml', `{ note: "${comments.replace('\n', '').repeat(limits.file / 99)}", a: 1 }`],
  ])('as that would take long: %s', async (ending, text) => {
    const { vatom, file } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file('cat/vatom.yaml', 'catalog: cat\n')
    file(`cat/large.${ending}`, text)
    expect(await vatom('validate', 'cat')).toMatchObject(isUnsearched)
    expect(await vatom('apply', 'cat', '--yes')).toMatchObject(isUnsearched)
    file('cat/coupon.yaml', template())
    expect(await vatom('apply', 'cat', '--prune', '--yes')).toMatchObject({ code: 2 })
  })

  test('as a link leads to it, out of the folder', async () => {
    const { vatom, file, home } = await publisher()
    file('cat/coupon.yaml', `${template()}---\n${face()}`)
    file('large.yaml', comments.repeat(limits.file / 100) + template(milk))
    symlinkSync('../large.yaml', join(home, 'cat/large.yaml'))
    expect(await vatom('validate', 'cat')).toMatchObject(isUnsearched)
  })
})

test('files of other tools are ignored without a warning', async () => {
  const { vatom, file } = await publisher()
  file('cat/coupon.yaml', `${template()}---\n${face()}`)
  file('cat/vatom.yaml', 'catalog: cat\n')
  const files = {
    'compose.yaml': 'services:\n  web:\n    image: web:latest\n    ports: ["80:80"]\n',
    'ci.yml': 'on: push\njobs:\n  test:\n    steps:\n      - run: echo "{{ github.sha }}"\n',
    '.gitlab-ci.yml': 'test:\n  script: !reference [.setup, script]\n',
    'stack.yaml': 'Resources:\n  Topic:\n    Value: !GetAtt Queue.Arn\n    Name: !Sub "a-b"\n',
    'chart/templates/deployment.yaml': '{{- if .Values.on }}\nspec:\n  replicas: {{ .Values.replicas }}\n{{- end }}\n',
    'chart/values.yaml': 'message: hello\nreplicas: 2\nstatus: { code: 200 }\n',
    'unity.yaml': '%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: a\n',
    'twice.yaml': 'a: 1\na: 2\n',
    'database.yml': 'default:\n  pool: <%= ENV["POOL"] %>\n<% if true %>\ntest: {}\n<% end %>\n',
    'words.json': '["tea", "coffee"]',
    'package.json': '{ "name": "shop", "version": "1.0.0", "scripts": {} }',
    'i18n/en.json': '{ "title": "Shop", "buy": "Buy" }',
    'i18n/de.json': '{ "title": "Laden" }',
    'messages.yaml': '500: "Internal error"\n',
    'statuses.yaml': '404: { text: gone }\n',
    'steps.yaml': 'steps:\n  - run: |\n      echo "\n    name: make\n  - |\n    echo "\n',
  }
  for (const [name, text] of Object.entries(files)) file(`cat/${name}`, text)
  for (const words of [
    ['validate', 'cat', '--max-warnings', '0'],
    ['plan', 'cat', '--prune', '--max-warnings', '0'],
  ]) {
    const { code, err } = await vatom(...words)
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/ignored 1[56] files/) })
    expect(err).not.toMatch(/warning|error/)
  }
})
