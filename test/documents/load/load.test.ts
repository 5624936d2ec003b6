import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { queryObjects } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { Scalar } from 'yaml'
import { loadDocuments } from '../../../src/documents/load/load.ts'
import { readBounded } from '../../../src/documents/load/read.ts'
import { template } from '../../fixtures/bodies.ts'
import { constraints, shortestTemplate } from '../../fixtures/yaml.ts'
import { folderWith } from '../../support/folders.ts'
import { loadFiles, loadText, options, places, validate } from '../../support/loading.ts'

const named = (name: string) => shortestTemplate().replace('T::v1', name)
const variation = 'template_variation: $publisher::T::v1::A\ntemplate: $publisher::T::v1\n'
const type = (fields: string) => `vAtom::vAtomType: {${fields}}`
const resources = 'resources: [{name: B, value: {resourceValueType: ResourceValueType::URI, value: https://x.io/b}}]'
const face = `template: $publisher::T::v1
display_url: native://image
package_url: native://image
constraints: ${constraints()}
resources: [Image]
`
const names = ({ documents }: { documents: readonly { name: string }[] }) => documents.map(({ name }) => name)

test.each([
  ['sub/nope.yaml', 'sub has: a.yaml, deeper'],
  ['gone/a.yaml', 'this folder has: b.yaml, sub'],
  ['sub/deeper/x.yaml', undefined],
])('%s does not exist: the hint is what is there', async (input, hint) => {
  const folder = folderWith({ 'b.yaml': '', 'sub/a.yaml': '', 'sub/deeper/.git/c.yaml': '', 'sub/notes.txt': '' })
  const { problems } = await loadDocuments([input], options(folder))
  expect(problems.map((one) => one.hint)).toEqual([hint])
})

test('a project file alone is no document, and the hint names its folder', async () => {
  const files = {
    'shop/vatom.yaml': 'catalog: shop\n',
    'shop/a.yaml': shortestTemplate(),
    'vatom.yaml': 'catalog: x\n',
  }
  const { problems } = await loadFiles(files, 'template', ['shop/vatom.yaml'])
  expect(problems).toEqual([
    expect.objectContaining({ message: 'describes a catalog and holds no document', hint: 'name its folder: shop' }),
  ])
  const alone = await loadFiles(files, 'template', ['vatom.yaml'])
  expect(alone.problems).toMatchObject([{ hint: 'name its folder, or no path at all' }])
  expect((await loadFiles(files, 'template', ['shop/vatom.yaml', 'shop/a.yaml'])).problems).toEqual([])
})

describe('inputs', () => {
  const files = {
    'b.yaml': named('B::v1'),
    'a.yml': named('A::v1'),
    'sub/c.JSON': JSON.stringify(template({ template: 'acme.com::C::v1' })),
    'sub/notes.txt': 'no document',
    'node_modules/x.yaml': named('X::v1'),
    '.git/x.yaml': named('X::v1'),
    'odd[1].yaml': named('Odd::v1'),
  }
  test.each<[string, readonly string[], readonly string[]]>([
    ['files in the order given', ['b.yaml', 'a.yml'], ['b.yaml', 'a.yml']],
    ['a folder, by name', ['.'], ['a.yml', 'b.yaml', 'odd[1].yaml', 'sub/c.JSON']],
    ['a folder with a trailing slash', ['sub/'], ['sub/c.JSON']],
    ['a pattern', ['**/*.{yaml,yml}'], ['a.yml', 'b.yaml', 'odd[1].yaml']],
    ['a pattern that matches other files, too', ['sub/*'], ['sub/c.JSON']],
    ['a file whose name looks like a pattern', ['odd[1].yaml'], ['odd[1].yaml']],
    ['one file by several inputs, once', ['b.yaml', './b.yaml', '*.yaml'], ['b.yaml', 'odd[1].yaml']],
  ])('%s', async (_name, inputs, expected) => {
    const { documents, problems } = await loadFiles(files, 'template', [...inputs])
    expect(problems).toEqual([])
    expect(documents.map(({ file }) => file)).toEqual(expected)
  })

  test('a folder and a pattern skip what macOS and editors leave beside files; a name reads it', async () => {
    const left = {
      'shop/cafe.yaml': named('Cafe::v1'),
      'shop/._cafe.yaml': '\0\x05\x16\x07 Mac OS X',
      'shop/.#cafe.yaml': named('Lock::v1'),
      'shop/cafe.yaml~': named('Backup::v1'),
    }
    for (const inputs of [['shop'], ['shop/{,.}*']])
      expect(await loadFiles(left, 'template', inputs)).toMatchObject({
        problems: [],
        documents: [{ file: 'shop/cafe.yaml' }],
        foreign: [],
      })
    const { problems } = await loadFiles(left, 'template', ['shop/._cafe.yaml'])
    expect(problems).toMatchObject([{ file: 'shop/._cafe.yaml', rule: 'encoding' }])
  })

  test.each([
    ['nope.yaml', 'no such file or folder'],
    ['b.yaml/x', 'no such file or folder'],
    ['*.toml', 'matches no .yaml, .yml or .json file'],
    ['empty', 'the folder contains no .yaml, .yml or .json file'],
    ['loop.yaml', 'links to itself'],
    ['nul\0.yaml', 'cannot be read: ERR_INVALID_ARG_VALUE'],
  ])('%j is a problem that names it', async (input, message) => {
    const folder = folderWith(files)
    mkdirSync(join(folder, 'empty'))
    symlinkSync('loop.yaml', join(folder, 'loop.yaml'))
    const { problems, documents } = await loadDocuments([input], options(folder))
    expect(problems).toEqual([expect.objectContaining({ file: input, rule: 'input', severity: 'error', message })])
    expect(documents).toEqual([])
  })

  test('an empty name is shown as a shell shows it: no line begins with nothing', async () => {
    const { problems } = await loadDocuments([''], options(folderWith({})))
    expect(problems).toMatchObject([{ file: "''", rule: 'input', severity: 'error', message: 'an empty file name' }])
  })

  test('a folder without documents has a hint that leads on', async () => {
    const { problems } = await loadDocuments(['.'], options(folderWith({ 'notes.txt': '' })))
    expect(problems).toMatchObject([{ hint: 'name the folder of a catalog; to begin one: vatom init' }])
  })

  test('- is standard input', async () => {
    const readStdin = async () => Buffer.from(`unpublished: no\n${shortestTemplate()}`)
    const { documents, problems } = await loadDocuments(['-', '-'], { ...options('.'), readStdin })
    expect(names({ documents })).toEqual(['acme.com::T::v1'])
    expect(problems).toEqual([expect.objectContaining({ file: '<stdin>', line: 1 })])
  })
})

test.each([['.'], ['**/*.yaml']])('folders that link to themselves end: %s', async (input) => {
  const folder = folderWith({ 'a.yaml': named('A::v1'), 'sub/b.yaml': named('B::v1') })
  symlinkSync('.', join(folder, 'here'))
  symlinkSync('..', join(folder, 'sub/up'))
  const { documents, problems } = await loadDocuments([input], options(folder))
  expect(problems).toEqual([])
  expect(documents.map(({ file }) => file)).toEqual(['a.yaml', 'sub/b.yaml'])
})

describe('links to folders elsewhere, and to files', () => {
  function linked() {
    const folder = folderWith({
      'c/a.yaml': named('A::v1'),
      'c/sub/b.yaml': named('B::v1'),
      'shared/s.yaml': named('S::v1'),
    })
    symlinkSync('../shared', join(folder, 'c/link'))
    symlinkSync('../../shared/s.yaml', join(folder, 'c/sub/s.yaml'))
    return folder
  }
  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['a folder', ['c'], ['c/a.yaml', 'c/sub/b.yaml', 'c/sub/s.yaml'], ['c/link']],
    [
      'a folder, and the one that is linked',
      ['c/sub', 'c/link'],
      ['c/sub/b.yaml', 'c/sub/s.yaml', 'c/link/s.yaml'],
      [],
    ],
    ['a pattern that leads into it', ['c/*/*.yaml'], ['c/sub/b.yaml', 'c/sub/s.yaml'], ['c/link']],
    ['a pattern at any depth', ['**/*.yaml'], ['c/a.yaml', 'c/sub/b.yaml', 'c/sub/s.yaml', 'shared/s.yaml'], []],
    ['a pattern that leads elsewhere', ['c/s*/*.yaml'], ['c/sub/b.yaml', 'c/sub/s.yaml'], []],
    ['a pattern within it', ['c/link/*.yaml'], ['c/link/s.yaml'], []],
  ])('%s', async (_name, inputs, files, unfollowed) => {
    const { documents, problems } = await loadDocuments([...inputs], options(linked()))
    expect(documents.map(({ file }) => file)).toEqual(files)
    expect(problems.filter(({ rule }) => rule === 'input').map(({ file }) => file)).toEqual(unfollowed)
  })
})

test('a link that leads nowhere is named if it may stand for documents', async () => {
  const folder = folderWith({ 'a.yaml': named('A::v1') })
  for (const name of ['looks', 'b.yaml', 'logo.png', '.#a.yaml']) symlinkSync('missing', join(folder, name))
  const { problems } = await loadDocuments(['.'], options(folder))
  expect(problems.map(({ file, message }) => [file, message])).toEqual([
    ['b.yaml', 'links to a file that does not exist'],
    ['looks', 'links to a file or folder that does not exist'],
  ])
})

test('a folder that cannot be read is named, and the rest is checked', async () => {
  const name = 'x'.repeat(200)
  const deep = Array.from({ length: 15 }, () => name).join('/')
  const folder = folderWith({ [`in/p/${deep}/z.yaml`]: shortestTemplate(), 'in/q.yaml': named('Q::v1') })
  // Moved down, the deepest folders get longer paths than the system takes.
  const down = join(folder, 'in', ...Array.from({ length: 6 }, () => name))
  mkdirSync(down, { recursive: true })
  renameSync(join(folder, 'in/p'), join(down, 'p'))
  const { documents, problems } = await loadDocuments(['in'], options(folder))
  renameSync(join(down, 'p'), join(folder, 'p'))
  expect(names({ documents })).toEqual(['acme.com::Q::v1'])
  expect(problems).toEqual([
    expect.objectContaining({ file: expect.stringMatching(/^in\/x.*\/p\/x/), message: 'the name is too long' }),
  ])
})

test('the wait for somebody to write to a pipe can be ended', async () => {
  const folder = folderWith({})
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const signal = AbortSignal.timeout(50)
  await expect(loadDocuments(['pipe'], { ...options(folder), signal })).rejects.toThrow(/abort/)
})

test('a stream is read no further than one byte above the limit', async () => {
  let given = 0
  async function* endless() {
    for (;;) {
      given++
      yield 'abcd'
    }
  }
  expect(Buffer.from(await readBounded(endless(), 10)).toString()).toBe('abcdabcdabc')
  expect(given).toBe(3)
})

describe('kinds', () => {
  test('other nouns are left alone, and counted', async () => {
    const text = `${shortestTemplate()}\n---\n${variation}---\n${face}---\nname: $publisher::T::v1::Action::X\nreactor: x\n`
    expect(await loadText(text)).toMatchObject({ documents: [{ kind: 'template' }], others: 3, problems: [] })
    expect(await loadText(text, 'action')).toMatchObject({
      documents: [{ name: 'acme.com::T::v1::Action::X' }],
      others: 3,
    })
  })

  test('kind says it outright, and is not sent; nor is $schema', async () => {
    const { documents, others } = await loadText(
      `kind: variation\n$schema: ./x.json\n${shortestTemplate()}\n---\nkind: face\n`,
      'variation',
    )
    expect(documents).toMatchObject([{ kind: 'variation', valid: false }])
    expect(Object.keys(documents[0]?.value ?? {})).toEqual(['template', 'vatom'])
    expect(others).toBe(1)
  })

  test('a document that does not tell its kind counts as the noun', async () => {
    const { problems, others } = await loadText('titel: x\n', 'face')
    expect(others).toBe(0)
    expect(problems.map(({ path }) => path)).toContain('display_url')
  })

  test('a file named outright must hold the noun; one in a folder need not', async () => {
    const files = { 'd/v.yaml': variation }
    const outright = await loadFiles(files)
    expect(outright.problems).toEqual([
      expect.objectContaining({ rule: 'no-document', message: 'holds no template, only other documents' }),
    ])
    expect(await loadFiles(files, 'template', ['d'])).toMatchObject({ problems: [], others: 1, documents: [] })
  })
})

describe('documents of one run', () => {
  test('two of one name: the second is a problem that points at the first', async () => {
    const { problems, documents } = await loadFiles({
      'a.yaml': shortestTemplate(),
      'b.yaml': `# again\n${shortestTemplate()}`,
    })
    expect(problems).toMatchObject([
      {
        file: 'b.yaml',
        line: 2,
        column: 11,
        rule: 'duplicate-name',
        message: 'a second template named acme.com::T::v1; the first is at a.yaml:1:11',
        hint: 'keep one of them, or give one another name',
      },
    ])
    expect(documents.map(({ valid }) => valid)).toEqual([true, false])
  })

  test('faces have no names', async () => {
    const { problems } = await loadText(`${face}---\n${face.replace('icon', 'card')}`, 'face')
    expect(problems).toEqual([])
  })

  test('a variation and a face are held to their template when it is there', async () => {
    const files = {
      't.yaml': shortestTemplate(),
      'v.yaml': `${variation}vatom:\n  private:\n    b: 1\n`,
      'f.yaml': face,
    }
    expect((await loadFiles(files, 'variation', ['.'])).problems).toMatchObject([
      { rule: 'ios-drops', file: 'v.yaml', line: 1, column: 21 },
      { rule: 'overlay-private', file: 'v.yaml', line: 5, column: 5, message: expect.stringContaining('t.yaml:1:11') },
    ])
    expect((await loadFiles(files, 'face', ['.'])).problems).toMatchObject([
      { rule: 'face-resource', file: 'f.yaml', line: 5, column: 13 },
    ])
    expect((await loadFiles(files, 'face', ['f.yaml'])).problems).toEqual([])
  })

  test.each([
    ['another section of the template', `${shortestTemplate()}\nx: 1`, 'private: {b: 1}', 'overlay-private'],
    ['a field beside its resources', shortestTemplate('titel: x'), type(resources), 'overlay-resources'],
    ['another part of the variation', shortestTemplate(), `${type('titel: x')}, private: {b: 1}`, 'overlay-private'],
  ])('an error in %s hides no other mistake of the variation', async (_what, template, vatom, rule) => {
    const files = { 't.yaml': template, 'v.yaml': `${variation}vatom: {${vatom}}\n` }
    const { problems } = await loadDocuments(['.'], { ...options(folderWith(files)), noun: undefined })
    expect(problems.map((one) => one.rule)).toEqual(expect.arrayContaining([rule, 'unknown-field']))
  })

  test.each([
    ['a misspelt section', shortestTemplate().replace('private:', 'privat:'), 'private: {b: 1}'],
    ['misspelt resources', shortestTemplate('resorces: []'), type(resources)],
    ['resources with an error', shortestTemplate('resources: [{nam: B}]'), type(resources)],
    ['a wrong root_type', shortestTemplate().replace(/root_type: .*/, 'root_type: Folder'), type('child_policy: []')],
    ['YAML that cannot be read', 'template: [', 'private: {b: 1}'],
  ])('%s of the template is no mistake of its variation', async (_what, template, vatom) => {
    const files = { 't.yaml': template, 'v.yaml': `${variation}vatom: {${vatom}}\n` }
    const { problems } = await loadDocuments(['.'], { ...options(folderWith(files)), noun: undefined })
    expect(problems.filter(({ file }) => file === 't.yaml')).not.toEqual([])
    expect(problems.filter(({ file, severity }) => file === 'v.yaml' && severity === 'error')).toEqual([])
  })

  test('all problems of all files, by file and place', async () => {
    const wrong = `unpublished: no\n${shortestTemplate('titel: x')}\n---\n- a\n`
    const { problems } = await loadFiles({ 'b.yaml': wrong, 'a.yaml': 'x: [\n' }, 'template', [
      'b.yaml',
      'nope',
      'a.yaml',
    ])
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'nope:undefined',
      'b.yaml:1',
      'b.yaml:6',
      'b.yaml:10',
      'a.yaml:1',
    ])
  })
})

describe('what is sent', () => {
  test('$publisher and short names are written out', async () => {
    const { documents } = await loadText(`template: $publisher::Shelf::v1
vatom:
  vAtom::vAtomType:
    root_type: vAtom::vAtomType::DiscoverContainerType
    query:
      scope: {key: owner, value: "$currentuser,$publisher::X"}
      filters: [{filter_elems: [{field: template, filter_op: Eq, value: $publisher::T::v1}, {field: private.colour, filter_op: Ne, value: red}]}]
`)
    expect(documents[0]).toMatchObject({ valid: true, name: 'acme.com::Shelf::v1' })
    expect(documents[0]?.value).toEqual({
      template: 'acme.com::Shelf::v1',
      vatom: {
        'vAtom::vAtomType': {
          root_type: 'vAtom::vAtomType::DiscoverContainerType',
          query: {
            scope: { key: 'vAtom::vAtomType.owner', value: '$currentuser,acme.com::X' },
            filters: [
              {
                filter_elems: [
                  { field: 'vAtom::vAtomType.template', filter_op: 'Eq', value: 'acme.com::T::v1' },
                  { field: 'private.colour', filter_op: 'Ne', value: 'red' },
                ],
              },
            ],
          },
        },
      },
    })
  })

  test('without a publisher $publisher stays, and foreign names pass', async () => {
    const folder = folderWith({
      'a.yaml': `${shortestTemplate()}\n---\n${shortestTemplate().replace('$publisher', 'other.com')}`,
    })
    const { documents, problems } = await loadDocuments(['a.yaml'], { ...options(folder), publisher: undefined })
    expect(names({ documents })).toEqual(['$publisher::T::v1', 'other.com::T::v1'])
    expect(problems).toEqual([])
  })

  test('a foreign name is a problem', async () => {
    const { problems } = await loadText(shortestTemplate().replace('$publisher', 'other.com'))
    expect(places(problems)).toEqual(['publisher-name 1:11'])
  })
})

describe('JSON files', () => {
  const json = (text: string) => loadFiles({ 'a.json': text })
  test.each([
    ['a comma too many', '{\n\t"a": 1,\n}', 'json-syntax 3:1', 'remove the comma after the last entry'],
    ['a comment', '{\n  // x\n}', 'json-syntax 2:3', 'JSON has no comments, and only double quotes'],
    ['YAML', 'a: 1', 'json-syntax 1:1', undefined],
    ['an end too early', '{"a": [1, 2', 'json-syntax 1:12', undefined],
    ['nothing', ' ', 'empty', 'write a document in it: vatom help catalog shows the kinds; or remove the file'],
  ])('%s', async (_name, text, place, hint) => {
    const { problems } = await json(text)
    expect(places(problems)).toEqual([place])
    expect(problems[0]?.hint).toBe(hint)
  })

  test('has places like YAML, tabs or not', async () => {
    const { problems } = await json(
      '{\n\t"template": "$publisher::J::v1",\n\t"vatom": {"vAtom::vAtomType": {"root_type": 3}}\n}',
    )
    expect(places(problems)).toEqual(['value 3:46'])
  })
})

test('locate answers places of the server’s issues, and the nearest place for what is not there', async () => {
  const { documents } = await loadText(shortestTemplate('resources:\n  - name: A\n    value: {}'))
  const place = (...path: (string | number)[]) => {
    const span = documents[0]?.locate(path)
    return span && `${span.line}:${span.column}-${span.endColumn}`
  }
  const resources = ['vatom', 'vAtom::vAtomType', 'resources']
  expect(place('template')).toBe('1:11-28')
  expect(place(...resources)).toBe('5:5-14')
  expect(place(...resources, 0)).toBe('6:9-16')
  expect(place(...resources, 0, 'name')).toBe('6:15-16')
  expect(place(...resources, 0, 'value', 'value')).toBe('7:9-14')
  expect(place(...resources, 7, 'name')).toBe('5:5-14')
  expect(place('nowhere')).toBe('1:1-28')
})

test('locate finds keys that are quoted, merged, or in a value that an alias stands for', async () => {
  const text = shortestTemplate(
    '',
    'base: &base {"x\\u0079": 1}\nday: {y: 2, <<: [*base]}\nsame: *base\nlist: [a, {b}]',
  )
  const { documents } = await loadText(text)
  const place = (...path: (string | number)[]) => {
    const span = documents[0]?.locate(['vatom', 'private', ...path])
    return span && text.split('\n')[span.line - 1]?.slice(span.column - 1, span.endColumn - 1)
  }
  expect(place('base')).toBe('base')
  expect(place('base', 'xy')).toBe('1')
  expect(place('day', 'y')).toBe('2')
  expect(place('day', 'xy')).toBe('1')
  expect(place('day', 'z')).toBe('day')
  expect(place('same')).toBe('*base')
  expect(place('same', 'xy')).toBe('1')
  expect(place('list', 0)).toBe('a')
  expect(place('list', 1, 'b')).toBe('b')
  expect(place('list', 2)).toBe('list')
})

test('what the parser made of documents does not stay in memory', async () => {
  const entries = 2000
  const { documents } = await loadText(shortestTemplate('', `list: [${'1, '.repeat(entries)}]`))
  expect(queryObjects(Scalar, { format: 'count' })).toBeLessThan(entries)
  expect(documents[0]?.locate(['vatom', 'private', 'list', entries - 1])).toMatchObject({ line: 7 })
})

describe('a record as the service answers it', () => {
  test.each([
    ['template get NAME --yaml', { name: '$publisher::T::v1', properties: { template: { 'vAtom::vAtomType': {} } } }],
    ['variation get NAME --yaml', { name: '$publisher::T::v1::A', properties: { template: '$publisher::T::v1' } }],
    ['face get ID', { id: 'a', template: '$publisher::T::v1', properties: { display_url: 'native://image' } }],
    ['action get NAME --yaml', { name: '$publisher::T::v1::Action::A', properties: { reactor: 'blockv://v1/Drop' } }],
  ])('has the command that prints its document: %s', async (command, record) => {
    const folder = folderWith({ 'a.yaml': shortestTemplate(), 'one.json': JSON.stringify({ ...record, meta: {} }) })
    const { problems } = await validate(folder, ['a.yaml', 'one.json'], { noun: undefined })
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(new Set(errors.map(({ file }) => file))).toEqual(new Set(['one.json']))
    expect(errors.find(({ path }) => path === 'properties')?.hint).toContain(`vatom ${command} prints the document`)
  })
})

test('the record of a template is one for commands of other kinds, too', async () => {
  const record = { name: '$publisher::T::v1', meta: {}, properties: { template: { 'vAtom::vAtomType': {} } } }
  const folder = folderWith({ 'one.json': JSON.stringify(record) })
  const { problems } = await validate(folder, ['one.json'], { noun: 'variation' })
  expect(problems).toMatchObject([{ hint: 'it holds 1 template' }])
})

describe('a document whose kind a misspelt field shows', () => {
  const catalog = {
    'a.yaml': `${shortestTemplate(resources.replace('name: B', 'name: Image, resourceType: "ResourceType::Image::PNG"'))}`,
    'faces.yaml': face,
  }
  test.each([
    ['template_variaton', 'template_variation', `${variation}vatom: {${type('title: A')}}\n`],
    ['display_ulr', 'display_url', face],
    ['reacter', 'reactor', 'name: $publisher::T::v1::Action::Drop\nreactor: blockv://v1/Drop\n'],
  ])('%s is one error, there, with the right field', async (misspelt, field, text) => {
    const folder = folderWith({ ...catalog, 'one.yaml': text.replace(field, misspelt) })
    const { problems } = await validate(folder, ['a.yaml', 'faces.yaml', 'one.yaml'], { noun: undefined })
    expect(problems.map(({ file, rule, hint }) => [file, rule, hint])).toEqual([
      ['one.yaml', 'unknown-field', `did you mean ${field}?`],
    ])
  })

  test.each(['name', 'variation', 'variation_name', 'title'])(
    '%s with the name of a variation is of one',
    async (word) => {
      const other = `${variation}vatom: {${type('title: A')}}\n`.replace('template_variation', word)
      const folder = folderWith({ ...catalog, 'one.yaml': other })
      const { problems } = await validate(folder, ['a.yaml', 'one.yaml'], { noun: undefined })
      expect(problems.map(({ file, rule, path }) => [file, rule, path])).toEqual([
        ['one.yaml', 'required', 'template_variation'],
        ['one.yaml', 'unknown-field', word],
      ])
      expect(problems[1]?.hint).toContain('template_variation')
    },
  )

  test.each(['nmae', 'action', 'template_name'])('%s with the name of an action is of one', async (word) => {
    const folder = folderWith({
      ...catalog,
      'one.yaml': `template: $publisher::T::v1\n${word}: $publisher::T::v1::Action::Go\n`,
    })
    const { problems } = await validate(folder, ['a.yaml', 'one.yaml'], { noun: undefined })
    expect(problems.map(({ path }) => path)).not.toContain('template_variation')
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: 'one.yaml', rule: 'required', path: 'reactor' }),
        expect.objectContaining({ file: 'one.yaml', rule: 'unknown-field', path: word }),
      ]),
    )
  })
})
