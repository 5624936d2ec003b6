/** A place in degrees north and east. */
export interface Place {
  readonly lat: number
  readonly lon: number
}

/** The visible part of the map: its middle, and how many degrees it is wide; it is half as high. */
export interface View extends Place {
  readonly width: number
}

export const wholeWorld: View = { lat: 0, lon: 0, width: 360 }

/** Degrees; a hundredth is about a kilometre. */
const leastWidth = 0.005

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)

/** A view that shows nothing beyond the edges of the map. */
export function fitted({ lat, lon, width }: View): View {
  const wide = between(leastWidth, width, 360)
  return {
    width: wide,
    lat: between(-90 + wide / 4, lat, 90 - wide / 4),
    lon: between(-180 + wide / 2, lon, 180 - wide / 2),
  }
}

/** A view that is moved by parts of its size: `east` and `north` of 1 are a whole one. */
export const moved = ({ lat, lon, width }: View, east: number, north: number): View =>
  fitted({ lat: lat + (north * width) / 2, lon: lon + east * width, width })

/** A view that is `factor` times as wide, in which a place stays where it was. */
export const zoomed = ({ lat, lon, width }: View, factor: number, at: Place = { lat, lon }): View => {
  const wide = between(leastWidth, width * factor, 360)
  const by = wide / width
  return fitted({ lat: at.lat + (lat - at.lat) * by, lon: at.lon + (lon - at.lon) * by, width: wide })
}

/** The corners of a view, as searches of the map have them. */
export const boxOf = ({ lat, lon, width }: View) => ({
  bottom_left: { lat: lat - width / 4, lon: lon - width / 2 },
  top_right: { lat: lat + width / 4, lon: lon + width / 2 },
})

/** The same, as sockets ask for it. */
export const regionOf = ({ lat, lon, width }: View) => ({
  top_left: { lat: lat + width / 4, lon: lon - width / 2 },
  bottom_right: { lat: lat - width / 4, lon: lon + width / 2 },
})

/** Whether a place is visible. */
export const isIn = ({ lat, lon, width }: View, place: Place): boolean =>
  Math.abs(place.lat - lat) <= width / 4 && Math.abs(place.lon - lon) <= width / 2

/** Degrees that a geohash of as many characters is wide. */
const cellWidths = [45, 11.25, 1.40625, 0.3515625, 0.0439453125, 0.010986328125, 0.001373291015625]

/** The precision of groups of which some twelve fit side by side. */
export const precisionOf = ({ width }: View): number => {
  const index = cellWidths.findIndex((cell) => cell <= width / 12)
  return index < 0 ? cellWidths.length : index + 1
}

/** Degrees between the lines of the map: about six of them are visible. */
export function gridStep({ width }: View): number {
  const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
  return steps.find((step) => step <= width / 6) ?? 0.001
}

/** A number of degrees, as exact as the view is. */
export const degrees = (value: number, { width }: View): string =>
  value.toFixed(Math.min(6, Math.max(0, Math.ceil(3 - Math.log10(width)))))
