import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KindName } from '../../../src/contract/values.ts'
import { fixFiles } from '../../../src/documents/edit/fix.ts'
import { rewriteAll } from '../../../src/documents/edit/rewrite.ts'
import { ruleNotes } from '../../../src/documents/report/rule-notes.ts'
import { constraints, shortestTemplate } from '../../fixtures/yaml.ts'
import { replaceCall, swapOnNextFile } from '../../support/file-calls.ts'
import { folderWith } from '../../support/folders.ts'
import { options } from '../../support/loading.ts'

async function fix(text: string, noun: KindName = 'template', file = 'a.yaml') {
  const folder = folderWith({ [file]: text })
  const run = await fixFiles([file], options(folder, noun))
  return { ...run, folder, text: readFileSync(join(folder, file), 'utf8') }
}

const states = (value: string) => `states:\n  - name: Activated\n    value: {type: boolean, value: ${value}} # kept`
const face = (more: string) => `template: $publisher::T::v1
display_url: native://progress-image-overlay # kept
constraints: ${constraints()}
resources: []
${more}`
const action = (more: string) => `${more}\n# kept`
const reactor = (name: string) => action(`name: $publisher::T::v1::Action::Do\nreactor: ${name}`)
const price = (currency: string) =>
  shortestTemplate(
    `commerce: {pricing: {pricingType: Fixed, value: {price: 1, currency: ${currency}, vat_included: true}}}`,
  )
const resource = (type: string) =>
  `resources:\n  - name: A\n    resourceType: ${type} # kept\n    value: {resourceValueType: "ResourceValueType::URI", value: "https://a.example/b"}`

const picture = (url: string) =>
  shortestTemplate(resource('ResourceType::Image::PNG').replace('"https://a.example/b"', `"${url}"`))

interface Mend {
  readonly rule: string
  readonly noun?: KindName
  readonly before: string
  readonly after: string
}
const mends: readonly Mend[] = [
  {
    rule: 'yaml-boolean',
    before: `cloneable: no # kept\n${shortestTemplate()}`,
    after: `cloneable: false # kept\n${shortestTemplate()}`,
  },
  {
    rule: 'yaml-boolean',
    before: shortestTemplate('redeemable: "false"'),
    after: shortestTemplate('redeemable: false'),
  },
  { rule: 'yaml-quotes', before: shortestTemplate(states('true')), after: shortestTemplate(states('"true"')) },
  {
    rule: 'yaml-number',
    before: shortestTemplate('title: 0012 # kept'),
    after: shortestTemplate('title: "0012" # kept'),
  },
  ...[
    ['1e20', '100000000000000000000'],
    ['9007199254740993', '9007199254740993'],
  ].map(([before, after]) => ({
    rule: 'yaml-number',
    before: `${shortestTemplate()}\neth: {network: testnet, fields: {a: {type: uint, value: ${before}}}}`,
    after: `${shortestTemplate()}\neth: {network: testnet, fields: {a: {type: uint, value: "${after}"}}}`,
  })),
  {
    rule: 'yaml-space',
    before: `cloneable:\u00a0false # kept\n${shortestTemplate('', 'note: Prix\u00a05')}`,
    after: `cloneable: false # kept\n${shortestTemplate('', 'note: Prix\u00a05')}`,
  },
  { rule: 'yaml-comment', before: shortestTemplate('title: #1'), after: shortestTemplate('title: "#1"') },
  {
    rule: 'yaml-alias',
    before: shortestTemplate('visibility: {type: owner, value: *}'),
    after: shortestTemplate('visibility: {type: owner, value: "*"}'),
  },
  {
    rule: 'unknown-field',
    before: shortestTemplate("'titel': x # kept"),
    after: shortestTemplate("'title': x # kept"),
  },
  {
    rule: 'value',
    before: shortestTemplate('visibility: {type: Owner} # kept'),
    after: shortestTemplate('visibility: {type: owner} # kept'),
  },
  {
    rule: 'resource-type-prefix',
    before: shortestTemplate(resource('ResourceTypes::Image::PNG')),
    after: shortestTemplate(resource('ResourceType::Image::PNG')),
  },
  {
    rule: 'native-package',
    noun: 'face',
    before: face("package_url: 'x'"),
    after: face("package_url: 'native://progress-image-overlay'"),
  },
  {
    rule: 'face-config',
    noun: 'face',
    before: face('package_url: .\nconfig: {padding_start: "12"} # kept'),
    after: face('package_url: .\nconfig: {padding_start: 12} # kept'),
  },
  {
    rule: 'action-name',
    noun: 'action',
    before: action('name: $publisher::T::v1::action::Drop\nreactor: blockv://v1/Drop'),
    after: action('name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop'),
  },
  {
    rule: 'action-reactor',
    noun: 'action',
    before: reactor('vatomic://v1/Drop'),
    after: reactor('blockv://v1/Drop'),
  },
  {
    rule: 'action-reactor',
    noun: 'action',
    before: reactor('blockv://v1/PickUp'),
    after: reactor('blockv://v1/Pickup'),
  },
  { rule: 'format', noun: 'action', before: reactor('v1/transfer'), after: reactor('blockv://v1/Transfer') },
  { rule: 'value', before: price('eur'), after: price('EUR') },
  {
    rule: 'name-form',
    before: shortestTemplate().replace('::T::', '::Di\u0301a::'),
    after: shortestTemplate().replace('$publisher::T::v1', '"$publisher::D\u00eda::v1"'),
  },
  {
    rule: 'resource-url',
    before: picture('https://a.example/絵 1.png'),
    after: picture('https://a.example/%E7%B5%B5%201.png'),
  },
  {
    rule: 'value',
    before: shortestTemplate().replace(
      'root_type: vAtom::vAtomType',
      'root_type: vAtom::vAtomType::FolderContainrType',
    ),
    after: shortestTemplate().replace(
      'root_type: vAtom::vAtomType',
      'root_type: vAtom::vAtomType::FolderContainerType',
    ),
  },
  {
    rule: 'action-config',
    noun: 'action',
    before: action(
      'name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop\nconfig: {activated_user_only: true}',
    ),
    after: action(
      'name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop\nconfig: {activated_users_only: true}',
    ),
  },
  {
    rule: 'action-config',
    noun: 'action',
    before: action(
      'name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop\nconfig: {activated_users_only: "true"}',
    ),
    after: action(
      'name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop\nconfig: {activated_users_only: true}',
    ),
  },
]

describe('what is put right', () => {
  test.each(mends)('$rule', async ({ rule, noun, before, after }) => {
    const { text, fixed, validation, folder } = await fix(before, noun)
    expect(text).toBe(after)
    expect(fixed.map((one) => one.rule)).toEqual([rule])
    expect(validation.problems).toEqual([])
    const again = await fixFiles(['a.yaml'], options(folder, noun ?? 'template'))
    expect(again.fixed).toEqual([])
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(after)
  })
  test('the table of rules says which', () => {
    const said = ruleNotes.filter(({ fixes }) => fixes).map(({ name }) => name)
    expect([...new Set(mends.map(({ rule }) => rule))].sort()).toEqual(said.sort())
  })
  test('what one mistake hid is put right too', async () => {
    const before = shortestTemplate('visibility:\n  type: *\n  valeu: "*"').replace('type: *', 'tpye: *')
    const { text, fixed } = await fix(`unpublished: Yes\n${before}`)
    expect(text).toContain('unpublished: true')
    expect(text).toContain('value: "*"')
    expect(fixed.length).toBeGreaterThan(2)
  })
  test('in JSON, with line ends and a byte order mark as they are', async () => {
    const json = JSON.stringify(
      {
        template: 'acme.com::T::v1',
        cloneable: 'yes',
        vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', titel: 1 } },
      },
      null,
      2,
    )
    expect((await fix(json, 'template', 'a.json')).text).toBe(
      json.replace('"yes"', 'true').replace('titel', 'title').replace(': 1\n', ': "1"\n'),
    )
    const windows = `\ufeffcloneable: no\r\n${shortestTemplate().replaceAll('\n', '\r\n')}`
    expect((await fix(windows)).text).toBe(windows.replace('no\r', 'false\r'))
  })
})

/** What is reported, and may mean something else. */
const doubts: readonly Omit<Mend, 'after'>[] = [
  ...['RMB', 'BTC', 'USDT', 'EUD', 'YEN', 'KR', 'EURO'].map((code) => ({ rule: 'value', before: price(code) })),
  { rule: 'value', before: shortestTemplate('visibility: {type: own}') },
  ...['int', 'unit', 'boot', 'sting'].map((type) => ({
    rule: 'value',
    before: `${shortestTemplate()}\neth: {network: testnet, fields: {a: {type: ${type}, value: "1"}}}`,
  })),
  ...['icons', 'cart'].map((mode) => ({
    rule: 'value',
    noun: 'face' as const,
    before: face('package_url: .').replace(/("?view_mode"?: ?)"?\w+"?/, `$1${mode}`),
  })),
  { rule: 'unknown-field', before: shortestTemplate('colour: blue') },
  { rule: 'resource-url', before: picture('//a.example/絵.png') },
  { rule: 'yaml-alias', before: shortestTemplate('title: *a') },
  { rule: 'yaml-number', before: shortestTemplate().replace('vatom:', 'vatom:\n  private: {a: 0012}') },
  { rule: 'format', noun: 'action', before: reactor('v2/Transfer') },
  ...['Transfers', 'Drops', 'Trades', 'Redeme'].map((name) => ({
    rule: 'action-reactor',
    noun: 'action' as const,
    before: reactor(`blockv://v1/${name}`),
  })),
  { rule: 'action-reactor', noun: 'action', before: reactor('blockv://v2/Transfer') },
  {
    rule: 'action-name',
    noun: 'action',
    before: action('name: $publisher::T::v1::Acts::Drop\nreactor: blockv://v1/Drop'),
  },
  {
    rule: 'action-config',
    noun: 'action',
    before: `${reactor('blockv://v1/Drop')}\nconfig: {activated_users_only: 1}`,
  },
  { rule: 'face-config', noun: 'face', before: face('package_url: .\nconfig: {padding_start: wide}') },
  { rule: 'yaml-comment', before: shortestTemplate('title: Pint #7') },
  {
    rule: 'native-package',
    noun: 'face',
    before: face("package_url: 'native://image'").replace('native://progress-image-overlay', 'native://picture'),
  },
]

describe('what may mean something else is left alone', () => {
  test.each(doubts)('$rule: $before', async ({ rule, noun, before }) => {
    const { text, fixed, validation } = await fix(before, noun)
    expect(fixed).toEqual([])
    expect(text).toBe(before)
    expect(validation.problems.map((one) => one.rule)).toContain(rule)
  })
  test('the table of rules says of which a part is', () => {
    const said = ruleNotes.filter(({ fixes }) => typeof fixes === 'string').map(({ name }) => name)
    expect([...new Set(doubts.map(({ rule }) => rule))].sort()).toEqual(said.sort())
  })
})

describe('what is left alone', () => {
  test.each([
    ['several may be meant', shortestTemplate('resources: []\nvisibility: {typ: owner, typee: owner}')],
    ['nothing is near', shortestTemplate('colour: blue')],
    ['the right field is there too', shortestTemplate('title: a\ntitel: b')],
    ['a text that others share', `x: &a no\ncloneable: *a\n${shortestTemplate()}`],
    [
      'a field that a merge brings',
      'template: $publisher::T::v1\nvatom:\n  private:\n    b: &b {redeemable: no}\n  vAtom::vAtomType:\n    <<: *b\n    root_type: vAtom::vAtomType\n',
    ],
    ['an anchored text', `cloneable: &a no\npublic: *a\n${shortestTemplate()}`],
    ['a text of several lines', shortestTemplate('visibility:\n  type: >-\n    Owner')],
    [
      'a warning that is switched off',
      shortestTemplate(resource('ResourceTypes::Image::PNG # vatom-ignore resource-type-prefix')).replace('# kept', ''),
    ],
  ])('%s', async (_name, before) => {
    const { text, fixed } = await fix(before)
    expect(fixed).toEqual([])
    expect(text).toBe(before)
  })
  test('documents of other kinds', async () => {
    const before = `${shortestTemplate()}\n---\n${face('package_url: x')}`
    expect((await fix(before)).text).toBe(before)
  })
})

describe('files', () => {
  test('keep their mode, and a link stays one', async () => {
    const folder = folderWith({ 'real.yaml': `cloneable: no\n${shortestTemplate()}` })
    chmodSync(join(folder, 'real.yaml'), 0o640)
    symlinkSync('real.yaml', join(folder, 'link.yaml'))
    await fixFiles(['link.yaml'], options(folder))
    expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toContain('cloneable: false')
    expect(statSync(join(folder, 'real.yaml')).mode & 0o777).toBe(0o640)
  })
  test('outside of the folder that is named are not changed, unless they are named', async () => {
    const text = `cloneable: no\n${shortestTemplate()}`
    const outside = folderWith({ 'real.yaml': text })
    const folder = folderWith({ 'catalog/a.yaml': text })
    symlinkSync(join(outside, 'real.yaml'), join(folder, 'catalog', 'link.yaml'))
    for (const input of ['catalog', 'catalog/*.yaml'])
      await expect(fixFiles([input], options(folder))).rejects.toThrow(
        'catalog/link.yaml is not corrected: a link points outside the folder',
      )
    expect(readFileSync(join(outside, 'real.yaml'), 'utf8')).toBe(text)
    expect(readFileSync(join(folder, 'catalog', 'a.yaml'), 'utf8')).toBe(text)
    await fixFiles([join('catalog', 'link.yaml')], options(folder))
    expect(readFileSync(join(outside, 'real.yaml'), 'utf8')).toContain('cloneable: false')
  })
  test('outside of the folder are not changed, where that is replaced by a link while it is read', async () => {
    const text = `cloneable: no\n${shortestTemplate()}`
    const outside = folderWith({ 'a.yaml': text })
    const folder = folderWith({ 'catalog/a.yaml': text })
    const catalog = join(folder, 'catalog')
    // Standard input is read last.
    const readStdin = async () => {
      renameSync(catalog, join(folder, 'moved'))
      symlinkSync(outside, catalog)
      return Buffer.from(shortestTemplate())
    }
    await expect(fixFiles(['catalog', '-'], { ...options(folder), readStdin })).rejects.toThrow(
      'catalog/a.yaml is not corrected: a link points outside the folder',
    )
    expect(readFileSync(join(outside, 'a.yaml'), 'utf8')).toBe(text)
    expect(readFileSync(join(folder, 'moved', 'a.yaml'), 'utf8')).toBe(text)
  })
  test('outside of the folder are not changed, where a link to them is made while others are written', async () => {
    const text = `cloneable: no\n${shortestTemplate()}`
    const outside = folderWith({ 'b.yaml': text })
    const folder = folderWith({ 'catalog/a.yaml': text, 'catalog/sub/b.yaml': text })
    const catalog = join(folder, 'catalog')
    swapOnNextFile(catalog, join(catalog, 'sub'), outside)
    await expect(fixFiles(['catalog'], options(folder))).rejects.toThrow(
      'catalog/sub/b.yaml is not written: a link points outside the folder',
    )
    expect(readFileSync(join(outside, 'b.yaml'), 'utf8')).toBe(text)
    expect(readFileSync(join(catalog, 'a.yaml'), 'utf8')).toBe(text)
    expect([readdirSync(outside), readdirSync(catalog).sort()]).toEqual([['b.yaml'], ['a.yaml', 'sub', 'sub.moved']])
  })
  test('outside of the folder are not changed, where a link is put in its place while files are read', async () => {
    const text = `cloneable: no\n${shortestTemplate()}`
    const outside = folderWith({ 'a.yaml': text })
    const folder = folderWith({ 'catalog/a.yaml': text })
    const readStdin = async () => {
      renameSync(join(folder, 'catalog'), join(folder, 'moved'))
      symlinkSync(outside, join(folder, 'catalog'))
      return Buffer.from(shortestTemplate())
    }
    await expect(fixFiles(['-', 'catalog'], { ...options(folder), readStdin })).rejects.toThrow(
      'catalog/a.yaml is not corrected: a link points outside the folder',
    )
    for (const path of [join(outside, 'a.yaml'), join(folder, 'moved/a.yaml')])
      expect(readFileSync(path, 'utf8')).toBe(text)
  })
  test.runIf(process.getuid?.() === 0)('one of another user stays theirs', () => {
    const folder = folderWith({ 'a.yaml': 'a' })
    const path = join(folder, 'a.yaml')
    chownSync(path, 65_534, 65_533)
    chmodSync(path, 0o640)
    rewriteAll([{ file: 'a.yaml', path, before: 'a', after: 'x' }])
    const { uid, gid, mode } = statSync(path)
    expect([uid, gid, mode & 0o777, readFileSync(path, 'utf8')]).toEqual([65_534, 65_533, 0o640, 'x'])
  })
  test('none is changed where one cannot be', () => {
    const folder = folderWith({ 'a.yaml': 'a', 'b.yaml': 'b' })
    const rewrite = (file: string, before: string) => ({ file, path: join(folder, file), before, after: 'x' })
    expect(() => rewriteAll([rewrite('a.yaml', 'a'), rewrite('b.yaml', 'other')])).toThrow('b.yaml has changed')
    expect(() => rewriteAll([rewrite('a.yaml', 'a'), rewrite('c.yaml', '')])).toThrow(
      'c.yaml cannot be written: no such file',
    )
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('a')
    const fresh = { ...rewrite('new/inner/d.yaml', ''), before: undefined }
    expect(() => rewriteAll([fresh, rewrite('b.yaml', 'other')])).toThrow('b.yaml has changed')
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })
  test('none is changed where one is saved while the others are written', () => {
    const folder = folderWith({ 'a.yaml': 'a', 'b.yaml': 'b' })
    const a = { file: 'a.yaml', path: join(folder, 'a.yaml'), before: 'a', after: 'x' }
    const b = {
      ...{ file: 'b.yaml', path: join(folder, 'b.yaml'), before: 'b' },
      get after() {
        writeFileSync(a.path, 'saved')
        return 'x'
      },
    }
    expect(() => rewriteAll([a, b])).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^a.yaml has changed/), written: [] }),
    )
    const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    expect(texts).toEqual([
      ['a.yaml', 'saved'],
      ['b.yaml', 'b'],
    ])
  })
  test('none is changed where one is saved while they are put in place', () => {
    const folder = folderWith({ 'a.yaml': 'a', 'b.yaml': '\ufeffb' })
    chmodSync(join(folder, 'b.yaml'), 0o640)
    const rewrite = (file: string, before?: string) => ({ file, path: join(folder, file), before, after: 'x' })
    replaceCall('renameSync', (rename) => (from, to) => {
      rename(from, to)
      if (String(to).endsWith('b.yaml')) writeFileSync(join(folder, 'a.yaml'), 'saved')
    })
    expect(() => rewriteAll([rewrite('a.yaml', 'a'), rewrite('b.yaml', 'b'), rewrite('new/c.yaml')])).toThrow(
      expect.objectContaining({ message: 'a.yaml has changed since it was read', written: [] }),
    )
    const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    expect(texts).toEqual([
      ['a.yaml', 'saved'],
      ['b.yaml', '\ufeffb'],
    ])
    expect(statSync(join(folder, 'b.yaml')).mode & 0o777).toBe(0o640)
  })
  test('one with bytes that are no text is put back as it was', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x63, 0xe9, 0xff])
    const folder = folderWith({ 'a.yaml': 'a', 'b.yaml': bytes })
    const rewrite = (file: string, before: string) => ({ file, path: join(folder, file), before, after: 'x' })
    replaceCall('renameSync', (rename) => (from, to) => {
      if (String(to).endsWith('a.yaml')) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
      rename(from, to)
    })
    expect(() => rewriteAll([rewrite('a.yaml', 'a'), rewrite('b.yaml', 'c\ufffd\ufffd')])).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^a.yaml cannot be written/), written: [] }),
    )
    expect(readdirSync(folder)).toEqual(['a.yaml', 'b.yaml'])
    expect(readFileSync(join(folder, 'b.yaml'))).toEqual(bytes)
  })
  test('one that somebody saves before it can be put back is left, and named', () => {
    const folder = folderWith({ 'a.yaml': 'a', 'b.yaml': 'b', 'c.yaml': 'c' })
    const rewrite = (file: string, before: string) => ({ file, path: join(folder, file), before, after: 'x' })
    replaceCall('renameSync', (rename) => (from, to) => {
      if (String(to).endsWith('a.yaml')) {
        writeFileSync(join(folder, 'b.yaml'), 'saved')
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
      }
      rename(from, to)
    })
    expect(() => rewriteAll([rewrite('a.yaml', 'a'), rewrite('b.yaml', 'b'), rewrite('c.yaml', 'c')])).toThrow(
      expect.objectContaining({ written: ['b.yaml'] }),
    )
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(texts).toEqual(['a', 'saved', 'c'])
  })
  test('one new file of two names is written once, and not in two ways', () => {
    const folder = folderWith({ 'a/old.yaml': '' })
    symlinkSync('a', join(folder, 'b'))
    const fresh = (file: string, after: string) => ({ file, path: join(folder, file), before: undefined, after })
    expect(() => rewriteAll([fresh('a/new.yaml', 'x'), fresh('b/new.yaml', 'y')])).toThrow('are one file')
    expect(readdirSync(join(folder, 'a'))).toEqual(['old.yaml'])
    rewriteAll([fresh('a/new.yaml', 'x'), fresh('b/new.yaml', 'x')])
    expect(readdirSync(join(folder, 'a'))).toEqual(['new.yaml', 'old.yaml'])
  })
  test('one of two names is changed once, and not in two ways', async () => {
    const folder = folderWith({ 'a.yaml': `cloneable: no\n${shortestTemplate()}` })
    symlinkSync('a.yaml', join(folder, 'b.yaml'))
    await fixFiles(['a.yaml', 'b.yaml'], options(folder))
    const text = readFileSync(join(folder, 'a.yaml'), 'utf8')
    expect(text).toBe(`cloneable: false\n${shortestTemplate()}`)
    const rewrite = (file: string, after: string) => ({ file, path: join(folder, file), before: text, after })
    expect(() => rewriteAll([rewrite('a.yaml', 'x'), rewrite('b.yaml', 'y')])).toThrow('a.yaml and b.yaml are one file')
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(text)
  })
  test('standard input is answered, not written', async () => {
    const readStdin = async () => Buffer.from(`cloneable: no\n${shortestTemplate()}`)
    const run = await fixFiles(['-'], { ...options(folderWith({})), readStdin })
    expect(run.stdin).toBe(`cloneable: false\n${shortestTemplate()}`)
    expect(run.validation.rows).toMatchObject([{ file: '<stdin>', valid: true }])
  })
})

const words = fc.constantFrom('no', '"yes"', '*', '#x', '12', '{a: no}', '[*]', "'Owner'", 'owner', '\n', 'null')
const keys = fc.constantFrom(
  'title',
  'titel',
  'visibility',
  'type',
  'transferrable',
  'redeemable',
  'states',
  'acquirable',
)
test('whatever is put right stays right, and nothing becomes worse', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(keys, words), { maxLength: 5 }), async (fields) => {
      const { validation, text, folder, fixed } = await fix(
        shortestTemplate(fields.map((pair) => pair.join(': ')).join('\n')),
      )
      expect(validation.problems.filter(({ edit }) => edit)).toEqual([])
      expect(ruleNotes.filter(({ name, fixes }) => !fixes && fixed.some(({ rule }) => rule === name))).toEqual([])
      const again = await fixFiles(['a.yaml'], options(folder))
      expect(again.fixed).toEqual([])
      if (fixed.length === 0) expect(text).toBe(shortestTemplate(fields.map((pair) => pair.join(': ')).join('\n')))
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['catalog: 2026', 'catalog: "2026"'],
  ['Catalog: mine # kept', 'catalog: mine # kept'],
  ['catalog: #mine', 'catalog: "#mine"'],
])('the project file of a folder is corrected like its documents: %s', async (before, after) => {
  const files = {
    'c/vatom.yaml': `${before}\n`,
    'c/sub/vatom.yaml': `${before}\n`,
    'c/sub/a.yaml': `cloneable: no\n${shortestTemplate()}`,
  }
  const folder = folderWith(files)
  const { fixed } = await fixFiles(['c'], options(folder))
  expect(fixed.map(({ file }) => file).sort()).toEqual(Object.keys(files).sort())
  for (const file of ['c/vatom.yaml', 'c/sub/vatom.yaml'])
    expect(readFileSync(join(folder, file), 'utf8')).toBe(`${after}\n`)
})

test('a dry run finds the corrections of every round, and changes no file', async () => {
  const files = {
    'c/vatom.yaml': 'Catalog: 2026\n',
    'c/a.yaml': `clonable: no\n${shortestTemplate()}`,
  }
  const folder = folderWith(files)
  const readStdin = async () => Buffer.from(`clonable: no\n${shortestTemplate()}`)
  const run = (dryRun: boolean) => fixFiles(['c', '-'], { ...options(folder), readStdin, dryRun })
  const dry = await run(true)
  for (const [file, text] of Object.entries(files)) expect(readFileSync(join(folder, file), 'utf8')).toBe(text)
  expect(dry.fixed.filter(({ file }) => file === 'c/a.yaml').map(({ after }) => after)).toEqual(['cloneable', 'false'])
  const real = await run(false)
  const ofDocuments = ({ fixed }: typeof dry) => fixed.filter(({ file }) => file !== 'c/vatom.yaml')
  expect(ofDocuments(dry)).toEqual(ofDocuments(real))
  expect(dry.stdin).toBe(real.stdin)
  expect(dry.validation.rows).toEqual(real.validation.rows)
})
