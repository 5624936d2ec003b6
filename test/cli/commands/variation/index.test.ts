import { describe, expect, test } from 'vitest'
import * as bodies from '../../../fixtures/bodies.ts'
import { coupon, red, template, variation } from '../../../fixtures/yaml.ts'
import { rival, transports, watchedDesk } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const patch = `PATCH /v1/template_variations/${encodeURIComponent(red)}`
const clones = 'max_clones: 9\ncloning_gain: 0.5\n'

describe.each(transports)('on the %s transport', (transport) => {
  /** A desk with a draft template and a draft variation of it, its document in red.yaml. */
  async function drafted(more = '') {
    const desk = await watchedDesk(transport)
    desk.file('coupon.yaml', template())
    desk.file('red.yaml', variation(undefined, undefined, more))
    await desk.json('template', 'create', 'coupon.yaml')
    await desk.json('variation', 'create', 'red.yaml')
    desk.changes()
    return desk
  }

  describe('variation create', () => {
    const folder = (policy: string) =>
      template('$publisher::Box::v1', 'unpublished: false\n')
        .replace('unpublished: true\n', '')
        .replace('root_type: vAtom::vAtomType', `root_type: vAtom::vAtomType::DefinedFolderContainerType${policy}`)
    const holding = (name: string) => `\n    child_policy: [{ template_variation: $publisher::Box::v1::${name} }]`
    const of = (name: string, policy = '') =>
      `template_variation: $publisher::Box::v1::${name}\ntemplate: $publisher::Box::v1\nunpublished: false\n` +
      (policy && `vatom:\n  vAtom::vAtomType:${policy}\n`)

    test.each([
      ['their own child_policy', '', [of('Big', holding('Middle')), of('Middle', holding('Small')), of('Small')]],
      ["their template's child_policy", holding('Small'), [of('Big'), of('Middle'), of('Small')]],
    ])('publishes last what names others in %s', async (_, policy, variations) => {
      const desk = await watchedDesk(transport)
      desk.file('box.yaml', folder(policy))
      desk.file('all.yaml', variations.join('---\n'))
      await desk.json('template', 'create', 'box.yaml', '--confirm', 'local.vatom::Box::v1')
      const { results } = (await desk.json('variation', 'create', 'all.yaml', '--confirm', 'publish 3')) as {
        results: { name: string }[]
      }
      const names = results.map(({ name }) => name.slice('local.vatom::Box::v1::'.length))
      expect(names).toEqual(policy === '' ? ['Small', 'Middle', 'Big'] : ['Small', 'Big', 'Middle'])
    })

    test('leaves drafts in their order', async () => {
      const desk = await watchedDesk(transport)
      desk.file('box.yaml', folder(''))
      desk.file('all.yaml', [of('Big', holding('Small')), of('Small')].join('---\n').replaceAll('false', 'true'))
      await desk.json('template', 'create', 'box.yaml', '--confirm', 'local.vatom::Box::v1')
      expect(await desk.json('variation', 'create', 'all.yaml')).toMatchObject({
        results: [{ name: 'local.vatom::Box::v1::Big' }, { name: 'local.vatom::Box::v1::Small' }],
      })
    })
  })

  describe('variation update', () => {
    test('sends what differs from what the variation itself says', async () => {
      const { file, json, changes } = await drafted(clones)
      file('red.yaml', variation(undefined, undefined, 'max_clones: 5\ncloning_gain: 0.5\n'))
      expect(await json('variation', 'update', 'red.yaml')).toMatchObject({
        results: [{ kind: 'variation', name: red, status: 'updated', message: expect.stringMatching(/: max_clones$/) }],
      })
      expect(changes()).toEqual([patch])
      expect(await json('variation', 'get', red)).toMatchObject({
        properties: { max_clones: 5, cloning_gain: 0.5, template_variation: { private: { color: 'red' } } },
      })
    })

    test('sends nothing where nothing differs, once it is published too', async () => {
      const { json, changes } = await drafted(clones)
      expect(await json('variation', 'update', 'red.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      expect(changes()).toEqual([])
      await json('template', 'publish', coupon, '--confirm', coupon)
      await json('variation', 'publish', red, '--confirm', red)
      changes()
      expect(await json('variation', 'update', 'red.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      expect(changes()).toEqual([])
    })

    test('takes back what the document no longer says', async () => {
      const { file, json } = await drafted(`public: true\n${clones}`)
      file('red.yaml', `template_variation: $publisher::Coupon::v1::Red\ntemplate: $publisher::Coupon::v1\n`)
      await json('variation', 'update', 'red.yaml')
      expect(await json('variation', 'get', red)).toMatchObject({
        public: false,
        properties: {
          max_clones: null,
          cloning_gain: 0.25,
          template_variation: { 'vAtom::vAtomType': { title: 'Coupon' }, private: { color: 'blue' } },
        },
      })
    })

    test('refuses to change what is published, and names the places', async () => {
      const { file, vatom, json } = await drafted()
      await json('template', 'publish', coupon, '--confirm', coupon)
      await json('variation', 'publish', red, '--confirm', red)
      file('red.yaml', variation().replace('Red coupon', 'Ruby coupon'))
      expect(await vatom('variation', 'update', 'red.yaml')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/published, which is final.*vatom\.vAtom::vAtomType\.title/),
      })
    })

    test('does not move a variation to another template', async () => {
      const { file, json, run, changes } = await drafted()
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      changes()
      file('red.yaml', variation(undefined, '$publisher::Other::v1'))
      const { code, out } = await run(['variation', 'update', 'red.yaml', '--json'])
      expect(code).toBe(1)
      expect(JSON.parse(out)).toMatchObject({
        results: [{ status: 'refused', message: expect.stringMatching(/cannot be changed in template$/) }],
        error: { hint: expect.stringContaining(`vatom variation delete ${red}`) },
      })
      expect(changes()).toEqual([])
    })

    test('states the writes of a section of its own, which stands over the template’s', async () => {
      const { file, vatom, json } = await watchedDesk(transport)
      const eth = (value: number) =>
        `eth:\n  network: mainnet\n  fields:\n    serial: { type: uint, value: ${value} }\n`
      file('coupon.yaml', template(undefined, `${eth(1)}    rare: { type: bool, value: true }\n`))
      file('red.yaml', variation())
      await json('template', 'create', 'coupon.yaml', '--accept-charges')
      await json('variation', 'create', 'red.yaml')
      file('red.yaml', variation(undefined, undefined, eth(2)))
      const refused = await vatom('variation', 'update', 'red.yaml')
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('3 chain writes (1 contract, 2 fields)') })
      expect(await vatom('variation', 'update', 'red.yaml', '--accept-charges')).toMatchObject({ code: 0 })
      expect(await vatom('variation', 'update', 'red.yaml')).toMatchObject({
        code: 0,
        out: expect.stringContaining('Unchanged'),
      })
    })

    test('of a variation that is not there says how to create it', async () => {
      const { file, vatom } = await drafted()
      file('blue.yaml', variation('$publisher::Coupon::v1::Blue'))
      expect(await vatom('variation', 'update', 'blue.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom variation create blue.yaml'),
      })
    })
  })

  test('variation get prints the clone parameters and the vAtom, as a document', async () => {
    const { vatom, run } = await drafted(clones)
    const { out } = await vatom('variation', 'get', red)
    expect(out).toContain('cloning_gain: 0.5\nmax_clones: 9\n')
    expect(out).toContain('title: Red coupon\n')
    expect(await run(['variation', 'validate', '-'], { stdin: out })).toMatchObject({ code: 0 })
  })

  describe('variation list', () => {
    test('shows state, visibility and template, of one template on request', async () => {
      const { file, vatom, json } = await drafted()
      file('other.yaml', template('$publisher::Other::v1'))
      file('blue.yaml', variation('$publisher::Other::v1::Blue', '$publisher::Other::v1', 'public: true\n'))
      await json('template', 'create', 'other.yaml')
      await json('variation', 'create', 'blue.yaml')
      const other = 'local.vatom::Other::v1'
      expect(await vatom('variation', 'list')).toEqual({
        code: 0,
        out: `${red}\tdraft\t\t${coupon}\n${other}::Blue\tdraft\tpublic\t${other}\n`,
        err: '',
      })
      expect((await vatom('variation', 'list', '--template', '$publisher::Other::v1')).out).toBe(
        `${other}::Blue\tdraft\tpublic\t${other}\n`,
      )
      expect(await json('variation', 'list', '--template', coupon)).toMatchObject([
        { name: red, public: false, properties: { unpublished: true, template: coupon } },
      ])
      expect(await vatom('variation', 'list', '--template', 'local.vatom::No::v1')).toEqual({
        code: 1,
        out: '',
        err: 'error: no template is named local.vatom::No::v1\nhint: list what exists: vatom template list\n',
      })
    })

    test('prints the fields asked for', async () => {
      const { vatom, json } = await drafted(clones)
      const fields = ['variation', 'list', '--fields', 'properties(max_clones)']
      expect((await vatom(...fields)).out).toBe('- properties:\n    max_clones: 9\n')
      expect(await json(...fields)).toEqual([{ properties: { max_clones: 9 } }])
    })
  })

  describe('variation delete', () => {
    test('deletes drafts, and says which it did not: exit 6', async () => {
      const { json, vatom, changes } = await drafted()
      expect(await vatom('variation', 'delete', red)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
      expect(changes()).toEqual([])
      const { code, out, err } = await vatom('variation', 'delete', '$publisher::Coupon::v1::Red', 'x', '--yes')
      expect({ code, out }).toEqual({ code: 6, out: expect.stringMatching(/^Deleted variation .*Red on .*\n$/) })
      expect(err).toContain('vatom variation list')
      expect(await json('variation', 'list')).toEqual([])
    })

    test('says with how many vAtoms, in the question, a dry run and the result', async () => {
      const { json, vatom, changes } = await drafted()
      await json('emit', red, '--num', '3')
      changes()
      expect(await vatom('variation', 'delete', red)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`Delete variation ${red} with 3 vAtoms?`),
      })
      const dry = await vatom('variation', 'delete', red, '--yes', '--dry-run')
      expect(dry.out).toContain(`variation ${red} with 3 vAtoms on `)
      expect(changes()).toEqual([])
      expect((await vatom('variation', 'delete', red, '--yes')).out).toMatch(
        /^Deleted variation .*Red with 3 vAtoms on/,
      )
      expect(await json('inventory')).toMatchObject({ vatoms: [] })
    })

    test('of more than five is confirmed by typing how many', async () => {
      const { run, json, file } = await drafted()
      const names = Array.from({ length: 6 }, (_, index) => `local.vatom::Coupon::v1::N${index}`)
      file('more.yaml', names.map((name) => variation(name)).join('---\n'))
      await json('variation', 'create', 'more.yaml')
      const answer = (typed: string) => ({ tty: true, columns: 400, answers: { 'type "delete 6"': typed } })
      const no = await run(['variation', 'delete', ...names], answer('y'))
      expect(no).toMatchObject({ code: 1, out: '' })
      expect(no.err).toContain(`This cannot be undone. To delete 6 variations: ${names[0]}, `)
      expect(no.err).toContain('Nothing was done: "delete 6" was not typed\n')
      expect(await json('variation', 'list')).toHaveLength(7)
      expect(await run(['variation', 'delete', ...names], answer('delete 6'))).toMatchObject({ code: 0 })
      expect(await json('variation', 'list')).toHaveLength(1)
    })

    test('with vAtoms is confirmed by typing the whole name, as of what is published, of a template, too', async () => {
      const { run, json } = await drafted()
      await json('emit', red, '--num', '3')
      const answer = (name: string, typed: string) => ({
        tty: true,
        columns: 400,
        answers: { [`type "${name}"`]: typed },
      })
      const no = await run(['template', 'delete', 'Coupon'], answer(coupon, 'y'))
      expect(no).toMatchObject({ code: 1, out: '' })
      expect(no.err).toContain(
        `This cannot be undone. To delete template ${coupon} with its faces and actions, 1 variation and 3 vAtoms, type "${coupon}"`,
      )
      expect(no.err).toContain(`Nothing was done: "${coupon}" was not typed\n`)
      expect(await run(['variation', 'delete', 'Red'], answer(red, red))).toMatchObject({ code: 0 })
      expect(await json('variation', 'list')).toEqual([])
    })

    test('of a template says with how many variations and vAtoms', async () => {
      const { json, vatom } = await drafted()
      expect((await vatom('template', 'delete', coupon)).err).toContain(
        `Delete template ${coupon} with its faces and actions and 1 variation?`,
      )
      await json('emit', red)
      expect((await vatom('template', 'delete', coupon)).err).toContain(
        `Delete template ${coupon} with its faces and actions, 1 variation and 1 vAtom?`,
      )
      expect((await vatom('template', 'delete', coupon, '--yes')).out).toMatch(
        /^Deleted template .* with its faces and actions, 1 variation and 1 vAtom on/,
      )
      expect(await json('variation', 'list')).toEqual([])
    })
  })

  test('what belongs to another publisher is exit 4, and stops the run', async () => {
    const { run, changes, service, ...desk } = await drafted()
    const other = await rival({ run, service, ...desk })
    const their = 'rival.example::Coupon::v1'
    await other('POST', '/v1/templates', bodies.template({ template: their, unpublished: false }))
    const published = { template_variation: `${their}::Red`, unpublished: false }
    await other('POST', '/v1/template_variations', { template: their, ...published })
    expect(await run(['variation', 'get', `${their}::Red`])).toMatchObject({ code: 4, out: '' })
    changes()
    const { code, out } = await run(['variation', 'delete', `${their}::Red`, red, '--yes', '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(out)).toMatchObject({
      results: [{ status: 'failed' }, { status: 'not_sent' }],
      error: { code: 'foreign_record' },
    })
    expect(changes()).toHaveLength(1)
  })
})

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('variation create and get resolve over the template', async () => {
    const { file, json } = await publisher({ transport })
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
  })

  test('a variation that overwrites what it may not is refused with the place', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    file('red.yaml', variation().replace('color: red', 'colour: red'))
    await json('template', 'create', 'coupon.yaml')
    const { code, err } = await vatom('variation', 'create', 'red.yaml')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('colour') })
  })

  test('a variation of a template that does not exist is refused, exit 1', async () => {
    const { file, vatom } = await publisher({ transport })
    file('red.yaml', variation())
    expect(await vatom('variation', 'create', 'red.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining(name),
    })
  })
})
