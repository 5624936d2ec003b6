import type { BridgeHost } from './bridge.ts'
import { Canvas } from './dom/canvas.ts'
import { type FacePlan, type FaceRequest, planFace } from './plan-face.ts'
import { planResource } from './player.ts'
import type { ResolveResource } from './resource-url.ts'
import type { Resource } from './subject.ts'

export { describeDrawing } from './drawing.ts'
export { differencesOf } from './plan-face.ts'

/** A vAtom, the viewer that shows it, and what the page does for it. */
export interface FaceOptions extends FaceRequest {
  readonly resolveResource?: ResolveResource
  /** Answers what a web face asks of its viewer, such as actions; undefined: it is not answered. */
  readonly onMessage?: (name: string, payload: unknown) => unknown
}

/** A face that is drawn in an element. */
export interface DrawnFace {
  /** What is drawn, and why. */
  readonly plan: FacePlan
  /** Resolved when all that is drawn now is loaded, or has turned out not to be loadable. */
  readonly ready: Promise<void>
  /** Shows a changed vAtom; its children are the same as before, if not given. */
  update(vatom: unknown, children?: readonly unknown[]): FacePlan
  /** Removes the face from its element. */
  destroy(): void
}

/** Draws a vAtom as a viewer does, over the whole of an element. */
export function drawFace(element: HTMLElement, options: FaceOptions): DrawnFace {
  let request = options
  let plan = planFace(options)
  const host = (): BridgeHost => ({
    platform: options.platform,
    viewMode: options.viewMode,
    face: plan.face,
    vatom: request.vatom,
    children: request.children ?? [],
    resolve: (url) => options.resolveResource?.(url) ?? url,
    onMessage: options.onMessage,
  })
  const canvas = new Canvas(element, host, options.resolveResource)
  canvas.show(plan.drawing)
  return {
    get plan() {
      return plan
    },
    get ready() {
      return canvas.ready
    },
    update(vatom, children = request.children ?? []) {
      request = { ...request, vatom, children }
      plan = planFace(request)
      canvas.show(plan.drawing)
      return plan
    },
    destroy: () => canvas.destroy(),
  }
}

/** Why what is drawn in an element cannot be shown, once that is known; undefined for what can. */
export const faultIn = (element: HTMLElement): string | undefined =>
  element.querySelector('[role=img]')?.ariaLabel ?? undefined

/** Draws a resource on its own, with a player for sound, video and text. */
export function drawResource(
  element: HTMLElement,
  resource: Resource,
  resolveResource?: ResolveResource,
): Pick<DrawnFace, 'ready' | 'destroy'> {
  const host = (): BridgeHost => ({
    platform: 'web',
    viewMode: 'icon',
    face: undefined,
    vatom: undefined,
    children: [],
    resolve: (url) => url,
    onMessage: undefined,
  })
  const canvas = new Canvas(element, host, resolveResource)
  canvas.show(planResource(resource).drawing)
  return { ready: canvas.ready, destroy: () => canvas.destroy() }
}
