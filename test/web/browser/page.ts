import { type DrawnFace, drawFace, drawResource, type FaceOptions } from '../../../src/web/faces/draw-face.ts'
import type { Resource } from '../../../src/web/faces/subject.ts'

/** What tests call in the page. */
export interface TestPage {
  /** Draws a face instead of what is shown, and waits until it is loaded. */
  show(options: FaceOptions): Promise<readonly string[]>
  showResource(resource: Resource): Promise<void>
  update(vatom: unknown, children?: readonly unknown[]): Promise<readonly string[]>
  clear(): void
  /** What web faces have asked for. */
  readonly asked: [name: string, payload: unknown][]
  /** The share of pixels that differ between two PNGs, in base64. */
  difference(one: string, other: string): Promise<number>
}

const stage = document.querySelector('main') ?? document.body
const asked: TestPage['asked'] = []
let shown: Pick<DrawnFace, 'destroy'> | undefined
let face: DrawnFace | undefined

const page: TestPage = {
  asked,
  async show(options) {
    page.clear()
    face = drawFace(stage, {
      ...options,
      onMessage: (name, payload) => {
        asked.push([name, payload])
        return { ok: true }
      },
    })
    shown = face
    await face.ready
    return face.plan.notes
  },
  async showResource(resource) {
    page.clear()
    const drawn = drawResource(stage, resource)
    shown = drawn
    await drawn.ready
  },
  async update(vatom, children) {
    const plan = face?.update(vatom, children)
    await face?.ready
    return plan?.notes ?? []
  },
  clear() {
    shown?.destroy()
    shown = undefined
    face = undefined
  },
  async difference(one, other) {
    const [a, b] = [await pixelsOf(one), await pixelsOf(other)]
    if (a.width !== b.width || a.height !== b.height) return 1
    let differing = 0
    for (let index = 0; index < a.data.length; index += 4)
      if ([0, 1, 2].some((channel) => Math.abs((a.data[index + channel] ?? 0) - (b.data[index + channel] ?? 0)) > 32))
        differing += 1
    return differing / (a.width * a.height)
  },
}

async function pixelsOf(png: string): Promise<ImageData> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser has no canvas')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height)
}

declare global {
  interface Window {
    faces: TestPage
  }
}
window.faces = page
document.documentElement.dataset.ready = 'true'
