import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { api, type Operation } from '../../../src/contract/api/table.ts'
import { limits } from '../../../src/contract/limits.ts'
import { at } from '../../../src/contract/schema/path.ts'
import * as bodies from '../../fixtures/bodies.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const folderType = 'vAtom::vAtomType::FolderContainerType'
const coupon = 'local.vatom::Coupon'
const template = (name: string, type: object, fields: object = {}) =>
  JSON.stringify(bodies.template({ template: name, unpublished: false, ...fields }, type))

/** Emits vAtoms of a variation made for it; answers their ids, oldest first. */
async function emitted({ file, json }: Desk, name: string, num: number, type: object = {}, published = true) {
  const variation = { template: name, template_variation: `${name}::V`, unpublished: !published }
  await json('template', 'create', file('template.json', template(name, type)), '--confirm', name)
  await json('variation', 'create', file('variation.json', JSON.stringify(variation)), '--confirm', `${name}::V`)
  return at(await json('emit', `${name}::V`, '--num', String(num)), 'ids') as string[]
}
const move = (desk: Desk, ids: readonly string[], parent_id: string) =>
  desk.run(['api', 'PATCH', '/v1/vatoms', '--input', '-'], { stdin: JSON.stringify({ ids, parent_id }) })
const idsIn = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])

/** What was asked of a service and answered. */
const asked = (lines: readonly string[], operation: Operation) => {
  const { method, path } = api[operation]
  return lines.filter((line) => line.startsWith(`${method} ${path} 200 `)).length
}

describe.each(['local', 'network'] as const)('%s', (transport) => {
  describe('inventory', () => {
    test('lists what one owns, with the state of each', async () => {
      const desk = await publisher({ transport })
      const [a = '', b = ''] = await emitted(desk, coupon, 2, { title: 'A coupon' }, false)
      const [box = ''] = await emitted(desk, 'local.vatom::Box', 1, { title: 'Box', root_type: folderType })
      await move(desk, [a], box)
      const { code, out, err } = await desk.vatom('inventory')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out.trimEnd().split('\n')).toEqual([
        [box, 'Box', 'local.vatom::Box::V', 'activated'].join('\t'),
        [b, 'A coupon', `${coupon}::V`, 'activated, draft'].join('\t'),
        [a, 'A coupon', `${coupon}::V`, `activated, draft, in ${box}`].join('\t'),
      ])
      expect(idsIn((await desk.vatom('inventory', '--folder', box)).out)).toEqual([a])
      expect(idsIn((await desk.vatom('inventory', '--folder', '.')).out)).toEqual([box, b])
      for (const [given, said] of [
        ['9f0e7c66-0000-4000-8000-000000000000', 'no vAtom has the id'],
        [b, `The vAtom ${b} is not a folder`],
      ] as const) {
        const { code, out, err } = await desk.vatom('inventory', '--folder', given)
        expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(said) })
      }
      expect(await desk.json('inventory', '--folder', box)).toMatchObject({
        vatoms: [{ id: a }],
        faces: [],
        actions: [],
      })
    })

    test('shows a page, and says whether there is another one', async () => {
      const desk = await publisher({ transport })
      const ids = (await emitted(desk, coupon, 102)).reverse()
      const first = await desk.vatom('inventory')
      expect(idsIn(first.out)).toEqual(ids.slice(0, 100))
      expect(first.err).toBe('There are more: --page 2, or --all\n')
      expect(await desk.json('inventory')).toMatchObject({ has_more: true, next: 2 })
      expect(await desk.json('inventory', '--page', '2')).toMatchObject({ has_more: false, next: null })
      expect(await desk.json('inventory', '--limit', '51', '--page', '2')).toMatchObject({
        has_more: false,
        next: null,
      })
      expect((await desk.vatom('inventory', '--limit', '51', '--page', '2')).err).toBe('')
      const second = await desk.vatom('inventory', '--page', '2')
      expect([idsIn(second.out), second.err]).toEqual([ids.slice(100), ''])
      expect(idsIn((await desk.vatom('inventory', '--limit', '3', '--page', '2')).out)).toEqual(ids.slice(3, 6))
      const past = await desk.vatom('inventory', '--page', '3')
      expect(past).toEqual({ code: 0, out: '', err: 'No vAtoms found on page 3: the last page is 2.\n' })
      expect((await desk.vatom('inventory', '--page', '9', '--limit', '20')).err).toContain('the last page is 6.')
      expect((await desk.vatom('inventory', '--limit', '3')).err).toBe('There are more: --limit 3 --page 2, or --all\n')
      const more = await desk.vatom('inventory', '--limit', '500')
      expect(more.err).toBe('A page has at most 100 vAtoms\nThere are more: --page 2, or --all\n')
      await desk.json(
        'face',
        'register',
        '--template',
        coupon,
        '--display-url',
        'native://image',
        '--view-mode',
        'icon',
      )
      expect(at(await desk.json('inventory', '--all', '--limit', '60'), 'faces')).toHaveLength(1)
      expect(await desk.json('inventory', '--all')).toMatchObject({ has_more: false, next: null })
      const recordsOf = (out: string) =>
        out
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      const lines = await desk.vatom('inventory', '--all', '--ndjson')
      expect([recordsOf(lines.out).map(({ id }) => id), lines.err]).toEqual([ids, ''])
      expect(recordsOf(lines.out)[0]).toEqual(at(await desk.json('inventory', '--limit', '1'), 'vatoms', 0))
      const some = await desk.vatom('inventory', '--limit', '2', '--ndjson')
      expect([recordsOf(some.out).map(({ id }) => id), some.err]).toEqual([
        ids.slice(0, 2),
        'There are more: --limit 2 --page 2, or --all\n',
      ])
      for (const limit of [[], ['--limit', '60'], ['--limit', '0'], ['--limit', '1000']]) {
        const all = await desk.vatom('inventory', '--all', ...limit)
        expect([idsIn(all.out), all.err]).toEqual([ids, ''])
      }
    })
  })

  describe('show', () => {
    test('prints a vAtom as YAML with its own faces and actions', async () => {
      const desk = await publisher({ transport })
      const [a = ''] = await emitted(desk, coupon, 1, { title: 'A coupon' })
      await emitted(desk, 'local.vatom::Other', 1)
      for (const of of [coupon, 'local.vatom::Other']) {
        await desk.json('face', 'register', '--template', of, '--display-url', 'native://image', '--view-mode', 'icon')
        const action = JSON.stringify({ name: `${of}::Action::Drop`, reactor: 'blockv://v1/Drop' })
        await desk.json('action', 'register', desk.file('action.json', action))
      }
      const other = idsIn((await desk.vatom('inventory')).out)[0] ?? ''
      const { code, out, err } = await desk.vatom('show', a, other, a)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      const documents = parseAllDocuments(out).map((document) => document.toJS())
      expect(documents).toMatchObject([
        {
          id: a,
          'vAtom::vAtomType': { title: 'A coupon' },
          faces: [{ template: coupon }],
          actions: [{ name: `${coupon}::Action::Drop` }],
        },
        { id: other, faces: [{ template: 'local.vatom::Other' }] },
      ])
      expect(documents.map(({ faces, actions }) => [faces.length, actions.length])).toEqual([
        [1, 1],
        [1, 1],
      ])
      expect(await desk.json('show', a)).toMatchObject({ vatoms: [{ id: a }], faces: [{}], actions: [{}] })
    })

    test('exits 1 and names what is not there, after what is', async () => {
      const desk = await publisher({ transport })
      const [a = ''] = await emitted(desk, coupon, 1)
      const { code, out, err } = await desk.vatom('show', 'nothing', a, 'none')
      expect([code, parseAllDocuments(out).map((document) => document.get('id'))]).toEqual([1, [a]])
      expect(err).toContain('nothing, none')
      expect(err).not.toContain(a)
      const json = await desk.vatom('show', a, 'nothing', '--json')
      expect([json.code, JSON.parse(json.out)]).toEqual([
        1,
        {
          error: expect.objectContaining({
            code: 'unknown_vatom',
            issues: [expect.objectContaining({ path: 'nothing' })],
          }),
        },
      ])
    })

    test('shows more than can be asked for at once', async () => {
      const lines: string[] = []
      const desk = await publisher({ transport, service: { log: (line) => lines.push(line) } })
      const ids = await emitted(desk, coupon, 101)
      expect(at(await desk.json('show', ...ids), 'vatoms')).toHaveLength(101)
      expect(asked(lines, 'getVatoms')).toBe(2)
    })
  })

  describe('trash', () => {
    test('trashes vAtoms, and says of each what became of it', async () => {
      const desk = await publisher({ transport })
      const [a = '', b = '', c = ''] = await emitted(desk, coupon, 3)
      expect(await desk.json('trash', a, b, a, '--yes')).toEqual({
        results: [a, b].map((name) => ({
          file: null,
          kind: 'vatom',
          name,
          status: 'deleted',
          message: expect.stringMatching(new RegExp(`^Trashed vAtom ${name} on `)),
          problems: [],
        })),
        summary: { total: 2, ok: 2, failed: 0 },
      })
      expect(idsIn((await desk.vatom('inventory')).out)).toEqual([c])
    })

    test('asks first, and does nothing without an answer', async () => {
      const desk = await publisher({ transport })
      const [a = ''] = await emitted(desk, coupon, 1)
      expect(await desk.vatom('trash', a)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
      expect(idsIn((await desk.vatom('inventory')).out)).toEqual([a])
    })

    test('of several does what can be done: exit 6, and 1 where nothing could', async () => {
      const desk = await publisher({ transport })
      const [a = ''] = await emitted(desk, coupon, 1)
      const some = await desk.vatom('trash', a, 'gone', '--yes')
      expect([some.code, some.out]).toEqual([6, expect.stringContaining(a)])
      expect(some.err).toContain('no vAtom has the id gone')
      expect(await desk.vatom('trash', 'gone', '--yes')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('vatom inventory'),
      })
    })
  })
})

describe.each(['local', 'network'] as const)('%s: the beginning of an id', (transport) => {
  test('stands for the vAtom that has it', async () => {
    const desk = await publisher({ transport })
    const [a = '', b = ''] = await emitted(desk, coupon, 2)
    const [box = ''] = await emitted(desk, 'local.vatom::Box', 1, { root_type: folderType })
    const drop = { name: `${coupon}::Action::Drop`, reactor: 'blockv://v1/Drop', wait: true }
    await desk.json('action', 'register', desk.file('action.json', JSON.stringify(drop)))
    const short = (id: string) => id.slice(0, 8)
    await move(desk, [b], box)
    expect(at(await desk.json('show', short(a), short(b).toUpperCase()), 'vatoms')).toMatchObject([
      { id: a },
      { id: b },
    ])
    expect(idsIn((await desk.vatom('inventory', '--folder', short(box))).out)).toEqual([b])
    const dropped = await desk.vatom('act', 'Drop', short(a), '-d', 'geo.pos={"lat": 47, "lon": 8}')
    expect(dropped).toMatchObject({ code: 0, err: expect.stringContaining(`Drop was performed on ${a}`) })
    expect((await desk.vatom('trash', short(box))).err).toContain(`Trash vAtom ${box} with 1 vAtom in it (1 `)
    expect(await desk.vatom('trash', short(box), short(a), '--yes')).toMatchObject({ code: 0 })
    expect(at(await desk.json('inventory'), 'vatoms')).toEqual([])
    const none = short(a)
    expect(await desk.vatom('show', none)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`has the id ${none}`),
    })
  })

  test('that several have is refused, and all of them are named', async () => {
    const desk = await publisher({ transport })
    await emitted(desk, coupon, 1, { title: 'A coupon' })
    const ids = (at(await desk.json('emit', `${coupon}::V`, '--num', '2000'), 'ids') as string[]).sort()
    const at4 = ids.map((id) => id.slice(0, 4))
    const start = at4.find((one, index) => one === at4[index + 1]) ?? ''
    const { code, out, err } = await desk.vatom('trash', start, '--yes')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`The ids of several vAtoms begin with ${start}`)
    for (const id of ids.filter((id) => id.startsWith(start))) expect(err).toContain(`  ${id}: A coupon`)
    expect(err).toContain('hint: give more characters of the id')
    expect(await desk.json('inventory', '--all')).toMatchObject({ vatoms: { length: 2001 } })
  })
})

test.each([
  [80, 8, `${coupon}::V`],
  [200, 36, `${coupon}::V`],
])(
  'on a terminal of %i columns, ids have %i characters, and titles, variations and states can be read',
  async (columns, length, variation) => {
    const desk = await publisher()
    const [id = ''] = await emitted(desk, coupon, 1, { title: 'A coupon for one free coffee' }, false)
    const { out } = await desk.run(['inventory', '--no-color'], { tty: true, columns })
    const [head = '', line = ''] = out.split('\n')
    expect(head).toMatch(/^ID +TITLE +VARIATION +STATE$/)
    expect(line.split(/ {2,}/)).toEqual([
      id.slice(0, length),
      'A coupon for one free coffee',
      variation,
      'activated, draft',
    ])
    expect(line.length).toBeLessThanOrEqual(columns)
  },
)

test.each([
  [['inventory', '--all', '--page', '2'], '--all excludes --page'],
  [['inventory', '--limit', 'x'], 'whole number'],
  [['discover', '--ndjson', '--count'], '--count excludes --ndjson'],
  [['show'], 'id'],
  [['trash', '--yes'], 'id'],
])('%j is a usage error', async (args, told) => {
  const { vatom } = await publisher()
  expect(await vatom(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(told) })
})

test('on a terminal the state of what is in a folder has the beginning of the id of the folder', async () => {
  const desk = await publisher()
  const [a = ''] = await emitted(desk, coupon, 1)
  const [box = ''] = await emitted(desk, 'local.vatom::Box', 1, { root_type: folderType })
  await move(desk, [a], box)
  const { out } = await desk.run(['inventory', '--no-color'], { tty: true, columns: 200 })
  expect(out).toContain(`activated, in ${box.slice(0, 8)}\n`)
})

test('lines of JSON are not one document of JSON', async () => {
  const { vatom } = await publisher()
  for (const list of ['inventory', 'discover'])
    expect(await vatom(list, '--ndjson', '--json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--ndjson excludes --json'),
    })
})

test('- stands for the ids on standard input, as lists print them, for show, update and trash', async () => {
  const desk = await publisher()
  const [a = '', b = '', c = ''] = await emitted(desk, coupon, 3)
  const [box = ''] = await emitted(desk, 'local.vatom::Box', 1, { root_type: folderType })
  const stdin = `${a}\tA coupon\tactivated\r\n\n${b}\n`
  const shown = await desk.run(['show', '-', '--json'], { stdin })
  expect(at(JSON.parse(shown.out), 'vatoms')).toMatchObject([{ id: a }, { id: b }])
  expect(await desk.run(['update', '-', '--folder', box], { stdin })).toMatchObject({ code: 0 })
  expect(await desk.run(['trash', '-'], { stdin })).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
  expect(await desk.run(['trash', '-', '--yes'], { stdin })).toMatchObject({ code: 0 })
  expect(at(await desk.json('inventory'), 'vatoms')).toMatchObject([{ id: box }, { id: c }])
  expect(await desk.run(['trash', '-', '--yes'], { stdin: '\n' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('no id on standard input'),
  })
})

test.each([
  ['inventory', '--ndjson'],
  ['inventory', '--json'],
  ['discover', '--mine', '--json'],
  ['emit', 'Tea', '--json'],
])('- takes the ids of what %s %s prints as JSON', async (...words) => {
  const desk = await publisher()
  await desk.vatom('init', 'shop', '--name', 'Tea')
  await desk.vatom('apply', 'shop', '--yes')
  await desk.vatom('emit', 'Tea', '--num', '2')
  const stdin = (await desk.vatom(...words)).out
  const shown = JSON.parse((await desk.run(['show', '-', '--json'], { stdin })).out)
  const ids = shown.vatoms.map(({ id }: { id: string }) => id)
  expect(ids).toHaveLength(words.includes('emit') ? 1 : 2)
  for (const id of ids) expect(stdin).toContain(`"${id}"`)
})

test('- takes as many ids as lists print, in more bytes than a document may have', async () => {
  const desk = await publisher()
  const [id = ''] = await emitted(desk, coupon, 1)
  const line = JSON.stringify({ id, text: 'x'.repeat(10_000) })
  const stdin = `${`${line}\n`.repeat(Math.ceil(limits.file / line.length) + 1)}`
  const shown = await desk.run(['show', '-', '--json'], { stdin })
  expect(at(JSON.parse(shown.out), 'vatoms')).toMatchObject([{ id }])
})

test.each(['{"id": 5}', '[{"name": "Tea"}]', '{"id":"1', '[1]', '{}', 'a1b2c3d4\n{"count": 3}'])(
  '- refuses JSON without ids, and says what it takes: %s',
  async (stdin) => {
    const { run } = await publisher()
    expect(await run(['trash', '-', '--yes'], { stdin })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/JSON without ids of vAtoms\nhint: .*vatom inventory --ndjson \| vatom show -/),
    })
  },
)

test('trash goes on behind a vAtom of somebody else, and behind those that were trashed before', async () => {
  const desk = await publisher({ transport: 'network' })
  await desk.vatom('init', 'shop', '--name', 'Tea')
  await desk.vatom('apply', 'shop', '--yes')
  const ids = idsIn((await desk.vatom('emit', 'Tea', '--num', '3')).out)
  await desk.run(['user', 'register', '--email', 'ann@example.com', '--password-stdin'], { stdin: 'annspass1' })
  await desk.json('act', 'Transfer', ids[1] ?? '', '-d', 'new.owner.email=ann@example.com')
  const stdin = ids.join('\n')
  const message = `error: ${ids[1]}: the vAtom ${ids[1]} is not yours\nerror: 1 of 3 were not done\nhint: it was trashed before, or is somebody else's; list what exists: vatom inventory\n`
  expect(await desk.run(['trash', '-', '--yes'], { stdin })).toMatchObject({
    code: 6,
    err: expect.stringContaining(message),
  })
  expect(await desk.json('inventory')).toMatchObject({ vatoms: [] })
  const again = await desk.run(['trash', '-', '--yes'], { stdin })
  for (const id of ids) expect(again.err).toContain(`the vAtom ${id} is not yours\n`)
})

test('without a terminal, trash of many demands --yes before the service is asked about each', async () => {
  const lines: string[] = []
  const desk = await publisher({ service: { log: (line) => lines.push(line) } })
  const ids = await emitted(desk, coupon, 9)
  lines.length = 0
  const { code, err } = await desk.run(['trash', '-'], { stdin: ids.join('\n') })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/Trash 9 vAtoms: .*\?\nhint: .* --yes\n$/) })
  expect(lines.filter((line) => line.includes('/v1/user/vatom/trash'))).toEqual([])
})

test('a beginning of less than four characters is named as too short, not as missing', async () => {
  const { vatom } = await publisher()
  for (const verb of ['show', 'trash']) {
    const { code, err } = await vatom(verb, '157')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('157 is too short') })
    expect(err).not.toContain('No vAtom')
  }
})

describe('trash of a folder', () => {
  /** A box with a coupon and with a bag of two coupons, and one coupon beside it. */
  const nested = async (transport: 'local' | 'network' = 'local') => {
    const desk = await publisher({ transport })
    const [a = '', b = '', c = '', beside = ''] = await emitted(desk, coupon, 4, { title: 'A coupon' })
    const [bag = ''] = await emitted(desk, 'local.vatom::Bag', 1, { title: 'Bag', root_type: folderType })
    const [box = ''] = await emitted(desk, 'local.vatom::Box', 1, { title: 'Box', root_type: folderType })
    await move(desk, [a, b], bag)
    await move(desk, [bag, c], box)
    return { ...desk, a, beside, bag, box }
  }
  const all = '4 vAtoms in it (3 A coupon, 1 Bag)'

  test.each(['local', 'network'] as const)('counts and names what goes along: %s', async (transport) => {
    const { vatom, json, beside, box } = await nested(transport)
    expect((await vatom('trash', box)).err).toContain(`Trash vAtom ${box} with ${all}?`)
    expect((await vatom('trash', box, beside)).err).toContain(`Trash 2 vAtoms: ${box} with ${all}, ${beside}?`)
    expect((await vatom('trash', box, '--dry-run')).out).toContain(`Would trash vAtom ${box} with ${all} on `)
    expect((await vatom('trash', box, '--yes')).out).toContain(`Trashed vAtom ${box} with ${all} on `)
    expect(at(await json('inventory'), 'vatoms')).toMatchObject([{ id: beside }])
    expect((await vatom('trash', beside)).err).toContain(`Trash vAtom ${beside}?`)
  })

  test('asks a person with the title, and says that it cannot be undone', async () => {
    const { run, json, beside, box } = await nested()
    const asked = { tty: true, columns: 400, answers: { Trash: 'n' } }
    expect((await run(['trash', box], asked)).err).toContain(
      `Trash vAtom Box ${box} with ${all}? This cannot be undone.`,
    )
    const two = await run(['trash', box, beside], { ...asked, answers: { Trash: 'y' } })
    expect(two.err).toContain(`Trash 2 vAtoms: Box ${box} with ${all}, A coupon ${beside}? This cannot be undone.`)
    expect(two).toMatchObject({ code: 0 })
    expect(at(await json('inventory'), 'vatoms')).toEqual([])
  })

  test('says of what lies in another one that it goes with that one, whatever the order', async () => {
    const { vatom, json, a, bag, box } = await nested()
    const dry = await vatom('trash', a, box, bag, '--dry-run')
    expect(dry).toMatchObject({ code: 0, err: expect.stringContaining(`${a} is in ${box}, and is trashed with it`) })
    expect(dry.err).toContain(`${bag} is in ${box}, and is trashed with it`)
    expect(await json('trash', box, bag, a, '--yes')).toMatchObject({
      results: [{ name: box, status: 'deleted' }],
      summary: { total: 1, ok: 1, failed: 0 },
    })
  })
})

test('a column that is too wide on a terminal gives way, and control characters are written out', async () => {
  const desk = await publisher()
  await emitted(desk, coupon, 1, { title: `A\u001b[31m${'very '.repeat(40)}long title` })
  const { out } = await desk.run(['inventory'], { tty: true, columns: 100 })
  expect(out).toMatch(/^.*ID .*TITLE .*VARIATION .*STATE/)
  expect(
    Math.max(
      ...out
        .split('\n')
        .slice(1)
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(100)
  expect(out.split('\n')[1]).not.toContain('\u001b[31mvery')
})
