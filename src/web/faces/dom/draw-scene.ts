import type { ModelViewerElement } from '@google/model-viewer'
import type { Scene } from '../drawing.ts'
import { missingDecoders } from '../required-decoders.ts'
import { rulesFor, type SceneEvent } from '../scene-animation.ts'
import { addPicture, addressOf, type Drawn, type Stage, styled, whole } from './stage.ts'

/** A 3D model in `<model-viewer>`, which is loaded with the first scene; until then, its placeholder. */
export function drawScene(scene: Scene, stage: Stage): Drawn {
  const stop = new AbortController()
  let animations: Animations | undefined
  const load = async () => {
    const placeholder = scene.placeholder && addPicture(scene.placeholder, stage).catch(() => undefined)
    const address = addressOf(scene, stage)
    await Promise.all([import('./model-viewer.ts'), checkDecoders(scene, address, stop.signal)])
    if (stop.signal.aborted) return
    const viewer = viewerOf(scene)
    const loaded = loading(viewer, scene)
    viewer.src = address
    stage.element.append(viewer)
    unmarkLandmarks(viewer)
    await loaded
    const image = await placeholder
    image?.remove()
    animations = new Animations(viewer, scene)
    animations.happen({ on: 'start' })
    animations.happen({ on: 'state', vatom: stage.host().vatom })
  }
  return {
    ready: load(),
    refresh: () => animations?.happen({ on: 'state', vatom: stage.host().vatom }),
    destroy: () => {
      stop.abort()
      animations?.stop()
    },
  }
}

/** Without its decoder, a model would never be loaded. */
async function checkDecoders({ name, url }: Scene, address: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(address, { signal }).catch(() => undefined)
  if (signal.aborted) return
  if (!answer?.ok) throw new Error(`${name} cannot be loaded from ${url}`)
  const missing = missingDecoders(await answer.arrayBuffer())
  if (missing.length > 0) throw new Error(`${name} needs ${missing.join(' and ')}, which is not shown here`)
}

function viewerOf({ name, rules, autoRotate, zoom }: Scene): ModelViewerElement {
  const viewer = styled('model-viewer', { ...whole })
  viewer.alt = name
  // Also below what is to see of the page: it is ready only when it is loaded.
  viewer.loading = 'eager'
  viewer.cameraControls = true
  viewer.interactionPrompt = 'none'
  viewer.cameraOrbit = `5deg 90deg ${Math.round(zoom * 105)}%`
  viewer.autoRotate = autoRotate
  viewer.autoplay = rules.length === 0
  viewer.append(...['ar-button', 'exit-webxr-ar-button'].map(emptySlot))
  return viewer
}

/** Fills a slot of the viewer with nothing: its own buttons cannot be seen, but can be reached by the keyboard. */
function emptySlot(name: string): HTMLElement {
  const nothing = styled('span', { display: 'none' })
  nothing.slot = name
  return nothing
}

/** Regions in a viewer have the same name in each: as landmarks of a page with several, they could not be told apart. */
function unmarkLandmarks({ shadowRoot }: ModelViewerElement): void {
  for (const region of shadowRoot?.querySelectorAll('[role=region]') ?? []) {
    region.removeAttribute('role')
    region.removeAttribute('aria-label')
  }
}

const loading = (viewer: ModelViewerElement, { name, url }: Scene) =>
  new Promise((resolve, reject) => {
    viewer.addEventListener('load', resolve, { once: true })
    const fail = () => reject(new Error(`${name} is no 3D model that can be shown: ${url}`))
    viewer.addEventListener('error', fail, { once: true })
  })

/** Plays the animations that rules ask for, one at a time. */
class Animations {
  readonly #viewer: ModelViewerElement
  readonly #scene: Scene
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  /** The one that runs. */
  #current: string | undefined

  constructor(viewer: ModelViewerElement, scene: Scene) {
    this.#viewer = viewer
    this.#scene = scene
    viewer.addEventListener('click', () => this.happen({ on: 'click', animation: this.#current }))
    viewer.addEventListener('finished', () => {
      const animation = this.#current
      this.#current = undefined
      this.happen({ on: 'animation-complete', animation })
    })
  }

  happen(event: SceneEvent): void {
    for (const { play, delay } of rulesFor(this.#scene.rules, event)) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        this.#play(play)
      }, delay)
      this.#timers.add(timer)
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  /** An animation that runs already, or that the model does not have, changes nothing. */
  #play(name: string): void {
    if (name === this.#current || !this.#viewer.availableAnimations.includes(name)) return
    this.#current = name
    this.#viewer.animationName = name
    this.#viewer.currentTime = 0
    this.#viewer.play({ repetitions: 1, pingpong: false })
    this.happen({ on: 'animation-start', animation: name })
  }
}
