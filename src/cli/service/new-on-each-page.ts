import { limits } from '../../contract/limits.ts'
import type { Place } from './every-page.ts'
import { endless, ListSize } from './list-size.ts'

/** A list that is read page by page. */
export interface PagedReading<R> {
  readonly ask: (place: Place) => Promise<readonly R[]>
  /** Records that a page is asked to have. */
  readonly limit: number
  readonly keyOf: (record: R) => unknown
}

/** A service that ignores page numbers has answered the same so many times more. */
const mostRepeated = 2

/**
 * The records of a list, page by page, each record once. The last page is the one that is shorter than the one before: a
 * service may have smaller pages than it is asked for, or ignore page numbers. Where records were added meanwhile, a page has
 * nothing new. Where some are gone, those behind them have moved to pages that were read: it goes back to them.
 */
export async function* newOnEachPage<R>({ ask, limit, keyOf }: PagedReading<R>): AsyncGenerator<readonly R[]> {
  const known = new Set<unknown>()
  const sizeOfKnown = new ListSize()
  const isNew = (record: R) => !known.has(keyOf(record))
  /** Records that a page has. */
  let size = limit
  /** The page that was gone back to, and had nothing new. */
  let settled = 0
  /** Whether the last record before a page is unknown: records before it are gone. */
  const isShifted = async (page: number): Promise<boolean> => {
    if (page === 1 || page - 1 === settled) return false
    const [last, ...others] = await ask({ limit: 1, page: (page - 1) * size })
    // Where the list has become that short, what is left of it is on the page before.
    return last === undefined || (others.length === 0 && isNew(last))
  }
  let back = 0
  let before: readonly R[] = []
  let repeated = 0
  for (let asked = 0, page = 1; asked < limits.pages; asked++) {
    const found = await ask({ limit, page })
    const fresh = found.filter(isNew)
    if (asked === 0) size = found.length
    for (const record of fresh) known.add(keyOf(record))
    sizeOfKnown.add(fresh.map(keyOf))
    if (fresh.length > 0) yield fresh
    if (known.size > limits.listed) throw endless(`${limits.listed} records`)
    if (page === back && fresh.length === 0) settled = page
    if (await isShifted(page)) {
      page--
      back = page
      settled = 0
      before = []
      continue
    }
    repeated = fresh.length === 0 && isSame(found, before, keyOf) ? repeated + 1 : 0
    if (found.length === 0 || found.length < before.length || repeated === mostRepeated) return
    before = found
    page++
  }
  throw endless(`${limits.pages} pages`)
}

function isSame<R>(one: readonly R[], other: readonly R[], keyOf: (record: R) => unknown): boolean {
  const keys = other.map(keyOf)
  return one.length === keys.length && one.every((record, index) => keyOf(record) === keys[index])
}
