import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src/server/service.ts'
import { face, template, variation } from '../fixtures/documents.ts'
import { type Desk, publisher } from '../support/vatom.ts'

/** Each case runs on the local context and over a socket: a command works the same on both. */
interface Case {
  readonly name: string
  readonly service?: Partial<ServiceOptions>
  readonly run: (desk: Desk) => Promise<void>
}

const name = 'local.vatom::Coupon::v1'
const red = `${name}::Red`

/** A published template with a published variation. */
async function stocked(desk: Desk): Promise<Desk> {
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml')
  await desk.json('template', 'publish', name, '--confirm', name)
  await desk.json('variation', 'publish', red, '--confirm', red)
  return desk
}

/** An `eth` section as YAML. */
const eth = (fields: Readonly<Record<string, number>>, network = 'mainnet') =>
  `eth:\n  network: ${network}\n  fields: { ${Object.entries(fields)
    .map(([field, value]) => `${field}: { type: uint, value: ${value} }`)
    .join(', ')} }\n`

/** How many writes the service has recorded. */
async function recorded({ service }: Desk): Promise<number> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  return Object((await (await fetch(`${baseUrl}/__vatom/ledger`)).json()) as object).payload.length
}

const cases: readonly Case[] = [
  {
    name: 'template create prints a row a document under --json',
    run: async ({ file, json }) => {
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
    },
  },
  {
    name: 'template create takes standard input',
    run: async ({ run }) => {
      expect(await run(['template', 'create', '-'], { stdin: template() })).toMatchObject({ code: 0 })
    },
  },
  {
    name: 'template create takes several documents and says which failed: exit 6',
    run: async ({ file, vatom, json }) => {
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
    },
  },
  {
    name: 'several documents that fail alike exit with that code',
    run: async ({ file, vatom, json }) => {
      file('both.yaml', `${template()}---\n${template('$publisher::Other::v1')}`)
      await json('template', 'create', 'both.yaml')
      expect(await vatom('template', 'create', 'both.yaml')).toMatchObject({ code: 1 })
    },
  },
  {
    name: 'a name of another publisher exits 3 with its line, and nothing is sent',
    run: async ({ file, vatom, json }) => {
      file('foreign.yaml', template('acme.com::Coupon::v1'))
      const { code, out, err } = await vatom('template', 'create', 'foreign.yaml')
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toContain('foreign.yaml:1:11')
      expect(err).toContain('local.vatom::')
      expect(await json('template', 'list')).toEqual([])
    },
  },
  {
    name: 'one invalid document keeps all others from being sent',
    run: async ({ file, run, json }) => {
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
    },
  },
  {
    name: 'unpublished: false wants --yes, and publishes',
    run: async ({ file, vatom, json }) => {
      file('final.yaml', template().replace('unpublished: true', 'unpublished: false'))
      expect(await vatom('template', 'create', 'final.yaml')).toMatchObject({
        code: 2,
        err: expect.stringContaining('--yes'),
      })
      expect(await json('template', 'list')).toEqual([])
      expect(await json('template', 'create', 'final.yaml', '--yes')).toMatchObject({
        results: [{ status: 'published' }],
      })
      expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: false } })
    },
  },
  {
    name: 'a document that leaves unpublished out is a draft',
    run: async ({ file, json }) => {
      file('draft.yaml', template().replace('unpublished: true\n', ''))
      await json('template', 'create', 'draft.yaml')
      expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: true } })
    },
  },
  {
    name: 'eth on mainnet states the chain writes and wants --accept-charges, which --yes does not cover',
    run: async ({ file, vatom, json }) => {
      const eth =
        'eth:\n  network: mainnet\n  fields:\n    serial: { type: uint, value: 7 }\n    rare: { type: bool, value: true }\n'
      file('chain.yaml', template('$publisher::Chain::v1', eth))
      const refused = await vatom('template', 'create', 'chain.yaml', '--yes')
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('3 chain writes') })
      expect(refused.err).toContain('--accept-charges')
      expect(await json('template', 'list')).toEqual([])
      expect(await json('template', 'create', 'chain.yaml', '--accept-charges')).toMatchObject({ summary: { ok: 1 } })
    },
  },
  {
    name: 'the chain writes of several documents are stated as one number, which is what the service writes',
    run: async (desk) => {
      desk.file('one.yaml', template('$publisher::A::v1', eth({ serial: 7 })))
      desk.file(
        'two.yaml',
        `${template('$publisher::B::v1', eth({ a: 1, b: 2 }))}---\n${template('$publisher::C::v1')}`,
      )
      const { code, err } = await desk.vatom('template', 'create', 'one.yaml', 'two.yaml', '--accept-charges')
      expect(code).toBe(0)
      expect(err).toContain('warning: eth on mainnet: 5 chain writes (2 contracts, 3 fields) will be charged\n')
      expect(err).not.toContain('testnet')
      expect(await recorded(desk)).toBe(5)
    },
  },
  {
    name: 'eth on testnet is a note with the number of chain writes, and no question',
    run: async (desk) => {
      desk.file('chain.yaml', template('$publisher::Chain::v1', eth({ serial: 7 }, 'testnet')))
      const { code, err } = await desk.vatom('template', 'create', 'chain.yaml')
      expect(code).toBe(0)
      expect(err).toContain('eth on testnet: 2 chain writes (1 contract, 1 field), free of charge\n')
      expect(err).not.toContain('warning')
      expect(await recorded(desk)).toBe(2)
      desk.file('plain.yaml', template('$publisher::Plain::v1'))
      expect((await desk.vatom('template', 'create', 'plain.yaml')).err).not.toContain('chain')
    },
  },
  {
    name: 'a variation with an eth section of its own writes every field of its template, too',
    run: async (desk) => {
      const { file, vatom, json } = desk
      file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
      file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
      await json('template', 'create', 'coupon.yaml')
      const refused = await vatom('variation', 'create', 'red.yaml', '--yes')
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining('eth on mainnet: 3 chain writes (1 contract, 2 fields) will be charged'),
      })
      expect(refused.err).toContain('--accept-charges')
      expect(await vatom('variation', 'get', red)).toMatchObject({ code: 1 })
      const before = await recorded(desk)
      expect(await json('variation', 'create', 'red.yaml', '--accept-charges')).toMatchObject({ summary: { ok: 1 } })
      expect(await recorded(desk)).toBe(before + 3)
    },
  },
  {
    name: 'changing the eth section of a template states what its variations write, too, and asks where that is charged',
    run: async (desk) => {
      const { file, vatom, json } = desk
      const blue = variation('$publisher::Coupon::v1::Blue')
      file('other.yaml', template('$publisher::Other::v1', eth({ a: 1 }, 'testnet')))
      file('green.yaml', variation('$publisher::Other::v1::Green', '$publisher::Other::v1', eth({ a: 5 })))
      await json('template', 'create', 'other.yaml')
      await json('variation', 'create', 'green.yaml', '--accept-charges')
      file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
      file('both.yaml', `${variation(undefined, undefined, eth({ a: 5 }))}---\n${blue}`)
      await json('template', 'create', 'coupon.yaml')
      await json('variation', 'create', 'both.yaml', '--accept-charges')
      const before = await recorded(desk)
      file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 3, b: 4 }, 'testnet')))
      const asked = await vatom('template', 'update', 'coupon.yaml')
      expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('--accept-charges') })
      expect(asked.err).toContain('eth on testnet: 2 chain writes (2 fields), free of charge')
      expect(asked.err).toContain('eth on mainnet: 1 chain write (1 field) will be charged')
      expect(await recorded(desk)).toBe(before)
      expect(await vatom('template', 'update', 'coupon.yaml', '--accept-charges')).toMatchObject({ code: 0 })
      expect(await recorded(desk)).toBe(before + 3)
    },
  },
  {
    name: 'changing the eth section of a variation states the fields that are new',
    run: async (desk) => {
      const { file, vatom, json } = desk
      file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1, b: 2 }, 'testnet')))
      file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
      await json('template', 'create', 'coupon.yaml')
      await json('variation', 'create', 'red.yaml', '--accept-charges')
      const before = await recorded(desk)
      file('red.yaml', variation(undefined, undefined, eth({ a: 6 })))
      expect(await vatom('variation', 'update', 'red.yaml')).toMatchObject({
        code: 2,
        err: expect.stringContaining('eth on mainnet: 1 chain write (1 field) will be charged'),
      })
      expect(await vatom('variation', 'update', 'red.yaml', '--accept-charges')).toMatchObject({ code: 0 })
      expect(await recorded(desk)).toBe(before + 1)
      file('red.yaml', variation())
      const taken = await vatom('variation', 'update', 'red.yaml')
      expect(taken).toMatchObject({ code: 0, err: expect.not.stringContaining('chain') })
      expect(await recorded(desk)).toBe(before + 1)
    },
  },
  {
    name: 'a variation without an eth section of its own writes nothing, and nothing is said',
    run: async (desk) => {
      desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ a: 1 }, 'testnet')))
      desk.file('red.yaml', variation())
      await desk.json('template', 'create', 'coupon.yaml')
      const before = await recorded(desk)
      const { code, err } = await desk.vatom('variation', 'create', 'red.yaml')
      expect(code).toBe(0)
      expect(err).not.toContain('chain')
      expect(await recorded(desk)).toBe(before)
    },
  },
  {
    name: 'a variation with an eth section that its template cannot bear is refused by the service, not asked about',
    run: async ({ file, vatom, json }) => {
      file('red.yaml', variation(undefined, undefined, eth({ a: 5 })))
      const missing = await vatom('variation', 'create', 'red.yaml')
      expect(missing).toMatchObject({ code: 1, err: expect.stringContaining(`no template is named ${name}`) })
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      const lost = variation('$publisher::Lost::v1::Red', '$publisher::Lost::v1', eth({ a: 5 }))
      file('both.yaml', `${lost}---\n${variation('$publisher::Coupon::v1::Blue')}`)
      expect(await vatom('variation', 'create', 'both.yaml')).toMatchObject({
        code: 6,
        out: expect.stringContaining('Blue'),
      })
      const bare = await vatom('variation', 'create', 'red.yaml')
      expect(bare).toMatchObject({ code: 1, err: expect.stringContaining('the template has no eth section') })
      for (const { err } of [missing, bare]) expect(err).not.toContain('chain writes')
    },
  },
  {
    name: 'what the balance does not cover is refused in one line, exit 1, and nothing is created',
    service: { balance: 115 },
    run: async (desk) => {
      desk.file('chain.yaml', template('$publisher::Chain::v1', eth({ a: 1, b: 2 })))
      const { code, out, err } = await desk.vatom('template', 'create', 'chain.yaml', '--accept-charges')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(
        /^error\[charges_uncovered\]: the balance does not cover the chain writes: they need 120 units, and 115 are left$/m,
      )
      expect(await desk.json('template', 'list')).toEqual([])
      expect(await recorded(desk)).toBe(0)
      const { out: told } = await desk.run(['template', 'create', 'chain.yaml', '--accept-charges', '--json'])
      expect(JSON.parse(told)).toMatchObject({
        results: [{ status: 'refused' }],
        error: { code: 'charges_uncovered', message: expect.stringContaining('120 units') },
      })
    },
  },
  {
    name: 'template list shows every template, under --json with its state',
    run: async ({ file, json, vatom }) => {
      file('many.yaml', ['B', 'A', 'C'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n'))
      await json('template', 'create', 'many.yaml')
      const names = ['A', 'B', 'C'].map((letter) => `local.vatom::${letter}::v1`)
      expect(await json('template', 'list')).toMatchObject(
        names.map((one) => ({ name: one, properties: { unpublished: true } })),
      )
      expect((await vatom('template', 'list')).out).toBe(names.map((one) => `${one}\tdraft\t\n`).join(''))
    },
  },
  {
    name: 'template get prints the document as YAML, and takes $publisher',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      const { out } = await vatom('template', 'get', '$publisher::Coupon::v1')
      expect(out).toContain(`template: ${name}\n`)
      expect(out).toContain('title: Coupon\n')
    },
  },
  {
    name: 'template get of an unknown name exits 1',
    run: async ({ vatom }) => {
      expect(await vatom('template', 'get', name)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(name),
      })
    },
  },
  {
    name: 'template publish wants the name, prints what becomes final, and cannot be repeated',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      expect(await vatom('template', 'publish', name)).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          new RegExp(`The template's name is missing.*\\n.*give it with --confirm ${name}\\n`),
        ),
      })
      expect(await vatom('template', 'publish', name, '--confirm', 'other')).toMatchObject({ code: 2 })
      expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: true } })
      const done = await vatom('template', 'publish', name, '--confirm', name)
      expect(done.err).toMatch(/^context /m)
      expect(done).toMatchObject({ code: 0, err: expect.stringContaining('      title: Coupon\n') })
      const again = await vatom('template', 'publish', name, '--confirm', name)
      expect(again).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^error: The template .* is published already\n/),
      })
    },
  },
  {
    name: 'template delete wants --yes and removes a draft',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      expect(await vatom('template', 'delete', name)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
      expect(await vatom('template', 'delete', name, '--yes')).toMatchObject({ code: 0 })
      expect(await json('template', 'list')).toEqual([])
    },
  },
  {
    name: 'a published template is not deleted: one clear sentence, exit 1',
    run: async (desk) => {
      const { vatom } = await stocked(desk)
      const { code, err } = await vatom('template', 'delete', name, '--yes')
      expect(code).toBe(1)
      expect(err).toMatch(/error: .*published.*\n/)
    },
  },
  {
    name: 'variation create and get resolve over the template',
    run: async ({ file, json }) => {
      file('coupon.yaml', template())
      file('red.yaml', variation())
      await json('template', 'create', 'coupon.yaml')
      await json('variation', 'create', 'red.yaml')
      expect(await json('variation', 'get', red)).toMatchObject({
        name: red,
        properties: {
          template: name,
          unpublished: true,
          template_variation: {
            'vAtom::vAtomType': { title: 'Red coupon', category: 'Coupons' },
            private: { color: 'red' },
          },
        },
      })
    },
  },
  {
    name: 'a variation that overwrites what it may not is refused with the place',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      file('red.yaml', variation().replace('color: red', 'colour: red'))
      await json('template', 'create', 'coupon.yaml')
      const { code, err } = await vatom('variation', 'create', 'red.yaml')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('colour') })
    },
  },
  {
    name: 'a variation of a template that does not exist is refused, exit 1',
    run: async ({ file, vatom }) => {
      file('red.yaml', variation())
      expect(await vatom('variation', 'create', 'red.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining(name),
      })
    },
  },
  {
    name: 'a variation is not published before its template',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      file('red.yaml', variation())
      await json('template', 'create', 'coupon.yaml')
      await json('variation', 'create', 'red.yaml')
      const { code, err } = await vatom('variation', 'publish', red, '--confirm', red)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('vatom template publish') })
    },
  },
  {
    name: 'face register takes files',
    run: async ({ file, json }) => {
      file('coupon.yaml', template())
      file('faces.yaml', `${face()}---\n${face('$publisher::Coupon::v1', 'card')}`)
      await json('template', 'create', 'coupon.yaml')
      expect(await json('face', 'register', 'faces.yaml')).toMatchObject({ summary: { total: 2, ok: 2, failed: 0 } })
    },
  },
  {
    name: 'face register takes flags, with defaults for the rest',
    run: async ({ file, json }) => {
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      const flags = [
        '--template',
        '$publisher::Coupon::v1',
        '--display-url',
        'native://image',
        '--view-mode',
        'icon',
        '--resources',
        'CardImage',
      ]
      expect(await json('face', 'register', ...flags)).toMatchObject({
        results: [{ file: null, kind: 'face', status: 'created' }],
      })
      file('red.yaml', variation())
      await json('variation', 'create', 'red.yaml')
      await json('emit', red)
      expect(await json('discover')).toMatchObject({
        faces: [
          {
            properties: {
              display_url: 'native://image',
              package_url: 'native://image',
              constraints: {
                bluetooth_le: false,
                contact_list: false,
                gps: false,
                three_d: false,
                view_mode: 'icon',
                platform: 'generic',
                quality: 'high',
              },
              resources: ['CardImage'],
            },
          },
        ],
      })
    },
  },
  {
    name: 'face register of an unknown template or resource is refused, exit 1',
    run: async ({ file, json, vatom }) => {
      file('icon.yaml', face())
      expect(await vatom('face', 'register', 'icon.yaml')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(name),
      })
      file('coupon.yaml', template())
      await json('template', 'create', 'coupon.yaml')
      file('icon.yaml', face().replace('[CardImage]', '[Typo]'))
      expect(await vatom('face', 'register', 'icon.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('Typo'),
      })
    },
  },
  {
    name: 'emit prints an id a line, and the payload under --json',
    run: async (desk) => {
      const { vatom, json } = await stocked(desk)
      const { code, out } = await vatom('emit', red, '--num', '3')
      expect(code).toBe(0)
      expect(out.trimEnd().split('\n')).toHaveLength(3)
      expect(await json('emit', red)).toMatchObject({ num_created: 1, num_errors: 0, ids: [expect.any(String)] })
    },
  },
  {
    name: 'a draft variation emits at most ten',
    run: async ({ file, json, vatom }) => {
      file('coupon.yaml', template())
      file('red.yaml', variation())
      await json('template', 'create', 'coupon.yaml')
      await json('variation', 'create', 'red.yaml')
      expect(await vatom('emit', red, '--num', '11')).toMatchObject({ code: 1, out: '' })
      expect(await vatom('emit', red, '--num', '10')).toMatchObject({ code: 0 })
    },
  },
  {
    name: 'discover finds what was emitted, by scope, filter, page and count',
    run: async (desk) => {
      const { vatom, json } = await stocked(desk)
      await json('emit', red, '--num', '5')
      expect(await json('discover', '--mine')).toMatchObject({ count: 5 })
      expect(await json('discover', '--filter', 'category = Coupons', '--filter', 'template ~ Cou*v1')).toMatchObject({
        count: 5,
      })
      expect(await json('discover', '--filter', 'category = Gifts')).toMatchObject({ count: 0, results: [] })
      expect(await json('discover', '--filter', 'category = "Coupons"')).toMatchObject({ count: 5 })
      expect(await json('discover', '--filter', 'category = Gifts', 'category = Coupons', '--any')).toMatchObject({
        count: 5,
      })
      expect(
        await json('discover', '--scope', `template_variation=${red}`, '--limit', '2', '--page', '3'),
      ).toMatchObject({ count: 1 })
      expect(await json('discover', '--limit', '2', '--all')).toMatchObject({ count: 5 })
      expect((await vatom('discover', '--count')).out).toBe('5\n')
      const narrow = await desk.run(['discover', '--no-color'], { tty: true })
      expect(narrow.out.split('\n')[1]).toMatch(/^[0-9a-f-]{36} {2}Red coupon {2}….*::v1::Red +owner$/)
      expect((await vatom('discover', '--mine')).out.split('\n')[0]).toMatch(
        new RegExp(`^[0-9a-f-]{36}\tRed coupon\t${red}\t`),
      )
    },
  },
  {
    name: 'discover takes a query from a file, with short names',
    run: async (desk) => {
      const { json, file } = await stocked(desk)
      await json('emit', red, '--num', '2')
      file(
        'query.yaml',
        'scope: { key: owner, value: $currentuser }\nfilters:\n  - filter_elems:\n      - { field: template, filter_op: Eq, value: $publisher::Coupon::v1 }\n',
      )
      expect(await json('discover', '-f', 'query.yaml')).toMatchObject({ count: 2 })
      file('wrong.yaml', 'scope: { key: ovner, value: me }\n')
      const { code, err } = await desk.vatom('discover', '-f', 'wrong.yaml')
      expect(code).toBe(3)
      expect(err).toContain('wrong.yaml:1:')
    },
  },
  {
    name: 'discover expands $publisher, and takes return from a file',
    run: async (desk) => {
      const { json, vatom, file } = await stocked(desk)
      await json('emit', red, '--num', '2')
      expect((await vatom('discover', '--filter', 'template = $publisher::Coupon::v1', '--count')).out).toBe('2\n')
      expect(
        (await vatom('discover', '--scope', 'template_variation=$publisher::Coupon::v1::Red', '--count')).out,
      ).toBe('2\n')
      file('count.yaml', 'return: { type: count }\n')
      expect((await vatom('discover', '-f', 'count.yaml')).out).toBe('2\n')
    },
  },
  {
    name: 'what stops a run before the first is sent stands in every row',
    run: async ({ file, run }) => {
      const final = (letter: string) =>
        template(`$publisher::${letter}::v1`).replace('unpublished: true', 'unpublished: false')
      file('final.yaml', `${final('A')}---\n${final('B')}`)
      const { code, out } = await run(['template', 'create', 'final.yaml', '--json'])
      expect(code).toBe(2)
      expect(JSON.parse(out)).toMatchObject({
        results: [{ status: 'not_sent' }, { status: 'not_sent' }],
        summary: { total: 2, ok: 0, failed: 2 },
        error: { code: 'usage', hint: expect.stringContaining('--yes') },
      })
    },
  },
  {
    name: 'warnings stand in the rows of what was created',
    run: async ({ file, json }) => {
      file('bare.yaml', template('$publisher::Coupon'))
      expect(await json('template', 'create', 'bare.yaml')).toMatchObject({
        results: [{ status: 'created', problems: [{ rule: 'name-version', severity: 'warning', line: 1 }] }],
      })
    },
  },
  {
    name: '--format tells programs what was refused, too',
    run: async ({ home, file, run, json }) => {
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
    },
  },
  {
    name: 'publishing what is charged wants --accept-charges, of a variation too, and writes nothing new',
    run: async (desk) => {
      desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ serial: 7 })))
      desk.file('red.yaml', variation())
      await desk.json('template', 'create', 'coupon.yaml', '--accept-charges')
      await desk.json('variation', 'create', 'red.yaml')
      const publish = (kind: string, one: string, ...flags: string[]) =>
        desk.vatom(kind, 'publish', one, '--confirm', one, ...flags)
      for (const [kind, one] of [
        ['template', name],
        ['variation', red],
      ] as const) {
        const asked = await publish(kind, one)
        expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('2 chain writes') })
        expect(asked.err).toContain('publishing adds none')
        expect(asked.err).not.toContain('will be charged')
        expect(await desk.json(kind, 'get', one)).toMatchObject({ properties: { unpublished: true } })
        expect(await publish(kind, one, '--accept-charges')).toMatchObject({ code: 0 })
      }
      expect(await recorded(desk)).toBe(2)
    },
  },
  {
    name: 'publishing what stands on testnet says so, and asks nothing',
    run: async (desk) => {
      desk.file('coupon.yaml', template('$publisher::Coupon::v1', eth({ serial: 7 }, 'testnet')))
      await desk.json('template', 'create', 'coupon.yaml')
      const { code, err } = await desk.vatom('template', 'publish', name, '--confirm', name)
      expect(code).toBe(0)
      expect(err).toContain('eth on testnet: it stands on 2 chain writes (1 contract, 1 field), free of charge')
      expect(err).not.toContain('warning')
      expect(await recorded(desk)).toBe(2)
    },
  },
  {
    name: 'every command that changes something says where',
    run: async (desk) => {
      const { vatom } = await stocked(desk)
      const said = expect.stringMatching(/^context /m)
      expect((await vatom('emit', red)).err).toEqual(said)
      expect((await vatom('profile', 'set', '--first-name', 'Ada')).err).toEqual(said)
      desk.file('draft.yaml', template('$publisher::Draft::v1'))
      expect((await vatom('template', 'create', 'draft.yaml')).err).toEqual(said)
      expect((await vatom('template', 'delete', '$publisher::Draft::v1', '--yes')).err).toEqual(said)
      expect((await vatom('template', 'list')).err).toBe('')
    },
  },
  {
    name: 'what get prints can be validated again',
    run: async (desk) => {
      const { vatom, run } = await stocked(desk)
      for (const [kind, one] of [
        ['template', name],
        ['variation', red],
      ] as const) {
        const { out } = await vatom(kind, 'get', one)
        expect(await run([kind, 'validate', '-'], { stdin: out })).toMatchObject({ code: 0 })
      }
    },
  },
  {
    name: 'validate checks without sending',
    run: async ({ file, vatom, json }) => {
      file('coupon.yaml', template())
      expect(await vatom('template', 'validate', 'coupon.yaml')).toEqual({
        code: 0,
        out: `valid template ${name} (coupon.yaml)\n`,
        err: '',
      })
      file('bad.yaml', template().replace('title:', 'titel:'))
      expect(await vatom('template', 'validate', 'bad.yaml')).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringContaining('bad.yaml:6:5'),
      })
      expect(await json('template', 'list')).toEqual([])
    },
  },
  {
    name: 'discover searches fields beyond the list, and warns about them',
    run: async (desk) => {
      const { vatom } = await stocked(desk)
      await vatom('emit', red)
      const custom = await vatom('discover', '--filter', 'private.color = red', '--count')
      expect(custom).toMatchObject({ code: 0, out: '1\n', err: expect.stringContaining('warning: private.color') })
      const listed = await vatom('discover', '--filter', 'category = Coupons', '--count')
      expect(listed).toEqual({ code: 0, out: '1\n', err: '' })
    },
  },
  {
    name: 'profile get and set, before and after',
    run: async ({ vatom, json, file }) => {
      const { code, out } = await vatom('profile', 'set', '--first-name', 'Ada', '--no-name-public', '--language', 'en')
      expect(code).toBe(0)
      expect(out).toContain('-> "Ada"\n')
      expect(out).toContain('name_public: true -> false\n')
      expect(await json('profile', 'get')).toMatchObject({
        properties: { first_name: 'Ada', name_public: false, language: 'en' },
      })
      file('me.yaml', 'last_name: Lovelace\nbirthday: "1815-12-10"\n')
      expect(await json('profile', 'set', '-f', 'me.yaml')).toMatchObject({
        properties: { first_name: 'Ada', last_name: 'Lovelace' },
      })
    },
  },
  {
    name: 'profile set refuses read-only fields with the reason, and bad values',
    run: async ({ vatom, file }) => {
      for (const field of ['avatar_uri: x', 'nonpush_notification: true', 'user_consent: 1', 'system_properties: {}']) {
        file('me.yaml', `first_name: Ada\n${field}\n`)
        const { code, err } = await vatom('profile', 'set', '-f', 'me.yaml')
        expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('me.yaml:2:1') })
        expect(err).toContain(`${field.split(':')[0]} cannot be set`)
      }
      for (const flag of ['avatar-uri', 'nonpush-notification', 'system-properties'])
        expect(await vatom('profile', 'set', `--${flag}`, 'x')).toMatchObject({
          code: 2,
          err: expect.stringMatching(/cannot be set: the/),
        })
      expect(await vatom('profile', 'set', '--birthday', '1815-02-30')).toMatchObject({
        code: 2,
        err: expect.stringContaining('YYYY-MM-DD'),
      })
      expect(await vatom('profile', 'set')).toMatchObject({ code: 2 })
    },
  },
  {
    name: 'whoami and auth token',
    run: async ({ vatom, json }) => {
      expect(await vatom('whoami')).toMatchObject({ code: 0, out: expect.stringContaining('local.vatom') })
      expect(await json('whoami')).toMatchObject({ system_properties: { pub_fqdn: 'local.vatom' } })
      const { out } = await vatom('auth', 'token')
      expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
      expect(await json('auth', 'token')).toEqual({ access_token: expect.any(String) })
    },
  },
]

describe.each(['local', 'network'] as const)('on the %s transport', (transport) => {
  test.each(cases)('$name', async ({ run, service = {} }) => run(await publisher({ transport, service })))
})
