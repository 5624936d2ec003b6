import type { Drawing, Picture } from '../drawing.ts'
import { fillInsets } from '../fill-insets.ts'
import { addPicture, type Drawn, type Stage, styled } from './stage.ts'

const nothing = () => {}

/** Images one over the other, the first at the bottom. */
export const drawPictures = (pictures: readonly Picture[], stage: Stage): Drawn => ({
  ready: Promise.all(pictures.map((picture) => addPicture(picture, stage))),
  destroy: nothing,
})

/** The full image over the empty one, cut off as far as it is not filled. */
export function drawOverlay(drawing: Extract<Drawing, { kind: 'overlay' }>, stage: Stage): Drawn {
  const { base, full, fill, percentage } = drawing
  const images = Promise.all([addPicture(base, stage), addPicture(full, stage)])
  if (percentage !== undefined) stage.element.append(percentageLabel(percentage, stage))
  if (fill === undefined) return { ready: images, destroy: nothing }
  let observer: ResizeObserver | undefined
  const ready = images.then(([, image]) => {
    const cut = () => {
      const area = image.getBoundingClientRect()
      // A drawing without a size of its own is as large as its area.
      const natural = { width: image.naturalWidth || area.width, height: image.naturalHeight || area.height }
      const { top, right, bottom, left } = fillInsets(fill, natural, area)
      image.style.clipPath = `inset(${top}px ${right}px ${bottom}px ${left}px)`
    }
    cut()
    observer = new ResizeObserver(cut)
    observer.observe(image)
  })
  return { ready, destroy: () => observer?.disconnect() }
}

/** iOS writes the percentage in light grey and 10 points from the corner, Android in black. */
function percentageLabel(text: string, stage: Stage): HTMLElement {
  const isIos = stage.host().platform === 'ios'
  const label = styled('span', {
    position: 'absolute',
    top: isIos ? '10px' : '0',
    right: isIos ? '10px' : '0',
    font: isIos ? '500 13px system-ui, sans-serif' : '13px system-ui, sans-serif',
    color: isIos ? 'lightgray' : 'black',
  })
  label.textContent = text
  return label
}
