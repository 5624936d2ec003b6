import { element } from '../element.ts'
import { drawResource, faultIn } from '../faces/draw-face.ts'
import type { ResolveResource } from '../faces/resource-url.ts'
import type { Resource } from '../faces/subject.ts'

/** The resources of a vAtom, each with what shows or plays it. */
export interface ResourceList {
  readonly element: HTMLElement
  /** Ends what is played and loaded. */
  readonly destroy: () => void
}

/** Draws resources; `resolve` maps addresses to those that the page can load. */
export function drawResources(resources: readonly Resource[], resolve: ResolveResource): ResourceList {
  const drawn = resources.map((resource) => drawOne(resource, resolve))
  return {
    element: element('ul', { class: 'resource-list' }, ...drawn.map((one) => one.element)),
    destroy: () => {
      for (const one of drawn) one.destroy()
    },
  }
}

function drawOne(resource: Resource, resolve: ResolveResource): ResourceList {
  const area = element('div', { class: 'area' })
  const says = element('span', { class: 'shows muted' }, kindOf(resource))
  const item = element('li', {}, area, element('strong', {}, resource.name), says)
  const { ready, destroy } = drawResource(area, resource, resolve)
  void ready.then(() => {
    const fault = faultIn(area)
    if (fault !== undefined) says.replaceWith(element('span', { class: 'shows fault' }, fault))
  })
  return { element: item, destroy }
}

/** `ResourceType::Image::JPEG` as `Image JPEG`. */
const kindOf = ({ type }: Resource): string => type.replace(/^ResourceTypes?::/, '').replaceAll('::', ' ')
