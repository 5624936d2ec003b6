import type { MonitorCommand } from '../../contract/bodies/monitor-command.ts'
import type { Point } from './tell.ts'

/** A part of the map. */
export interface Region {
  readonly north: number
  readonly south: number
  readonly west: number
  /** Degrees from the west side to the east side; 360 and more is all around. */
  readonly width: number
}

/** The region of a command; one whose west side is east of its east side crosses the antimeridian. */
export function regionOf({ top_left, bottom_right }: MonitorCommand['payload']): Region {
  const width = bottom_right.lon - top_left.lon
  return {
    north: Math.max(top_left.lat, bottom_right.lat),
    south: Math.min(top_left.lat, bottom_right.lat),
    west: top_left.lon,
    width: width < 0 ? around(width) : width,
  }
}

/** Whether a place is in a region or on its edge. */
export const isIn = ({ north, south, west, width }: Region, { lat, lon }: Point): boolean =>
  lat <= north && lat >= south && around(lon - west) <= width

/** An angle from 0 to below 360 degrees. */
const around = (degrees: number): number => ((degrees % 360) + 360) % 360
