import { plural } from '../../contract/schema/wording.ts'
import { element } from '../element.ts'
import type { ResolveResource } from '../faces/resource-url.ts'
import { resourcesOf } from '../faces/subject.ts'
import type { ResourceList } from '../resources/resource-list.ts'

/** The resources of a vAtom below a line that opens them. */
export interface Resources {
  /** Undefined for a vAtom without any. */
  readonly element: HTMLElement | undefined
  /** Ends what is played and loaded. */
  readonly destroy: () => void
}

/** Shows the resources of a vAtom, which are loaded only when somebody opens them. */
export function resourcesFor(vatom: unknown, addressOf: ResolveResource): Resources {
  const resources = resourcesOf(vatom)
  const title = element('summary', {}, plural(resources.length, 'resource'))
  const details = element('details', { class: 'resources' }, title)
  let list: ResourceList | undefined
  const destroy = () => {
    list?.destroy()
    list?.element.remove()
    list = undefined
  }
  details.addEventListener('toggle', async () => {
    destroy()
    const { drawResources } = await import('../resources/resource-list.ts')
    if (!(details.open && details.isConnected) || list) return
    list = drawResources(resources, addressOf)
    details.append(list.element)
  })
  return { element: resources.length > 0 ? details : undefined, destroy }
}
