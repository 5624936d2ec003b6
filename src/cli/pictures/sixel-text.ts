import { image2sixel } from 'sixel/lib/SixelEncoder.js'

/** Pixels: red, green, blue and opacity of each. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Pixels as sixels, of 256 colours. */
export const sixelText = ({ data, width, height }: Pixels): string => `${image2sixel(data, width, height)}\n`
