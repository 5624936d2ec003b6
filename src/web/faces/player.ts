import type { Plan } from './drawing.ts'
import { blank, pictureOf, planned, type Resource } from './subject.ts'

/** A resource on its own: an image, a 3D model, or a player for sound, video and text. */
export function planResource(resource: Resource): Plan {
  const { name, url } = resource
  const kind = /^ResourceTypes?::([^:]+)::/.exec(resource.type)?.[1]?.toLowerCase()
  if (kind === 'image') return planned({ kind: 'picture', picture: pictureOf(resource) })
  if (kind === '3d') {
    const scene = { name, url, placeholder: undefined, rules: [], autoRotate: false, zoom: 1 }
    return planned({ kind: 'scene', scene })
  }
  if (kind === 'audio' || kind === 'video' || kind === 'text')
    return planned({ kind: 'player', media: kind, name, url })
  return blank(`nothing here shows a resource of type ${resource.type}`)
}
