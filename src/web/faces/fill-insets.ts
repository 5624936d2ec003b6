import type { Fill, Side } from './drawing.ts'

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}
/** How many pixels are hidden at each side of an element. */
export type Insets = Readonly<Record<Side, number>>

const opposite: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }
const none: Insets = { top: 0, right: 0, bottom: 0, left: 0 }

/** What is hidden of an image that fits into an element, filled from one side. */
export function fillInsets(fill: Fill, image: Size, element: Size): Insets {
  const axis = fill.from === 'left' || fill.from === 'right' ? 'width' : 'height'
  const hidden = element[axis] - shownLength(fill, image, element, axis)
  return { ...none, [opposite[fill.from]]: Math.min(element[axis], Math.max(0, hidden)) }
}

function shownLength({ fraction, start, end, within }: Fill, image: Size, element: Size, axis: keyof Size): number {
  if (within === 'element') {
    const [before, after] = [(start / image[axis]) * 100, (end / image[axis]) * 100]
    return (element[axis] * Math.floor(fraction * (100 - before - after) + before)) / 100
  }
  const scale = Math.min(element.width / image.width, element.height / image.height)
  const length = image[axis] * scale
  return (element[axis] - length) / 2 + start * scale + fraction * (length - (start + end) * scale)
}
