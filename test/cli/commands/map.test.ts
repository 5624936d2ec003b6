import { describe, expect, test } from 'vitest'
import { boxAround, distance, distanceText } from '../../../src/cli/map/area.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { action, red } from '../../fixtures/yaml.ts'
import { stocked, transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const zurich = '47.3769,8.5417'
/** Some 900 m north of it, and 95 km to the west. */
const [near, bern] = [
  { lat: 47.385, lon: 8.5417 },
  { lat: 46.948, lon: 7.4474 },
]

/** A desk with three dropped vAtoms, two in Zürich, and one that is not dropped. Their ids in this order. */
async function dropped(transport: (typeof transports)[number]) {
  const desk = await stocked(transport)
  desk.file('drop.yaml', `${action('Drop')}wait: true\n`)
  await desk.json('action', 'register', 'drop.yaml')
  const ids = at(await desk.json('emit', red, '--num', '4'), 'ids') as string[]
  for (const [index, place] of [{ lat: 47.3769, lon: 8.5417 }, near, bern].entries())
    await desk.json('act', 'Drop', ids[index] ?? '', '-d', `geo.pos=${JSON.stringify(place)}`)
  return { ...desk, ids }
}
const idsIn = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])

describe.each(transports)('on the %s transport', (transport) => {
  test('map shows what is dropped around a point, the nearest first, and nothing beyond the radius', async () => {
    const { run, vatom, json, ids } = await dropped(transport)
    const [here = '', there = '', far = ''] = ids
    const around = await vatom('map', '--around', zurich)
    expect(around).toEqual({
      code: 0,
      err: '',
      out: [
        [here, 'Red coupon', red, '47.37690', '8.54170', '0 m'],
        [there, 'Red coupon', red, '47.38500', '8.54170', '901 m'],
      ]
        .map((cells) => `${cells.join('\t')}\n`)
        .join(''),
    })
    expect(idsIn((await vatom('map', '--around', zurich, '--radius', '850m')).out)).toEqual([here])
    expect(idsIn((await vatom('map', '--around', zurich, '--radius', '200km')).out)).toEqual([here, there, far])
    expect(await json('map', '--around', zurich, '--radius', '200km', '--limit', '2')).toMatchObject({
      vatoms: [{ id: here }, { id: there }],
      faces: [],
      has_more: true,
    })
    const cut = await vatom('map', '--around', zurich, '--limit', '1')
    expect([idsIn(cut.out), cut.err]).toEqual([[here], 'There are more: give a greater --limit, or a smaller area\n'])
    const narrow = await run(['map', '--around', zurich], { tty: true, columns: 60 })
    expect(narrow.err).toMatch(/^No room for (?:[A-Z]+, )*DISTANCE: use a\s+wider\s+terminal/)
    const nothing = await vatom('map', '--around', '-33.92,18.42')
    const where = 'of latitude -33.92, longitude 18.42.\n'
    expect(nothing).toEqual({ code: 0, out: '', err: `Nothing is dropped within 1.0 km ${where}` })
    const near = await vatom('map', '--around', '-33.92,18.42', '--radius', '500m')
    expect(near.err).toBe(`Nothing is dropped within 500 m ${where}`)
  })

  test('map shows what is dropped in a box, and counts it by place', async () => {
    const { vatom, json, ids } = await dropped(transport)
    const box = ['--bottom-left', '47,8', '--top-right', '48,9']
    expect(idsIn((await vatom('map', ...box)).out).sort()).toEqual(ids.slice(0, 2).sort())
    expect(await json('map', ...box, '--limit', '1')).toMatchObject({ vatoms: { length: 1 }, has_more: true })
    expect(await json('map', ...box, '--limit', '2')).toMatchObject({ vatoms: { length: 2 }, has_more: false })
    const switzerland = ['--bottom-left', '45,5', '--top-right', '48,11', '--groups']
    expect(await json('map', ...switzerland, '--precision', '4')).toMatchObject({
      groups: [
        { key: 'u0qj', count: 2 },
        { key: 'u0m7', count: 1 },
      ],
      has_more: false,
    })
    expect((await vatom('map', ...switzerland, '--precision', '1')).out).toMatch(/^u\t3\t47\.2\d+\t8\.1\d+\n$/)
    expect((await vatom('map', ...switzerland, '--precision', '4', '--limit', '1')).err).toContain('There are more')
    expect(idsIn((await vatom('map', ...box, '--publisher', '$publisher')).out)).toHaveLength(2)
    expect((await vatom('map', ...box, '--publisher', 'rival.example')).err).toBe('Nothing is dropped there.\n')
    expect((await vatom('map', ...box, '--filter', 'avatars')).err).toBe('Nothing is dropped there.\n')
  })

  test('map --geojson prints places with the longitude first', async () => {
    const { vatom, ids } = await dropped(transport)
    const places = JSON.parse((await vatom('map', '--around', zurich, '--radius', '500m', '--geojson')).out)
    expect(places).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: ids[0],
          geometry: { type: 'Point', coordinates: [8.5417, 47.3769] },
          properties: expect.objectContaining({ title: 'Red coupon', template_variation: red }),
        },
      ],
    })
    const groups = await vatom('map', '--around', zurich, '--radius', '200km', '--groups', '--geojson')
    expect(JSON.parse(groups.out).features[0]).toMatchObject({ id: expect.any(String), properties: { count: 2 } })
  })
})

test.each([
  [['map'], 'No area given'],
  [['map', '--bottom-left', '47,8'], 'An area has two corners'],
  [['map', '--around', '47,8', '--bottom-left', '47,8'], '--around excludes'],
  [['map', '--bottom-left', '47,8', '--top-right', '48,9', '--radius', '1km'], '--radius goes with --around'],
  [['map', '--around', '47,8', '--precision', '3'], '--precision goes with --groups'],
  [['map', '--around', '47'], 'degrees north and east'],
  [['map', '--around', '91,8'], 'degrees north and east'],
  [['map', '--around', '0x10,1e1'], 'degrees north and east'],
  [['map', '--around', '47,8', '--radius', 'far'], 'a distance'],
  [['map', '--around', '47,8', '--groups', '--precision', '13'], 'from 1 to 12'],
  [
    ['map', '--bottom-left', '48,8', '--top-right', '47,9'],
    '--bottom-left: bottom_left must not be north of top_right',
  ],
])('%j is a usage error, and nothing is sent', async (words, message) => {
  const lines: string[] = []
  const { vatom } = await publisher({ service: { log: (line) => lines.push(line) } })
  expect(await vatom(...words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
  expect(lines).toEqual([])
})

describe('an area', () => {
  test.each([
    [{ lat: 0, lon: 0 }, 1000],
    [{ lat: 60, lon: 179.99 }, 50_000],
    [{ lat: -75, lon: -120 }, 300_000],
  ])('around %j holds the circle of %i m and little more', (point, radius) => {
    const { bottom_left, top_right } = boxAround(point, radius)
    const edges = [
      { lat: bottom_left.lat, lon: point.lon },
      { lat: top_right.lat, lon: point.lon },
    ]
    for (const edge of edges) expect(distance(point, edge)).toBeCloseTo(radius, 3)
    for (const lon of [bottom_left.lon, top_right.lon])
      expect(distance(point, { lat: point.lat, lon })).toBeGreaterThan(radius - 0.001)
  })

  test('near a pole has all longitudes', () =>
    expect(boxAround({ lat: 89.99, lon: 8 }, 5000)).toMatchObject({
      bottom_left: { lon: -172 },
      top_right: { lat: 90, lon: 188 },
    }))

  test.each([
    [0.4, '0 m'],
    [999.4, '999 m'],
    [999.6, '1.0 km'],
    [99_900, '99.9 km'],
    [123_456, '123 km'],
  ])('%d m are %s', (metres, text) => expect(distanceText(metres)).toBe(text))
})
