import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Context } from '../../../src/cli/context.ts'
import { answersFrom } from '../../../src/cli/init/questions.ts'
import { jsonSchemaFor } from '../../../src/contract/derived/json-schema.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { kinds, rootTypes } from '../../../src/contract/values.ts'
import { template } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { swapOnNextFile } from '../../support/file-calls.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const base = ['shop.yaml', 'shop.variation.yaml', 'shop.faces.yaml', 'shop.actions.yaml']
const schemas = kinds.map((kind) => `.vatom/${kind}.schema.json`)

/** Publishes everything of a catalog, and emits from it. */
async function publishAll({ json, vatom }: Desk, folder: string, name: string) {
  await json('template', 'create', folder)
  await json('variation', 'create', folder)
  await json('face', 'register', folder)
  await json('action', 'register', folder)
  const template = `local.vatom::${name}::v1`
  for (const [noun, one] of [
    ['template', template],
    ['variation', `${template}::First`],
  ] as const)
    expect(await vatom(noun, 'publish', one, '--confirm', one)).toMatchObject({ code: 0 })
  expect(await json('emit', `${template}::First`, '--num', '2')).toMatchObject({ num_created: 2, num_errors: 0 })
}

/** What an independent reader of JSON Schema has against the documents below a folder, by the lines for editors. */
function faults(folder: string): unknown[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'vatom.yaml')
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n---\n')
      .flatMap((text): unknown[] => {
        const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
        const path = join(folder, dirname(file), schema)
        if (schema === '' || !existsSync(path)) return [{ file, schema }]
        const validate = ajv.compile({ ...JSON.parse(readFileSync(path, 'utf8')), $id: undefined })
        return parseAllDocuments(text).flatMap((document) =>
          validate(document.toJS()) ? [] : [{ file, errors: validate.errors }],
        )
      }),
  )
}

test('a discover container shows what is of its category, and not itself', async () => {
  const desk = await publisher()
  const make = async (name: string, ...options: string[]) => {
    await desk.vatom('init', name, '--name', name, ...options)
    await desk.vatom('apply', name, '--yes')
    return (await desk.vatom('emit', name)).out.trim()
  }
  const shelf = await make('Shelf', '--root-type', 'vAtom::vAtomType::DiscoverContainerType')
  const coupon = await make('Coupon')
  expect(await desk.json('inventory', '--folder', shelf)).toMatchObject({ vatoms: [{ id: coupon }] })
})

describe.each(transports)('%s', (transport) => {
  test('writes a catalog that validates and publishes as it is', async () => {
    const desk = await publisher({ transport })
    expect(await desk.vatom('init', 'shop')).toEqual({
      code: 0,
      out: [...base, ...schemas, 'vatom.yaml', 'README.md'].map((name) => `Wrote shop/${name}\n`).join(''),
      err: 'Next: vatom plan shop\nTo see its vAtoms as viewers draw them: vatom preview shop\n',
    })
    for (const noun of kinds) {
      const { code, err } = await desk.vatom(noun, 'validate', 'shop')
      expect({ noun, code, warned: err.includes('warning') }).toEqual({ noun, code: 0, warned: false })
    }
    expect(faults(join(desk.home, 'shop'))).toEqual([])
    expect(readFileSync(join(desk.home, 'shop/vatom.yaml'), 'utf8')).toMatch(/^catalog: shop-[\da-f]{6}$/m)
    await publishAll(desk, 'shop', 'Shop')
  })
})

test.each(rootTypes)('of root type %s, redeemable and cloneable: publishes', async (rootType) => {
  const desk = await publisher()
  await desk.json('init', 'c', '--name', 'FreeTea', '--root-type', rootType, '--redeemable', '--cloneable')
  expect(faults(join(desk.home, 'c'))).toEqual([])
  expect(await desk.vatom('validate', 'c', '--max-warnings', '0')).toMatchObject({ code: 0 })
  await publishAll(desk, 'c', 'FreeTea')
  const actions = (await desk.json('action', 'list', 'local.vatom::FreeTea::v1')) as unknown[]
  const reactors = actions.map((one) => at(one, 'properties', 'reactor'))
  const open = rootType === 'vAtom::vAtomType::PackageContainerType' ? ['blockv://v1/Open'] : []
  expect(reactors).toEqual(['blockv://v1/Transfer', 'blockv://v1/Redeem', 'blockv://v1/Clone', ...open])
})

test('takes what flags say, quoted where YAML needs it', async () => {
  const { json, home } = await publisher()
  const title = 'yes: "tea" # no'
  expect(
    await json('init', '--name', 'FreeTea_2', '--title', title, '--category', 'null', '--cloneable'),
  ).toMatchObject({ dir: '.', name: 'FreeTea_2', files: expect.arrayContaining(['free-tea-2.yaml']), kept: [] })
  const [document] = parseAllDocuments(readFileSync(join(home, 'free-tea-2.yaml'), 'utf8'))
  expect(document?.toJS()).toMatchObject({
    template: '$publisher::FreeTea_2::v1',
    cloneable: true,
    vatom: { 'vAtom::vAtomType': { title, category: 'null', redeemable: false } },
  })
  expect(faults(home)).toEqual([])
})

test.each([
  ['vAtom::vAtomType', 'Álbum'],
  ['vAtom::vAtomType::DefinedFolderContainerType', 'Álbum'],
  ['vAtom::vAtomType::DefinedFolderContainerType', '夜'.repeat(40)],
])(
  'the README of a catalog of root type %s, %s, says which files publish it, with all that its vAtoms contain',
  async (rootType, template) => {
    const { vatom, home, file } = await publisher()
    expect(await vatom('init', 'c', '--name', template, '--root-type', rootType)).toMatchObject({ code: 0 })
    const [, into = ''] =
      /Write `unpublished: false` into (.*), then:\n/.exec(readFileSync(join(home, 'c/README.md'), 'utf8')) ?? []
    for (const name of into.split(/, | and /)) {
      const text = readFileSync(join(home, 'c', name), 'utf8')
      file(`c/${name}`, text.replace('unpublished: true', 'unpublished: false'))
    }
    expect(await vatom('apply', 'c', '--yes', '--publish')).toMatchObject({ code: 0 })
    expect(await vatom('emit', `local.vatom::${template}::v1::First`, '--num', '11')).toMatchObject({ code: 0 })
  },
)

test('names what is next where files were written, and not for a dry run, after which it would fail', async () => {
  const { vatom } = await publisher()
  const dry = await vatom('init', 'shop', '--no-input', '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('Would write shop/shop.yaml\n') })
  expect(dry.err).not.toContain('vatom')
  const { err } = await vatom('init', 'shop', '--no-input')
  expect(err).toContain('Next: vatom plan shop\n')
  expect(err).toContain('vatom preview shop\n')
})

test('a file is no folder for a catalog, before anything is asked', async () => {
  const { run, home, file } = await publisher()
  file('shop.yaml', 'mine')
  expect(await run(['init', 'shop.yaml'], { tty: true, env: { NO_COLOR: '1' } })).toMatchObject({
    code: 1,
    out: '',
    err: 'error: shop.yaml is not a folder\nhint: choose another folder\n',
  })
  expect(readFileSync(join(home, 'shop.yaml'), 'utf8')).toBe('mine')
})

test('overwrites nothing: a document that is there is refused by name, and nothing is written', async () => {
  const { vatom, json, home, file } = await publisher()
  file('shop/shop.faces.yaml', 'mine')
  expect(await vatom('init', 'shop')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^error: shop\/shop\.faces\.yaml exists already; nothing was written\nhint: .*--name/),
  })
  expect(readdirSync(join(home, 'shop'))).toEqual(['shop.faces.yaml'])
  expect(readFileSync(join(home, 'shop/shop.faces.yaml'), 'utf8')).toBe('mine')
  const { code, out } = await vatom('init', 'shop', '--json')
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, error: { code: 'file_exists' } })
  file('shop/README.md', 'mine')
  expect(await json('init', 'shop', '--name', 'Other')).toMatchObject({ kept: ['shop/README.md'] })
  expect(await json('init', 'shop', '--name', 'Third')).toMatchObject({
    files: ['third.yaml', 'third.variation.yaml', 'third.faces.yaml', 'third.actions.yaml'].map(
      (name) => `shop/${name}`,
    ),
    kept: [...schemas, 'vatom.yaml', 'README.md'].map((name) => `shop/${name}`),
  })
  const { err } = await vatom('init', 'shop', '--name', 'Fourth')
  expect(err).toContain('shop/README.md was there, and stays as it is: it may not name Fourth')
  expect(readFileSync(join(home, 'shop/README.md'), 'utf8')).toBe('mine')
})

test.each(['vatom.yaml', '.vatom/face.schema.json'])('does not take a folder named %s for that file', async (name) => {
  const { vatom, home } = await publisher()
  mkdirSync(join(home, 'shop', name), { recursive: true })
  expect(await vatom('init', 'shop')).toEqual({
    code: 1,
    out: '',
    err: `error: shop/${name} has the name of a file to write, and is none; nothing was written\nhint: move it away, or choose another folder\n`,
  })
  expect(readdirSync(join(home, 'shop'))).toEqual([name.split('/')[0]])
})

test.each([
  ['init', 'shop'],
  ['init', '.', '--dry-run'],
  ['pull', 'shop'],
])('%s %s makes no current folder anew that was deleted', async (...command) => {
  const { run, json, home, file } = await publisher()
  file('there.yaml', template())
  await json('template', 'create', 'there.yaml')
  expect(await run(command, { cwd: 'gone' })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('error: The current folder was deleted\nhint: run it in a folder that exists\n'),
  })
  expect(readdirSync(home)).not.toContain('gone')
  expect(await run(['init', join(home, 'shop')], { cwd: 'gone' })).toMatchObject({ code: 0 })
})

test('finishes what a killed run began', async () => {
  const desk = await publisher()
  await desk.vatom('init', 'whole', '--name', 'Shop')
  await desk.vatom('init', 'shop', '--name', 'Shop')
  for (const name of ['shop.variation.yaml', 'shop.faces.yaml', 'vatom.yaml']) rmSync(join(desk.home, 'shop', name))
  expect(await desk.vatom('init', 'shop', '--name', 'Shop')).toMatchObject({
    code: 0,
    out: 'Wrote shop/shop.variation.yaml\nWrote shop/shop.faces.yaml\nWrote shop/vatom.yaml\n',
  })
  expect(readdirSync(join(desk.home, 'shop'))).toEqual(readdirSync(join(desk.home, 'whole')))
})

test('does not wait for a named pipe in the place of a document', async () => {
  const { vatom, home } = await publisher()
  mkdirSync(join(home, 'shop'))
  execFileSync('mkfifo', [join(home, 'shop/shop.yaml')])
  expect(await vatom('init', 'shop', '--name', 'Shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('shop/shop.yaml exists already; nothing was written'),
  })
  expect(readdirSync(join(home, 'shop'))).toEqual(['shop.yaml'])
})

test.each([
  ['Beer Mug', 'beer-mug'],
  ['Käse', 'käse'],
  ['生ビール', '生ビール'],
])('a template can be named %s, as in every other file', async (name, file) => {
  const { vatom, json, home } = await publisher()
  await json('init', 'shop', '--name', name)
  expect(readFileSync(join(home, `shop/${file}.yaml`), 'utf8')).toContain(`template: $publisher::${name}::v1 `)
  expect(readFileSync(join(home, 'shop/README.md'), 'utf8')).toContain(`vatom template bump '${name}' .`)
  expect(await vatom('apply', 'shop', '--yes')).toMatchObject({ code: 0 })
  expect(await vatom('emit', name)).toMatchObject({ code: 0 })
})

test.each([
  [['--name', 'a::b'], 'a::b cannot be the name'],
  [['--name', 'Beer '], 'Beer  cannot be the name'],
  [['--name', '1st'], '1st cannot be the name'],
  [['--name', 'x'.repeat(65)], 'cannot be the name'],
  [['--title', ' '], '--title must be one line'],
  [['--category', 'a\nb'], '--category must be one line'],
  [['--root-type', 'Folder'], '--root-type cannot be Folder\nhint: choose one of: vAtom::vAtomType'],
])('%j is a usage error, and nothing is written', async (flags, message) => {
  const { vatom, home } = await publisher()
  expect(await vatom('init', 'shop', ...flags)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(message),
  })
  expect(existsSync(join(home, 'shop'))).toBe(false)
})

test('a folder that cannot be made is said', async () => {
  const { vatom, file } = await publisher()
  file('taken', '')
  expect(await vatom('init', 'taken/shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('taken/shop/shop.yaml cannot be written'),
  })
})

test.each([
  ['free-coffee', 'FreeCoffee', 'Free coffee'],
  ['shop', 'Shop', 'Shop'],
  ['2027', 'Starter', 'Starter'],
  ['ünicode', 'Ünicode', 'Ünicode'],
  ['喫茶-店', '喫茶店', '喫茶店'],
])('a folder %s gives the name %s and the title %s', async (dir, name, title) => {
  const { json, home } = await publisher()
  const { files } = (await json('init', dir)) as { files: string[] }
  const text = readFileSync(join(home, files[0] ?? ''), 'utf8')
  expect(text).toContain(`template: $publisher::${name}::v1`)
  expect(text).toContain(`    title: ${title}\n`)
})

test.each([
  ['mi tienda & café', 'mi-tienda-cafe'],
  ['Otoño -- 2027', 'Otono-2027'],
  ['cafe\u0301.shop_1', 'cafe.shop_1'],
  ['秋祭り', 'catalog'],
  ['秋 - tea', 'tea'],
  [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
])('a folder %s gives the catalog a name that can be read', async (dir, name) => {
  const { vatom, home } = await publisher()
  expect(await vatom('init', dir)).toMatchObject({ code: 0 })
  const [, catalog = ''] = /^catalog: (.*)-[\da-f]{6}$/m.exec(readFileSync(join(home, dir, 'vatom.yaml'), 'utf8')) ?? []
  expect(catalog).toBe(name)
  expect(await vatom('validate', dir)).toMatchObject({ code: 0 })
})

test('a part of a catalog gets no vatom.yaml, and its documents are of that catalog', async () => {
  const { vatom, json, file, home } = await publisher()
  file('c/vatom.yaml', 'catalog: c\nignore: [drafts/]\n')
  const { code, out, err } = await vatom('init', 'c/tea')
  expect({ code, out, err }).toEqual({
    code: 0,
    out: expect.not.stringContaining('vatom.yaml'),
    err: expect.stringContaining('c/tea is a part of the catalog in c: it gets no vatom.yaml of its own\n'),
  })
  expect(existsSync(join(home, 'c/tea/vatom.yaml'))).toBe(false)
  await json('apply', 'c/tea', '--yes')
  expect(await vatom('pull', 'c')).toMatchObject({ code: 0, err: expect.stringContaining('5 documents: 5 unchanged') })
  expect(await vatom('init', 'c/drafts/chai')).toMatchObject({ err: expect.not.stringContaining('a part of') })
  expect(existsSync(join(home, 'c/drafts/chai/vatom.yaml'))).toBe(true)
})

test('on a terminal asks for what no flag says, each with its flag and the usual', async () => {
  const asked: unknown[] = []
  const prompt = {
    canAsk: () => true,
    text: async (_question: string, flag: string, { preset }: { readonly preset: string }) => {
      asked.push([flag, preset])
      return flag === '--name' ? 'FreeTea' : preset
    },
    choose: async (_question: string, flag: string, values: object) => {
      asked.push([flag, Object.keys(values)])
      return rootTypes[1]
    },
    confirm: async (_question: string, flag: string) => {
      asked.push([flag])
      return true
    },
  }
  const context = { prompt, host: { cwd: '/home/me' } } as unknown as Context
  expect(await answersFrom('shop', { redeemable: false }, context)).toEqual({
    name: 'FreeTea',
    title: 'Free tea',
    category: 'Coupons',
    rootType: rootTypes[1],
    redeemable: false,
    cloneable: true,
  })
  expect(asked).toEqual([
    ['--name', 'Shop'],
    ['--title', 'Free tea'],
    ['--category', 'Coupons'],
    ['--root-type', [...rootTypes]],
    ['--cloneable'],
  ])
})

const examples = join(import.meta.dirname, '../../../templates-examples')

test('the examples carry the line for editors, and an independent validator finds nothing against them', () => {
  expect(faults(examples)).toEqual([])
})
test.each(kinds)('the schema of a %s beside the examples is current: vatom schema writes it', (kind) => {
  const kept = JSON.parse(readFileSync(join(examples, `.vatom/${kind}.schema.json`), 'utf8'))
  expect(kept).toEqual(jsonSchemaFor(kind))
})

test('a folder that comes with vAtoms says which, and has them once it is emitted', async () => {
  const { vatom, json } = await publisher()
  const type = 'vAtom::vAtomType::DefinedFolderContainerType'
  expect(await vatom('init', 'shop', '--name', 'Pack', '--root-type', type)).toMatchObject({ code: 0 })
  expect(await vatom('validate', 'shop')).toMatchObject({ code: 0, err: expect.not.stringContaining('warning') })
  expect(await vatom('apply', 'shop', '--yes')).toMatchObject({ code: 0 })
  expect(await vatom('emit', '$publisher::Pack::v1::First')).toMatchObject({ code: 0 })
  const records = JSON.stringify(await json('inventory', '--all'))
  expect(records).toContain('"template_variation":"local.vatom::Pack::v1::First"')
  const template = await json('template', 'get', '$publisher::Pack::v1')
  expect(JSON.stringify(template)).toContain('"template_variation":"local.vatom::PackItem::v1::First"')
  expect(await vatom('discover', '--filter', 'template = local.vatom::PackItem::v1', '--count')).toMatchObject({
    code: 0,
    out: '1\n',
  })
})

test('the commands of the README hold after a new version: none names the old one', async () => {
  const { vatom, json, home } = await publisher()
  await json('init', 'shop', '--name', 'Tea')
  const readme = () => readFileSync(join(home, 'shop/README.md'), 'utf8')
  expect(readme()).not.toContain('v1')
  expect(readme()).toMatch(/^vatom emit Tea +# /m)
  await json('apply', 'shop', '--yes')
  expect(await vatom('emit', 'Tea')).toMatchObject({ code: 0 })
  expect(readme()).toContain('\nvatom template bump Tea .\n')
  await json('template', 'bump', 'Tea', 'shop')
  await json('apply', 'shop', '--yes')
  const both = await vatom('emit', 'Tea')
  expect(both).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('vatom emit local.vatom::Tea::v2::First'),
  })
})

test('a template with the name of the project file is in another file', async () => {
  const { home, vatom } = await publisher()
  expect(await vatom('init', 'vatom', '--name', 'Vatom')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 'vatom/vatom.yaml'), 'utf8')).toMatch(/^catalog: /m)
  expect(readFileSync(join(home, 'vatom/template-vatom.yaml'), 'utf8')).toMatch(/^template: /m)
  expect(await vatom('validate', 'vatom')).toMatchObject({ code: 0 })
})

test('writes nothing outside of the folder through a link', async () => {
  const { vatom, home } = await publisher()
  for (const name of ['shop', 'elsewhere']) mkdirSync(join(home, name))
  symlinkSync('../elsewhere', join(home, 'shop/.vatom'))
  const { code, err } = await vatom('init', 'shop')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('shop/.vatom/template.schema.json is outside of the folder because of a link'),
  })
  expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
  expect(readdirSync(join(home, 'shop'))).toEqual(['.vatom'])
})

test('writes nothing elsewhere where a link is made in the place of its folder meanwhile', async () => {
  const { vatom, home } = await publisher()
  for (const name of ['shop', 'elsewhere']) mkdirSync(join(home, name))
  swapOnNextFile(join(home, 'shop'), join(home, 'shop'), join(home, 'elsewhere'))
  const { code, err } = await vatom('init', 'shop')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/shop\/\S+ is not written: a link points outside the folder/),
  })
  expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
})

test.runIf(existsSync('/sys'))(
  'a folder that cannot be written to is said once to be that, and what to do',
  async () => {
    const { vatom } = await publisher()
    const { code, err } = await vatom('init', '/sys/shop', '--name', 'Tea', '--title', 'Tea')
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^error: \/sys\/shop\/\S+ cannot be written: (permission denied|the file system is read-only)\nhint: no file of this step was changed(; correct the permissions of its folder, or choose another one)?\n$/,
      ),
    })
  },
)

test.each(['redeemable', 'cloneable'])('--%s and its opposite exclude each other, in either order', async (name) => {
  const { vatom, home } = await publisher()
  for (const flags of [
    [`--${name}`, `--no-${name}`],
    [`--no-${name}`, `--${name}`],
  ])
    expect(await vatom('init', 'shop', ...flags)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`error: --${name} and --no-${name} exclude each other\n`),
    })
  expect(existsSync(join(home, 'shop'))).toBe(false)
})

test('the next commands after init take a folder for one whose name begins with a hyphen', async () => {
  const { vatom } = await publisher()
  const { code, err } = await vatom('init', '--name', 'Tea', '--', '-x')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/^Next: vatom plan \.\/-x\n.*: vatom preview \.\/-x$/m),
  })
  expect(await vatom('plan', './-x')).toMatchObject({ code: 0 })
})
