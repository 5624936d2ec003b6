import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import * as bodies from '../../fixtures/bodies.ts'
import { facing, transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

/** A desk with a folder and four vAtoms. */
async function stocked(transport: (typeof transports)[number]) {
  const lines: string[] = []
  const desk = await publisher({ transport, service: { log: (line) => lines.push(line) } })
  const emitted = async (name: string, num: number, root_type: string) => {
    const template = bodies.template({ template: name, unpublished: false }, { root_type })
    const variation = { template: name, template_variation: `${name}::V`, unpublished: false }
    await desk.json('template', 'create', desk.file('template.json', JSON.stringify(template)), '--confirm', name)
    await desk.json(
      'variation',
      'create',
      desk.file('variation.json', JSON.stringify(variation)),
      '--confirm',
      `${name}::V`,
    )
    return at(await desk.json('emit', `${name}::V`, '--num', String(num)), 'ids') as string[]
  }
  const [box = ''] = await emitted('local.vatom::Box', 1, 'vAtom::vAtomType::FolderContainerType')
  const ids = await emitted('local.vatom::Coupon', 4, 'vAtom::vAtomType')
  const inBox = async () => {
    const vatoms = at(await desk.json('inventory', '--folder', box, '--all'), 'vatoms') as { id: string }[]
    return vatoms.map(({ id }) => id).sort()
  }
  return { ...desk, lines, box, ids, inBox }
}

describe.each(transports)('on the %s transport', (transport) => {
  test('update moves vAtoms into a folder and out of it', async () => {
    const { vatom, json, file, box, ids, inBox } = await stocked(transport)
    const [a = '', b = '', c = '', d = ''] = ids
    const moved = await vatom('update', a, b.slice(0, 10), '--folder', box.slice(0, 10))
    expect(moved.code).toBe(0)
    for (const id of [a, b]) expect(moved.out).toContain(`Moved vAtom ${id} into ${box} on `)
    expect(await vatom('update', c, '-d', `parent_id=${box}`)).toMatchObject({ code: 0 })
    file('fields.yaml', `parent_id: ${box}\n`)
    expect(await vatom('update', d, '--data', 'fields.yaml')).toMatchObject({ code: 0 })
    expect(await inBox()).toEqual([a, b, c, d].sort())
    expect(await json('update', a, a, '--folder', '.')).toMatchObject({
      results: [{ kind: 'vatom', name: a, status: 'updated', problems: [] }],
      summary: { total: 1, ok: 1, failed: 0 },
    })
    expect(await inBox()).toEqual([b, c, d].sort())
  })

  test('update says of what is there already that it is, and moves the rest', async () => {
    const { vatom, json, box, ids } = await stocked(transport)
    const [a = '', b = ''] = ids
    expect(await vatom('update', a, '--folder', '.')).toMatchObject({
      code: 0,
      out: expect.stringMatching(`^vAtom ${a} is already at the root on `),
    })
    await json('update', a, '--folder', box)
    const { code, out } = await vatom('update', a, b, '--folder', box)
    expect({ code, lines: out.trim().split('\n') }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(`^vAtom ${a} is already in ${box} on `),
        expect.stringMatching(`^Moved vAtom ${b} into ${box} on `),
      ],
    })
    expect(await json('update', a, '--folder', box, '--dry-run')).toMatchObject({
      results: [{ name: a, status: 'unchanged' }],
    })
  })

  test('update names the root where a word for it is given', async () => {
    const { vatom, ids } = await stocked(transport)
    for (const word of ['root', '/'])
      expect(await vatom('update', ids[0] ?? '', '--folder', word)).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `error: ${word} is no id of a folder\nhint: the root is written as a point: --folder .\n`,
        ),
      })
  })

  test('of several, moves what can be moved, and says of each other why not', async () => {
    const { run, box, ids, inBox } = await stocked(transport)
    const [a = ''] = ids
    const some = await run(['update', a, 'gone', box, '--folder', box, '--json'])
    expect(some.code).toBe(6)
    expect(JSON.parse(some.out)).toMatchObject({
      results: [
        { name: a, status: 'updated' },
        { name: 'gone', status: 'refused', message: 'no vAtom has this id' },
        { name: box, status: 'refused' },
      ],
      summary: { total: 3, ok: 1, failed: 2 },
    })
    expect(await inBox()).toEqual([a])
    const itself = await run(['update', box, '--folder', box])
    expect(itself).toMatchObject({ code: 1, err: expect.not.stringContaining('hint:') })
    const unknown = await run(['update', 'gone', '--folder', box])
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('hint: list what exists: vatom inventory') })
    const none = await run(['update', a, '--folder', 'nowhere'])
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(none.err).toMatch(
      /^error: vAtom \S+ was not moved: the target folder does not exist: no vAtom has the id nowhere$/m,
    )
    expect(await inBox()).toEqual([a])
  })

  test('moves more than one request can name', async () => {
    const { run, json, lines, inBox, box } = await stocked(transport)
    const ids = at(await json('emit', 'local.vatom::Coupon::V', '--num', '101'), 'ids') as string[]
    lines.length = 0
    expect(await run(['update', ...ids, '--folder', box])).toMatchObject({ code: 0 })
    expect(lines.filter((line) => line.startsWith('PATCH /v1/vatoms 200'))).toHaveLength(2)
    expect(await inBox()).toHaveLength(101)
  })

  test('a dry run says what would be moved and what would be refused', async () => {
    const { run, box, ids, inBox } = await stocked(transport)
    const [a = ''] = ids
    const { code, out } = await run(['update', a, 'gone', '--folder', box, '--dry-run', '--json'])
    expect(code).toBe(6)
    expect(JSON.parse(out)).toMatchObject({
      dry_run: true,
      results: [
        { name: a, status: 'updated', would: 'updated', request: { method: 'PATCH', path: '/v1/vatoms' } },
        { name: 'gone', status: 'refused' },
      ],
    })
    expect(await inBox()).toEqual([])
  })
})

test('what was moved, and why the rest was not, is reported where no hint for the rest can be read', async () => {
  const answer = { num_updated: 1, num_errors: 1, ids: ['moved'], error_messages: { refused: 'it is locked' } }
  const { run, env } = await facing(({ method }, response) => {
    if (method !== 'PATCH') return response.socket?.destroy()
    response.end(JSON.stringify({ payload: answer }))
  })
  const { code, out } = await run(['update', 'moved', 'refused', '--folder', '.', '--json'], { env })
  expect(code).toBe(6)
  expect(JSON.parse(out)).toMatchObject({
    results: [
      { name: 'moved', status: 'updated' },
      { name: 'refused', status: 'refused', message: 'it is locked' },
    ],
  })
})

test.each([
  [['update', 'ID'], 'No change given', '--folder ID'],
  [['update', '--folder', '.'], 'id', ''],
  [['update', 'ID', '-d', 'private.color=red'], 'private.color cannot be changed by this command', 'vatom act --help'],
  [['update', 'ID', '-d', 'parent_id=[1]'], '--folder: must be a string, not a list', ''],
  [['update', 'ID', '-d', 'parent_id=12'], '12 is too short', 'at least 4 characters'],
])('%j is a usage error, and nothing is sent', async (words, message, hint) => {
  const lines: string[] = []
  const { vatom } = await publisher({ service: { log: (line) => lines.push(line) } })
  const { code, out, err } = await vatom(...words)
  expect({ code, out, lines }).toEqual({ code: 2, out: '', lines: [] })
  expect(err).toContain(message)
  expect(err).toContain(hint)
})
