import { at } from '../schema/path.ts'
import { childrenOf } from './catalog.ts'

/** A variation of another publisher in a child_policy. */
interface ForeignChild {
  readonly index: number
  readonly name: string
  /** The publisher of the document. */
  readonly own: string
}

/** The domain name of a publisher that a name begins with; undefined for one with a placeholder, or without a publisher. */
const domainIn = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^([\w-]+(?:\.[\w-]+)+)::/.exec(name)?.[1] : undefined

/**
 * The variations in a child_policy that are of another publisher than the template of the document, or than `publisher`
 * where that has no domain name. None if neither is known. Spec 2.4.
 */
export function foreignChildren(document: unknown, publisher: string | undefined): readonly ForeignChild[] {
  const own = domainIn(at(document, 'template')) ?? publisher
  if (own === undefined) return []
  return childrenOf(document)
    .filter(({ name }) => ![undefined, own].includes(domainIn(name)))
    .map((child) => ({ ...child, own }))
}

/** What to write in the place of such a variation. */
export const ownChildrenHint = (publisher: string): string =>
  `a child_policy names only variations of its own publisher: name one of ${publisher}`
