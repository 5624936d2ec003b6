import { limits } from '../../contract/limits.ts'
import type { geoFilters } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { printTable } from '../io/table.ts'
import { checkValue } from '../kinds/load-checked.ts'
import { fullName } from '../service/publisher.ts'
import { printVatoms, rowOf, usualColumns, type Vatom, type VatomColumns } from '../vatoms/vatom-table.ts'
import { type Box, boxAround, distance, distanceText, type Point } from './area.ts'
import { type Group, groupsJson, positionOf, vatomsJson } from './geojson.ts'

export interface MapOptions {
  readonly bottomLeft?: Point
  readonly topRight?: Point
  readonly around?: Point
  /** Metres. */
  readonly radius?: number
  readonly groups?: boolean
  readonly precision?: number
  readonly filter?: (typeof geoFilters)[number]
  readonly publisher?: string
  readonly limit?: number
  readonly geojson?: boolean
}

/** Metres around a point, if no radius is given. */
export const usualRadius = 1000

/** Prints what is dropped in an area of the map, or how many vAtoms are dropped at each place. */
export async function showMap(options: MapOptions, context: Context): Promise<void> {
  checkOptions(options, context)
  const { filter } = options
  const publisher = options.publisher && (await fullName(options.publisher, context))
  const area = { ...boxOf(options), ...(filter && { filter }), ...(publisher && { publisher_fqdn: publisher }) }
  const found = options.groups ? await groupsIn(area, options, context) : await vatomsIn(area, options, context)
  const { output } = context
  if (options.geojson) output.document(found.geojson())
  else await found.print({ ...found.answer, has_more: found.hasMore })
  if (found.count === 0) output.note(`Nothing is dropped ${whereText(options)}.`)
  if (found.hasMore) output.note('There are more: give a greater --limit, or a smaller area')
}

/** What was found, in each form that it can be printed in. */
interface Found {
  readonly answer: object
  readonly count: number
  readonly hasMore: boolean
  readonly geojson: () => object
  /** Prints what was found as a table, with --json the answer. */
  readonly print: (answer: object) => Promise<void>
}

function checkOptions({ around, radius, bottomLeft, topRight, ...options }: MapOptions, { output }: Context): void {
  const corners = [bottomLeft, topRight].filter((corner) => corner !== undefined).length
  const example = '--around 47.37,8.54 --radius 2km, or --bottom-left 47.3,8.4 --top-right 47.4,8.6'
  if (around && corners > 0) throw usage('--around excludes --bottom-left and --top-right', `give ${example}`)
  if (!around && corners < 2)
    throw usage(corners === 0 ? 'No area given' : 'An area has two corners', `give ${example}`)
  if (radius !== undefined && !around) throw usage('--radius goes with --around')
  if (options.precision !== undefined && !options.groups) throw usage('--precision goes with --groups')
  if (options.geojson && output.json) throw usage('--geojson excludes --json', 'give one of them')
}

/** The options were checked. */
function boxOf({ around, radius = usualRadius, bottomLeft, topRight }: MapOptions): Partial<Box> {
  if (around) return boxAround(around, radius)
  return { ...(bottomLeft && { bottom_left: bottomLeft }), ...(topRight && { top_right: topRight }) }
}

/** The area in words: a radius that was not given is no less what was searched. */
const whereText = ({ around, radius = usualRadius }: MapOptions): string =>
  around ? `within ${distanceText(radius)} of latitude ${around.lat}, longitude ${around.lon}` : 'there'

/** One more than is shown, so that it is known whether there are more. */
const requested = (limit: number) => Math.min(limit + 1, limits.geo)

async function groupsIn(area: object, { precision, limit = limits.geo }: MapOptions, context: Context): Promise<Found> {
  const asked = { ...area, ...(precision !== undefined && { precision }), limit: requested(limit) }
  const { GeoDiscoverGroups } = await import('../../contract/api/geo.ts')
  const body = await checkValue(GeoDiscoverGroups(), asked)
  const { client } = await context.connect()
  const answer = await client.geoDiscoverGroups({ body })
  const groups: readonly Group[] = answer.groups.slice(0, limit)
  const head = ['GEOHASH', 'COUNT', 'LAT', 'LON']
  const rows = groups.map(({ key, count, lat, lon }) => [key, String(count), degreesText(lat), degreesText(lon)])
  return {
    answer: { ...answer, groups },
    count: groups.length,
    hasMore: answer.groups.length > groups.length || answer.groups.length === limits.geo,
    geojson: () => groupsJson(groups),
    print: (answer) => printTable(answer, head, rows, context.output),
  }
}

async function vatomsIn(
  area: object,
  { around, radius, limit = limits.geo }: MapOptions,
  context: Context,
): Promise<Found> {
  // The nearest are not the newest, which a service answers if it answers only some.
  const { GeoDiscover } = await import('../../contract/api/geo.ts')
  const body = await checkValue(GeoDiscover(), { ...area, limit: around ? limits.geo : requested(limit) })
  const { client } = await context.connect()
  const answer = await client.geoDiscover({ body })
  const inside = around ? nearestFirst(answer.vatoms, around, radius ?? usualRadius) : answer.vatoms
  const vatoms = inside.slice(0, limit)
  const columns = around ? [...placedColumns, distanceColumn(around)] : placedColumns
  return {
    answer: { ...answer, vatoms },
    count: vatoms.length,
    hasMore: inside.length > vatoms.length || answer.vatoms.length === limits.geo,
    geojson: () => vatomsJson(vatoms),
    print: (answer) => {
      const rows = vatoms.map((vatom) => rowOf(vatom, columns))
      return printVatoms(answer, rows, columns, context.output)
    },
  }
}

const distanceTo = (point: Point, vatom: Vatom) => {
  const position = positionOf(vatom)
  return position ? distance(point, position) : Number.POSITIVE_INFINITY
}

const nearestFirst = (vatoms: readonly Vatom[], point: Point, radius: number): Vatom[] =>
  vatoms
    .map((vatom) => ({ vatom, metres: distanceTo(point, vatom) }))
    .filter(({ metres }) => metres <= radius)
    .sort((one, other) => one.metres - other.metres)
    .map(({ vatom }) => vatom)

/** Five decimals are about a metre. */
const degreesText = (degrees: number | undefined) => (degrees === undefined ? '' : degrees.toFixed(5))

const placedColumns: VatomColumns = [
  ...usualColumns,
  ['LAT', (vatom) => degreesText(positionOf(vatom)?.lat)],
  ['LON', (vatom) => degreesText(positionOf(vatom)?.lon)],
]

const distanceColumn = (point: Point) => ['DISTANCE', (vatom: Vatom) => distanceText(distanceTo(point, vatom))] as const
