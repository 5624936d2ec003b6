import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wholeRules } from '../../../src/contract/rules/catalog.ts'
import type { KindName } from '../../../src/contract/values.ts'
import type { Validation } from '../../../src/documents/cache/cached-validation.ts'
import { constraints, shortestTemplate } from '../../fixtures/yaml.ts'
import { folderWith, writeFiles } from '../../support/folders.ts'
import { validate } from '../../support/loading.ts'

const variation = (custom = 'a: 2') =>
  `template_variation: $publisher::T::v1::A\ntemplate: $publisher::T::v1\nvatom:\n  private:\n    ${custom}\n`
const whole = shortestTemplate('title: T\ndescription: T\ncategory: T')
const cached = (folder: string, noun: KindName | undefined, fingerprint = '1') =>
  validate(folder, ['.'], { noun, cacheDir: join(folder, '.cache'), fingerprint })
const plainly = (folder: string, noun: KindName | undefined) => validate(folder, ['.'], { noun })
const shards = (folder: string) =>
  readdirSync(join(folder, '.cache/documents')).map((name) => join(folder, '.cache/documents', name))
/** Changes the files of the cache. */
const forge = (folder: string, change: (text: string) => string) => {
  for (const shard of shards(folder)) writeFileSync(shard, change(readFileSync(shard, 'utf8')))
}

describe('without a cache', () => {
  test('one row a document, and one for a file without', async () => {
    const folder = folderWith({ 'a.yaml': `${shortestTemplate()}\n---\n${variation()}---\nx: 1\n`, 'b.yaml': '' })
    const { rows, others, problems } = await validate(folder, ['a.yaml', 'b.yaml', 'nope'])
    expect(rows.map(({ file, kind, name, valid }) => [file, kind, name, valid])).toEqual([
      ['nope', 'template', '', false],
      ['a.yaml', 'template', 'acme.com::T::v1', true],
      ['a.yaml', 'template', '', false],
      ['b.yaml', 'template', '', false],
    ])
    expect(others).toBe(1)
    expect(rows.flatMap((row) => row.problems)).toEqual(problems)
  })
})

test('a file without a document is no template that was renamed', async () => {
  const folder = folderWith({ 'notes.yaml': 'just text', 'v.yaml': variation(), 'vatom.yaml': 'ignore: []' })
  const { problems } = await validate(folder, ['.'], { noun: undefined, ifWhole: wholeRules })
  expect(problems.map(({ file, rule }) => [file, rule])).toEqual([
    ['notes.yaml', 'type'],
    ['v.yaml', 'template-missing'],
  ])
  expect(JSON.stringify(problems)).not.toContain('renamed')
})

describe('with a cache', () => {
  test('valid files are known the second time; nobody else may read the cache', async () => {
    const folder = folderWith({ 'a.yaml': shortestTemplate(), 'b.yaml': variation() })
    const first = await cached(folder, 'template')
    forge(folder, (text) => text.replaceAll('acme.com::T::v1', 'from the cache'))
    const second = await cached(folder, 'template')
    expect(first.rows.map(({ name }) => name)).toEqual(['acme.com::T::v1'])
    expect(second.rows.map(({ name }) => name)).toEqual(['from the cache'])
    expect(second.others).toBe(1)
    for (const shard of shards(folder)) expect(statSync(shard).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, '.cache/documents')).mode & 0o777).toBe(0o700)
  })

  test.each<[string, (folder: string) => unknown]>([
    ['the file changed', (folder) => writeFiles(folder, { 'a.yaml': `${shortestTemplate()}\n# more\n` })],
    ['the cache is corrupt', (folder) => forge(folder, (text) => text.replaceAll('[', '{'))],
    ['the cache is of another format', (folder) => forge(folder, (text) => `x${text}`)],
    ['the cache is cut', (folder) => forge(folder, (text) => text.slice(0, 60))],
    ['others may write to its folder', (folder) => chmodSync(join(folder, '.cache/documents'), 0o777)],
    ['others may write to the folder above', (folder) => chmodSync(join(folder, '.cache'), 0o777)],
    ['others may have written it', (folder) => shards(folder).map((shard) => chmodSync(shard, 0o666))],
  ])('the cache is not used when %s', async (_name, change) => {
    const folder = folderWith({ 'a.yaml': shortestTemplate() })
    await cached(folder, 'template')
    forge(folder, (text) => text.replaceAll('acme.com::T::v1', 'from the cache'))
    change(folder)
    expect((await cached(folder, 'template')).rows.map(({ name }) => name)).toEqual(['acme.com::T::v1'])
  })

  test('a file that was made to share a fast checksum with a valid one is not taken for it', async () => {
    const valid = `${shortestTemplate()}\n# `.padEnd(224, 'x')
    const tail = 'v}dzYXNUUJ}vyRjMLQZ]x@MvcMFNFFaAefFGKCs~r|}RqCzdShbnx@WY@hzLAmX@NRP]YrVZ[ERvmnHNOtTsSJ]vR|Ta}FKN'
    const wrong = `${shortestTemplate('titel: x').replace('T::v1', 'Evil::v1')}\n# xxx${tail}`
    const folder = folderWith({ 'a.yaml': valid })
    expect((await cached(folder, 'template')).problems).toEqual([])
    writeFiles(folder, { 'a.yaml': wrong })
    const { rows } = await cached(folder, 'template')
    expect(rows.map(({ name, valid }) => [name, valid])).toEqual([['acme.com::Evil::v1', false]])
  })

  test('another publisher, noun or version, and a service on this machine, start anew', async () => {
    const folder = folderWith({ 'a.yaml': shortestTemplate() })
    await cached(folder, 'template')
    forge(folder, (text) => text.replaceAll('acme.com::T::v1', 'from the cache'))
    expect((await cached(folder, 'template', '2')).rows[0]?.name).toBe('acme.com::T::v1')
    expect((await cached(folder, 'variation')).others).toBe(1)
    const stored = { cacheDir: join(folder, '.cache'), fingerprint: '1' }
    expect((await validate(folder, ['.'], { ...stored, localPorts: [] })).rows[0]?.name).toBe('acme.com::T::v1')
    expect((await validate(folder, ['.'], { ...stored, publisher: 'other.com' })).rows[0]?.name).toBe(
      'other.com::T::v1',
    )
  })

  test('what is wrong with a file is known the second time, too, with its corrections', async () => {
    const folder = folderWith({
      'a.yaml': shortestTemplate('', 'serial: 0012'),
      'b.yaml': shortestTemplate('titel: x').replace('T::v1', 'U::v1'),
    })
    const first = await cached(folder, 'template')
    expect(first.problems.map(({ file }) => file)).toEqual(['a.yaml', 'b.yaml'])
    expect(first.problems.filter(({ edit }) => edit)).toHaveLength(1)
    expect(await cached(folder, 'template')).toEqual(first)
    forge(folder, (text) => text.replaceAll('unknown field', 'from the cache'))
    const { problems } = await cached(folder, 'template')
    expect(problems.map(({ message }) => message)).toContain('from the cache titel in vatom.vAtom::vAtomType')
  })

  test('problems that are not what the cache holds of them are found anew', async () => {
    const folder = folderWith({ 'a.yaml': shortestTemplate('titel: x') })
    const first = await cached(folder, 'template')
    for (const [from, to] of [
      ['"error"', '"none"'],
      ['"line":', '"line":"x","was":'],
      ['"range":', '"ranges":'],
      ['"message":', '"words":'],
    ] as const) {
      forge(folder, (text) => text.replaceAll(from, to))
      expect(await cached(folder, 'template')).toEqual(first)
    }
  })

  test('a variation is checked again when its template changes', async () => {
    const folder = folderWith({ 't.yaml': whole, 'v.yaml': variation() })
    expect((await cached(folder, 'variation')).problems).toEqual([])
    writeFiles(folder, { 't.yaml': whole.replace('a: 1', 'b: 1') })
    expect((await cached(folder, 'variation')).problems).toMatchObject([{ file: 'v.yaml', rule: 'overlay-private' }])
  })

  test('what is advised where a template is missing goes by all files, known ones too', async () => {
    const lost = variation().replaceAll('::T::', '::Lost::')
    const folder = folderWith({ 't.yaml': shortestTemplate(), 'v.yaml': variation(), 'w.yaml': lost })
    const advice = async () => {
      const catalog = { noun: undefined, ifWhole: wholeRules }
      const { problems } = await validate(folder, ['.'], {
        ...catalog,
        cacheDir: join(folder, '.cache'),
        fingerprint: '1',
      })
      expect(problems).toEqual((await validate(folder, ['.'], catalog)).problems)
      return problems.find(({ file }) => file === 'w.yaml')?.hint
    }
    expect(await advice()).toContain('the catalog has')
    writeFiles(folder, { 'w.yaml': `${lost}# changed\n` })
    expect(await advice()).toContain('the catalog has')
    rmSync(join(folder, 'v.yaml'))
    expect(await advice()).toContain('was it renamed')
  })

  test('names that two files share are noticed though both are known', async () => {
    const folder = folderWith({ 'a.yaml': shortestTemplate(), 'b/c.yaml': `# the same\n${shortestTemplate()}` })
    for (const input of ['a.yaml', 'b'])
      await validate(folder, [input], { cacheDir: join(folder, '.cache'), fingerprint: '1' })
    expect((await cached(folder, 'template')).problems).toMatchObject([
      { rule: 'duplicate-name', file: 'b/c.yaml', line: 2 },
    ])
  })

  test('a file named outright that holds none is a problem though it is known', async () => {
    const folder = folderWith({ 'd/v.yaml': variation() })
    await cached(folder, 'template')
    const { problems } = await validate(folder, ['d/v.yaml'], { cacheDir: join(folder, '.cache'), fingerprint: '1' })
    expect(problems).toMatchObject([{ rule: 'no-document' }])
  })

  test('a folder that cannot be written costs nothing but time', async () => {
    const folder = folderWith({ 'a.yaml': shortestTemplate(), cache: 'a file' })
    const { rows } = await validate(folder, ['a.yaml'], { cacheDir: join(folder, 'cache'), fingerprint: '1' })
    expect(rows).toMatchObject([{ valid: true }])
  })
})

const face = (viewMode = 'icon', platform = 'generic') => `template: $publisher::T::v1
display_url: native://image
package_url: .
constraints: ${constraints({ view_mode: viewMode, platform })}
resources: []
`
const shelf = shortestTemplate('').replace(
  'root_type: vAtom::vAtomType',
  'root_type: vAtom::vAtomType::DiscoverContainerType',
)

describe('what is valid alone is checked again in company', () => {
  const found = async (folder: string, noun: KindName) =>
    (await cached(folder, noun)).problems.map(({ file, rule }) => `${file} ${rule}`)
  test.each<[string, KindName, Record<string, string>, Record<string, string>, string[]]>([
    ['a face that is no icon', 'template', { 'a.yaml': whole }, { 'f.yaml': face('card') }, ['a.yaml icon-face']],
    ['an earlier face alike', 'face', { 'f.yaml': face() }, { 'a.yaml': `# more\n${face()}` }, ['f.yaml face-twice']],
    [
      'the template of ios faces',
      'face',
      { 'f.yaml': face('icon', 'ios') },
      { 'a.yaml': whole },
      ['f.yaml face-needs', 'f.yaml face-platforms'],
    ],
    [
      'a template of nearly the name',
      'variation',
      { 'v.yaml': variation().replaceAll('T::v1', 'Cofee::v1') },
      { 'a.yaml': whole.replaceAll('T::v1', 'Coffee::v1') },
      ['v.yaml template-name'],
    ],
  ])('%s', async (_name, noun, alone, company, problems) => {
    const folder = folderWith(alone)
    expect(await found(folder, noun)).toEqual([])
    expect(await found(folder, noun)).toEqual([])
    writeFiles(folder, company)
    expect(await found(folder, noun)).toEqual(problems)
    expect(await found(folder, noun)).toEqual(problems)
  })

  test('and what is valid in company is checked again alone', async () => {
    const query = `vatom: {vAtom::vAtomType: {title: a, description: b, category: c, query: {}}}`
    const folder = folderWith({ 't.yaml': shelf, 'v.yaml': variation().replace(/vatom:.*/s, query) })
    expect(await found(folder, 'template')).toEqual([])
    rmSync(join(folder, 'v.yaml'))
    expect(await found(folder, 'template')).toEqual(['t.yaml discover-query'])
  })

  test('of two files of one content only the second is a face too many, each time', async () => {
    const folder = folderWith({ 'a.yaml': face(), 'b.yaml': face() })
    for (const _ of [1, 2, 3]) expect(await found(folder, 'face')).toEqual(['b.yaml face-twice'])
  })
})

/** Small files that refer to each other and clash now and then. */
const parts = fc.constantFrom(
  face(),
  face('card'),
  face('card', 'ios'),
  face().replaceAll('T::v1', 'U::v1'),
  whole,
  shelf,
  'name: $publisher::T::v1::Action::Transfer\nreactor: blockv://v1/Transfer\nwait: no',
  'name: $publisher::T::v1::Action::Transfer\nreactor: blockv://v1/Transfer',
  `# vatom-ignore-file icon-face\n${whole}`,
  `# vatom-ignore template-name, face-twice\n${face('icon', 'web')}`,
  shortestTemplate().replace('T::v1', 'Coffee::v1'),
  variation().replaceAll('T::v1', 'Cofee::v1'),
  shortestTemplate(),
  shortestTemplate().replace('a: 1', 'b: 1'),
  shortestTemplate().replace('T::v1', 'U::v1'),
  shortestTemplate('titel: x'),
  shortestTemplate('', 'serial: 0012'),
  variation(),
  variation('b: 2'),
  variation().replaceAll('T::v1', 'U::v1'),
  '- a',
  'x: [',
  '# nothing',
)
const content = fc.array(parts, { minLength: 1, maxLength: 2 }).map((texts) => texts.join('\n---\n'))
const catalog = fc.dictionary(fc.constantFrom('a.yaml', 'b.yaml', 'c.yaml', 'd/e.yaml'), content, { minKeys: 1 })
const noun = fc.constantFrom<KindName | undefined>('template', 'variation', 'face', 'action', undefined)
const same = ({ rows, problems, others, sources }: Validation) => ({ rows, problems, others, sources: [...sources] })

test('the same findings with a cache and without, whatever changed in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(catalog, noun), { minLength: 2, maxLength: 4 }), async (runs) => {
      const folder = folderWith({})
      for (const [files, kind] of runs) {
        writeFiles(folder, files)
        expect(same(await cached(folder, kind))).toEqual(same(await plainly(folder, kind)))
      }
    }),
    { numRuns: 25 },
  )
})

test.each([
  ['leads to a file that is missing', 'missing.yaml'],
  ['leads to a file outside that says nothing', join(import.meta.dirname, '../../../package.json')],
])('a link that %s may be a face: a template without one is not warned of, with a cache or without', async (_, to) => {
  const folder = folderWith({ 'vatom.yaml': 'catalog: t\n', 't.yaml': whole })
  const found = async (options: { cacheDir?: string; fingerprint?: string }) => {
    const { problems } = await validate(folder, ['.'], { ifWhole: wholeRules, ...options })
    return problems.map(({ file, rule }) => `${file} ${rule}`)
  }
  const cache = { cacheDir: join(folder, '.cache'), fingerprint: '1' }
  expect(await found({})).toEqual(['t.yaml no-face'])
  expect(await found(cache)).toEqual(['t.yaml no-face'])
  symlinkSync(to, join(folder, 't.faces.yaml'))
  for (const options of [{}, cache, cache]) expect(await found(options)).toEqual(['t.faces.yaml input'])
  rmSync(join(folder, 't.faces.yaml'))
  expect(await found(cache)).toEqual(['t.yaml no-face'])
})
