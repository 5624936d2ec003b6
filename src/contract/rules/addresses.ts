import { at, listAt, type Path } from '../schema/path.ts'
import { vatomType } from '../values.ts'

/** Where a document may hold an address, and what is there. */
interface Place {
  readonly path: Path
  readonly url: unknown
  /** The resource whose address it is; a face has addresses of its own. */
  readonly resource?: unknown
}

/** The addresses of the resources in a template or a variation, and of a face. */
export const addressesIn = (document: unknown): Place[] => [
  ...listAt(document, ...vatomType, 'resources').map((resource, index) => ({
    path: [...vatomType, 'resources', index, 'value', 'value'],
    url: at(resource, 'value', 'value'),
    resource,
  })),
  ...['display_url', 'package_url'].map((key) => ({ path: [key], url: at(document, key) })),
]
