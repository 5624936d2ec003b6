import { at } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Vatom } from '../vatoms/vatom-table.ts'
import type { Point } from './area.ts'

/** A group of dropped vAtoms. */
export interface Group extends Point {
  readonly key: string
  readonly count: number
}

/** Where a vAtom is; undefined if its record does not say. */
export function positionOf(vatom: Vatom): Point | undefined {
  const [lon, lat] = [0, 1].map((index) => at(vatom, vatomTypeKey, 'geo_pos', 'coordinates', index))
  return typeof lon === 'number' && typeof lat === 'number' ? { lat, lon } : undefined
}

/** A FeatureCollection of RFC 7946. */
const collection = (features: readonly object[]) => ({ type: 'FeatureCollection', features })

/** A place with properties; GeoJSON has the longitude first. */
const feature = (id: unknown, { lat, lon }: Point, properties: object) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties,
})

const shownProperties = ['title', 'template', 'template_variation', 'category', 'publisher_fqdn', 'owner'] as const

/** VAtoms as GeoJSON, each with the properties that a map shows. */
export const vatomsJson = (vatoms: readonly Vatom[]): object =>
  collection(
    vatoms.flatMap((vatom) => {
      const position = positionOf(vatom)
      const properties = Object.fromEntries(
        shownProperties.map((name) => [name, at(vatom, vatomTypeKey, name) ?? null]),
      )
      return position ? [feature(vatom.id, position, properties)] : []
    }),
  )

/** Groups as GeoJSON, each at the centre of its vAtoms. */
export const groupsJson = (groups: readonly Group[]): object =>
  collection(groups.map(({ key, count, ...position }) => feature(key, position, { key, count })))
