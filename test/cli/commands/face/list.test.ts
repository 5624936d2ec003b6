import { expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { action, face, template } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const [latte, stamp] = ['$publisher::LatteCoupon::v1', '$publisher::StampCard::v1']

/** A desk with two templates, each with the faces icon and card and an action. */
async function withFaces() {
  const desk = await publisher()
  const documents = [latte, stamp].flatMap((name) => [
    template(name),
    face(name),
    face(name, 'card'),
    action('Transfer').replaceAll('$publisher::Coupon::v1', name),
  ])
  desk.file('all.yaml', documents.join('---\n'))
  expect(await desk.vatom('apply', 'all.yaml', '--yes')).toMatchObject({ code: 0 })
  const shown = async (list: string, columns: number) => {
    const { out } = await desk.run([...list.split(' '), '--no-color'], { tty: true, columns })
    return out.trimEnd().split('\n')
  }
  return { ...desk, shown }
}

test.each([80, 60])(
  'face list of all templates shows in %i columns ids that can be given, and names of templates whole',
  async (columns) => {
    const { shown, vatom, json } = await withFaces()
    const [head = '', ...rows] = await shown('face list', columns)
    expect(head).toMatch(/^ID +TEMPLATE +VIEW +PLATFORM +QUALITY/)
    expect(rows.map((row) => row.split(/ +/).slice(1, 3).join(' ')).sort()).toEqual(
      ['LatteCoupon', 'StampCard'].flatMap((name) => [`${name}::v1 card`, `${name}::v1 icon`]),
    )
    const [first = '', second = ''] = rows.map((row) => row.split(' ')[0])
    expect(first).toMatch(/^[\da-f]{8}$/)
    expect(await vatom('face', 'update', first, '--quality', 'low')).toMatchObject({ code: 0 })
    expect(await vatom('face', 'delete', second, '--yes')).toMatchObject({ code: 0 })
    const left = (await json('face', 'list')) as unknown[]
    expect(left).toHaveLength(3)
    const changed = left.filter((one) => at(one, 'properties', 'constraints', 'quality') === 'low')
    expect(changed.map((one) => String(at(one, 'id')).slice(0, 8))).toEqual([first])
  },
)

test('a pipe gets whole ids and names, and no row is left without a column', async () => {
  const { vatom } = await withFaces()
  const { out } = await vatom('face', 'list')
  for (const row of out.trimEnd().split('\n'))
    expect(row).toMatch(
      /^[\da-f-]{36}\tlocal\.vatom::\w+::v1\t(icon|card)\tgeneric\thigh\tnative:\/\/image\tCardImage$/,
    )
})

test('the beginning of no face is refused', async () => {
  const { vatom, json } = await withFaces()
  const ids = ((await json('face', 'list')) as unknown[]).map((one) => String(at(one, 'id')))
  const unused = ['0000', '1111', '2222', '3333', '4444'].find((text) => !ids.some((id) => id.startsWith(text))) ?? ''
  expect(await vatom('face', 'delete', unused, '--yes')).toMatchObject({ code: 1, out: '' })
  expect(await vatom('face', 'update', unused, '--quality', 'low')).toMatchObject({ code: 2, out: '' })
  expect(await json('face', 'list')).toHaveLength(4)
})

test('face delete asks, foresees and reports by what a face is of and for whom, also for the beginning of its id', async () => {
  const { run, vatom, json } = await withFaces()
  const [first, second] = ((await json('face', 'list')) as unknown[]).map((one) => {
    const { id, template, properties } = Object(one)
    return { id, title: `${template} ${properties.constraints.view_mode}, generic, high, native://image (${id})` }
  })
  if (!first || !second) throw new Error('no faces')
  const answers = { [`Delete face ${first.title}?`]: 'n' }
  const asked = await run(['face', 'delete', first.id.slice(0, 8)], { tty: true, columns: 200, answers })
  expect(asked.err).toContain(`Delete face ${first.title}?`)
  const dry = await vatom('face', 'delete', first.id, '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`Would delete face ${first.title} on local`) })
  expect(await json('face', 'list')).toHaveLength(4)
  const done = await vatom('face', 'delete', first.id, '--yes')
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`Deleted face ${first.title} on local`) })
  expect(await json('face', 'delete', second.id, '--yes')).toMatchObject({
    results: [{ name: second.title, message: `Deleted face ${second.title} on local` }],
  })
  expect(await json('face', 'list')).toHaveLength(2)
})

test.each([80, 60])('lists leave out the last columns in %i columns before they cut names', async (columns) => {
  const { shown } = await withFaces()
  const rows = (await shown('action list', columns)).slice(1)
  for (const row of rows) expect(row).toMatch(/::(LatteCoupon|StampCard)::v1::Action::Transfer /)
  const [head = '', token = ''] = await shown('user token list', columns)
  expect(head).toMatch(/^ID +TOKEN +TYPE +STATE$/)
  expect(token).toMatch(/^[\da-f]{8} +publisher@local\.vatom +email +default, verified$/)
  for (const line of [head, ...rows]) expect(line.length).toBeLessThanOrEqual(columns)
})
