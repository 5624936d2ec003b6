import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { template, templateName } from '../../../fixtures/bodies.ts'
import { type Caller, emitted, made, testService } from '../../../support/service.ts'
import { twoPublishers } from '../../../support/worlds.ts'

const prefix = 'vAtom::vAtomType.'
const types = {
  plain: 'vAtom::vAtomType',
  folder: 'vAtom::vAtomType::FolderContainerType',
  pack: 'vAtom::vAtomType::PackageContainerType',
  discover: 'vAtom::vAtomType::DiscoverContainerType',
} as const
const element = (field: string, filter_op: string, value: string) => ({ field: prefix + field, filter_op, value })
const filters = (...list: object[]) => [{ filter_elems: list }]
const coupons = filters(element('category', 'Eq', 'Coupons'))

async function discover(caller: Caller, body: object) {
  const answer = await caller.call('POST', '/v1/vatom/discover', { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.payload
}
type Found = { results: { 'vAtom::vAtomType': { title: string } }[] }
const titles = ({ results }: Found) => results.map((found) => found['vAtom::vAtomType'].title)

let made_ = 0
async function one(caller: Caller, type: object, custom?: object): Promise<string> {
  const [id = ''] = await emitted(caller, `local.vatom::C${++made_}`, 1, type, custom)
  return id
}
const container = (caller: Caller, query: object, type: object = {}) =>
  one(caller, { root_type: types.discover, title: 'container', query, ...type })
const inside = (...ids: string[]) => ({ scope: { key: `${prefix}parent_id`, value: ids.join(',') } })

/** A service with coupons a, b and c, a gift d, and a folder e with f in it; b and f are public. */
async function stocked() {
  const world = await twoPublishers()
  const { publisher } = world
  for (const [title, type] of [
    ['a', { category: 'Coupons' }],
    ['b', { category: 'Coupons', visibility: { type: 'public' } }],
    ['c', { category: 'Coupons', acquirable: true }],
    ['d', { category: 'Gifts' }],
  ] as const)
    await one(publisher, { title, ...type })
  const folder = await one(publisher, { title: 'e', root_type: types.folder })
  const held = await one(publisher, { title: 'f', visibility: { type: 'public' } })
  await made(publisher, ['PATCH', '/v1/vatoms', { ids: [held], parent_id: folder }])
  const look = async (query: object, body: object = {}, caller: Caller = publisher) =>
    titles(await discover(caller, { ...inside(await container(publisher, query, open)), ...body }))
  return { ...world, folder, look }
}
const open = { visibility: { type: 'public' } }

describe('§2.4 a discover container', () => {
  test('shows what its query finds, newest first', async () => {
    const { look } = await stocked()
    expect(await look({ filters: coupons })).toEqual(['c', 'b', 'a'])
    expect(await look({ scope: { key: `${prefix}acquirable`, value: 'true' } })).toEqual(['c'])
    expect(await look({ scope: { key: `${prefix}owner`, value: 'nobody' }, filters: null })).toEqual([])
    const either = {
      scope: { key: `${prefix}acquirable`, value: 'true' },
      filters: filters(element('category', 'Eq', 'Gifts')),
    }
    expect(await look(either)).toEqual([])
  })

  test('shows to everyone what they themselves may find', async () => {
    const { look, bob } = await stocked()
    expect(await look({ filters: coupons }, {}, bob)).toEqual(['b'])
    for (const [query, mine, theirs] of [
      [{ scope: { key: `${prefix}owner`, value: '$currentuser' }, filters: coupons }, ['c', 'b', 'a'], []],
      [{ filters: [...coupons, ...filters(element('owner', 'Ne', '$currentuser'))] }, [], ['b']],
    ] as const) {
      expect(await look(query)).toEqual(mine)
      expect(await look(query, {}, bob)).toEqual(theirs)
    }
  })

  test('shows nothing to those who may not see it', async () => {
    const { publisher, bob } = await stocked()
    const shut = await container(publisher, { filters: coupons })
    expect(titles(await discover(publisher, inside(shut)))).toEqual(['c', 'b', 'a'])
    expect(titles(await discover(bob, inside(shut)))).toEqual([])
    const shelf = await one(publisher, { root_type: types.folder, ...open })
    const held = await container(publisher, { filters: coupons }, { visibility: { type: 'container' } })
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [held], parent_id: shelf }])
    expect(titles(await discover(bob, inside(held)))).toEqual(['b'])
  })

  test('is searched in: filters, pages and counts are of what it shows', async () => {
    const { publisher } = await stocked()
    const shelf = await container(publisher, { filters: coupons })
    const look = (body: object) => discover(publisher, { ...inside(shelf), ...body })
    expect(titles(await look({ filters: filters(element('visibility_type', 'Ne', 'public')) }))).toEqual(['c', 'a'])
    expect(titles(await look({ limit: 2 }))).toEqual(['c', 'b'])
    expect(titles(await look({ limit: 2, page: 2 }))).toEqual(['a'])
    expect(await look({ limit: 1, return: { type: 'count' } })).toEqual({
      results: [],
      faces: [],
      actions: [],
      count: 3,
    })
  })

  test('shows no more than the limit of its query, the newest, or a later page of so many', async () => {
    const { look, bob } = await stocked()
    expect(await look({ filters: coupons, limit: 2 })).toEqual(['c', 'b'])
    expect(await look({ filters: coupons, limit: 2, page: 2 })).toEqual(['a'])
    expect(await look({ filters: coupons, page: 2 })).toEqual([])
    for (const query of [{ limit: 0 }, { page: 0 }, { page: 1 }, { limit: 5000 }])
      expect(await look({ filters: coupons, ...query })).toEqual(['c', 'b', 'a'])
    expect(await look({ filters: coupons, limit: 1 }, {}, bob)).toEqual(['b'])
    const older = { filters: filters(element('visibility_type', 'Eq', 'public')) }
    expect(await look({ filters: coupons, limit: 2 }, older)).toEqual(['b'])
    expect(await look({ filters: coupons, limit: 1 }, older)).toEqual([])
  })

  test('that limits nothing shows more than a page', async () => {
    const { publisher } = await testService()
    await emitted(publisher, 'local.vatom::Many', 1001, { category: 'Coupons' })
    const shelf = await container(publisher, { filters: coupons })
    const count = { return: { type: 'count' } }
    expect((await discover(publisher, { ...inside(shelf), ...count })).count).toBe(1001)
    const small = await container(publisher, { filters: coupons, page: 1, limit: 1 })
    expect((await discover(publisher, { ...inside(small, shelf), ...count })).count).toBe(1001)
    expect((await discover(publisher, { ...inside(small), ...count })).count).toBe(1)
  })

  test('with an empty query shows all that one may find, without one nothing', async () => {
    const { publisher } = await testService()
    const all = await container(publisher, {}, { title: 'all' })
    const nothing = await one(publisher, { title: 'nothing', root_type: types.discover })
    expect(titles(await discover(publisher, inside(all)))).toEqual(['nothing', 'all'])
    expect(titles(await discover(publisher, inside(nothing)))).toEqual([])
  })

  test('stands beside folders and others of its kind in a scope', async () => {
    const { publisher, folder } = await stocked()
    const gifts = await container(publisher, { filters: filters(element('category', 'Eq', 'Gifts')) })
    const some = await container(publisher, { filters: coupons, limit: 1 })
    const look = async (...ids: string[]) => titles(await discover(publisher, inside(...ids)))
    expect(await look(folder)).toEqual(['f'])
    expect(await look(folder, gifts, some)).toEqual(['f', 'd', 'c'])
    expect(await look(gifts, gifts)).toEqual(['d'])
    expect(await look(gifts, 'nothing')).toEqual(['d'])
    expect(await look('.', gifts)).toContain('d')
    expect(await look('.', gifts)).not.toContain('f')
  })

  test('shows nothing of containers that its query looks into: circles end', async () => {
    const { publisher } = await stocked()
    const first = await container(publisher, { filters: coupons })
    const second = await container(publisher, inside(first))
    expect(titles(await discover(publisher, inside(second)))).toEqual([])
    const name = 'local.vatom::Circle'
    const circle = (query: object) => ({
      vatom: { 'vAtom::vAtomType': { root_type: types.discover, title: 'circle', query } },
    })
    await made(
      publisher,
      ['POST', '/v1/templates', { template: name, ...circle({}) }],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    )
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }])
    await made(publisher, ['PATCH', `/v1/templates/${name}`, circle(inside(ids[0]))])
    expect(titles(await discover(publisher, inside(ids[0])))).toEqual([])
  })

  test('is a container for a scope on parent_id alone', async () => {
    const { publisher } = await stocked()
    const shelf = await container(publisher, { filters: coupons }, { title: 'shelf' })
    expect(titles(await discover(publisher, { scope: { key: 'id', value: shelf } }))).toEqual(['shelf'])
    const parent = filters(element('parent_id', 'Eq', shelf))
    expect(titles(await discover(publisher, { filters: parent }))).toEqual([])
  })

  test('is refused where its query and the search compare too much', async () => {
    const { publisher } = await testService()
    const stored = comparisons(80, `${prefix}category`)
    const whole = await container(publisher, { filters: stored })
    const page = await container(publisher, { filters: stored, limit: 5 })
    const look = (ids: string[], own: number) =>
      publisher.call('POST', '/v1/vatom/discover', {
        body: { ...inside(...ids), filters: comparisons(own, `${prefix}category`) },
      })
    const refused = {
      status: 400,
      body: {
        error: 516,
        issues: [
          {
            path: 'scope.value',
            message: `the search and the containers in it have ${limits.comparisons + 1} comparisons: at most ${limits.comparisons} are allowed`,
          },
        ],
      },
    }
    for (const id of [whole, page]) {
      expect(await look([id], limits.comparisons - 80)).toMatchObject({ status: 200, payload: { count: 2 } })
      expect(await look([id], limits.comparisons - 79)).toMatchObject(refused)
    }
    expect(await look([whole, page], limits.comparisons - 160)).toMatchObject({ status: 200 })
    expect(await look([whole, page], limits.comparisons - 159)).toMatchObject(refused)
  })

  test.each([
    ['comparisons', comparisons(limits.comparisons + 1, `${prefix}category`)],
    ['values of Match', filters(...Array(limits.matches + 1).fill(element('category', 'Match', 'a')))],
    ['values with *', filters(...Array(limits.patterns + 1).fill(element('category', 'Match', 'a*b')))],
    ['pieces between the * of one value', filters(element('category', 'Match', 'a*'.repeat(limits.patternPieces + 1)))],
    ['steps in the path', comparisons(1, `private${'.a'.repeat(limits.pathSteps + 1)}`)],
  ])('is not stored if its query could not be carried out for its %s', async (what, filters) => {
    const { publisher } = await testService()
    const body = template({ unpublished: false }, { root_type: types.discover, query: { filters } })
    const refused = await publisher.call('POST', '/v1/templates', { body })
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'vatom.vAtom::vAtomType.query' }] } })
    expect(refused.body.message).toContain(what)
    expect((await publisher.call('GET', `/v1/templates/${templateName}`)).status).toBe(404)
  })

  test('is refused for thousands of faulty comparisons without a look at each', async () => {
    const { publisher } = await testService()
    const filters = Array(10).fill({ filter_elems: Array(100).fill({ field: 'none', filter_op: 'None', value: 1 }) })
    const message = `the query has 1000 comparisons: at most ${limits.comparisons} are allowed`
    const body = template({ unpublished: false }, { root_type: types.discover, query: { filters } })
    const refused = await publisher.call('POST', '/v1/templates', { body })
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'vatom.vAtom::vAtomType.query', message }] },
    })
    const searched = await publisher.call('POST', '/v1/vatom/discover', { body: { filters } })
    expect(searched).toMatchObject({ status: 400, body: { issues: [{ path: 'filters' }] } })
  })
})

/** So many comparisons, in groups as large as they may be. */
const comparisons = (count: number, field: string) =>
  Array.from({ length: Math.ceil(count / 100) }, (_, group) => ({
    filter_elems: Array.from({ length: Math.min(100, count - group * 100) }, () => ({
      field,
      filter_op: 'Ne' as const,
      value: '1',
    })),
  }))

describe('§2.4 however vAtoms are moved, packages opened and drafts changed', () => {
  const kinds = ['plain', 'folder', 'pack', 'discover'] as const
  const visibilities = ['owner', 'public', 'container'] as const
  const variations = kinds.flatMap((kind) => visibilities.map((visibility) => [kind, visibility] as const))
  const nameOf = (kind: string) => `local.vatom::${kind}`
  const variationOf = (kind: string, visibility: string) => `${nameOf(kind)}::${visibility}`
  const seen = (visibility: string) => ({ vatom: { 'vAtom::vAtomType': { visibility: { type: visibility } } } })

  /** Drafts of every kind and visibility, three vAtoms of each. */
  async function forest() {
    const world = await testService()
    const bob = await world.register('bob@example.com')
    for (const kind of kinds)
      await made(world.publisher, [
        'POST',
        '/v1/templates',
        { template: nameOf(kind), vatom: { 'vAtom::vAtomType': { root_type: types[kind] } } },
      ])
    await made(world.publisher, [
      'POST',
      '/v1/publisher/action',
      { name: `${nameOf('pack')}::Action::Open`, reactor: 'blockv://v1/Open' },
    ])
    for (const [kind, visibility] of variations) {
      const template_variation = variationOf(kind, visibility)
      await made(
        world.publisher,
        ['POST', '/v1/template_variations', { template: nameOf(kind), template_variation, ...seen(visibility) }],
        ['POST', '/v1/vatoms', { template_variation, num: 3 }],
      )
    }
    const { results } = await discover(world.publisher, { limit: 0 })
    const ids: string[] = results.map(({ id }: { id: string }) => id)
    return { ...world, bob, ids }
  }

  type Step =
    | { readonly move: readonly number[]; readonly to: number | null }
    | { readonly open: number }
    | { readonly change: readonly [string, string]; readonly to: string }
  const index = fc.nat({ max: 35 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ move: fc.array(index, { minLength: 1, maxLength: 4 }), to: fc.option(index) }),
    },
    { weight: 1, arbitrary: fc.record({ open: index }) },
    {
      weight: 1,
      arbitrary: fc.record({ change: fc.constantFrom(...variations), to: fc.constantFrom(...visibilities) }),
    },
  )

  function take({ call }: Caller, ids: readonly string[], step: Step) {
    if ('move' in step) {
      const parent_id = step.to === null ? '.' : ids[step.to]
      return call('PATCH', '/v1/vatoms', { body: { ids: step.move.map((one) => ids[one]), parent_id } })
    }
    if ('open' in step) return call('POST', '/v1/user/vatom/action/Open', { body: { 'this.id': ids[step.open] } })
    return call('PATCH', `/v1/template_variations/${variationOf(...step.change)}`, { body: seen(step.to) })
  }

  interface Placed {
    readonly parent_id: string
    readonly root_type: string
    readonly visibility: { readonly type: string }
  }

  /** The folders above a vAtom, nearest first; throws for a circle and for a parent that is no folder. */
  function pathOf(all: ReadonlyMap<string, Placed>, id: string, below: readonly string[] = []): readonly Placed[] {
    const { parent_id } = all.get(id) ?? { parent_id: '' }
    if (parent_id === '.') return []
    const folder = all.get(parent_id)
    if (!folder || below.includes(parent_id)) throw new Error(`${parent_id} holds ${id}`)
    expect([types.folder, types.pack]).toContain(folder.root_type)
    return [folder, ...pathOf(all, parent_id, [...below, id])]
  }

  /** Effective visibility from scratch. */
  function isSeen(all: ReadonlyMap<string, Placed>, id: string): boolean {
    const own = all.get(id)
    const [decides] = [...(own ? [own] : []), ...pathOf(all, id)].filter(
      ({ visibility }) => visibility.type !== 'container',
    )
    return decides?.visibility.type === 'public'
  }

  test('who finds what is what the tree says, and the tree has no circles', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { publisher, bob, ids } = await forest()
        for (const one of steps) {
          const { status, text } = await take(publisher, ids, one)
          expect([200, 400, 403], text).toContain(status)
        }
        const { results } = await discover(publisher, { limit: 0 })
        const all = new Map<string, Placed>(
          results.map((found: { id: string; 'vAtom::vAtomType': Placed }) => [found.id, found['vAtom::vAtomType']]),
        )
        const found = await discover(bob, { limit: 0 })
        expect(found.results.map(({ id }: { id: string }) => id).sort()).toEqual(
          [...all.keys()].filter((id) => isSeen(all, id)).sort(),
        )
      }),
      { numRuns: 15 },
    )
  })
})
