import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { openService } from '../../../src/server/service.ts'
import { answerOf, type Caller, emitted, made, send, testService, warningsOf } from '../../support/service.ts'

const prefix = 'vAtom::vAtomType.'
type Element = readonly [field: string, op: string, value: string, join?: string]
const elements = (...list: Element[]) => ({
  filter_elems: list.map(([field, filter_op, value, bool_op]) => ({
    field,
    filter_op,
    value,
    ...(bool_op && { bool_op }),
  })),
})

async function discover(caller: Pick<Caller, 'call'>, body: object = {}) {
  const answer = await caller.call('POST', '/v1/vatom/discover', { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.payload
}
type Found = { results: { 'vAtom::vAtomType': { title: string } }[] }
const titles = ({ results }: Found) => results.map((found) => found['vAtom::vAtomType'].title)

describe('who finds what', () => {
  test('§4.4 a caller finds their own vAtoms and public ones, and no others', async () => {
    const { publisher, register } = await testService()
    const bob = await register('bob@example.com')
    await emitted(publisher, 'local.vatom::Own', 1, { title: 'own' })
    await emitted(publisher, 'local.vatom::Pub', 1, { title: 'public', visibility: { type: 'public' } })
    await emitted(publisher, 'local.vatom::Con', 1, { title: 'container', visibility: { type: 'container' } })
    expect(titles(await discover(publisher))).toEqual(['container', 'public', 'own'])
    expect(titles(await discover(bob))).toEqual(['public'])
  })

  test('§4.4 without authorization the answer is 403', async () => {
    const { send } = await testService()
    expect(await send('POST', '/v1/vatom/discover', { body: {} })).toMatchObject({ status: 403 })
  })

  test('§4.4 $currentuser is the caller, in a scope and in a filter', async () => {
    const { publisher, register } = await testService()
    const bob = await register('bob@example.com')
    await emitted(publisher, 'local.vatom::A', 2, { visibility: { type: 'public' } })
    const scope = { key: `${prefix}owner`, value: '$currentuser' }
    const filters = [elements([`${prefix}owner`, 'Eq', '$currentuser'])]
    for (const body of [{ scope }, { filters }]) {
      expect((await discover(publisher, body)).count).toBe(2)
      expect((await discover(bob, body)).count).toBe(0)
    }
    expect((await discover(bob, { filters: [elements([`${prefix}owner`, 'Ne', '$currentuser'])] })).count).toBe(2)
    const either = { key: `${prefix}owner`, value: `nobody, $currentuser,${publisher.id}` }
    expect((await discover(bob, { scope: either })).count).toBe(2)
  })

  test('the path without /v1 that some clients use is the same operation', async () => {
    const { publisher } = await testService()
    for (const path of ['/vatom/discover', '//v1/vatom/discover'])
      expect(await publisher.call('POST', path, { body: {} })).toMatchObject({ status: 200, payload: { count: 0 } })
  })
})

describe('pages', () => {
  async function many(count: number) {
    const world = await testService()
    await emitted(world.publisher, 'local.vatom::A', count)
    return world.publisher
  }
  const ids = async (caller: Caller, body: object): Promise<string[]> =>
    (await discover(caller, body)).results.map(({ id }: { id: string }) => id)

  test('§4.4, §8 limit defaults to 100 records', async () => {
    const publisher = await many(101)
    expect(await discover(publisher)).toMatchObject({ count: 100 })
    expect(await ids(publisher, {})).toHaveLength(100)
  })

  test('a limit of 0, and one above 1000, mean 1000', async () => {
    const publisher = await many(1001)
    for (const limit of [0, 1000, 1001, 1e9]) expect(await ids(publisher, { limit })).toHaveLength(1000)
  })

  test('§4.4 pages follow one another; 0 and 1 are the first; past the end all lists are empty', async () => {
    const publisher = await many(5)
    const pages = await Promise.all([0, 1, 2, 3, 4].map((page) => ids(publisher, { limit: 2, page })))
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1, 0])
    expect(pages[0]).toEqual(pages[1])
    expect(new Set(pages.flat()).size).toBe(5)
    expect(await discover(publisher, { page: Number.MAX_SAFE_INTEGER })).toEqual({
      results: [],
      faces: [],
      actions: [],
      count: 0,
    })
  })

  test('the newest come first, of those of one second the one made last', async () => {
    const { publisher, advance, register } = await testService()
    const bob = await register('bob@example.com')
    for (const [n, type] of ['owner', 'public', 'owner', 'public'].entries()) {
      if (n === 2) advance(1)
      await emitted(publisher, `local.vatom::${n}`, 1, { title: String(n), visibility: { type } })
    }
    expect(titles(await discover(publisher))).toEqual(['3', '2', '1', '0'])
    expect(titles(await discover(bob))).toEqual(['3', '1'])
    expect(titles(await discover(publisher, { limit: 1, page: 3 }))).toEqual(['1'])
  })

  test('return.type count answers the number of all that is found, without records', async () => {
    const publisher = await many(150)
    expect(await discover(publisher, { limit: 10, return: { type: 'count' } })).toEqual({
      results: [],
      faces: [],
      actions: [],
      count: 150,
    })
  })

  test('newest first is listed as assumed, with what decides within a second', async () => {
    const { publisher, service } = await testService()
    const ids = await emitted(publisher, 'local.vatom::Coin', 3)
    const { results } = await discover(publisher)
    expect(results.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse())
    const { payload } = await publisher.call('POST', '/v1/user/vatom/inventory', { body: {} })
    expect(payload.vatoms.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse())
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${baseUrl}/__vatom/assumptions`)
    const { payload: listed } = answerOf(answer.status, {}, await answer.text())
    for (const operation of ['discover', 'getInventory'])
      expect(listed).toContainEqual(
        expect.objectContaining({ operation, assumption: expect.stringMatching(/the one made last comes first$/) }),
      )
  })

  test.each(['zzz', 'Count', 'payload'])('§4.4 return.type %s is refused', async (type) => {
    const publisher = await many(1)
    expect(await publisher.call('POST', '/v1/vatom/discover', { body: { return: { type } } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'return.type', message: expect.stringMatching(/"\*".*count/) }] },
    })
  })

  test.each([
    [undefined, []],
    [null, []],
    [[], []],
    [['id'], ['no-effect return.fields']],
  ])('return.fields of %j: whole vAtoms, with a warning if it asks for less', async (fields, expected) => {
    const publisher = await many(1)
    const answer = await publisher.call('POST', '/v1/vatom/discover', { body: { return: { type: '*', fields } } })
    expect(Object.keys(answer.payload.results[0])).toContain('private')
    expect(warningsOf(answer).map(({ code, path }) => `${code} ${path}`)).toEqual(expected)
  })

  test('§4.4 return.type * returns whole objects; what clients send for it is taken for it with a warning', async () => {
    const publisher = await many(1)
    for (const type of ['*', 'PAYLOAD', '']) {
      const { payload, headers } = await publisher.call('POST', '/v1/vatom/discover', {
        body: { return: { type, fields: [] } },
      })
      expect(payload.results).toHaveLength(1)
      expect('vatom-warning' in headers).toBe(type !== '*')
    }
  })
})

describe('samples', () => {
  const by = (...fields: string[]) => fields.map((field) => (field.startsWith('private.') ? field : prefix + field))
  async function world(options = {}) {
    const { publisher, ...rest } = await testService(options)
    for (const [name, count, colour] of [
      ['A', 3, 'red'],
      ['B', 1, 'red'],
      ['C', 2, 'blue'],
    ] as const) {
      const type = { title: name, visibility: { type: 'public' } }
      for (let n = 0; n < count; n++) rest.advance(1)
      await emitted(publisher, `local.vatom::${name}`, count, type, { colour })
    }
    return { publisher, ...rest }
  }

  test('of each group the newest are found, as many as sample says, in the order of all', async () => {
    const { publisher, register } = await world()
    const bob = await register('bob@example.com')
    const all = await discover(publisher)
    for (const caller of [publisher, bob]) {
      const one = await discover(caller, { sample: 1, group_by: by('template_variation') })
      expect([titles(one), one.count, one.faces, one.actions]).toEqual([['C', 'B', 'A'], 3, [], []])
      const ids = (found: { results: { id: string }[] }) => found.results.map(({ id }) => id)
      expect(ids(one)).toEqual([ids(all)[0], ids(all)[2], ids(all)[3]])
      expect(titles(await discover(caller, { sample: 2, group_by: by('template_variation') }))).toEqual([...'CCBAA'])
      expect(titles(await discover(caller, { sample: 1, group_by: by('private.colour') }))).toEqual(['C', 'B'])
      const both = by('template', 'private.colour', 'acquirable')
      expect(titles(await discover(caller, { sample: 1, group_by: both }))).toEqual(['C', 'B', 'A'])
      expect(titles(await discover(caller, { sample: 2, group_by: by('private.none') }))).toEqual(['C', 'C'])
    }
  })

  test('pages, filters, scopes and counts are about the sampled vAtoms', async () => {
    const { publisher } = await world()
    const sampled = { sample: 2, group_by: by('template_variation') }
    expect(titles(await discover(publisher, { ...sampled, limit: 2, page: 2 }))).toEqual(['B', 'A'])
    expect((await discover(publisher, { ...sampled, return: { type: 'count' } })).count).toBe(5)
    const filters = [elements(['private.colour', 'Eq', 'red'])]
    expect(titles(await discover(publisher, { ...sampled, filters }))).toEqual(['B', 'A', 'A'])
    const scope = { key: `${prefix}owner`, value: '$currentuser' }
    expect(titles(await discover(publisher, { ...sampled, scope }))).toEqual([...'CCBAA'])
  })

  test('all are found without a number or without fields, with a warning of what has no effect', async () => {
    const { publisher } = await world()
    for (const [body, path] of [
      [{ sample: 2 }, 'sample'],
      [{ sample: 2, group_by: [] }, 'sample'],
      [{ group_by: by('template') }, 'group_by'],
      [{ sample: 0, group_by: by('template') }, 'group_by'],
      [{ sample: 0, group_by: [] }, undefined],
    ] as const) {
      const answer = await publisher.call('POST', '/v1/vatom/discover', { body })
      expect(answer.payload.count).toBe(6)
      expect(warningsOf(answer).map((one) => one.path)).toEqual(path === undefined ? [] : [path])
    }
    const sampled = await publisher.call('POST', '/v1/vatom/discover', { body: { sample: 1, group_by: by('owner') } })
    expect(warningsOf(sampled)).toEqual([])
  })

  test('a field that cannot be searched is refused, and all of it with --strict-spec', async () => {
    const { publisher } = await world()
    for (const body of [{ sample: 1, group_by: ['colour'] }, { sample: -1 }, { sample: 1, group_by: 'template' }])
      expect(await publisher.call('POST', '/v1/vatom/discover', { body })).toMatchObject({ status: 400 })
    const strict = await world({ strictSpec: true })
    const body = { sample: 1, group_by: by('template') }
    expect(await strict.publisher.call('POST', '/v1/vatom/discover', { body })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'sample' }, { path: 'group_by' }] },
    })
  })
})

describe('scope and filters', () => {
  let caller: Pick<Caller, 'call'>
  const types = {
    red: { category: 'Coupons', acquirable: true },
    green: { category: 'Coupons & More', visibility: { type: 'public' } },
    blue: { category: 'gifts' },
  }
  const custom = {
    red: { size: 9, on: true, tag: 'a"b', long: 'ab'.repeat(50) },
    green: { size: 10, on: false, tag: '9' },
    blue: { deep: { 'x y': 1.5 } },
  }

  beforeAll(async () => {
    const service = await openService({ db: ':memory:', scryptCost: 16 })
    const authorization = `Bearer ${service.localToken()}`
    const call: Caller['call'] = (method, path, sent = {}) =>
      send(service, method, path, { ...sent, headers: { authorization } })
    caller = { call }
    for (const colour of ['blue', 'green', 'red'] as const)
      await emitted(
        { id: '', token: '', call },
        `local.vatom::${colour}`,
        1,
        { title: colour, ...types[colour] },
        custom[colour],
      )
    return () => service.close()
  })
  const found = async (body: object) => titles(await discover(caller, body))
  const filtered = (...list: Element[]) => found({ filters: [elements(...list)] })

  test.each([
    ['template', 'local.vatom::red', ['red']],
    ['template', 'local.vatom::red,local.vatom::blue', ['red', 'blue']],
    ['template', 'a,b,c,d,local.vatom::blue', ['blue']],
    ['template_variation', 'local.vatom::green::V', ['green']],
    ['acquirable', 'true', ['red']],
    ['acquirable', 'false', ['green', 'blue']],
    ['acquirable', 'true,false', ['red', 'green', 'blue']],
    ['parent_id', '.', ['red', 'green', 'blue']],
    ['owner', 'somebody', []],
    ['publisher_fqdn', 'local.vatom', ['red', 'green', 'blue']],
  ])('§4.4 scope %s = %s', async (key, value, expected) => {
    expect(await found({ scope: { key: prefix + key, value } })).toEqual(expected)
  })

  test('§4.4, §8 a scope has up to 5 values', async () => {
    const body = { scope: { key: `${prefix}template`, value: 'a,b,c,d,e,f' } }
    expect(await caller.call('POST', '/v1/vatom/discover', { body })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'scope.value' }] },
    })
  })

  test.each<[string, string, string, string[]]>([
    ['category', 'Eq', 'Coupons', ['red']],
    ['category', 'Ne', 'Coupons', ['green', 'blue']],
    ['category', 'Gt', 'Coupons', ['green', 'blue']],
    ['category', 'Ge', 'Coupons', ['red', 'green', 'blue']],
    ['category', 'Lt', 'gifts', ['red', 'green']],
    ['category', 'Le', 'Coupons & More', ['red', 'green']],
    ['category', 'Match', 'Coupons', ['red', 'green']],
    ['category', 'Match', 'coupons', []],
    ['category', 'Match', 'C*More', ['green']],
    ['category', 'Match', 'o*o*o', ['green']],
    ['category', 'Match', 'more*Coupons', []],
    ['category', 'Match', '*', ['red', 'green', 'blue']],
    ['category', 'Match', '', ['red', 'green', 'blue']],
    ['category', 'Match', '[C]%_?', []],
    ['publisher_fqdn', 'Eq', 'local.vatom', ['red', 'green', 'blue']],
    ['template', 'Match', 'red', ['red']],
    ['template_variation', 'Eq', 'local.vatom::blue::V', ['blue']],
    ['owner', 'Eq', 'somebody', []],
    ['author', 'Eq', '$currentuser', ['red', 'green', 'blue']],
    ['parent_id', 'Ne', '.', []],
    ['in_contract', 'Eq', 'false', ['red', 'green', 'blue']],
    ['in_contract', 'Ge', 'true', []],
    ['in_contract', 'Eq', 'maybe', []],
    ['in_contract', 'Ne', 'maybe', ['red', 'green', 'blue']],
    ['in_contract', 'Match', 'al', ['red', 'green', 'blue']],
    ['visibility_type', 'Eq', 'public', ['green']],
    ['visibility.type', 'Eq', 'public', ['green']],
    ['acquireable', 'Eq', 'true', ['red']],
  ])('§4.4 filter %s %s %j', async (field, op, value, expected) => {
    expect(await filtered([prefix + field, op, value])).toEqual(expected)
  })

  test.each<[string, string, string, string[]]>([
    ['size', 'Gt', '9.5', ['green']],
    ['size', 'Lt', '10', ['red']],
    ['size', 'Eq', '9', ['red']],
    ['size', 'Eq', 'nine', []],
    ['size', 'Match', '1', ['green']],
    ['size', 'Ne', '9', ['green', 'blue']],
    ['on', 'Eq', 'true', ['red']],
    ['on', 'Lt', 'true', ['green']],
    ['on', 'Eq', '1', []],
    ['tag', 'Eq', 'a"b', ['red']],
    ['tag', 'Eq', '9', ['green']],
    ['deep.x y', 'Eq', '1.5', ['blue']],
    ['long', 'Match', 'ab'.repeat(40), ['red']],
    ['long', 'Match', `${'ab'.repeat(40)}b`, []],
    ['deep', 'Eq', '{}', []],
    ['deep', 'Ne', 'x', ['red', 'green', 'blue']],
    ['none', 'Le', 'zzz', []],
  ])('custom properties compare as what they are: private.%s %s %j', async (field, op, value, expected) => {
    expect(await filtered([`private.${field}`, op, value])).toEqual(expected)
  })

  const red: Element = [`${prefix}template`, 'Match', 'red']
  const green: Element = [`${prefix}template`, 'Match', 'green']
  const coupons: Element = [`${prefix}category`, 'Match', 'Coupons']
  const beforeD: Element = [`${prefix}category`, 'Lt', 'D']
  const join = ([field, op, value]: Element, bool: string): Element => [field, op, value, bool]

  test('§4.4 bool_op joins an element to the next, strictly left to right', async () => {
    expect(await filtered(join(red, 'Or'), green)).toEqual(['red', 'green'])
    expect(await filtered(join(red, 'And'), green)).toEqual([])
    expect(await filtered(red, green)).toEqual([])
    expect(await filtered(join(red, 'Or'), join(coupons, 'And'), green)).toEqual(['green'])
    expect(await filtered(join(green, 'And'), join(red, 'Or'), coupons)).toEqual(['red', 'green'])
  })

  test('§4.4 groups are joined by And; an empty one restricts nothing', async () => {
    expect(await found({ filters: [elements(coupons), elements(green)] })).toEqual(['green'])
    expect(await found({ filters: [elements(coupons), elements()] })).toEqual(['red', 'green'])
    expect(await found({ filters: [] })).toHaveLength(3)
    expect(await found({ scope: null, filters: null, return: null })).toHaveLength(3)
  })

  test('a scope and filters hold together', async () => {
    const scope = { key: `${prefix}template`, value: 'local.vatom::red,local.vatom::blue' }
    expect(await found({ scope, filters: [elements(coupons)] })).toEqual(['red'])
  })

  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  const inGroups = (all: readonly Element[]) =>
    many(Math.ceil(all.length / 100), (group) => elements(...all.slice(group * 100, group * 100 + 100)))

  test('as many comparisons as there may be are answered, patterns among them', async () => {
    const all = many(limits.comparisons, (index) =>
      join(
        index % 5 === 0 ? ['private.size', 'Match', index < limits.patterns * 5 ? '*1*' : '1'] : beforeD,
        index % 2 ? 'And' : 'Or',
      ),
    )
    expect(await found({ filters: inGroups(all) })).toEqual(['red', 'green'])
  })

  const pattern = (pieces: number) => many(pieces, (index) => 'ab'[index % 2]).join('*')
  test.each([
    ['comparisons', limits.comparisons, (count: number) => many(count, () => beforeD)],
    [
      'values of Match',
      limits.matches,
      (count: number) => many(count, (): Element => [`${prefix}category`, 'Match', 'a']),
    ],
    [
      'values with *',
      limits.patterns,
      (count: number) => many(count, (): Element => [`${prefix}category`, 'Match', '*']),
    ],
    [
      'pieces between the * of one value',
      limits.patternPieces,
      (count: number) => [[`${prefix}category`, 'Match', `**${pattern(count)}***`] as const],
    ],
    [
      'steps in the path of a custom property',
      limits.pathSteps,
      (count: number) => [[`private${'.a'.repeat(count)}`, 'Eq', 'x'] as const],
    ],
    [
      'characters in the path of a custom property',
      limits.pathCharacters,
      (count: number) => [['private.'.padEnd(count, 'a'), 'Eq', 'x'] as const],
    ],
  ])('more %s than %d are refused with both numbers', async (what, most, make) => {
    const search = (count: number) =>
      caller.call('POST', '/v1/vatom/discover', { body: { filters: inGroups(make(count)) } })
    expect(await search(most)).toMatchObject({ status: 200 })
    const message = `the search has ${most + 1} ${what}: at most ${most} are allowed`
    expect(await search(most + 1)).toMatchObject({
      status: 400,
      body: { error: 516, message: expect.stringContaining(message), issues: [{ path: 'filters', message }] },
    })
  })

  test.each([
    { scope: { key: 'private.'.padEnd(limits.pathCharacters + 1, 'a'), value: 'x' } },
    { scope: { key: 'private.'.padEnd(limits.pathCharacters + 1, '.'), value: 'x' } },
    { sample: 1, group_by: ['private.'.padEnd(limits.pathCharacters + 1, 'a')] },
  ])('a path that is too long is refused wherever a search has one: %#', async (body) => {
    const message = `the search has ${limits.pathCharacters + 1} characters in the path of a custom property: at most ${limits.pathCharacters} are allowed`
    expect(await caller.call('POST', '/v1/vatom/discover', { body })).toMatchObject({ status: 400, body: { message } })
  })

  test('a star is no letter to be found, however many stand together', async () => {
    expect(await filtered([`${prefix}category`, 'Match', `${'*'.repeat(500)}oup${'*'.repeat(500)}`])).toEqual([
      'red',
      'green',
    ])
  })

  test.each([
    [{ scope: { key: `${prefix}colour`, value: 'x' } }, 'scope.key'],
    [{ scope: { key: `${prefix}owner` } }, 'scope.value'],
    [{ limit: -1 }, 'limit'],
    [{ page: '1' }, 'page'],
    [{ filters: [elements(['private.', 'Eq', 'x'])] }, 'filters[0].filter_elems[0].field'],
    [{ filters: [elements([`${prefix}owner`, 'Like', 'x'])] }, 'filters[0].filter_elems[0].filter_op'],
    [{ filters: [elements(join(red, 'Xor'))] }, 'filters[0].filter_elems[0].bool_op'],
    [{ filters: [{}] }, 'filters[0].filter_elems'],
    [{ filter: [] }, 'filter'],
  ])('malformed input is a 400 that names its place: %j', async (body, path) => {
    expect(await caller.call('POST', '/v1/vatom/discover', { body })).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path }] },
    })
  })

  test.each([
    'private.a..b',
    'private..',
    'private."',
    'private.a\\',
    'private.\u0000',
    "private.'",
    'private.$[0]',
    'private.ü.💥',
  ])('any custom field name can be asked for: %j', async (field) => {
    expect(await filtered([field, 'Eq', 'x'])).toEqual([])
    expect(await filtered([field, 'Ne', 'x'])).toHaveLength(3)
  })
})

test('§4.4 fields with odd names are found by their path', async () => {
  const { publisher } = await testService()
  await emitted(
    publisher,
    'local.vatom::A',
    1,
    { title: 'odd' },
    { 'q"uote': 'x', 'back\\slash': 'x', 'ü 💥': { "it's": 'x' } },
  )
  for (const field of ['q"uote', 'back\\slash', "ü 💥.it's"])
    expect(titles(await discover(publisher, { filters: [elements([`private.${field}`, 'Eq', 'x'])] }))).toEqual(['odd'])
  await made(publisher, ['GET', '/v1/user'])
})
