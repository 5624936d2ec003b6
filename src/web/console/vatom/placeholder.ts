import { isExampleAddress, isImageType, placeholderSvg } from '../../../contract/placeholder.ts'
import { resourcesOf } from '../../faces/subject.ts'

/** The image that is drawn for a resource of a vAtom at an example address; undefined for any other address. */
export function placeholderFor(vatom: unknown, url: string): string | undefined {
  if (!isExampleAddress(url)) return undefined
  const resource = resourcesOf(vatom).find((one) => one.url === url)
  if (!resource || !isImageType(resource.type)) return undefined
  return `data:image/svg+xml,${encodeURIComponent(placeholderSvg(resource.name))}`
}
