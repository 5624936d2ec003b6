import { isSame } from '../../../contract/schema/path.ts'
import type { BridgeHost } from '../bridge.ts'
import type { Drawing } from '../drawing.ts'
import type { ResolveResource } from '../resource-url.ts'
import { drawFault } from './draw-fault.ts'
import { drawFrame } from './draw-frame.ts'
import { drawOverlay, drawPictures } from './draw-pictures.ts'
import { drawPlayer } from './draw-player.ts'
import { drawScene } from './draw-scene.ts'
import { type Drawn, type Stage, styled, whole } from './stage.ts'

/** A drawing, and the element that it is in. */
interface Layer {
  readonly drawing: Drawing
  readonly element: HTMLElement
  readonly drawn: Drawn
}

/** An area that shows one drawing after the other. */
export class Canvas {
  readonly #root: HTMLElement
  readonly #host: () => BridgeHost
  readonly #resolve: ResolveResource | undefined
  #layer: Layer | undefined
  #ready: Promise<void> = Promise.resolve()

  /** Covers an element. */
  constructor(parent: HTMLElement, host: () => BridgeHost, resolve: ResolveResource | undefined) {
    this.#root = styled('div', { position: 'relative', width: '100%', height: '100%', overflow: 'hidden' })
    this.#host = host
    this.#resolve = resolve
    parent.append(this.#root)
  }

  /** Resolved when all that is shown now is loaded, or has turned out not to be loadable. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Draws anew, unless the drawing is shown already. The old one stays below until the new one is loaded. */
  show(drawing: Drawing): void {
    const old = this.#layer
    if (old && isSame(drawing, old.drawing)) {
      old.drawn.refresh?.()
      return
    }
    const element = styled('div', { ...whole })
    this.#root.append(element)
    const drawn = draw(drawing, { element, resolve: this.#resolve, host: this.#host })
    const layer = { drawing, element, drawn }
    this.#layer = layer
    old?.drawn.destroy()
    this.#ready = drawn.ready
      .catch((error: unknown) => this.#fail(layer, error))
      .then(() => {
        while (element.previousSibling) element.previousSibling.remove()
      })
  }

  destroy(): void {
    this.#layer?.drawn.destroy()
    this.#layer = undefined
    this.#root.remove()
  }

  /** What cannot be loaded is an error on all platforms, unless something else is shown by now. */
  async #fail(layer: Layer, error: unknown): Promise<void> {
    if (layer !== this.#layer) return
    const why = error instanceof Error ? error.message : String(error)
    this.show({ kind: 'fault', fault: { shows: 'error', why, backdrop: undefined } })
    await this.#ready
  }
}

/** An address that is not loaded rejects, as one that cannot be loaded does. */
function draw(drawing: Drawing, stage: Stage): Drawn {
  try {
    return start(drawing, stage)
  } catch (error) {
    return { ready: Promise.reject(error), destroy: () => {} }
  }
}

function start(drawing: Drawing, stage: Stage): Drawn {
  switch (drawing.kind) {
    case 'picture':
      return drawPictures([drawing.picture], stage)
    case 'layers':
      return drawPictures(drawing.pictures, stage)
    case 'overlay':
      return drawOverlay(drawing, stage)
    case 'scene':
      return drawScene(drawing.scene, stage)
    case 'frame':
      return drawFrame(drawing.url, stage)
    case 'player':
      return drawPlayer(drawing, stage)
    case 'fault':
      return drawFault(drawing.fault, stage)
  }
}
